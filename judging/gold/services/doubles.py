"""Questions of a gold set that ask the same in the same or other words, and documents that two splits share."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from judging.gold.services.sets import gold_questions, gold_references
from judging.models import GoldQuestion, GoldSet
from judging.splits import document_groups, folds_by_group
from legalqa.common.errors import ApplicationError
from legalqa.encoder import client as encoder
from legalqa.encoder.client import FloatMatrix
from retrieval.questions.building import SAME_QUESTION
from retrieval.services.lab import query_hash

MAX_COMPARED = 200  # ours: questions compared while a person waits; commands and jobs compare all


@dataclass(frozen=True, slots=True)
class Double:
    """`later` asks the same as `earlier`: places in the order of the questions; similarity 1.0 for the same words."""

    earlier: int
    later: int
    similarity: float


def doubles_of(
    *,
    texts: Sequence[str],
    n_known: int = 0,
    n_compared: int | None = None,
    vectors: dict[str, FloatMatrix] | None = None,
) -> list[Double]:
    """Which texts ask the same as an earlier one; each is named once, with the most similar earlier one.

    Args:
        texts: Questions.
        n_known: This many at the start have been compared already and are only compared with.
        n_compared: At most this many are encoded; the rest is compared by its words only. None for all.
        vectors: Unit vectors of texts that were encoded before; new ones are added.
    """
    doubles: dict[int, Double] = {}
    first: dict[str, int] = {}
    for place, text in enumerate(texts):
        earlier = first.setdefault(query_hash(query=text), place)
        if earlier != place and place >= n_known:
            doubles[place] = Double(earlier, place, 1.0)
    n_read = len(texts) if n_compared is None else min(n_compared, len(texts))
    if n_read > max(1, n_known):
        by_text = {} if vectors is None else vectors
        if missing := list(dict.fromkeys(text for text in texts[:n_read] if text not in by_text)):
            fresh = np.asarray(encoder.encoder().encode(missing), np.float32)
            by_text |= zip(missing, fresh / np.linalg.norm(fresh, axis=1, keepdims=True), strict=True)
        matrix = np.stack([by_text[text] for text in texts[:n_read]])
        for place in range(max(1, n_known), n_read):
            similar = matrix[:place] @ matrix[place]
            nearest = int(similar.argmax())
            if place not in doubles and similar[nearest] >= SAME_QUESTION:
                doubles[place] = Double(nearest, place, round(float(similar[nearest]), 3))
    return [doubles[place] for place in sorted(doubles)]


def gold_set_doubles_mark(
    *, gold_set: GoldSet, n_compared: int | None = None, vectors: dict[str, FloatMatrix] | None = None
) -> int:
    """Mark the questions of a set that ask the same as an earlier one; how many there are. Nothing is removed.

    A question with a history is compared with it: "How is it defined?" twice may be two questions.
    """
    questions = list(gold_questions(gold_set=gold_set))
    texts = [question_as_text(text=question.text, history=question.history) for question in questions]
    doubles = doubles_of(texts=texts, n_compared=n_compared, vectors=vectors)
    doubled = {double.later: double for double in doubles}
    changed = []  # writing ten thousand rows that stay as they are takes seconds
    for place, question in enumerate(questions):
        double = doubled.get(place)
        mark = (questions[double.earlier].pk, double.similarity) if double else (None, None)
        if mark != (question.double_of, question.similarity):
            question.double_of, question.similarity = mark
            changed.append(question)
    GoldQuestion.objects.bulk_update(changed, ["double_of", "similarity"], batch_size=500)
    return len(doubles)


def question_as_text(*, text: str, history: Sequence[object]) -> str:
    """A question with the turns before it, as one text to compare."""
    turns = [" ".join(map(str, turn.values())) if isinstance(turn, dict) else str(turn) for turn in history]
    return "\n".join([*turns, text])


@dataclass(frozen=True, slots=True)
class Shared:
    """What two splits have in common: documents by title, and the number of pairs of questions that ask the same."""

    first: str
    second: str
    documents: tuple[str, ...]
    n_doubles: int


def splits_shared(*, gold_set: GoldSet) -> list[Shared]:
    """Pairs of splits that are not apart: one document, or one question in other words, is in both."""
    questions = [question for question in gold_questions(gold_set=gold_set) if question.split]
    split_of = {question.pk: question.split for question in questions}
    documents: dict[str, set[str]] = defaultdict(set)
    for question_id, group in gold_references(questions=questions).items():
        documents[split_of[question_id]] |= {reference.paragraph.document.title for reference in group}
    crossing: dict[frozenset[str], int] = defaultdict(int)
    for question in questions:
        other = split_of.get(question.double_of) if question.double_of else None
        if other and other != question.split:
            crossing[frozenset((other, question.split))] += 1
    names = sorted({question.split for question in questions})
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    shared = [Shared(a, b, tuple(sorted(documents[a] & documents[b])), crossing[frozenset((a, b))]) for a, b in pairs]
    return [pair for pair in shared if pair.documents or pair.n_doubles]


# Tenths in the order in which groups are dealt, so that few groups reach every split.
DEAL = ("train", "test", "calibration", "train", "test", "train", "test", "train", "calibration", "train")
SPLITS = ("train", "calibration", "test")
SEED = 144


def splits_deal(*, gold_set: GoldSet) -> dict[str, int]:
    """Deal the questions of a set into splits, half train, a fifth calibration, the rest test; how many each has.

    Questions that share a document, or ask the same in other words, come into one split, directly or through others.

    Raises:
        ApplicationError: all questions hang together, so they cannot be taken apart.
    """
    questions = list(gold_questions(gold_set=gold_set))
    references = gold_references(questions=questions)
    documents: list[list[str | UUID]] = [
        [
            question.pk,
            *([question.double_of] if question.double_of else []),
            *(str(reference.paragraph.document_id) for reference in references.get(question.pk, ())),
        ]
        for question in questions
    ]
    groups = document_groups(documents)
    if len(set(groups)) < len(SPLITS):
        raise ApplicationError(
            "The questions share their documents, so they cannot be split without a document being on both sides. "
            "Set the split of single questions by hand, or add questions on other documents.",
            code="not_separable",
        )
    folds = folds_by_group(groups, n_folds=len(DEAL), seed=SEED)
    for question, fold in zip(questions, folds, strict=True):
        question.split = DEAL[fold]
    GoldQuestion.objects.bulk_update(questions, ["split"], batch_size=500)
    return {name: sum(question.split == name for question in questions) for name in SPLITS}
