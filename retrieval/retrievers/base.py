"""What every retriever takes and gives."""

from abc import abstractmethod

from pydantic import Field

from retrieval.stages import Resources, Stage
from retrieval.types import Query, Ranking


class Retriever(Stage):
    """Ranks the chunks of a corpus for a query, inside the organisation's scope.

    Every retriever keeps the contract of `tests/contracts/test_retrievers.py`: at most `top_k` hits, of the corpus
    alone, all of them allowed, with rank and score among their parts under its name.

    Attributes:
        top_k: Hits at most, 1 to 10,000.
    """

    top_k: int = Field(default=100, ge=1, le=10_000)

    @abstractmethod
    def search(self, query: Query, resources: Resources) -> Ranking:
        """The best chunks; what is not a chunk is side evidence of the ranking.

        Returns:
            At most `top_k` hits, best first; none where nothing fits. Scores never rise from hit to hit, and mean
            nothing outside this ranking.
        """

    def run(self, query: Query, before: Ranking, resources: Resources) -> tuple[Ranking, str]:
        """The ranking, whatever came before it."""
        ranking = self.search(query, resources)
        return ranking, ", ".join(f"{side.source.kind} {side.source.key}" for side in ranking.side)
