"""Sparse search over in-process matrices that are checked against the corpus's version before every use."""

from corpora.tokens import term_ids, tokens
from retrieval.indexes.bm25 import Bm25Matrix
from retrieval.indexes.cache import matrix_current, outline_current
from retrieval.indexes.outline import near_scores, title_scores
from retrieval.pipelines.configs import Bm25, Bm25Near, Bm25Title
from retrieval.retrievers.base import Resources
from retrieval.types import Query, Ranking


def bm25_search(query: Query, *, config: Bm25, resources: Resources) -> Ranking:
    """Rank chunks by BM25 over their text and nearest heading; exact after every commit, deletes included.

    Source: Robertson and Zaragoza 2009, as in `retrieval.indexes.bm25`; storage study B, method 4d.
    """
    matrix: Bm25Matrix = matrix_current(corpus=resources.corpus)
    wanted = term_ids(tokens(query.text, language=resources.corpus.language))
    ids, scores = matrix.top(wanted, k=config.top_k, allowed=resources.allowed, k1=config.k1, b=config.b)
    return Ranking.of(query.text, zip(ids.tolist(), scores.tolist(), strict=True), stage="bm25")


def bm25_title_search(query: Query, *, config: Bm25Title, resources: Resources) -> Ranking:
    """Rank chunks by BM25 over their text, and over the title above them at `outline.TITLE_WEIGHT` (ours)."""
    return _with_outline(query, config, resources)


def bm25_near_search(query: Query, *, config: Bm25Near, resources: Resources) -> Ranking:
    """Rank chunks by BM25 over their text, and over their neighbours at `outline.NEAR_WEIGHT` (ours)."""
    return _with_outline(query, config, resources)


def _with_outline(query: Query, config: Bm25Title | Bm25Near, resources: Resources) -> Ranking:
    matrix, outline = matrix_current(corpus=resources.corpus), outline_current(corpus=resources.corpus)
    wanted = term_ids(tokens(query.text, language=resources.corpus.language))
    scores = (title_scores if isinstance(config, Bm25Title) else near_scores)(matrix, outline, wanted)
    ids, best = matrix.best(scores, k=config.top_k, allowed=resources.allowed)
    stage = config.kind.partition(".")[0]
    return Ranking.of(query.text, zip(ids.tolist(), best.tolist(), strict=True), stage=stage)
