"""Search by solved cases: the passages that they cite are hits, and the cases themselves are side evidence."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from retrieval.cases.merging import merged
from retrieval.cases.searching import SimilarCase, cases_similar
from retrieval.cases.selectors import case_as_text
from retrieval.cases.similarity import FLOOR, WEIGHTINGS
from retrieval.retrievers.base import Retriever
from retrieval.stages import Resources
from retrieval.types import Query, Ranking, SideEvidence, Source

CASE, MERGED = "case", "cases"  # kinds of side evidence: one case, and all of them as one context
Weight = Annotated[float, Field(ge=0, le=1)]


class Cases(Retriever):
    """The passages that the k most similar solved cases cite, by weighted cosines of question, support and entities.

    Attributes:
        k: Cases at most, 1 to 50.
        weights: Of the cosines of question, support and entities, each 0 to 1, not all 0; their sum may be any.
        context: What a model that writes is given of the cases.
        intra: The encoder that compares questions with questions; "" for the corpus's.
        inter: The one that compares questions with supports and entities; "" for the corpus's.
        floor: Least similarity, as a share of the sum of the weights, of a case that is shown and given to a model;
            -1 to 1. It leaves the ranking of passages as it is.
        top_k: Hits at most, 1 to 10,000.

    Source: CBR-RAG, section 4.2. Differs: the paper gives the cases to the model as evidence. Here the passages that
    they cite are evidence, where the corpus holds them; a case is never cited. The weights were chosen on our own data;
    the paper's are "0.25,0.40,0.35".
    """

    label = "Solved cases"
    action = "Solved cases compared"
    settable = ("k", "weights", "floor", "context", "intra", "inter")
    reads_vector = True

    kind: Literal["cases.v1"] = "cases.v1"
    k: int = Field(default=3, ge=1, le=50)
    weights: tuple[Weight, Weight, Weight] = WEIGHTINGS["chosen"]
    floor: float = Field(default=FLOOR, ge=-1, le=1)
    context: Literal["none", "support", "case", "full"] = "full"
    intra: str = Field(default="", max_length=80)
    inter: str = Field(default="", max_length=80)

    @field_validator("weights")
    @classmethod
    def _one_weight_counts(cls, weights: tuple[float, float, float]) -> tuple[float, float, float]:
        if not any(weights):
            raise ValueError("every weight is 0, so no case is nearer than another; raise one of them.")
        return weights

    def search(self, query: Query, resources: Resources) -> Ranking:
        """Rank the chunks that hold what the most similar cases cite, by the best similarity of such a case.

        The side evidence has the cases that are like the question, and all of these as one context.

        Returns:
            At most `top_k` chunks, best first, ties by rising chunk id. Scores are weighted sums of cosines: they lie
            between minus and plus the sum of the weights. The side evidence is at most `k` cases, most similar first,
            none below the floor, with their scores, then the context with a score of 0.

        Raises:
            ValueError: the query was not encoded.
        """
        if resources.vector is None:
            raise ValueError("Solved cases are compared by vectors: encode the query before building the search.")
        similar = cases_similar(
            corpus=resources.corpus,
            text=query.text,
            vector=resources.vector,
            weights=self.weights,
            k=self.k,
            intra=self.intra,
            inter=self.inter,
            allowed=resources.allowed,
            vectors=resources.vectors,
        )
        by_chunk: dict[int, float] = {}
        for neighbour in reversed(similar):
            by_chunk |= dict.fromkeys(neighbour.chunk_ids, neighbour.score)
        ranking = Ranking.of(query.text, by_chunk.items(), stage=self.name)
        return Ranking(query.text, ranking.hits[: self.top_k], self._beside(self._alike(similar), resources))

    def _alike(self, similar: list[SimilarCase]) -> list[SimilarCase]:
        least = self.floor * sum(self.weights)
        return [neighbour for neighbour in similar if neighbour.score >= least]

    def _beside(self, similar: list[SimilarCase], resources: Resources) -> tuple[SideEvidence, ...]:
        cases = [case_as_text(case=neighbour.case) for neighbour in similar]
        whole = merged(
            cases, context="full" if self.context == "none" else self.context, language=resources.corpus.language
        )
        each = [
            SideEvidence(Source(CASE, text.key), text.question, neighbour.score, self.kind)
            for neighbour, text in zip(similar, cases, strict=True)
        ]
        context = SideEvidence(Source(MERGED, ",".join(text.key for text in cases)), whole.text, 0.0, self.kind)
        return (*each, context) if each else ()
