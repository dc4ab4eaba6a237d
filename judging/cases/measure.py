"""How well a case base finds the cases that a question needs, by weighting, encoder and k.

Source: CBR-RAG, section 6.2 and figure 5.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from judging.experiments.plots.drawing import Chart
from judging.experiments.plots.grid import Tile, heat_map
from retrieval.cases.similarity import KS, WEIGHTINGS, Weights, best, f1_at, scores
from retrieval.models import CaseIndex, CasePart, CaseVector

Floats = NDArray[np.float32]
PARTS = (CasePart.QUESTION, CasePart.SUPPORT, CasePart.ENTITIES)


@dataclass(frozen=True, slots=True)
class CaseQuestion:
    """A test question with the places of its two cases, the group that its interval draws by, and its split."""

    text: str
    gold: frozenset[int]
    group: str
    is_test: bool = True


@dataclass(frozen=True, slots=True)
class Compared:
    """Cosines of each of q questions with question, support and entities of each of n cases, [3][q, n]."""

    asked: tuple[CaseQuestion, ...]
    cosines: tuple[Floats, Floats, Floats]

    def ranked(self, weights: Weights, *, k: int) -> list[list[int]]:
        """The places of the k cases most like each question."""
        similar = scores(*self.cosines, weights=weights)
        return [best(row, k=k) for row in similar]

    def f1(self, weights: Weights, *, k: int, is_test: bool = True) -> list[float]:
        """F1@k of the questions of the test split, or of the others."""
        pairs = zip(self.ranked(weights, k=k), self.asked, strict=True)
        return [f1_at(places, set(one.gold), k=k) for places, one in pairs if one.is_test == is_test]


def heat_map_of(by_encoder: Mapping[str, Compared]) -> Chart:
    """F1@k of the test split by encoder and weights (rows) and k (columns), as figure 5 of the paper."""
    tiles: dict[tuple[str, str], Tile] = {}
    for encoder_name, compared in by_encoder.items():
        for weights in WEIGHTINGS.values():
            row = f"{encoder_name} [{', '.join(f'{weight:g}' for weight in weights)}]"
            for k in KS:
                values = compared.f1(weights, k=k)
                tiles[row, f"k={k}"] = Tile(float(np.mean(values)), len(values))
    rows_of = list(dict.fromkeys(row for row, _ in tiles))
    columns = [f"k={k}" for k in KS]
    high = max(tile.value or 0.0 for tile in tiles.values())
    return heat_map(tiles, rows=rows_of, columns=columns, low=0, high=high, measure="F1@k", row_kind="weights")


def part_vectors(index: CaseIndex, order: Sequence[UUID]) -> tuple[Floats, Floats, Floats]:
    """The vectors of question, support and entities by an index, [n, d] each, in an order of cases.

    A case that lacks a part has zeros there.
    """
    return _matrix(index, PARTS[0], order), _matrix(index, PARTS[1], order), _matrix(index, PARTS[2], order)


def _matrix(index: CaseIndex, part: CasePart, order: Sequence[UUID]) -> Floats:
    held = dict(CaseVector.objects.filter(index=index, part=part).values_list("case_id", "vector"))
    size = max((len(vector) for vector in held.values()), default=1)
    return np.asarray([held.get(case_id, np.zeros(size)) for case_id in order], np.float32)
