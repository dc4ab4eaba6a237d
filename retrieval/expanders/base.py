"""What every expander takes and gives."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from retrieval.stages import Resources, Stage
from retrieval.types import Hit, Query, Ranking

FROM, HOP = "from", "hop"


@dataclass(frozen=True, slots=True)
class Link:
    """A chunk that a found chunk leads to."""

    origin: int
    target: int


class Expander(Stage):
    """Adds passages to which the first results lead, and says which result led to each.

    Every expander keeps the contract of `tests/contracts/test_expanders.py`: what was found stays, in its order; at
    most `budget` chunks are added, all of them live and allowed; each knows from which chunk it came and in which hop.

    Attributes:
        choice: What people choose it by, as a value of the setting "expanders".
        tie: How a passage is connected with the one that led to it, in words.
        is_ranked: Whether a reranker should read what it brings: it then is before one.
        budget: Chunks that are added at most.
    """

    takes: ClassVar[str] = "Ranking"
    choice: ClassVar[str]
    tie: ClassVar[str]
    is_ranked: ClassVar[bool] = True

    budget: int

    @abstractmethod
    def links(self, before: Ranking, resources: Resources) -> Sequence[Link]:
        """What the hits lead to, in the order in which it is brought; what is already found may be among it.

        Returns:
            Links from a hit of `before` to a chunk of the corpus, those that are brought first in front.
        """

    @property
    def places_behind(self) -> int:
        """How many places behind the hit that led to it a chunk is put."""
        return 0

    def run(self, query: Query, before: Ranking, resources: Resources) -> tuple[Ranking, str]:
        """The ranking with what its hits lead to.

        Returns:
            The hits in their order with at most `budget` further ones between or behind them, numbered from 1; and a
            note of how many were added. Each of these has the score of the hit it is put behind, so scores never rise.
        """
        after = expanded(
            before,
            self.links(before, resources),
            stage=self.name,
            most=self.budget,
            behind=self.places_behind,
            resources=resources,
        )
        n = len(after.hits) - len(before.hits)
        return after, f"{n} passage{'' if n == 1 else 's'} added" if n else "nothing to add"


def expanded(
    before: Ranking, links: Sequence[Link], *, stage: str, most: int, behind: int, resources: Resources
) -> Ranking:
    """The ranking with the first `most` new targets, each `behind` places behind the hit that led to it.

    Where several are put in one place, they keep the order of `links`. A target takes the score of the hit it is put
    behind, so that scores fall whatever their scale; its parts say from which chunk it came and in which hop, counted
    from 1 for what a hit of the search led to.
    """
    hits = {hit.chunk_id: hit for hit in before.hits}
    allowed = None if resources.allowed is None else set(np.asarray(resources.allowed).tolist())
    brought: dict[int, Link] = {}
    for link in links:
        is_new = link.target not in hits and link.target not in brought
        if is_new and (allowed is None or link.target in allowed) and len(brought) < most:
            brought[link.target] = link
    placed: list[tuple[int, int, int, Hit]] = [(hit.rank, 0, hit.rank, hit) for hit in before.hits]
    for number, link in enumerate(brought.values(), start=1):
        origin = hits[link.origin]
        parts = ((f"{stage}.rank", float(number)), (f"{stage}.{FROM}", float(link.origin)))
        hop = (f"{stage}.{HOP}", 1.0 + hop_of(origin.parts))
        placed.append((origin.rank + behind, 1, number, Hit(link.target, 1, origin.score, (*parts, hop))))
    ordered = [hit for *_, hit in sorted(placed, key=lambda entry: entry[:3])]
    score, ranked = float("inf"), []
    for rank, hit in enumerate(ordered, start=1):
        score = min(score, hit.score)
        ranked.append(replace(hit, rank=rank, score=score))
    return replace(before, hits=tuple(ranked))


def hop_of(parts: Sequence[tuple[str, float]]) -> int:
    """In which hop a hit came; 0 for one that the search itself found."""
    return max((int(value) for name, value in parts if name.endswith(f".{HOP}")), default=0)


def origin_of(parts: Mapping[str, float]) -> tuple[str, int, int] | None:
    """The stage that brought a hit, the chunk it came from and the hop; None for one that the search itself found."""
    for name, value in parts.items():
        stage, _, measure = name.rpartition(".")
        if measure == FROM:
            return stage, int(value), int(parts.get(f"{stage}.{HOP}", 1.0))
    return None
