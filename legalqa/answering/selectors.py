"""Reading answers: who may see one is one rule, and it holds only while the person may see the corpus."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from corpora.models import Corpus, Document, DocumentVersion, Paragraph, Position, VersionState
from corpora.selectors import corpus_member_list
from legalqa.accounts.models import Membership, Organization, User
from legalqa.accounts.selectors import member_list
from legalqa.answering.models import (
    Answer,
    AnswerGrade,
    AnswerMode,
    AnswerState,
    Citation,
    Claim,
    ConversationShare,
    Grade,
    PassageJudgment,
    Purpose,
    Question,
)
from legalqa.common.errors import ApplicationError, NotFound, existing
from legalqa.jobs.models import Job

FORMER_MAX = 5  # ours: earlier questions that a follow-up may refer to
RULES_AND_TERMS = r"\m(shall|must|means)\M"  # as PostgreSQL spells the edges of words
UNGRADED = "none"  # a filter beside the grades
_OF_AN_ANSWER = (Grade.RIGHT, Grade.PARTLY, Grade.WRONG)
GRADES_BY_STATE = {
    AnswerState.ANSWERED: _OF_AN_ANSWER,
    AnswerState.PARTIAL: _OF_AN_ANSWER,
    AnswerState.INSUFFICIENT_EVIDENCE: (Grade.RIGHTLY_SILENT, Grade.MISSED),
}


def answers_visible_to(*, organization: Organization, user: User | None) -> QuerySet[Answer]:
    """The rule who may see an answer: that of pages, lists, the API, streams, packs and follow-ups.

    Only behind the walls: the corpus must be one that the active person may read, and not be on its way out. Then each
    case is one condition. Nobody is shown what an experiment asked.

    Args:
        organization: Whose answers they are.
        user: Who wants to see them; None for the system, which sees what it asked itself.
    """
    readable = Corpus.objects.filter(organization=organization, removal_begun_at=None)
    is_visible = Q(question__asker=user)
    if user is not None:  # what a colleague has shared with them
        shared = ConversationShare.objects.filter(organization=organization, member=user)
        is_visible |= Q(question__conversation__in=shared.values("question"))
    answers = Answer.objects.filter(purpose=Purpose.ASKED, organization=organization, question__corpus__in=readable)
    return answers.filter(is_visible)


def answer_list(*, organization: Organization, user: User | None) -> QuerySet[Answer]:
    """The answers to the person's own questions, newest first; evidence is read when one is opened."""
    return _listed(answers_visible_to(organization=organization, user=user).filter(question__asker=user))


def answer_list_shared(*, organization: Organization, user: User) -> QuerySet[Answer]:
    """The answers that colleagues share with the person, newest first."""
    return _listed(answers_visible_to(organization=organization, user=user).exclude(question__asker=user))


def _listed(answers: QuerySet[Answer]) -> QuerySet[Answer]:
    rows = answers.select_related("question__asker", "question__corpus", "organization")
    return rows.defer("evidence", "pipeline", "asked").order_by("-created_at")


def answer_list_of_conversation(*, answer: Answer, user: User | None) -> QuerySet[Answer]:
    """The answers of the conversation that the answer is of, as far as the person may see them, in their order."""
    visible = answers_visible_to(organization=answer.organization, user=user)
    return _listed(visible.filter(question__conversation=answer.question.conversation)).order_by("created_at", "pk")


def reader_list(*, corpus: Corpus) -> QuerySet[Membership]:
    """The members of the organisation who may see a corpus, by name."""
    members = member_list(organization=corpus.organization)
    if corpus.is_walled:
        members = members.filter(user__in=corpus_member_list(corpus=corpus).values("user"))
    return members


def paragraphs_with_rules(*, corpus: Corpus, limit: int) -> list[str]:
    """Texts of at most `limit` searchable paragraphs that define, oblige or set a time, in reading order."""
    positions = Position.objects.filter(
        version__corpus=corpus, version__state=VersionState.READY, paragraph__text__regex=RULES_AND_TERMS
    ).exclude(kind="heading")
    texts = positions.order_by("version_id", "ordinal").values_list("paragraph__text", flat=True)
    return list(texts[:limit])


def conversation_title(*, answer: Answer) -> str:
    """The name that its asker gave the conversation of an answer; "" for none."""
    first = first_questions(answers=[answer]).get(answer.question.conversation)
    return first.title if first else ""


def first_questions(*, answers: Iterable[Answer]) -> dict[UUID, Question]:
    """By conversation, the oldest question of it in the corpus of its answer.

    A conversation belongs to one corpus. Older versions allowed several: questions to another corpus, which may be
    closed to the reader, are not shown here.
    """
    corpora = {answer.question.conversation: answer.question.corpus_id for answer in answers}
    rows = Question.objects.filter(conversation__in=corpora).order_by("-created_at", "-pk")
    return {row.conversation: row for row in rows if row.corpus_id == corpora[row.conversation]}


def conversations_of(*, answers: QuerySet[Answer]) -> QuerySet[Answer, Any]:
    """The ids of the answers' conversations and the time of the latest answer in each, the latest first."""
    rows = answers.order_by().values("question__conversation").annotate(latest=Max("created_at"))
    return rows.order_by("-latest", "question__conversation")


def share_list(*, answer: Answer) -> list[ConversationShare]:
    """With whom the conversation of the answer is shared, by name."""
    shares = ConversationShare.objects.filter(
        organization_id=answer.organization_id, question=answer.question.conversation
    )
    return list(shares.select_related("member", "shared_by").order_by("member__name", "member__email"))


def questions_former(
    *, organization: Organization, user: User | None, corpus_id: UUID, question_id: UUID
) -> tuple[str, ...]:
    """The words of a question and of the earlier ones that it follows up, at most FORMER_MAX, this one first.

    Raises:
        NotFound: the person (for None, the system) may see no answer to such a question.
        ApplicationError: it was asked of another corpus, whose readers may be others.
    """
    visible = answers_visible_to(organization=organization, user=user).filter(question__asker=user)
    answers = visible.filter(question__corpus=corpus_id)
    rows = answers.values_list("question__text", "question__follows")
    texts: list[str] = []
    earlier: UUID | None = question_id
    while earlier is not None and len(texts) < FORMER_MAX:
        row = rows.filter(question=earlier).first()
        if row is None:
            break
        text, earlier = row
        texts.append(text)
    if not texts and visible.filter(question=question_id).exists():
        raise ApplicationError(
            "That question was asked of another corpus. Ask this one there, or without following up.",
            code="follows_another_corpus",
        )
    if not texts:
        raise NotFound("question")
    return tuple(texts)


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A claim with its places in the documents.

    `citations` are its sources and the places with the same words, `n_sources` how many are sources: of a
    quotation the first, of a written claim all.
    """

    claim: Claim
    citations: tuple[Citation, ...]
    n_sources: int = 1

    @property
    def sources(self) -> tuple[Citation, ...]:
        return self.citations[: self.n_sources]

    @property
    def also_in(self) -> tuple[Citation, ...]:
        return self.citations[self.n_sources :]


def answer_get(*, organization: Organization, user: User | None, answer_id: UUID) -> Answer:
    """An answer to read: the person's own, or one that a colleague shares with them.

    Raises:
        NotFound: there is none that they may see.
    """
    answers = _listed(answers_visible_to(organization=organization, user=user))
    return existing(answers.filter(pk=answer_id).first(), "answer")


def answer_get_own(*, organization: Organization, user: User | None, answer_id: UUID) -> Answer:
    """An answer to act on, which only its asker may.

    Raises:
        NotFound: they have none.
    """
    answers = answer_list(organization=organization, user=user)
    return existing(answers.filter(pk=answer_id).first(), "answer")


def answer_of_question(*, organization: Organization, user: User | None, question_id: UUID) -> Answer:
    """The answer to one of the person's own questions, the newest where there are several.

    Raises:
        NotFound: they have asked no such question.
    """
    answers = answer_list(organization=organization, user=user)
    return existing(answers.filter(question=question_id).first(), "question")


def answer_again(*, answer: Answer) -> Answer | None:
    """The newest answer to the same question asked again by the same person; None if it was not asked again."""
    answers = answer_list(organization=answer.organization, user=answer.question.asker)
    return answers.filter(asked__again_of=str(answer.pk)).first()


def answer_job(*, answer: Answer) -> Job | None:
    """The job that makes or made an answer; None where it was made at once."""
    jobs = Job.objects.filter(organization_id=answer.organization_id, subject_id=answer.pk)
    return jobs.order_by("-created_at").first()


def document_titles(*, answer: Answer, document_ids: Collection[str]) -> dict[str, str]:
    """The titles of these documents of the corpus of an answer, by id."""
    documents = Document.objects.filter(
        organization_id=answer.organization_id, corpus_id=answer.question.corpus_id, pk__in=document_ids
    )
    return {str(pk): title for pk, title in documents.values_list("pk", "title")}


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
    is_written = answer.mode == AnswerMode.WRITTEN
    places = [(claim, tuple(by_claim.get(claim.pk, ()))) for claim in claims]
    return [ClaimView(claim, cited, len(cited) if is_written else 1) for claim, cited in places]


def evidence_now(*, answer: Answer) -> list[dict[str, Any]]:
    """The passages that were read for an answer, under the titles that their documents have now."""
    titles = document_titles(answer=answer, document_ids={row["document_id"] for row in answer.evidence})
    return [row | {"document": titles.get(row["document_id"], row["document"])} for row in answer.evidence]


def version_list_of_evidence(*, answer: Answer) -> list[DocumentVersion]:
    """The versions whose passages were read for an answer, cited or not."""
    keys = {(row["document_id"], row["version"]) for row in answer.evidence}
    versions = DocumentVersion.objects.filter(document_id__in={document_id for document_id, _ in keys})
    rows = versions.select_related("document").defer("text").order_by("document__name", "number")
    return [version for version in rows if (str(version.document_id), version.number) in keys]


@dataclass(frozen=True, slots=True)
class GradeView:
    """A grade with its judgments of single passages, by the primary key of the paragraph."""

    grade: AnswerGrade
    judgments: dict[int, bool]


def grade_list(*, answer: Answer) -> list[GradeView]:
    """The grades of an answer with who gave them, oldest first."""
    grades = list(AnswerGrade.objects.filter(answer=answer).select_related("grader").order_by("created_at", "pk"))
    judgments = judgments_by_grade(grades=grades)
    return [GradeView(grade, judgments.get(grade.pk, {})) for grade in grades]


def judgments_by_grade(*, grades: Iterable[AnswerGrade]) -> dict[UUID, dict[int, bool]]:
    """Judgments of single passages, by grade and paragraph."""
    judgments: dict[UUID, dict[int, bool]] = {}
    rows = PassageJudgment.objects.filter(grade__in=[grade.pk for grade in grades])
    for grade_id, paragraph_id, is_support in rows.values_list("grade_id", "paragraph_id", "is_support"):
        judgments.setdefault(grade_id, {})[paragraph_id] = is_support
    return judgments


def answer_list_graded(*, answers: QuerySet[Answer], grade: str) -> QuerySet[Answer]:
    """The answers to which somebody gave this grade; for UNGRADED, those that could be graded and are not."""
    grades = AnswerGrade.objects.filter(answer=OuterRef("pk"))
    if grade == UNGRADED:
        return answers.filter(~Exists(grades), state__in=GRADES_BY_STATE)
    return answers.filter(Exists(grades.filter(grade=grade)))


def paragraphs_read(*, answer: Answer) -> dict[str, Paragraph]:
    """The paragraphs that an answer cites or that were read for it, by the id that pages and the API show."""
    citations = Citation.objects.filter(claim__answer=answer, claim__is_shown=True).select_related("paragraph")
    paragraphs = [citation.paragraph for citation in citations]
    places = {(row["document_id"], row["version"], row["ordinal"]) for row in answer.evidence}
    positions = Position.objects.filter(
        version__document_id__in={document_id for document_id, _, _ in places},
        ordinal__in={place for *_, place in places},
    ).select_related("paragraph", "version")
    paragraphs += [
        position.paragraph
        for position in positions.defer("version__text")
        if (str(position.version.document_id), position.version.number, position.ordinal) in places
    ]
    return {paragraph.shown_id: paragraph for paragraph in paragraphs}
