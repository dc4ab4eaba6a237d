"""The case base in words and tables."""

from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet

from corpora.indexed import encoder_titles
from corpora.models import Corpus
from corpora.selectors import corpus_get
from legalqa.accounts.models import Organization
from legalqa.jobs.selectors import job_latest_by_subject
from legalqa.llm.types import Role
from retrieval.cases.asking import CaseModel
from retrieval.cases.entities import KINDS
from retrieval.cases.entries import case_list, case_supports, cases_expired
from retrieval.cases.indexing import case_index_list
from retrieval.cases.reading import TASK
from retrieval.cases.statistics import BINS, Histogram, case_statistics
from retrieval.models import CaseEntry, CasePart, CaseState, EntitiesBy

EXPIRED = "expired"  # a filter beside the states


def cases_page(*, organization: Organization, corpus_id: UUID, state: str) -> dict[str, Any]:
    """The cases of a corpus in a state, "" for all, with the states to choose from."""
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    cases = case_list(organization=organization, corpus_id=corpus_id)
    counts = dict(cases.order_by().values("state").annotate(n=Count("pk")).values_list("state", "n"))
    counts[EXPIRED] = cases_expired(cases=cases).count()
    labels = {**dict(CaseState.choices), EXPIRED: "Law changed"}
    return {
        "corpus": corpus,
        "cases": case_chosen(cases, state=state),
        "n_cases": sum(counts[key] for key in counts if key != EXPIRED),
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
        "reading": job_latest_by_subject(organization=organization, subject_ids=[corpus.pk], task=TASK).get(corpus.pk),
    }


def case_chosen(cases: QuerySet[CaseEntry], *, state: str) -> QuerySet[CaseEntry]:
    """Those in a state, or whose law has changed; all for another word."""
    if state == EXPIRED:
        return cases_expired(cases=cases)
    return cases.filter(state=state) if state in CaseState.values else cases


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
    """The acts of a case base, and how close its cases lie."""
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
    steps = [(place / BINS, (place + 1) / BINS, n) for place, n in enumerate(histogram.counts)]
    return {
        "encoder": histogram.encoder,
        "cue": histogram.cue,
        "title": CasePart(histogram.part).label,
        "n": histogram.n,
        "rows": [{"low": low, "high": high, "n": n, "share": n / most} for low, high, n in steps if n],
    }
