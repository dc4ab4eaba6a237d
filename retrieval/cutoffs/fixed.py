"""A cutoff after a fixed number of hits."""

from typing import Literal

from pydantic import Field

from retrieval.cutoffs.base import Cut
from retrieval.stages import Resources
from retrieval.types import Query, Ranking


class Cutoff(Cut):
    """Keeps the best k hits.

    Attributes:
        k: Hits at most, 1 to 200.

    Source: the usual top k.
    """

    is_timed = False

    kind: Literal["cutoff.v1"] = "cutoff.v1"
    k: int = Field(ge=1, le=200)

    @property
    def most(self) -> int:
        return self.k

    @property
    def words(self) -> str:
        return f"The best {self.k} kept"

    def run(self, query: Query, before: Ranking, resources: Resources) -> tuple[Ranking, str]:
        """The best k hits.

        Returns:
            The first `k` hits as they were, or all where there are fewer; and no note.
        """
        return before.cut(self.k), ""
