"""Grading an item: drafts, submission, skipping, undoing. Every change is stored with its time, none is overwritten."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from judging.campaigns.rubrics import CANNOT_JUDGE, LETTERS, Criterion, form_get, shown_value, stored_value
from judging.campaigns.services.queue import assignment_get, assignment_lease, open_check
from judging.gold.services.reviewing import reference_report
from judging.models import Assignment, CampaignGrade, GoldQuestion, GoldReport
from judging.models.campaigns import ASSIGNMENT_TRANSITIONS, AssignmentState, GradeStatus, ItemKind
from legalqa.accounts.models import Organization, User
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.common.transitions import sources

MAX_NOTE = 4_000
MAX_SECONDS = 3_600.0  # ours: seconds that one change can add to the time on an item


class Action(StrEnum):
    DRAFT = "draft"
    SUBMIT = "submit"
    SKIP = "skip"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Field:
    """A grade that an item asks for, as its grader sees it: `name` says A, B or C and never which system that is."""

    name: str
    criterion: Criterion
    letter: str  # "" where the item has one answer, or the grade is of all of them
    answer: int


@dataclass(frozen=True, slots=True)
class Change:
    """What a grader sends. None leaves a thing as it is.

    Attributes:
        grades: By the name of the field: a value of its scale, or CANNOT_JUDGE.
        reference_note: Why the reference answer is wrong.
        seconds: For which the page was in focus since the last change.
    """

    grades: Mapping[str, int | str] = field(default_factory=dict)
    note: str | None = None
    is_flagged: bool | None = None
    reference_note: str | None = None
    seconds: float = 0.0


def fields_of(*, assignment: Assignment) -> list[Field]:
    """The grades that an assignment asks for, the answers in the order in which they are shown."""
    form = form_get(assignment.campaign.form)
    order = assignment.answer_order
    if not form.is_side_by_side or not form.is_per_answer:
        return [Field(criterion.key, criterion, "", answer) for criterion, answer in form.fields(1)]
    return [
        Field(f"{criterion.key}_{LETTERS[place].lower()}", criterion, LETTERS[place], answer)
        for place, answer in enumerate(order)
        for criterion in form.criteria
    ]


def assignment_act(
    *, organization: Organization, user: User, assignment_id: UUID, action: Action, change: Change
) -> Assignment:
    """Do what a grader asks, in one step for pages and programs. Returns the assignment to show next to the act.

    That is the same assignment or, for UNDO with nothing to take back, the one that the grader ended before it.

    Raises:
        NotFound: no such assignment of theirs.
        Conflict: the campaign has ended, or a training item has been submitted, which is over.
        ApplicationError: a grade off its scale, a note that is too long, or a submission with a grade missing.
    """
    assignment = assignment_get(organization=organization, user=user, assignment_id=assignment_id, is_locked=True)
    open_check(campaign=assignment.campaign)
    if action == Action.UNDO:
        return _undo(assignment)
    if assignment.item.kind == ItemKind.TRAINING and assignment.state == AssignmentState.SUBMITTED:
        raise Conflict(
            "A training item is closed once its grades have been shown. Continue with the next one.",
            code="training_over",
        )
    _store(assignment, change)
    if action == Action.SUBMIT:
        _submit(assignment)
    elif action == Action.SKIP and assignment.state == AssignmentState.OPEN:
        _move(assignment, AssignmentState.SKIPPED)
    if action != Action.DRAFT:
        _report(organization, user, assignment)
    return assignment_lease(assignment=assignment, campaign=assignment.campaign)


def grades_now(*, assignment: Assignment) -> dict[tuple[str, int], CampaignGrade]:
    """The last version of every grade, by criterion and answer, drafts too."""
    grades = CampaignGrade.objects.filter(assignment=assignment).order_by("version")
    return {(grade.criterion, grade.answer): grade for grade in grades}


def values_shown(*, assignment: Assignment) -> dict[str, int | str]:
    """The grades so far by the name of their field, as the grader chose them; a grade not given is left out."""
    grades = grades_now(assignment=assignment)
    values: dict[str, int | str] = {}
    for one in fields_of(assignment=assignment):
        grade = grades.get((one.criterion.key, one.answer))
        if grade is not None:
            values[one.name] = (
                CANNOT_JUDGE
                if grade.value is None
                else shown_value(one.criterion, grade.value, assignment.answer_order)
            )
    return values


def _store(assignment: Assignment, change: Change) -> None:
    """Store what differs from the last version; a value that is there already makes no new one."""
    fields = {one.name: one for one in fields_of(assignment=assignment)}
    grades = grades_now(assignment=assignment)
    now = timezone.now()
    new = []
    for name, mark in change.grades.items():
        if name not in fields:
            raise ApplicationError(
                f"This item does not ask for {name[:40]!r}. It asks for {', '.join(fields)}.", code="unknown_criterion"
            )
        one = fields[name]
        value = _value(one, mark, assignment)
        last = grades.get((one.criterion.key, one.answer))
        if last is None or last.value != value:
            new.append(
                CampaignGrade(
                    organization_id=assignment.organization_id,
                    campaign=assignment.campaign,
                    assignment=assignment,
                    criterion=one.criterion.key,
                    answer=one.answer,
                    version=last.version + 1 if last else 1,
                    value=value,
                    status=GradeStatus.CANNOT_JUDGE if value is None else GradeStatus.GRADED,
                    created_at=now,
                )
            )
    CampaignGrade.objects.bulk_create(new)
    if change.note is not None:
        assignment.note = _note(change.note, "note")
    if change.reference_note is not None:
        assignment.reference_note = _note(change.reference_note, "word on the reference answer")
    if change.is_flagged is not None:
        assignment.is_flagged = change.is_flagged
    assignment.seconds += min(max(change.seconds, 0.0), MAX_SECONDS)
    assignment.save()


def _report(organization: Organization, user: User, assignment: Assignment) -> None:
    """Report once, to the review of the gold set, what a grader says about the reference of a gold question.

    Drafts stay here: one is stored while its words are being typed. So does a note on a question that was removed.
    """
    note = assignment.reference_note
    source: dict[str, Any] = next(iter(assignment.item.sources), {})
    if not note or "gold_question" not in source:
        return
    of_corpus = GoldQuestion.objects.filter(organization=organization, gold_set__corpus=assignment.campaign.corpus_id)
    question = of_corpus.filter(pk=source["gold_question"]).first()
    if question is None or GoldReport.objects.filter(question=question, reported_by=user, note=note).exists():
        return
    reference_report(organization=organization, user=user, question_id=question.pk, note=note)


def _value(one: Field, mark: int | str, assignment: Assignment) -> int | None:
    if mark == CANNOT_JUDGE:
        return None
    if not isinstance(mark, int) or mark not in one.criterion.values:
        low, high = one.criterion.values[0], one.criterion.values[-1]
        raise ApplicationError(
            f"{one.criterion.name} is graded {low} to {high}, or {CANNOT_JUDGE!r}.", code="off_the_scale"
        )
    return stored_value(one.criterion, mark, assignment.answer_order)


def _note(text: str, what: str) -> str:
    text = "\n".join(text.split("\r\n")).strip()
    if len(text) > MAX_NOTE:
        raise ApplicationError(
            f"The {what} has {len(text):,} characters, at most {MAX_NOTE:,} are kept. Shorten it.", code="note_too_long"
        )
    return text


def _submit(assignment: Assignment) -> None:
    grades = grades_now(assignment=assignment)
    missing = [one for one in fields_of(assignment=assignment) if (one.criterion.key, one.answer) not in grades]
    if missing:
        names = ", ".join(f"{one.criterion.name} {one.letter}".strip() for one in missing)
        raise ApplicationError(f"Grade every criterion, or say “cannot judge”. Missing: {names}.", code="incomplete")
    if assignment.state == AssignmentState.SKIPPED:  # its grader went back to it after all
        _move(assignment, AssignmentState.OPEN)
    is_first = _move(assignment, AssignmentState.SUBMITTED)
    drafts = CampaignGrade.objects.filter(assignment=assignment, submission=0)
    if drafts.update(submission=assignment.submissions + 1) or is_first:
        assignment.submissions += 1
        assignment.save(update_fields=["submissions"])


def _move(assignment: Assignment, state: AssignmentState) -> bool:
    """Write a state if it may follow the stored one; otherwise False, so that only one of two tabs does it."""
    ended_at = None if state == AssignmentState.OPEN else timezone.now()
    before = Assignment.objects.filter(pk=assignment.pk, state__in=sources(ASSIGNMENT_TRANSITIONS, state))
    if not before.update(state=state, ended_at=ended_at):
        return False
    assignment.state, assignment.ended_at = state, ended_at
    return True


def _undo(assignment: Assignment) -> Assignment:
    """Take the last draft back, or go to the item that was ended before this one; a skipped one is open again."""
    draft = CampaignGrade.objects.filter(assignment=assignment, submission=0).order_by("created_at", "pk").last()
    if draft is not None:
        draft.delete()
        return assignment
    ended = Assignment.objects.filter(grader=assignment.grader, ended_at__isnull=False).exclude(pk=assignment.pk)
    if assignment.ended_at is not None:
        ended = ended.filter(Q(ended_at__lt=assignment.ended_at))
    before = ended.select_related("item", "campaign__corpus", "grader").order_by("ended_at").last()
    if before is None:
        return assignment
    if before.state == AssignmentState.SKIPPED:
        if _move(before, AssignmentState.OPEN):
            return assignment_lease(assignment=before, campaign=before.campaign)
        before.refresh_from_db(fields=["state", "ended_at"])
    return before
