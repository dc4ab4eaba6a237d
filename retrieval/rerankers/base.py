"""What every reranker takes and gives."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from legalqa.accounts.models import Organization
from retrieval.fusion.ranks import RRF_K
from retrieval.stages import Resources, Stage
from retrieval.types import Hit, Query, Ranking


class RerankFailed(Exception):
    """A reranker that gave no scores: a person is told why in one sentence, and the order it was given stays."""


class Reranker(Stage):
    """Puts the first hits of a ranking into a better order.

    Every reranker keeps the contract of `tests/contracts/test_rerankers.py`: the same hits come back, none more and
    none less; hits beyond its depth stay behind those it ordered; earlier parts are kept and its own are added.

    Attributes:
        choice: What people choose it by, as the value of the setting "reranker" and in words.
        lists: Kinds of the searches whose ranks it reads, where it reads them.
    """

    takes: ClassVar[str] = "Ranking"
    choice: ClassVar[tuple[str, str]]
    lists: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def is_available(cls, *, organization: Organization) -> bool:  # noqa: ARG003 - most depend on it
        """Whether an organisation can use it here."""
        return True

    @abstractmethod
    def rerank(self, query: Query, before: Ranking, resources: Resources) -> Ranking:
        """The better order.

        Returns:
            The same hits, best first. Scores are 1 / (RRF_K + rank), whatever the reranker's scale; its own score of
            each hit is among the parts.

        Raises:
            RerankFailed: it could not score them.
        """

    def run(self, query: Query, before: Ranking, resources: Resources) -> tuple[Ranking, str]:
        """The better order, or the previous one with the reason: a search does not fail with its reranker."""
        try:
            return self.rerank(query, before, resources), ""
        except RerankFailed as failure:
            return before, str(failure)


def reordered(
    before: Ranking, scores: Sequence[float], *, stage: str, parts: Sequence[dict[str, float]] = ()
) -> Ranking:
    """Put the first `len(scores)` hits in the order of their scores, ties as they were; the others stay behind them.

    A hit's score becomes 1 / (RRF_K + rank): above 0 and falling whatever the reranker's scale, and as flat as that of
    a fusion, so that the best paragraphs of many chunks are read and not all those of the first.

    Args:
        before: The ranking that was scored.
        scores: Of its first hits, in its order; finite.
        stage: Under which rank and score are kept in the parts.
        parts: Further numbers of each scored hit, under names of their own.

    Raises:
        ValueError: more scores than hits.
    """
    if len(scores) > len(before.hits):
        raise ValueError(f"{len(scores)} scores were given for {len(before.hits)} hits; score each hit once.")
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    hits = []
    for rank, place in enumerate(order, start=1):
        hit = before.hits[place]
        own = {f"{stage}.rank": float(rank), f"{stage}.score": float(scores[place]), **(parts[place] if parts else {})}
        hits.append(Hit(hit.chunk_id, rank, 1.0 / (RRF_K + rank), (*hit.parts, *own.items())))
    for rank, hit in enumerate(before.hits[len(scores) :], start=len(scores) + 1):
        hits.append(Hit(hit.chunk_id, rank, 1.0 / (RRF_K + rank), hit.parts))
    return replace(before, hits=tuple(hits))
