"""A cutoff that follows how steeply the ranking falls."""

from itertools import accumulate
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from retrieval.cutoffs.base import Cut
from retrieval.cutoffs.signals import band_of, ranking_signal, stage_scores
from retrieval.stages import Resources
from retrieval.types import Query, Ranking


class BandedCutoff(Cut):
    """Keeps more hits where the ranking is flat and fewer where it is steep: its signal falls into one of the bands.

    Attributes:
        signal: "top", the score of the best hit, or "drop", that less the mean score of the next five.
        stage: Whose scores are read, such as "learned"; hits without them are of band 0, which is the flattest.
        bounds: Ascending, 1 to 9 of them, in the units of those scores; a signal below the first is in band 0.
        k: Hits kept in each band, 1 to 200 each, one more than there are bounds.

    Source: ours; HyPA-RAG 8.1 sets k by the class of the question alone, before anything is searched.
    """

    kind: Literal["banded-cutoff.v1"] = "banded-cutoff.v1"
    signal: Literal["top", "drop"]
    stage: str = Field(max_length=40)
    bounds: tuple[float, ...] = Field(min_length=1, max_length=9)
    k: tuple[Annotated[int, Field(ge=1, le=200)], ...]

    @property
    def most(self) -> int:
        return max(self.k)

    def run(self, query: Query, before: Ranking, resources: Resources) -> tuple[Ranking, str]:
        """Fewer hits where the ranking is steep; one that fell behind by what is excluded counts as the one before it.

        Returns:
            The first hits as they were, as many as `k` has for the band or all where there are fewer; and a note that
            says which band it was.
        """
        scores = stage_scores(before.hits, self.stage)
        if query.filters.excluded_paragraph_ids:
            scores = list(accumulate(scores, min))
        band = band_of(ranking_signal(scores, self.signal), self.bounds) if scores else 0
        k = self.k[band]
        note = f"how steeply the ranking falls: band {band + 1} of {len(self.k)}, {k} passages are kept"
        return before.cut(k), note

    @model_validator(mode="after")
    def _bands_fit(self) -> Self:
        if len(self.k) != len(self.bounds) + 1:
            raise ValueError(f"{len(self.bounds)} bounds make {len(self.bounds) + 1} bands, and k has {len(self.k)}.")
        if list(self.bounds) != sorted(self.bounds):
            raise ValueError("The bounds of the bands do not ascend; sort them.")
        return self
