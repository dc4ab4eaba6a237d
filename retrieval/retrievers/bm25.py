"""Sparse search over an in-process matrix that is checked against the corpus's version before every use."""

from corpora.tokens import term_ids, tokens
from retrieval.bm25 import Bm25Matrix
from retrieval.configs import Bm25
from retrieval.matrices import matrix_current
from retrieval.retrievers.base import Resources
from retrieval.types import Query, Ranking


def bm25_search(query: Query, *, config: Bm25, resources: Resources) -> Ranking:
    """Rank chunks by BM25 over their text and nearest heading; exact after every commit, deletes included.

    Source: Robertson and Zaragoza 2009, as in `retrieval.bm25`; storage study B, method 4d.
    """
    matrix: Bm25Matrix = matrix_current(corpus=resources.corpus)
    wanted = term_ids(tokens(query.text, language=resources.corpus.language))
    ids, scores = matrix.top(wanted, k=config.top_k, allowed=resources.allowed, k1=config.k1, b=config.b)
    return Ranking.of(query.text, zip(ids.tolist(), scores.tolist(), strict=True), stage="bm25")
