"""Solved cases made of a gold set: its experts have approved the questions already."""

from typing import Any
from uuid import UUID

from judging.gold.services.sets import gold_questions_with_evidence, gold_references, gold_set_get
from judging.models import GoldQuestion, GoldReference
from legalqa.accounts.models import Organization, User
from retrieval.cases.files import CaseRow, CaseSpan
from retrieval.cases.services import Added, cases_add
from retrieval.models import CaseOrigin, CaseState


def gold_set_keep(*, organization: Organization, user: User | None, gold_set_id: UUID) -> Added:
    """Put the approved questions of a gold set that have an answer and known evidence into the corpus's case base.

    Questions of the test split stay out, so that what is measured on them has not seen them.

    Raises:
        NotFound: no such gold set, or you have no access to its corpus.
    """
    gold_set = gold_set_get(organization=organization, gold_set_id=gold_set_id)
    questions = list(gold_questions_with_evidence(gold_set=gold_set).exclude(reference_answer=""))
    references = gold_references(questions=questions)
    of: dict[str, Any] = {"organization": organization, "user": user, "corpus_id": gold_set.corpus_id}
    return cases_add(
        **of,
        rows=[_row(question, references.get(question.pk, ())) for question in questions],
        origin=CaseOrigin.GOLD,
        origin_ids=[question.pk for question in questions],
        state=CaseState.APPROVED,
    )


def _row(question: GoldQuestion, references: "list[GoldReference] | tuple[()]") -> CaseRow:
    spans = tuple(CaseSpan(r.paragraph.public_id, r.start, r.end) for r in references)
    return CaseRow(question.text, question.reference_answer, spans=spans, id=question.external_id)
