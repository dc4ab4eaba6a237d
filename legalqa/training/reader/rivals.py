"""Passages that a search finds beside the one that answers: what a reader must learn to put behind it."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from legalqa.encoder.client import FloatMatrix
from legalqa.training.reader.rows import AnswerRow

MOST = 4  # rivals a question
READ = 8  # ours: of the nearest, those that a reader reads to find the rivals that mislead it
LONG = 30  # passages of a document from which all that answer in it are taken to be known
# Cosine of two passages from which they may say the same, so that the other may answer as well: of documents of their
# own, where a clause comes back in other words, and of one document, where each says something of its own.
ALIKE, ALIKE_INSIDE = 0.75, 0.92


def rivals_of(
    rows: Sequence[AnswerRow], questions: FloatMatrix, passages: FloatMatrix, *, most: int = MOST
) -> dict[tuple[str, str], tuple[str, ...]]:
    """For each row that is answered the passages of the same source nearest to its question that do not answer it.

    Args:
        rows: Questions with the passage that each was written about.
        questions: Unit vectors [n, d] of their questions.
        passages: Unit vectors [n, d] of their passages.

    Returns:
        By the row's source and id at most `most` passages, nearest first.
    """
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    answering: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        if row.is_answerable:
            answering.setdefault((row.group, row.question), set()).add(row.passage)
    for source in sorted({row.source for row in rows}):
        own = [place for place, row in enumerate(rows) if row.source == source]
        pool = list({rows[place].passage: place for place in own}.values())
        vectors = passages[pool]
        groups = np.array([rows[place].group for place in pool])
        for place in (place for place in own if rows[place].is_answerable):
            limit = np.where(groups == rows[place].group, ALIKE_INSIDE, ALIKE)
            likeness = vectors @ questions[place]
            likeness[vectors @ passages[place] >= limit] = -np.inf
            also = answering[rows[place].group, rows[place].question]
            likeness[[rows[other].passage in also for other in pool]] = -np.inf
            nearest = [int(n) for n in np.argsort(-likeness)[:most] if np.isfinite(likeness[n])]
            found[source, rows[place].id] = tuple(rows[pool[n]].passage for n in nearest)
    return found


def rivals_read(
    rows: Sequence[AnswerRow],
    near: Mapping[tuple[str, str], Sequence[str]],
    read: Callable[[Sequence[tuple[str, str]]], Sequence[float]],
    *,
    most: int = MOST,
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Of the passages near each question those that a reader takes for its answer, the most misleading first.

    In documents of fewer than LONG passages, a near passage that the reader takes for an answer may be one that nobody
    marked: there, and of other documents, the nearest stay.

    Args:
        near: As of `rivals_of`, more than `most` of each.
        read: The reader's scores of pairs of question and passage.

    Source: Xiong et al. 2021 (ANCE), where the model in training finds its own negatives. Differs: they are found once,
    before training, and only where the positives are known.
    """
    inside: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        inside[row.group].add(row.passage)
    asked = [row for row in rows if len(inside[row.group]) >= LONG and near.get((row.source, row.id))]
    pairs = {(row.question, text): 0.0 for row in asked for text in near[row.source, row.id]}
    pairs = dict(zip(pairs, read(list(pairs)), strict=True))
    found = {key: tuple(texts[:most]) for key, texts in near.items()}
    for row in asked:
        own = [text for text in near[row.source, row.id] if text in inside[row.group]]
        others = [text for text in near[row.source, row.id] if text not in inside[row.group]]
        own.sort(key=lambda text: -pairs[row.question, text])
        found[row.source, row.id] = tuple([*own, *others][:most])
    return found
