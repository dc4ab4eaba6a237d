"""What a case base holds: its legal acts (CBR-RAG, figure 2) and how close its cases are (figure 4)."""

from collections import Counter
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from corpora.models import Corpus
from corpora.selectors import corpus_get
from legalqa.accounts.models import Organization
from retrieval.cases.selectors import cases_usable
from retrieval.cases.similarity import nearest_neighbours
from retrieval.models import CaseIndex, CasePart, CaseVector

BINS = 20  # bars of the histogram of cosines, from 0 to 1
MAX_COMPARED = 4000  # ours: vectors whose cosines with each other are taken at once
ACTS_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many cases have their nearest neighbour at which cosine: `counts` in BINS equal steps from 0 to 1."""

    encoder: str
    cue: str
    part: str
    counts: tuple[int, ...]

    @property
    def n(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class CaseStatistics:
    """Of the cases in use: how many, the acts with how many cases name each, and how many cases name none."""

    n_cases: int
    acts: tuple[tuple[str, int], ...]
    n_acts: int
    n_without_act: int
    histograms: tuple[Histogram, ...]


def case_statistics(*, organization: Organization, corpus_id: UUID) -> CaseStatistics:
    """What the cases in use of a corpus name, and how close they are by each encoder.

    The histograms are of f(Q) and g(Q), as figure 4 has them, of at most MAX_COMPARED cases.

    Raises:
        NotFound: no such corpus, or you have no access to it.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    cases = cases_usable(corpus=corpus)
    acts: Counter[str] = Counter()
    n_cases = n_without = 0
    for entities in cases.values_list("entities", flat=True).iterator(chunk_size=1000):
        names = set(entities.get("act", ()))
        acts.update(names)
        n_cases += 1
        n_without += not names
    indexes = CaseIndex.objects.filter(organization=organization, corpus=corpus).order_by("created_at")
    parts = (CasePart.QUESTION, CasePart.QUESTION_INTER)
    histograms = tuple(_histogram(index, part) for index in indexes for part in parts)
    common = tuple(sorted(acts.items(), key=lambda item: (-item[1], item[0]))[:ACTS_SHOWN])
    return CaseStatistics(n_cases, common, len(acts), n_without, histograms)


def cases_of_step(*, corpus: Corpus, encoder: str, part: str, step: int) -> list[UUID]:
    """The cases that a step, from 0, of a histogram counts."""
    index = CaseIndex.objects.filter(corpus=corpus, encoder=encoder).first()
    return [] if index is None else [case for case, place in _steps(index, part) if place == step]


def _histogram(index: CaseIndex, part: CasePart) -> Histogram:
    counts = Counter(place for _, place in _steps(index, part))
    return Histogram(index.encoder, index.cue, part.value, tuple(counts[place] for place in range(BINS)))


def _steps(index: CaseIndex, part: str) -> list[tuple[UUID, int]]:
    """For each case, the step with the cosine of its nearest neighbour; none if there is no other case."""
    usable = cases_usable(corpus=index.corpus)
    vectors = CaseVector.objects.filter(index=index, part=part, case__in=usable).order_by("case_id")
    rows = list(vectors.values_list("case_id", "vector")[:MAX_COMPARED])
    if len(rows) < 2:
        return []
    nearest = np.clip(nearest_neighbours(np.asarray([vector for _, vector in rows], np.float32)), 0, 1)
    places = np.minimum(BINS - 1, (nearest * BINS).astype(int))
    return [(case, int(place)) for (case, _), place in zip(rows, places, strict=True)]
