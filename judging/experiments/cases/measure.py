"""How well a case base finds the cases that a question needs, by weighting, encoder and k.

Source: CBR-RAG, section 6.2 and figure 5.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from judging.experiments.plots.drawing import Chart
from judging.experiments.plots.grid import Tile, heat_map
from judging.measures.significance import anova, paired_t
from judging.measures.values import Value, number
from retrieval.cases.similarity import KS, WEIGHTINGS, Weights, best, f1_at, scores
from retrieval.models import CaseIndex, CasePart, CaseVector

Floats = NDArray[np.float32]
PARTS = (CasePart.QUESTION, CasePart.SUPPORT, CasePart.ENTITIES)
PAPER = ("question", "support", "entities", "hybrid")  # the weightings that the paper compares


@dataclass(frozen=True, slots=True)
class CaseQuestion:
    """A test question with the places of its two cases, the group that its interval draws by, and its split."""

    text: str
    gold: frozenset[int]
    group: str
    is_test: bool = True


@dataclass(frozen=True, slots=True)
class CaseRanks:
    """At which ranks, from 1, the cases that each question needs were found among `n_cases`: F1 at every k follows."""

    ranks: tuple[tuple[int, ...], ...]
    n_cases: int

    def f1(self, *, k: int) -> list[float]:
        """F1@k of each question."""
        ranked = list(range(1, min(k, self.n_cases) + 1))
        return [f1_at(ranked, set(ranks), k=k) for ranks in self.ranks]


FoundBy = Mapping[tuple[str, str], CaseRanks]  # what is measured, by encoder and weighting


@dataclass(frozen=True, slots=True)
class Compared:
    """Cosines of each of q questions with question, support and entities of each of n cases, [3][q, n]."""

    questions: tuple[CaseQuestion, ...]
    cosines: tuple[Floats, Floats, Floats]

    def ranked(self, weights: Weights, *, k: int) -> list[list[int]]:
        """The places of the k cases most like each question."""
        similar = scores(*self.cosines, weights=weights)
        return [best(row, k=k) for row in similar]

    def found(self, weights: Weights, *, is_test: bool = True) -> CaseRanks:
        """The ranks of the cases that the questions of the test split need, or the others."""
        n_cases = self.cosines[0].shape[1]
        pairs = zip(self.ranked(weights, k=n_cases), self.questions, strict=True)
        ranks = [sorted(places.index(at) + 1 for at in one.gold) for places, one in pairs if one.is_test == is_test]
        return CaseRanks(tuple(map(tuple, ranks)), n_cases)

    def f1(self, weights: Weights, *, k: int, is_test: bool = True) -> list[float]:
        """F1@k of the questions of the test split, or of the others."""
        return self.found(weights, is_test=is_test).f1(k=k)


@dataclass(frozen=True, slots=True)
class Significance:
    """p of an analysis of variance over methods, and of one-tailed paired t-tests of the best over each other one."""

    best: str
    anova: Value
    greater: Mapping[str, Value]

    def document(self) -> dict[str, Any]:
        """The p of each test as JSON; None where there is no test."""
        return {"anova_p": number(self.anova), "paired_t_p": {name: number(p) for name, p in self.greater.items()}}


def tests_of(values: Mapping[str, Sequence[float]], *, best: str) -> Significance:
    """The paper's tests (section 6.3) of methods on the same questions, in the same order."""
    greater = {name: paired_t(values[best], theirs) for name, theirs in values.items() if name != best}
    return Significance(best, anova(list(values.values())), greater)


def found_by(by_encoder: Mapping[str, Compared]) -> FoundBy:
    """The ranks of the test split by the name of the encoder and of the weighting."""
    return {
        (name, weighting): compared.found(weights)
        for name, compared in by_encoder.items()
        for weighting, weights in WEIGHTINGS.items()
    }


def f1_document(by_setting: FoundBy) -> dict[str, dict[str, dict[str, float]]]:
    """The mean F1 by encoder, weighting and k, as JSON."""
    document: dict[str, dict[str, dict[str, float]]] = {}
    for (name, weighting), one in by_setting.items():
        means = {str(k): round(float(np.mean(one.f1(k=k))), 4) for k in KS}
        document.setdefault(name, {})[weighting] = means
    return document


def heat_map_of(by_setting: FoundBy, *, href: Callable[[str, str, int], str] = lambda *_: "") -> Chart:
    """F1@k by encoder and weights (rows) and k (columns), as figure 5 of the paper.

    Args:
        by_setting: What is drawn.
        href: Where a cell of encoder, weighting and k leads: to the questions that it counts.
    """
    tiles: dict[tuple[str, str], Tile] = {}
    for (name, weighting), one in by_setting.items():
        row = f"{name} [{', '.join(f'{weight:g}' for weight in WEIGHTINGS[weighting])}]"
        for k in KS:
            values = one.f1(k=k)
            tiles[row, f"k={k}"] = Tile(float(np.mean(values)), len(values), href=href(name, weighting, k))
    rows_of = list(dict.fromkeys(row for row, _ in tiles))
    columns = [f"k={k}" for k in KS]
    high = max(tile.value or 0.0 for tile in tiles.values()) or 1.0
    return heat_map(tiles, rows=rows_of, columns=columns, low=0, high=high, measure="F1@k", row_kind="weights")


def part_vectors(index: CaseIndex, order: Sequence[UUID]) -> tuple[Floats, Floats, Floats]:
    """The vectors of question, support and entities by an index, [n, d] each, in an order of cases.

    A case that lacks a part has zeros there.
    """
    return _matrix(index, PARTS[0], order), _matrix(index, PARTS[1], order), _matrix(index, PARTS[2], order)


def _matrix(index: CaseIndex, part: CasePart, order: Sequence[UUID]) -> Floats:
    vectors = dict(CaseVector.objects.filter(index=index, part=part).values_list("case_id", "vector"))
    size = max((len(vector) for vector in vectors.values()), default=1)
    return np.asarray([vectors.get(case_id, np.zeros(size)) for case_id in order], np.float32)
