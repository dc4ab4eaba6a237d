"""The result for one question of a public collection, as the measures read it; plain data, no Django."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QuestionOutcome:
    """One question asked of one collection, with a model that has not seen it.

    Attributes:
        id: The question's own id, unique in its collection.
        collection: "obliqa", "contractnli", "policy_copilot", "ll144".
        group: What to resample or split by: the document or contract, or the question's own id.
        kind: The collection's own class of the question: complexity "1", "2", "3+", or its label.
        is_answerable: Whether the corpus answers it, by the people who labelled it.
        gold: Ids of the passages that answer it; empty where nothing does.
        ranked: Ids of the passages found, best first, by the ranker.
        baseline: Ids of the passages found, best first, by reciprocal rank fusion of the same lists.
        probability: Calibrated chance, 0 to 1, that a gold passage is in the first five.
        answerable: Chance, 0 to 1, that the corpus answers, or says anything on a statement; None if not asked.
        fusion_score: Raw score of the best passage of the fusion: the confidence one would have without a model.
        is_answered: Whether an answer was given; False is a silence, or that nobody asked.
        cited: Ids of the passages that a given answer cites; empty for a silence.
    """

    id: str
    collection: str
    group: str
    kind: str
    is_answerable: bool
    gold: tuple[str, ...]
    ranked: tuple[str, ...]
    baseline: tuple[str, ...]
    probability: float
    answerable: float | None
    fusion_score: float
    is_answered: bool
    cited: tuple[str, ...] = ()

    @property
    def gold_ranks(self) -> tuple[int | None, ...]:
        """The rank of each gold passage from 1, None where it was not found."""
        return _ranks(self.gold, self.ranked)

    @property
    def baseline_ranks(self) -> tuple[int | None, ...]:
        """The same by the fusion."""
        return _ranks(self.gold, self.baseline)

    @property
    def cites_gold(self) -> bool:
        """Whether an answer was given that cites a gold passage."""
        return self.is_answered and not set(self.gold).isdisjoint(self.cited)

    def found(self, k: int) -> bool:
        """Whether a gold passage is in the ranker's first k."""
        return any(rank is not None and rank <= k for rank in self.gold_ranks)


def _ranks(gold: tuple[str, ...], ranking: tuple[str, ...]) -> tuple[int | None, ...]:
    places = {passage: rank for rank, passage in enumerate(ranking, start=1)}
    return tuple(places.get(passage) for passage in gold)
