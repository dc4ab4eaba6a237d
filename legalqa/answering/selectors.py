"""Reading questions and answers: a person sees their own, and only while they may still see the corpus."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from corpora.models import Corpus, DocumentVersion
from legalqa.accounts.models import Organization, User
from legalqa.answering.models import Answer, Citation, Claim, Question
from legalqa.common.errors import NotFound


def question_list(*, organization: Organization, user: User) -> QuerySet[Question]:
    """The person's questions, newest first."""
    readable = Corpus.objects.filter(organization=organization)
    questions = Question.objects.filter(organization=organization, asker=user, corpus__in=readable)
    return questions.select_related("corpus").order_by("-created_at")


def answer_list(*, organization: Organization, user: User) -> QuerySet[Answer]:
    """The person's answers, newest first, with their questions; evidence and trace are read when one is opened."""
    questions = question_list(organization=organization, user=user).values("pk")
    answers = Answer.objects.filter(organization=organization, question__in=questions)
    shown = answers.select_related("question", "question__corpus").defer("evidence", "trace", "pipeline")
    return shown.order_by("-created_at")


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A claim with its citations; `rank` 0 is the citation, the rest is "also in"."""

    claim: Claim
    citations: tuple[Citation, ...]


def answer_get(*, organization: Organization, user: User, answer_id: UUID) -> Answer:
    answer = answer_list(organization=organization, user=user).filter(pk=answer_id).first()
    if answer is None:
        raise NotFound("answer")
    return answer


def claim_list(*, answer: Answer) -> list[ClaimView]:
    """The claims of an answer in order, each with its citations."""
    claims = list(Claim.objects.filter(answer=answer).order_by("ordinal"))
    citations = (
        Citation.objects.filter(claim__in=claims)
        .select_related("paragraph__document", "version")
        .defer("version__text")
    )
    by_claim: dict[int, list[Citation]] = {}
    for citation in citations.order_by("rank"):
        by_claim.setdefault(citation.claim_id, []).append(citation)
    return [ClaimView(claim, tuple(by_claim.get(claim.pk, ()))) for claim in claims]


def version_list_of_evidence(*, answer: Answer) -> list[DocumentVersion]:
    """The versions whose passages were read for an answer, cited or not."""
    read = {(row["document_id"], row["version"]) for row in answer.evidence}
    versions = DocumentVersion.objects.filter(document_id__in={document_id for document_id, _ in read})
    shown = versions.select_related("document").defer("text").order_by("document__name", "number")
    return [version for version in shown if (str(version.document_id), version.number) in read]
