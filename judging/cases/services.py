"""A case base measured by a file of test questions: which cases are found, and what answers they make for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from corpora.models import Corpus
from corpora.services.encoding import question_encoder
from judging.cases.measure import CaseQuestion, Compared, part_vectors
from judging.cases.pairs import PairQuestion
from legalqa.common.errors import ApplicationError
from retrieval.cases.entries import cases_usable
from retrieval.cases.merging import CaseText
from retrieval.models import CaseEntry, CaseIndex


@dataclass(frozen=True, slots=True)
class CaseBase:
    """The cases in use of a corpus with how alike they and test questions are, by the name of each encoder."""

    cases: tuple[CaseText, ...]
    by_encoder: dict[str, Compared]


def case_base_compared(*, corpus: Corpus, questions: Sequence[PairQuestion]) -> CaseBase:
    """Compare test questions with the cases in use of a corpus by every encoder that they are compared by.

    Raises:
        ApplicationError: there are no such cases, or a question names one that is not among them.
    """
    cases = list(cases_usable(corpus=corpus).order_by("pk"))
    if not cases:
        raise ApplicationError("The corpus has no approved cases. Import some and approve them.", code="no_cases")
    places = {case.external_id: place for place, case in enumerate(cases) if case.external_id}
    places |= {str(case.pk): place for place, case in enumerate(cases)}
    asked = tuple(_asked(number, question, places) for number, question in enumerate(questions, start=1))
    by_encoder = {
        index.encoder: _compared(index, cases, asked)
        for index in CaseIndex.objects.filter(corpus=corpus).order_by("created_at")
    }
    return CaseBase(tuple(_text(case) for case in cases), by_encoder)


def _asked(number: int, question: PairQuestion, places: dict[str, int]) -> CaseQuestion:
    if unknown := [case for case in question.cases if case not in places]:
        words = f"Question {number} names the case {unknown[0][:60]!r}, which is not among the approved ones."
        raise ApplicationError(f"{words} Remove the line, or approve the case.", code="unknown_case")
    return CaseQuestion(question.question, frozenset(places[case] for case in question.cases), str(number))


def _compared(index: CaseIndex, cases: Sequence[CaseEntry], asked: tuple[CaseQuestion, ...]) -> Compared:
    encoder = question_encoder(organization_id=index.organization_id, corpus_id=index.corpus_id, name=index.encoder)
    question, support, entities = part_vectors(index, [case.pk for case in cases])
    same = np.asarray(encoder.encode([one.text for one in asked]), np.float32)
    other = np.asarray(encoder.encode([index.cue + one.text for one in asked]), np.float32) if index.cue else same
    return Compared(asked, (same @ question.T, other @ support.T, other @ entities.T))


def _text(case: CaseEntry) -> CaseText:
    of: dict[str, Any] = {"question": case.question, "support": case.support, "answer": case.answer}
    return CaseText(str(case.pk), entities=case.entities, **of)
