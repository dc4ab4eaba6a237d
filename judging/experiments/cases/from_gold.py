"""Test questions for a case base out of a gold set: each rests on passages that several cases rest on."""

import random
from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from judging.experiments.cases.pairs import PairQuestion
from judging.gold.services.sets import gold_questions
from judging.models import GoldReference, GoldSet
from judging.models.gold import Review
from legalqa.common.errors import ApplicationError
from retrieval.cases.selectors import case_supports
from retrieval.models import CaseEntry


def questions_of_gold_set(
    *, gold_set: GoldSet, cases: Sequence[CaseEntry], number: int, seed: int
) -> list[PairQuestion]:
    """At most `number` approved questions of a set that can be answered only from two or more cases together.

    A question needs the cases that rest on its passages: on two of them at least. One that is itself a case is left
    out, as it would find its own answer.

    Args:
        gold_set: Of the corpus that the cases belong to.
        cases: Those in use.
        number: At most.
        seed: Of the choice, where there are more.

    Raises:
        ApplicationError: there is no such question.

    Source: CBR-RAG, section 6.1. Differs: a person wrote the question, and its passages say which cases it needs; the
    paper lets a model write one on each pair of cases.
    """
    by_paragraph: dict[int, set[CaseEntry]] = defaultdict(set)
    by_id = {case.pk: case for case in cases}
    for support in case_supports(cases=cases):
        by_paragraph[support.paragraph_id].add(by_id[support.case_id])
    passages: dict[UUID, set[int]] = defaultdict(set)
    for question, paragraph in GoldReference.objects.filter(question__gold_set=gold_set).values_list(
        "question_id", "paragraph_id"
    ):
        passages[question].add(paragraph)
    known = {case.question.casefold() for case in cases} | {str(case.origin_id) for case in cases}
    candidates = []
    for row in gold_questions(gold_set=gold_set).filter(review=Review.APPROVED, is_answerable=True):
        supports = [by_paragraph[paragraph] for paragraph in passages[row.pk] if paragraph in by_paragraph]
        needed = set().union(*supports)
        if len(supports) > 1 and len(needed) > 1 and not {row.text.casefold(), str(row.pk)} & known:
            ids = tuple(sorted(str(case.pk) for case in needed))
            candidates.append(PairQuestion(row.text, row.reference_answer, ids, _act_of_all(needed)))
    if not candidates:
        raise ApplicationError(
            f"No question of the gold set “{gold_set.name}” rests on passages of two cases in use. Choose another set, "
            "or bring the questions in a file.",
            code="no_questions",
        )
    return random.Random(seed).sample(candidates, number) if len(candidates) > number else candidates  # noqa: S311 - no secret


def _act_of_all(cases: set[CaseEntry]) -> str:
    """A legal act that every one of the cases names, the first by name; "" where there is none."""
    acts = [set(case.entities.get("act", ())) for case in cases]
    return min(set.intersection(*acts), default="")
