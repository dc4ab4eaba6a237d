"""Questions of people and programs, and their results, by week and corpus; experiments are not counted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import TruncWeek
from django.utils import timezone
from django_filters import DateFilter, UUIDFilter

from corpora.models import Corpus
from legalqa.accounts.models import Organization
from legalqa.answering.models import Answer, AnswerGrade, AnswerState, Grade, Purpose
from legalqa.answering.selectors import GRADES_BY_STATE
from legalqa.common.dates import day_begins
from legalqa.common.filters import ListFilter, one_of

WEEK = timedelta(days=7)
_ENDED_WELL = tuple(GRADES_BY_STATE)


@dataclass(frozen=True, slots=True)
class Kind:
    """A name, and which answers are counted under it."""

    label: str
    condition: Q


KINDS: Final[Mapping[str, Kind]] = {
    "asked": Kind("Asked", Q()),
    "answered": Kind("Answered", Q(state__in=(AnswerState.ANSWERED, AnswerState.PARTIAL))),
    "silent": Kind("Declined", Q(state=AnswerState.INSUFFICIENT_EVIDENCE)),
    "unfinished": Kind("Unfinished", ~Q(state__in=_ENDED_WELL)),
    "graded": Kind("Graded", Q(is_graded=True)),
    "right": Kind("Graded right", Q(is_graded=True, is_faulted=False)),
    "ungraded": Kind("Not graded", Q(is_graded=False, state__in=_ENDED_WELL)),
}
Counts = dict[str, int]


@dataclass(frozen=True, slots=True)
class WeekCounts:
    """A week (UTC), given by its Monday, with its number of answers of each of KINDS."""

    week: date
    counts: Counts


@dataclass(frozen=True, slots=True)
class CorpusCounts:
    """A corpus with its number of answers of each of KINDS."""

    corpus: Corpus
    counts: Counts


def _monday_of(day: date) -> date:
    """The first day of the week."""
    return day - timedelta(days=day.weekday())


def weeks_shown(*, n: int) -> list[date]:
    """The Mondays of the last `n` weeks (UTC), the current week last."""
    present = _monday_of(timezone.now().astimezone(UTC).date())
    return [present - WEEK * back for back in reversed(range(n))]


def answers_asked(*, organization: Organization) -> QuerySet[Answer]:
    """Answers to questions about the corpora that the active person may see, newest first.

    Each has its `week`, `is_graded` and `is_faulted`.
    An answer is faulted if one of its grades is neither "right" nor "rightly silent".
    """
    corpora = Corpus.objects.filter(organization=organization, removal_begun_at=None)
    grades = AnswerGrade.objects.filter(organization=organization, answer=OuterRef("pk"))
    faults = grades.exclude(grade__in=(Grade.RIGHT, Grade.RIGHTLY_SILENT))
    answers = Answer.objects.filter(organization=organization, purpose=Purpose.ASKED, question__corpus__in=corpora)
    rows = answers.select_related("question__corpus").defer("evidence", "pipeline", "asked", "generation")
    return rows.annotate(
        week=TruncWeek("created_at", tzinfo=UTC), is_graded=Exists(grades), is_faulted=Exists(faults)
    ).order_by("-created_at", "pk")


class AskedFilter(ListFilter):
    """Filters `answers_asked` by what a number of the dashboard counts."""

    kind = one_of(KINDS, method="of_kind", words="The result of the question.")
    corpus = UUIDFilter(field_name="question__corpus", help_text="Asked of this corpus.")
    week = DateFilter(method="of_week", help_text="Asked in the week of this day (UTC).")
    since = DateFilter(method="since_day", help_text="Asked on this day (UTC) or later.")

    def of_kind(self, answers: QuerySet[Answer], _: str, kind: str) -> QuerySet[Answer]:
        return answers.filter(KINDS[kind].condition)

    def of_week(self, answers: QuerySet[Answer], _: str, day: date) -> QuerySet[Answer]:
        first = _monday_of(day)
        return answers.filter(created_at__gte=day_begins(first), created_at__lt=day_begins(first + WEEK))

    def since_day(self, answers: QuerySet[Answer], _: str, day: date) -> QuerySet[Answer]:
        return answers.filter(created_at__gte=day_begins(day))


def counts_by_week_and_corpus(
    *, organization: Organization, weeks: Iterable[date], corpora: Iterable[Corpus]
) -> tuple[list[WeekCounts], list[CorpusCounts]]:
    """The answers of these weeks and corpora, by week and by corpus, in the given orders; two views of one query."""
    by_week: dict[date, Counts] = {week: dict.fromkeys(KINDS, 0) for week in weeks}
    every = list(corpora)
    by_corpus: dict[UUID, Counts] = {corpus.pk: dict.fromkeys(KINDS, 0) for corpus in every}
    answers = answers_asked(organization=organization).filter(
        created_at__gte=day_begins(min(by_week)), question__corpus__in=by_corpus
    )
    columns: dict[str, Any] = {name: Count("pk", filter=kind.condition) for name, kind in KINDS.items()}
    week_asked: Any = answers  # its week is annotated
    rows = week_asked.order_by().values("week", "question__corpus_id").annotate(**columns)
    for row in rows:
        for counts in (by_week.get(row["week"].date()), by_corpus[row["question__corpus_id"]]):
            if counts is not None:
                for name in KINDS:
                    counts[name] += row[name]
    return (
        [WeekCounts(week, counts) for week, counts in by_week.items()],
        [CorpusCounts(corpus, by_corpus[corpus.pk]) for corpus in every],
    )
