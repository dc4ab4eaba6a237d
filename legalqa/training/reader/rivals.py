"""Passages that a search finds beside the one that answers: what a reader must learn to put behind it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from legalqa.encoder.client import FloatMatrix
from legalqa.training.reader.rows import AnswerRow

MOST = 4  # rivals a question
MOST_WITH_TEACHER = 16  # the same where a teacher says what they are worth
# Cosine of two passages from which they may say the same, so that the other may answer as well: of documents of their
# own, where a clause comes back in other words, and of one document, where each says something of its own.
ALIKE, ALIKE_INSIDE = 0.75, 0.92

Truth = NDArray[np.bool_]


def nearest_unlike(
    question: NDArray[np.float32], passages: FloatMatrix, *, own: FloatMatrix, is_same: Truth, barred: Truth, most: int
) -> list[int]:
    """The places of the passages nearest to a question, without those that may say the same as one that answers it.

    Args:
        question: Its unit vector [d].
        passages: Unit vectors [n, d].
        own: Of those that answer, [k, d].
        is_same: Whether a passage is of the document of one that answers, [n, k].
        barred: Passages that are left out, too, [n].
        most: How many.
    """
    likeness = passages @ question
    likeness[barred | (passages @ own.T >= np.where(is_same, ALIKE_INSIDE, ALIKE)).any(axis=1)] = -np.inf
    return [int(n) for n in np.argsort(-likeness)[:most] if np.isfinite(likeness[n])]


def rivals_of(
    rows: Sequence[AnswerRow], questions: FloatMatrix, passages: FloatMatrix, *, most: int = MOST
) -> dict[tuple[str, str], tuple[str, ...]]:
    """For each row that is answered the passages of the same source that seem to answer its question and do not.

    Those that a person marked as such come first, then those nearest to the question.

    Args:
        rows: Questions with the passage that each was written about.
        questions: Unit vectors [n, d] of their questions.
        passages: Unit vectors [n, d] of their passages.

    Returns:
        By the row's source and id at most `most` passages, the most misleading first.
    """
    by_row: dict[tuple[str, str], tuple[str, ...]] = {}
    answering: dict[tuple[str, str], set[str]] = {}
    marked: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.is_answerable:
            answering.setdefault((row.group, row.question), set()).add(row.passage)
        else:
            marked.setdefault((row.group, row.question), []).append(row.passage)
    for source in sorted({row.source for row in rows}):
        own = [place for place, row in enumerate(rows) if row.source == source]
        pool = list({rows[place].passage: place for place in own}.values())
        vectors = passages[pool]
        groups = np.array([rows[place].group for place in pool])
        for place in (place for place in own if rows[place].is_answerable):
            also = answering[rows[place].group, rows[place].question]
            nearest = nearest_unlike(
                questions[place],
                vectors,
                own=passages[[place]],
                is_same=(groups == rows[place].group)[:, None],
                barred=np.array([rows[other].passage in also for other in pool]),
                most=most,
            )
            misleading = marked.get((rows[place].group, rows[place].question), [])
            rivals = [*misleading, *(rows[pool[n]].passage for n in nearest)]
            by_row[source, rows[place].id] = tuple(dict.fromkeys(rivals))[:most]
    return by_row
