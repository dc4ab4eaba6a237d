"""Search by shared wording, over in-process matrices that are checked against the corpus's version before every use."""

from typing import Literal

from corpora.tokens import term_ids, tokens
from retrieval.indexes.cache import wording_current
from retrieval.retrievers.base import Retriever
from retrieval.stages import Resources
from retrieval.types import Query, Ranking


class Wording(Retriever):
    """Passages that repeat runs of words of the query: for a clause, a quotation or a stretch of a decision.

    Attributes:
        top_k: Hits at most, 1 to 10,000.

    Source: ours, as in `retrieval.indexes.wording`.
    """

    label = "Wording"
    action = "Searched by shared wording"
    settable = ("top_k",)

    kind: Literal["wording.v1"] = "wording.v1"

    def search(self, query: Query, resources: Resources) -> Ranking:
        """Rank chunks by the rare runs of words that they share with the query; none that shares none.

        Returns:
            At most `top_k` chunks, best first, ties by rising chunk id. Scores are above 0 and without an upper bound.
        """
        terms = term_ids(tokens(query.text, language=resources.corpus.language))
        index = wording_current(corpus=resources.corpus)
        ids, scores = index.top(terms, k=self.top_k, allowed=resources.allowed)
        return Ranking.of(query.text, zip(ids.tolist(), scores.tolist(), strict=True), stage=self.name)
