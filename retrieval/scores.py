"""Scores by a model outside this process: noted in the transaction of a search that needs them, requested after it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from legalqa.llm.types import CallRecord

K = TypeVar("K")
V = TypeVar("V")

RERANKER, READER = "reranker", "reader"  # the two models that may give the scores


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """Texts whose score for a query is needed, and by whom."""

    query: str
    texts: tuple[str, ...]
    by: str = RERANKER


@dataclass(frozen=True, slots=True)
class Scored:
    """One finite score for each text, or none at all; `note` says who gave them, or why nobody did.

    `call` is the call of a model for them, None where none was made.
    """

    values: tuple[float, ...]
    note: str
    call: CallRecord | None = None


class Brought(Generic[K, V]):
    """The scores fetched for one search so far, by request; `lacking` is what its last run needed and did not have."""

    def __init__(self) -> None:
        self._brought = dict[K, V]()
        self._missing = dict[K, None]()

    @property
    def lacking(self) -> tuple[K, ...]:
        return tuple(self._missing)

    def asked(self, request: K) -> V | None:
        """The scores of a request; None, and noted as lacking, if it was not made yet."""
        if request not in self._brought:
            self._missing[request] = None
        return self._brought.get(request)

    def put(self, request: K, value: V) -> None:
        self._brought[request] = value
        self._missing.pop(request, None)


class Scores(Brought[ScoreRequest, Scored]):
    """What was scored for one search so far."""

    def of(self, query: str, texts: Sequence[str], *, by: str = RERANKER) -> Scored | None:
        """The scores of these texts; None, and noted as lacking, where they were not requested yet."""
        return self.asked(ScoreRequest(query, tuple(texts), by))
