"""Keeping a right answer as a solved case (the retain step of case-based reasoning)."""

from uuid import UUID

from legalqa.accounts.models import Organization, User
from legalqa.answering.models import Answer, AnswerGrade, AnswerState, Grade
from legalqa.answering.selectors import answer_get_own, claim_list
from legalqa.common.errors import Conflict
from retrieval.cases.files import CaseRow, CaseSpan
from retrieval.cases.services import Added, cases_add
from retrieval.models import CaseOrigin


def answer_may_be_kept(*, answer: Answer) -> bool:
    """Whether an answer was given and somebody graded it right."""
    right = AnswerGrade.objects.filter(organization_id=answer.organization_id, answer=answer, grade=Grade.RIGHT)
    return answer.state in (AnswerState.ANSWERED, AnswerState.PARTIAL) and right.exists()


def answer_keep(*, organization: Organization, user: User, answer_id: UUID) -> Added:
    """Put an answer with its sources into the case base of its corpus, where it waits for a reviewer.

    Raises:
        NotFound: no such answer of yours.
        Conflict: nobody has graded it right, or it shows nothing.
    """
    answer = answer_get_own(organization=organization, user=user, answer_id=answer_id)
    views = [view for view in claim_list(answer=answer) if view.claim.is_shown]
    if not views or not answer_may_be_kept(answer=answer):
        raise Conflict("Only an answer that was graded right can be kept as a solved case.", code="not_graded_right")
    paragraphs = dict.fromkeys(citation.paragraph for view in views for citation in view.sources)
    row = CaseRow(
        " ".join(answer.question.text.split()),
        "\n".join(view.claim.text for view in views),
        spans=tuple(CaseSpan(paragraph.public_id) for paragraph in paragraphs),
    )
    return cases_add(
        organization=organization,
        user=user,
        corpus_id=answer.question.corpus_id,
        rows=[row],
        origin=CaseOrigin.ANSWER,
        origin_ids=[answer.pk],
    )
