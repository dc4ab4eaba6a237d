"""Master retrieval: what was found is judged, what does not answer is dropped, and the search widened in its place."""

import logging
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Literal

from django.db import DatabaseError, connection, transaction
from pydantic import Field

from legalqa.common.errors import ApplicationError, Unavailable
from retrieval.scores import READER
from retrieval.selectors import chunk_texts
from retrieval.stages import STAGES, AnyStage, Resources, Stage
from retrieval.types import Hit, Query, Ranking

logger = logging.getLogger(__name__)

MORE = 3  # PathLex 7.9: top_k = n + 3
Widening = Literal["max", "add"]
# For each hit the odds that it answers, or None if they are not known yet.
Judge = Callable[[Sequence[Hit]], Sequence[float] | None]
_FAILURES = (DatabaseError, ApplicationError, OSError, ValueError, LookupError)


class SearchOutage(Unavailable):
    """A search that failed, and nothing found in its place: not the same as finding nothing."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The search failed, so it is not known whether anything answers: {reason} Ask again in a moment.",
            code="search_outage",
        )


@dataclass(frozen=True, slots=True)
class Selection:
    """What was kept: the hits that answer, each with its chance and round; how many were seen, in how many rounds."""

    hits: tuple[tuple[Hit, float, int], ...]
    n_seen: int
    n_rounds: int


def rounds_judged(
    hits: Sequence[Hit], judge: Judge, *, k: int, widen: Widening, rounds: int, relevant_from: float
) -> Selection | None:
    """Look at the first k hits, drop the n that do not answer, look at further ones; at most `rounds` times.

    The next look takes max(current, n + MORE) hits not seen before ("max"), or n + MORE ("add"). It ends where nothing
    was dropped, or nothing is left. None where the judge does not know yet.

    Source: PathLex 7.9. Differs: hits already judged are not read again, rounds are bounded (both ours).
    """
    selection: list[tuple[Hit, float, int]] = []
    seen, size = 0, k
    for number in range(1, rounds + 1):
        window = hits[seen : seen + size]
        chances = judge(window) if window else ()
        if chances is None:
            return None
        selection += [
            (hit, chance, number) for hit, chance in zip(window, chances, strict=True) if chance >= relevant_from
        ]
        seen += len(window)
        n_dropped = sum(chance < relevant_from for chance in chances)
        if not n_dropped or seen == len(hits) or number == rounds:
            return Selection(tuple(selection), seen, number)
        size = max(size, n_dropped + MORE) if widen == "max" else n_dropped + MORE
    return Selection(tuple(selection), seen, rounds)


class Master(Stage):
    """The first search, judged by the reader and widened; the second one if it fails or none of its hits answers.

    Attributes:
        branches: The first search and the second.
        k: Passages judged at first, 1 to 100.
        widen: How many further ones, see `rounds_judged`.
        rounds: Looks at passages at most, 1 to 5; with 1 the search is not widened.
        relevant_from: Chance, 0 to 1, by the reader, from which a passage counts as answering.

    Source: PathLex 7.9, as in `rounds_judged`.
    """

    label = "Judged and widened"
    action = "Judged by the reader, widened where passages were dropped"
    settable = ("k", "widen", "rounds", "relevant_from")

    kind: Literal["master.v1"] = "master.v1"
    branches: tuple[AnyStage, AnyStage]
    k: int = Field(default=10, ge=1, le=100)
    widen: Widening = "max"
    rounds: int = Field(default=3, ge=1, le=5)
    relevant_from: float = Field(default=0.05, ge=0, le=1)

    @property
    def can_lack_vector(self) -> bool:
        return any(branch.can_lack_vector for branch in self.branches)

    @property
    def inner(self) -> tuple[Stage, ...]:
        return self.branches

    def run(self, query: Query, before: Ranking, resources: Resources) -> tuple[Ranking, str]:
        """What the first search found and the reader kept; else what the second one finds.

        Returns:
            The hits that were kept, in their order and with their scores, numbered from 1; their parts have the chance
            by the reader ("master.score", `relevant_from` to 1) and the look that kept them ("master.round", from 1).
            Or the second ranking as it is; or the first, where the reader has yet to read it. The note says which.

        Raises:
            SearchOutage: one of them failed and the other found nothing, or both failed.
        """
        first, failure = self._found(self.branches[0], query, before, resources)
        if first is None:
            return self._second(query, before, resources, why=failure, is_outage=True)
        if not first.hits:
            return self._second(query, before, resources, why="The first search found nothing.", is_outage=False)
        notes: list[str] = []
        selection = rounds_judged(
            first.hits,
            lambda hits: self._chances(query, hits, resources, notes),
            k=self.k,
            widen=self.widen,
            rounds=self.rounds,
            relevant_from=self.relevant_from,
        )
        if selection is None and not notes:
            return first, "waits for the reader"  # the search runs again once it has read
        if selection is None:
            return self._second(query, before, resources, why=notes[0], is_outage=True)
        if not selection.hits:
            why = f"None of the first {selection.n_seen} passages answers."
            return self._second(query, before, resources, why=why, is_outage=False)
        hits = tuple(
            replace(hit, rank=rank, parts=(*hit.parts, ("master.score", chance), ("master.round", float(number))))
            for rank, (hit, chance, number) in enumerate(selection.hits, start=1)
        )
        looks = "one look" if selection.n_rounds == 1 else f"{selection.n_rounds} looks"
        return replace(first, hits=hits), f"{len(hits)} of {selection.n_seen} passages kept in {looks}"

    def _found(self, branch: Stage, query: Query, before: Ranking, resources: Resources) -> tuple[Ranking | None, str]:
        """A branch's ranking; None and the reason where it failed. A savepoint keeps the rest of the search usable."""
        if resources.vector is None and not branch.can_lack_vector:
            return None, "The encoder does not answer."
        try:
            with transaction.atomic() if connection.in_atomic_block else nullcontext():
                return branch.apply(query, before, resources), ""
        except _FAILURES as error:
            name = "first" if branch is self.branches[0] else "second"
            logger.warning("the %s search failed: %s", name, type(error).__name__)
            return None, error.message if isinstance(error, ApplicationError) else f"The {name} search failed."

    def _second(
        self, query: Query, before: Ranking, resources: Resources, *, why: str, is_outage: bool
    ) -> tuple[Ranking, str]:
        ranking, failure = self._found(self.branches[1], query, before, resources)
        if ranking is None:
            raise SearchOutage(failure)
        if is_outage and not ranking.hits:
            raise SearchOutage(why)
        return ranking, f"{why} The second search was used instead."

    def _chances(
        self, query: Query, hits: Sequence[Hit], resources: Resources, notes: list[str]
    ) -> Sequence[float] | None:
        """The reader's chances; None where it has not read them yet, and a note where it cannot."""
        texts = chunk_texts(corpus=resources.corpus, chunk_ids=[hit.chunk_id for hit in hits])
        scored = resources.scores.of(query.text, [texts.get(hit.chunk_id, "") for hit in hits], by=READER)
        if scored is None:
            return None
        if not scored.values:
            notes.append(scored.note)
            return None
        return scored.values


STAGES.register("master.v1", Master)
