"""Figures for the lead of a campaign: progress, agreement, and how each grader grades. Never sent to graders."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev
from typing import Any

from django.db.models import Count

from judging.campaigns.rubrics import Criterion, Form, field_key, form_get
from judging.measures.agreement import Rating, Scale, agreement
from judging.measures.values import number
from judging.models import Assignment, Campaign, CampaignGrade, CampaignGrader, CampaignItem
from judging.models.campaigns import AssignmentState, ItemKind

DRAWS = 200  # ours: few enough for a page to wait for its intervals


@dataclass(frozen=True, slots=True)
class Submitted:
    """A grade that counts: the last version that was submitted."""

    grade: CampaignGrade
    assignment: Assignment

    @property
    def field(self) -> str:
        return field_key(self.grade.criterion, self.grade.answer)


def submitted_grades(*, campaign: Campaign) -> list[Submitted]:
    """The grades of a campaign that count, repeats included, by item and grader."""
    assignments = Assignment.objects.filter(campaign=campaign, submissions__gt=0).select_related("item", "grader")
    by_id = {assignment.pk: assignment for assignment in assignments.order_by("item__ordinal", "grader__name")}
    grades = CampaignGrade.objects.filter(campaign=campaign, submission__gt=0, assignment__in=by_id)
    last: dict[tuple[Any, str, int], CampaignGrade] = {}
    for grade in grades.order_by("version"):
        last[grade.assignment_id, grade.criterion, grade.answer] = grade
    order = {pk: place for place, pk in enumerate(by_id)}
    ordered = sorted(last.values(), key=lambda g: (order[g.assignment_id], g.answer, g.criterion))
    return [Submitted(grade, by_id[grade.assignment_id]) for grade in ordered]


def progress_rows(*, campaign: Campaign) -> list[dict[str, Any]]:
    """By question type: items, grades needed and submitted, and items whose overlap is met."""
    submitted = Assignment.objects.filter(campaign=campaign, state=AssignmentState.SUBMITTED, is_repeat=False)
    n_done = dict(submitted.order_by().values_list("item_id").annotate(n=Count("pk")))
    counts: dict[str, list[tuple[int, int]]] = defaultdict(list)
    items = CampaignItem.objects.filter(campaign=campaign, kind=ItemKind.GRADED)
    for pk, question_type, needed in items.order_by("question_type").values_list("pk", "question_type", "needed"):
        counts[question_type].append((needed, n_done.get(pk, 0)))
    return [
        {
            "question_type": question_type,
            "n_items": len(pairs),
            "needed": sum(needed for needed, _ in pairs),
            "submitted": sum(n for _, n in pairs),
            "met": sum(n >= needed for needed, n in pairs),
        }
        for question_type, pairs in counts.items()
    ]


def agreement_rows(*, campaign: Campaign, grades: Sequence[Submitted]) -> list[dict[str, Any]]:
    """By criterion: how far graders agree on the same items, before any adjudication and without repeats.

    Percentage, Krippendorff's alpha (nominal for choices, else ordinal) with its interval, and Gwet's AC1, each None
    where it is undefined; `n` items have two grades or more.
    """
    return [
        _agreement_row(criterion, [g for g in grades if g.grade.criterion == criterion.key], campaign)
        for criterion in form_get(campaign.form).criteria
    ]


def _agreement_row(criterion: Criterion, grades: Sequence[Submitted], campaign: Campaign) -> dict[str, Any]:
    ratings = _ratings(grades)
    if not ratings:
        return {"criterion": criterion.name, "n": 0} | dict.fromkeys(("percent", "alpha", "low", "high", "ac1"))
    report = agreement(
        ratings,
        judge="",
        scale=Scale.NOMINAL if criterion.is_choice else Scale.ORDINAL,
        categories=criterion.values,
        seed=campaign.seed,
        draws=DRAWS,
    ).overall
    alpha = report.by_name["alpha"]
    return {
        "criterion": criterion.name,
        "n": report.n,
        "percent": number(report.by_name["percent"].value),
        "alpha": number(alpha.value),
        "low": alpha.low,
        "high": alpha.high,
        "ac1": number(report.by_name["ac1"].value),
    }


def grader_rows(*, campaign: Campaign, grades: Sequence[Submitted]) -> list[dict[str, Any]]:
    """By grader: how much, how fast, how high, how spread, and how far they agree with others, themselves and checks.

    `shares` are of equal grades: `others` over all pairs of one of theirs and another person's grade of the same
    thing, `self` of an item and its repeat, `checks` of hidden checks and their known grades. `shown first` is the
    share of choices for the answer that was shown first: half of them where the place does not matter.
    """
    form = form_get(campaign.form)
    assignments = Assignment.objects.filter(campaign=campaign)
    states: dict[int, list[Assignment]] = defaultdict(list)
    for assignment in assignments:
        states[assignment.grader_id].append(assignment)
    own: dict[int, list[Submitted]] = defaultdict(list)
    by_thing: dict[tuple[int, str], list[Submitted]] = defaultdict(list)
    for graded in grades:
        own[graded.assignment.grader_id].append(graded)
        if _is_first(graded):
            by_thing[_thing(graded)].append(graded)
    return [
        _grader_row(form, grader, states[grader.pk], own[grader.pk], by_thing)
        for grader in CampaignGrader.objects.filter(campaign=campaign).select_related("user").order_by("pk")
    ]


def _grader_row(
    form: Form,
    grader: CampaignGrader,
    assignments: Sequence[Assignment],
    mine: Sequence[Submitted],
    by_thing: Mapping[tuple[int, str], Sequence[Submitted]],
) -> dict[str, Any]:
    scored = [g for g in mine if g.assignment.item.kind == ItemKind.GRADED]
    numbers = [g.grade.value for g in scored if not form.criterion(g.grade.criterion).is_choice]
    values = [value for value in numbers if value is not None]
    seconds = [a.seconds for a in assignments if a.state == AssignmentState.SUBMITTED]
    first = {_thing(g): g.grade.value for g in scored if not g.assignment.is_repeat}
    others = (
        (value, g.grade.value)
        for thing, value in first.items()
        for g in by_thing[thing]
        if g.assignment.grader_id != grader.pk
    )
    return {
        "name": grader.name,
        "person": grader.user.name if grader.user else "",
        "done": len(seconds),
        "skipped": sum(a.state == AssignmentState.SKIPPED for a in assignments),
        "flagged": sum(a.is_flagged for a in assignments),
        "cannot_judge": sum(g.grade.value is None for g in scored),
        "mean": fmean(values) if values else None,
        "spread": stdev(values) if len(values) > 1 else None,
        "seconds": median(seconds) if seconds else None,
        "shares": [
            _share("others", others),
            _share("self", ((first.get(_thing(g)), g.grade.value) for g in scored if g.assignment.is_repeat)),
            _share("shown first", ((1, place) for g in scored if (place := _chosen_place(form, g)))),
            _share("checks", ((g.assignment.item.known[g.field], g.grade.value) for g in mine if _is_checked(g))),
        ],
    }


def _chosen_place(form: Form, graded: Submitted) -> int | None:
    """The place at which the chosen answer was shown, from 1; None where no answer was chosen."""
    criterion, value, order = form.criterion(graded.grade.criterion), graded.grade.value, graded.assignment.answer_order
    return order.index(value - 1) + 1 if criterion.is_choice and value and value <= len(order) else None


def _is_first(graded: Submitted) -> bool:
    """Whether it is a grade of an item, neither of training or a check nor given a second time."""
    return not graded.assignment.is_repeat and graded.assignment.item.kind == ItemKind.GRADED


def _thing(graded: Submitted) -> tuple[int, str]:
    return graded.assignment.item_id, graded.field


def _is_checked(graded: Submitted) -> bool:
    item = graded.assignment.item
    return item.kind == ItemKind.CHECK and graded.field in item.known


def _share(label: str, pairs: Iterable[tuple[int | None, int | None]]) -> dict[str, Any]:
    """The share of equal pairs among those of which both have a value, with their number; `of` is None without one."""
    both = [(a, b) for a, b in pairs if a is not None and b is not None]
    of = {"share": sum(a == b for a, b in both) / len(both), "n": len(both)} if both else None
    return {"label": label, "of": of}


def _ratings(grades: Sequence[Submitted]) -> list[Rating]:
    return [
        Rating(f"{g.assignment.item.ordinal}/{g.grade.answer}", g.assignment.grader.name, g.grade.value)
        for g in grades
        if _is_first(g)
    ]
