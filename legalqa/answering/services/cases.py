"""Keeping a right answer as a solved case (the retain step of case-based reasoning)."""

from contextlib import suppress
from uuid import UUID

from legalqa.accounts.models import Organization, User
from legalqa.answering.models import Answer, AnswerGrade, AnswerState, Grade
from legalqa.answering.selectors import answer_get_own, claim_list
from legalqa.common.errors import Conflict
from retrieval.cases.files import CaseRow, CaseSpan
from retrieval.cases.selectors import case_of_answer, case_same
from retrieval.cases.services import Added, cases_add
from retrieval.models import CaseEntry, CaseOrigin
from retrieval.rewriters.clauses import is_elliptical, leans
from retrieval.types import Queries


def answer_may_be_kept(*, answer: Answer) -> bool:
    """Whether an answer was given and somebody graded it right."""
    right = AnswerGrade.objects.filter(organization_id=answer.organization_id, answer=answer, grade=Grade.RIGHT)
    return answer.state in (AnswerState.ANSWERED, AnswerState.PARTIAL) and right.exists()


def answer_keep(*, organization: Organization, user: User, answer_id: UUID) -> Added:
    """Put an answer with its sources into the case base of its corpus, where it waits for a reviewer.

    Raises:
        NotFound: no such answer of yours.
        Conflict: nobody has graded it right, it shows nothing, or its question makes no sense without the previous one.
    """
    answer = answer_get_own(organization=organization, user=user, answer_id=answer_id)
    return cases_add(
        organization=organization,
        user=user,
        corpus_id=answer.question.corpus_id,
        rows=[_row(answer)],
        origin=CaseOrigin.ANSWER,
        origin_ids=[answer.pk],
    )


def answer_case(*, answer: Answer) -> CaseEntry | None:
    """The case that an answer was kept as, or that says the same as the answer; None where there is none."""
    case = case_of_answer(organization=answer.organization, answer_id=answer.pk)
    if case is None and answer_may_be_kept(answer=answer):
        with suppress(Conflict):
            case = case_same(corpus=answer.question.corpus, row=_row(answer))
    return case


def _row(answer: Answer) -> CaseRow:
    """The case that an answer becomes.

    Raises:
        Conflict: as for `answer_keep`.
    """
    views = [view for view in claim_list(answer=answer) if view.claim.is_shown]
    if not views or not answer_may_be_kept(answer=answer):
        raise Conflict("Only an answer that was graded right can be kept as a solved case.", code="not_graded_right")
    paragraphs = dict.fromkeys(citation.paragraph for view in views for citation in view.sources)
    return CaseRow(
        " ".join(_question_alone(answer).split()),
        "\n".join(view.claim.text for view in views),
        "\n".join(paragraph.text.strip() for paragraph in paragraphs),
        spans=tuple(CaseSpan(paragraph.public_id) for paragraph in paragraphs),
    )


def _question_alone(answer: Answer) -> str:
    """The question as it reads for a person who does not know the previous one.

    Raises:
        Conflict: it follows another, cannot be read without it, and was not read with it.
    """
    asked = answer.question.text
    if answer.question.follows_id is None:
        return asked
    step = next((step for step in answer.trace if step["step"] == "rewrite"), None)
    alone = Queries(step["asked"], step["question"]).to_answer if step else asked
    language = answer.question.corpus.language
    if alone == asked and (is_elliptical(asked) or leans(asked, language=language)):
        raise Conflict(
            "This question follows another one and cannot be read without it. Ask it in full, then keep that answer.",
            code="not_read_alone",
        )
    return alone
