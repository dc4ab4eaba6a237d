"""Scores by a model outside this process: noted in the transaction of a search that needs them, requested after it."""

from collections.abc import Sequence
from dataclasses import dataclass

RERANKER, READER = "reranker", "reader"  # the two models that may give the scores


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """Texts whose score for a query is needed, and by whom."""

    query: str
    texts: tuple[str, ...]
    by: str = RERANKER


@dataclass(frozen=True, slots=True)
class Scored:
    """One finite score for each text, or none at all; `note` says who gave them, or why nobody did."""

    values: tuple[float, ...]
    note: str


class Scores:
    """What was scored for one search so far; `lacking` is what its last run needed and did not have."""

    def __init__(self) -> None:
        self._scores = dict[ScoreRequest, Scored]()
        self._missing = dict[ScoreRequest, None]()

    @property
    def lacking(self) -> tuple[ScoreRequest, ...]:
        return tuple(self._missing)

    def of(self, query: str, texts: Sequence[str], *, by: str = RERANKER) -> Scored | None:
        """The scores of these texts; None, and noted as lacking, where they were not requested yet."""
        request = ScoreRequest(query, tuple(texts), by)
        scored = self._scores.get(request)
        if scored is None:
            self._missing[request] = None
        return scored

    def put(self, request: ScoreRequest, scored: Scored) -> None:
        self._scores[request] = scored
        self._missing.pop(request, None)
