"""The rules of `retrieval.rewriters.rules` on a corpus: what its index and its vectors say of the question."""

import numpy as np

from corpora.models import Corpus
from corpora.tokens import term_ids, tokens
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import connection_give_back, organization_scope
from retrieval.indexes.cache import glossary_current, matrix_current
from retrieval.indexes.statistics import ChunkIds, TermStatistics
from retrieval.named import provisions_named
from retrieval.retrievers.dense import Dense
from retrieval.rewriters.base import RewriteRequest
from retrieval.rewriters.encoding import queries_encoded
from retrieval.rewriters.rules import CorpusView, Reading, question_read, rewrites_made
from retrieval.selectors import chunks_allowed
from retrieval.stages import Resources
from retrieval.types import Queries, Query


class RulesRewriter:
    """Follow-ups completed, double questions apart, small talk left out, words as the documents say them.

    Source: ours, for the kinds of question of HyPA-RAG's Table 3, as in `retrieval.rewriters.rules`.
    """

    label = "by rules"
    missing = ""

    def is_available(self, *, organization: Organization) -> bool:
        return True

    def __call__(self, request: RewriteRequest) -> Queries:
        """What is searched, by the rules.

        Returns:
            The question to be answered and at most `request.q` further ways to put it, its parts first; no two, and
            none and the question, have the same index terms.

        Raises:
            NotFound, ApplicationError, Conflict: as `retrieval.selectors.corpus_searched`.
            EncoderAway, EncoderDown: the encoder of the corpus does not answer, where the rules compare meanings.
        """
        with organization_scope(request.organization, user=request.user):
            corpus = request.searched()
            allowed = chunks_allowed(corpus=corpus, filters=request.filters)
            view = _view(corpus, matrix_current(corpus=corpus), allowed)
            reading = question_read(request.text, history=request.history, view=view)
            lines = provisions_named(corpus=corpus, text=reading.text, allowed=allowed)
        nearness = _nearness(request, corpus, reading, allowed) if request.reads_meaning and reading.measured else {}
        return rewrites_made(reading, nearness=nearness, view=view, q=request.q, named=lines)


def _view(corpus: Corpus, words: TermStatistics, allowed: ChunkIds | None) -> CorpusView:
    language, glossary = corpus.language, glossary_current(corpus=corpus)
    if allowed is not None:
        glossary = glossary.within(allowed)

    def weigh(text: str) -> dict[str, float]:
        terms = sorted(set(tokens(text, language=language)))
        ids = term_ids(terms)
        return dict(zip(terms, np.where(words.holds(ids), words.idf(ids), 0.0).tolist(), strict=True))

    def spread(text: str) -> int:
        return words.spread(np.unique(term_ids(tokens(text, language=language))), allowed)

    return CorpusView(glossary, weigh, spread, language)


def _nearness(request: RewriteRequest, corpus: Corpus, reading: Reading, allowed: ChunkIds | None) -> dict[str, float]:
    """For each text that the rules ask about, the cosine of the nearest passage."""
    connection_give_back()
    vectors = queries_encoded(reading.measured, corpus)
    nearest, best = {}, Dense(top_k=1)
    with organization_scope(request.organization, user=request.user):
        for text, vector in zip(reading.measured, vectors, strict=True):
            hits = best.search(Query(text), Resources(corpus, vector, allowed)).hits
            nearest[text] = hits[0].score if hits else 0.0
    return nearest
