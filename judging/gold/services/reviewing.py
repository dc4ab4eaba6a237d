"""What people do with single gold questions: edit with versions, review, report a wrong reference, decide on that."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from judging.gold.files import GoldFileError, gold_documents, gold_rows_of
from judging.gold.services.sets import gold_set_get, question_columns, question_rows_of, referenced_paragraphs
from judging.gold.taxonomy import CRITERIA
from judging.models import (
    GOLD_REVIEW_TRANSITIONS,
    REPORT_TRANSITIONS,
    GoldEdit,
    GoldQuestion,
    GoldReference,
    GoldReport,
    GoldReview,
    ReportState,
    Review,
)
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError, Conflict, NotFound, existing
from legalqa.common.transitions import sources

MAX_NOTE = 4000
EDITED = "Somebody else has edited this question. Look at their version, then edit again."
REREAD = "Somebody has edited this question since. Read it, then review it again."
KEPT = ("id", "written_by", "review")  # fields of a question that no edit changes


def gold_question_get(*, organization: Organization, question_id: UUID) -> GoldQuestion:
    """A question with its set and corpus.

    Raises:
        NotFound: there is none, or its corpus is walled off.
    """
    gold_question = existing(
        GoldQuestion.objects.filter(organization=organization, pk=question_id).first(), "gold question"
    )
    try:
        gold_question.gold_set = gold_set_get(organization=organization, gold_set_id=gold_question.gold_set_id)
    except NotFound:
        raise NotFound("gold question") from None
    return gold_question


def gold_question_edit(
    *, organization: Organization, user: User | None, question_id: UUID, changes: Mapping[str, Any]
) -> GoldQuestion:
    """Change a question; its earlier text is kept as a version, and what experts approved becomes a draft again.

    Args:
        changes: Keys of a line of the file with their new values, and `version`, the version that was edited, where
            the caller wants to be told that somebody else was faster.

    Raises:
        NotFound: as `gold_question_get`.
        Conflict: it was edited since.
        ApplicationError: the question would be no line of a gold set, or a reference is not a paragraph of the corpus.
    """
    question = gold_question_get(organization=organization, question_id=question_id)
    fields = dict(changes)
    if fields.pop("version", question.version) != question.version:
        raise Conflict(EDITED, code="edited")
    (old,) = gold_documents(question_rows_of(questions=[question]))
    new = {key: value for key, value in (old | fields).items() if key not in KEPT}
    if new.get("answerable") is False:
        new = {key: value for key, value in new.items() if key not in ("reference_paragraph_ids", "spans")}
    try:
        (row,) = gold_rows_of([new])
        paragraphs = referenced_paragraphs(organization=organization, corpus=question.gold_set.corpus, rows=[row])
    except GoldFileError as error:  # a form has no lines
        message = error.message.removeprefix("Line 1: ")
        raise ApplicationError(message[:1].upper() + message[1:], code=error.code) from None
    (document,) = gold_documents([replace(row, id=question.external_id, written_by=question.written_by)])
    changed = sorted(key for key in {*old, *document} - {"review"} if old.get(key) != document.get(key))
    if not changed:
        return question
    of: dict[str, Any] = {"organization": organization, "question": question}
    columns = {name: value for name, value in question_columns(row=row).items() if name not in ("review", "written_by")}
    columns["version"] = question.version + 1
    before = _as_read(question)
    if set(changed) - {"split", "topic", "question_type"}:
        before = before.filter(review__in=sources(GOLD_REVIEW_TRANSITIONS, Review.DRAFT))
        columns["review"] = Review.DRAFT
    if not before.update(**columns):
        raise Conflict(EDITED, code="edited")
    GoldEdit.objects.create(**of, version=question.version, document=old, changed=changed, edited_by=user)
    for name, value in columns.items():
        setattr(question, name, value)
    GoldReference.objects.filter(question=question).delete()
    GoldReference.objects.bulk_create(
        [
            GoldReference(**of, paragraph=paragraphs[span.paragraph_id], start=span.start, end=span.end)
            for span in row.references
        ],
        ignore_conflicts=True,
    )
    _noted(organization, user, question, "gold_question.edited")
    return question


def gold_question_review(
    *,
    organization: Organization,
    user: User | None,
    question_id: UUID,
    state: str,
    grades: Mapping[str, int] | None = None,
    note: str = "",
    version: int | None = None,
) -> GoldReview:
    """Approve or reject a question, or make it a draft again, with grades on the six criteria.

    Args:
        grades: 1 to 5 by the name of a criterion; a criterion that nobody judged is left out.
        version: The version that was read, where the caller wants to be told that it was edited since.

    Raises:
        NotFound: as `gold_question_get`.
        Conflict: it was edited since.
        ApplicationError: no such state or criterion, or a grade outside 1 to 5.
    """
    question = gold_question_get(organization=organization, question_id=question_id)
    if version not in (None, question.version):
        raise Conflict(REREAD, code="edited")
    names = {criterion.name for criterion in CRITERIA}
    graded = dict(grades or {})
    fits = set(graded) <= names and all(type(grade) is int and 1 <= grade <= 5 for grade in graded.values())
    if state not in Review.values or not fits:
        raise ApplicationError(
            f"A review is draft, approved or rejected, with grades from 1 to 5 on {', '.join(sorted(names))}.",
            code="bad_review",
        )
    review = GoldReview(
        organization=organization,
        question=question,
        version=question.version,
        state=state,
        grades=graded,
        note=_note(note),
        reviewer=user,
    )
    before = _as_read(question).filter(review__in=sources(GOLD_REVIEW_TRANSITIONS, Review(state)))
    if not before.update(review=state, reviewed_by=user, reviewed_at=review.reviewed_at):
        raise Conflict(REREAD, code="edited")
    review.save(force_insert=True)
    _noted(organization, user, question, "gold_question.reviewed", state=state)
    return review


def reference_report(*, organization: Organization, user: User | None, question_id: UUID, note: str) -> GoldReport:
    """Say that the reference of a question is wrong; it stays in use until somebody decides on that.

    Raises:
        NotFound: as `gold_question_get`.
        ApplicationError: without a note nobody can decide.
    """
    question = gold_question_get(organization=organization, question_id=question_id)
    if not note.strip():
        raise ApplicationError("Say what is wrong with the reference, so that somebody can decide.", code="no_note")
    report = GoldReport.objects.create(
        organization=organization, question=question, version=question.version, note=_note(note), reported_by=user
    )
    _noted(organization, user, question, "gold_reference.reported")
    return report


def report_decide(
    *, organization: Organization, user: User | None, report_id: UUID, state: str, note: str = ""
) -> GoldReport:
    """Accept or decline a report. An accepted one makes the question a draft, until it is edited and approved again.

    Raises:
        NotFound: no such report, or its corpus is walled off.
        Conflict: it has been decided, be it by somebody who decides at the same time.
        ApplicationError: neither accepted nor declined.
    """
    report = existing(GoldReport.objects.filter(organization=organization, pk=report_id).first(), "report")
    try:
        question = gold_question_get(organization=organization, question_id=report.question_id)
    except NotFound:
        raise NotFound("report") from None
    if state not in (ReportState.ACCEPTED, ReportState.DECLINED):
        raise ApplicationError("A report is accepted or declined. Choose one of the two.", code="bad_decision")
    decision = ReportState(state)
    undecided = GoldReport.objects.filter(
        organization=organization, pk=report.pk, state__in=sources(REPORT_TRANSITIONS, decision)
    )
    if not undecided.update(state=decision, decided_by=user, decided_at=timezone.now(), decision_note=_note(note)):
        raise Conflict(
            "This report has been decided already. Look at the decision; if it is wrong, report the reference again.",
            code="decided",
        )
    if decision == ReportState.ACCEPTED:
        reviewed = GoldQuestion.objects.filter(
            organization=organization, pk=question.pk, review__in=sources(GOLD_REVIEW_TRANSITIONS, Review.DRAFT)
        )
        reviewed.update(review=Review.DRAFT)
    _noted(organization, user, question, "gold_reference.decided", state=decision)
    report.refresh_from_db()
    return report


def edits_of(*, question: GoldQuestion) -> QuerySet[GoldEdit]:
    """The earlier versions of a question, newest first."""
    return GoldEdit.objects.filter(question=question).select_related("edited_by").order_by("-version")


def reviews_of(*, question: GoldQuestion) -> QuerySet[GoldReview]:
    """The reviews of a question, newest first."""
    return GoldReview.objects.filter(question=question).select_related("reviewer").order_by("-reviewed_at")


def reports_of(*, questions: Sequence[GoldQuestion]) -> QuerySet[GoldReport]:
    """The reports on questions, newest first."""
    reports = GoldReport.objects.filter(question__in=[question.pk for question in questions])
    return reports.select_related("reported_by", "decided_by").order_by("-reported_at")


def _as_read(question: GoldQuestion) -> QuerySet[GoldQuestion]:
    """The row of a question, unless it was edited since."""
    rows = GoldQuestion.objects.filter(organization=question.organization_id, pk=question.pk)
    return rows.filter(version=question.version)


def _note(note: str) -> str:
    note = note.strip()
    if len(note) > MAX_NOTE or "\x00" in note:
        raise ApplicationError(
            f"The note has {len(note):,} characters; write at most {MAX_NOTE:,}, without NUL.", code="bad_note"
        )
    return note


def _noted(organization: Organization, user: User | None, question: GoldQuestion, action: str, **details: Any) -> None:
    audit(organization=organization, actor=user, action=action, subject_id=question.gold_set.corpus_id, **details)
