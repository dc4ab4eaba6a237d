"""The case base in words and tables."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Count, QuerySet

from corpora.indexed import encoder_titles
from corpora.models import Corpus
from corpora.selectors import corpus_get
from legalqa.accounts.models import Organization
from legalqa.common.errors import ApplicationError
from legalqa.jobs.selectors import job_latest
from legalqa.llm.types import Role
from retrieval.cases.asking import CaseModel
from retrieval.cases.entities import KINDS
from retrieval.cases.indexing import case_index_list
from retrieval.cases.reading import TASK
from retrieval.cases.selectors import case_list, case_supports, cases_expired, cases_usable
from retrieval.cases.statistics import BINS, Histogram, case_statistics, cases_of_step
from retrieval.models import CaseEntry, CasePart, CaseState, EntitiesBy

EXPIRED = "expired"  # a filter beside the states
NO_ACT = "-"  # the choice "no act" of the filter by act


def cases_page(*, organization: Organization, corpus_id: UUID, filters: Mapping[str, str]) -> dict[str, Any]:
    """The cases of a corpus that `case_chosen` leaves, with the states to choose from."""
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    cases = case_list(organization=organization, corpus_id=corpus_id)
    by_state = dict(cases.order_by().values("state").annotate(n=Count("pk")).values_list("state", "n"))
    usable, expired = cases_usable(corpus=corpus).count(), cases_expired(cases=cases).count()
    counts = by_state | {CaseState.APPROVED: usable, EXPIRED: expired}
    state = filters.get("state", "")
    labels = {**dict(CaseState.choices), EXPIRED: "Law changed"}
    return {
        "corpus": corpus,
        "cases": case_chosen(cases, corpus=corpus, filters=filters),
        "narrowed": _narrowed(filters),
        "n_cases": sum(by_state.values()),
        "n_waiting": counts.get(CaseState.WAITING, 0),
        "state": state,
        "chips": [
            {"state": key, "label": label, "n": counts.get(key, 0), "is_active": key == state}
            for key, label in labels.items()
        ],
        "indexes": case_index_list(organization=organization, corpus_id=corpus_id),
        "encoders": encoders(corpus),
        "n_by_rules": cases.filter(entities_by=EntitiesBy.RULES).exclude(state=CaseState.REJECTED).count(),
        "has_model": CaseModel(organization).is_there(Role.EXTRACT),
        "reading": job_latest(organization=organization, subject_id=corpus.pk, task=TASK),
    }


def case_chosen(cases: QuerySet[CaseEntry], *, corpus: Corpus, filters: Mapping[str, str]) -> QuerySet[CaseEntry]:
    """The cases behind a number of the statistics.

    Args:
        cases: Of the corpus.
        corpus: Where they are.
        filters: `state`, or EXPIRED for those whose law has changed; `act` that they name, NO_ACT for none; `encoder`,
            `part` and `step` of a histogram.

    Raises:
        ApplicationError: there is no such state.
    """
    state, act, step = (filters.get(key, "") for key in ("state", "act", "step"))
    if state == EXPIRED:
        cases = cases_expired(cases=cases)
    elif state == CaseState.APPROVED:
        cases = cases.filter(pk__in=cases_usable(corpus=corpus))
    elif state in CaseState.values:
        cases = cases.filter(state=state)
    elif state:
        states = ", ".join([*CaseState.values, EXPIRED])
        raise ApplicationError(f"There is no state {state[:40]!r}. Choose one of {states}.", code="unknown_state")
    if act == NO_ACT:
        cases = cases.exclude(entities__act__0__isnull=False)
    elif act:
        cases = cases.filter(entities__act__contains=[act])
    if step in map(str, range(BINS)):
        of = {"encoder": filters.get("encoder", ""), "part": filters.get("part", "")}
        cases = cases.filter(pk__in=cases_of_step(corpus=corpus, **of, step=int(step)))
    return cases


def _narrowed(filters: Mapping[str, str]) -> str:
    """The filters of the list besides the state, in words."""
    act, step = filters.get("act", ""), filters.get("step", "")
    phrases = ["that name no legal act" if act == NO_ACT else f"that name “{act}”"] if act else []
    if step in map(str, range(BINS)):
        low = int(step) / BINS
        phrases.append(f"whose nearest neighbour has a cosine of {low:.2f} to {low + 1 / BINS:.2f}")
    return " and ".join(phrases)


def encoders(corpus: Corpus) -> list[tuple[str, str]]:
    """The encoders that a corpus may compare its cases by, with their names for people."""
    return list(encoder_titles(corpus=corpus).items())


def case_page(*, case: CaseEntry) -> dict[str, Any]:
    """One case with what it rests on."""
    return {
        "case": case,
        "corpus": case.corpus,
        "entities": [(KINDS[kind], phrases) for kind, phrases in case.entities.items() if kind in KINDS],
        "supports": list(case_supports(cases=[case])),
    }


def statistics_page(*, organization: Organization, corpus_id: UUID) -> dict[str, Any]:
    """The acts of a case base, and how close its cases are."""
    statistics = case_statistics(organization=organization, corpus_id=corpus_id)
    most = max((n for _, n in statistics.acts), default=1)
    return {
        "corpus": corpus_get(organization=organization, corpus_id=corpus_id),
        "statistics": statistics,
        "acts": [{"act": act, "n": n, "share": n / most} for act, n in statistics.acts],
        "histograms": [_histogram_rows(histogram) for histogram in statistics.histograms],
    }


def _histogram_rows(histogram: Histogram) -> dict[str, Any]:
    most = max(histogram.counts) or 1
    of = {"state": str(CaseState.APPROVED), "encoder": histogram.encoder, "part": histogram.part}
    return {
        "encoder": histogram.encoder,
        "cue": histogram.cue,
        "title": CasePart(histogram.part).label,
        "n": histogram.n,
        "rows": [
            {
                "low": step / BINS,
                "high": (step + 1) / BINS,
                "n": n,
                "share": n / most,
                "query": urlencode(of | {"step": step}),
            }
            for step, n in enumerate(histogram.counts)
            if n
        ],
    }
