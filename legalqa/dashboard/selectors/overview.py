"""The dashboard for owners and corpus managers: one document for its page and for programs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date
from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import TruncWeek

from corpora.models import Corpus
from corpora.selectors import corpus_get, corpus_list, document_group_counts, documents_in_groups
from judging.gold.feedback.selectors import WAITING, feedback_list
from judging.models import Experiment
from legalqa.accounts.models import Organization
from legalqa.answering.models import ReviewState
from legalqa.answering.services.contradictions import contradiction_list
from legalqa.dashboard.selectors.answers import (
    KINDS,
    CorpusCounts,
    Counts,
    WeekCounts,
    counts_by_week_and_corpus,
    weeks_shown,
)
from legalqa.jobs.selectors import subjects_at_work
from legalqa.llm.selectors import call_list

PERIODS = (4, 12, 52)  # weeks
USUAL_PERIOD = 12


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for a person in a corpus, and its experiments under way."""

    corpus: Corpus
    ungraded: int
    feedback: int
    contradictions: int
    documents: int
    experiments: int

    @property
    def total(self) -> int:
        """Everything that waits for a person."""
        return self.ungraded + self.feedback + self.contradictions + self.documents


@dataclass(frozen=True, slots=True)
class Overview:
    """The dashboard.

    Attributes:
        since: The Monday (UTC) with which the period begins.
        corpus_id: Of the only corpus that it covers; None for all.
        weeks: Oldest first.
        corpora: By name.
        total: Of the whole period.
        costs: What language models cost in each week, in millionths; None for those who may not see costs.
        waiting: For each corpus, by name.
    """

    since: date
    corpus_id: UUID | None
    weeks: list[WeekCounts]
    corpora: list[CorpusCounts]
    total: Counts
    costs: Mapping[date, int] | None
    waiting: list[Waiting]


def overview_get(
    *, organization: Organization, n_weeks: int = USUAL_PERIOD, corpus_id: UUID | None = None, with_costs: bool = False
) -> Overview:
    """The dashboard of the corpora that the active person may see.

    Args:
        n_weeks: How many weeks back, including the current one.
        corpus_id: Only this corpus; costs are still those of the whole organisation.
        with_costs: Whether the person may see what language models cost.

    Raises:
        NotFound: no such corpus, or you have no access to it.
    """
    one = [] if corpus_id is None else [corpus_get(organization=organization, corpus_id=corpus_id)]
    corpora = one or list(corpus_list(organization=organization))
    weeks = weeks_shown(n=n_weeks)
    by_week, by_corpus = counts_by_week_and_corpus(organization=organization, weeks=weeks, corpora=corpora)
    return Overview(
        weeks[0],
        corpus_id,
        by_week,
        by_corpus,
        {name: sum(row.counts[name] for row in by_corpus) for name in KINDS},
        _costs(organization, weeks) if with_costs else None,
        _waiting(organization, by_corpus),
    )


def _costs(organization: Organization, weeks: Iterable[date]) -> dict[date, int]:
    costs = dict.fromkeys(weeks, 0)
    calls = call_list(organization=organization, filters={"since": min(costs)}).order_by().select_related(None)
    sums = calls.annotate(week=TruncWeek("started_at", tzinfo=UTC)).values("week").annotate(cost=Sum("cost"))
    return costs | {row["week"].date(): row["cost"] for row in sums}


def _waiting(organization: Organization, counts: Iterable[CorpusCounts]) -> list[Waiting]:
    feedback = _by_corpus(feedback_list(organization=organization, state=WAITING))
    contradictions = _by_corpus(contradiction_list(organization=organization, state=ReviewState.OPEN))
    groups = document_group_counts(documents=documents_in_groups(organization=organization))
    at_work = subjects_at_work(organization=organization)
    experiments = _by_corpus(Experiment.objects.filter(organization=organization, pk__in=at_work))
    return [
        Waiting(
            row.corpus,
            row.counts["ungraded"],
            feedback.get(row.corpus.pk, 0),
            contradictions.get(row.corpus.pk, 0),
            groups.get(row.corpus.pk, {}).get("attention", 0),
            experiments.get(row.corpus.pk, 0),
        )
        for row in counts
    ]


def _by_corpus(rows: QuerySet[Any]) -> dict[UUID, int]:
    """How many of the rows each corpus has."""
    counts = rows.order_by().values("corpus_id").annotate(n=Count("pk"))
    return {row["corpus_id"]: row["n"] for row in counts}
