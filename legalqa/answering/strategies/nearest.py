"""Paragraphs nearest to a question in meaning, read beside those of the pieces of text that the search ranked."""

from time import perf_counter

from corpora.services.passages import passages_nearest
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.types import Question
from legalqa.encoder import client as encoder
from retrieval.selectors import chunks_allowed
from retrieval.services.search import Passage, SearchResult, passages_of


def nearest_passages(
    question: Question, result: SearchResult, *, text: str, most: int
) -> tuple[tuple[Passage, ...], tuple[dict[str, object], ...]]:
    """At most so many of them that the search did not open, nearest to the question as it is read; the trail's step.

    None of a small corpus, which a search opens whole, none before its vectors are made in the background, and none of
    a search as of a former day.
    """
    if not most or not result.corpus.is_searched_as_live:
        return (), ()
    started = perf_counter()
    (vector,) = encoder.encoder(encoder.PASSAGES).encode([text], is_urgent=True)
    with organization_scope(question.organization, user=question.user):
        allowed = chunks_allowed(corpus=result.corpus, filters=question.filters)
        ids = None if allowed is None else allowed.tolist()
        paragraphs = passages_nearest(corpus=result.corpus, vector=vector, most=most, chunk_ids=ids)
        opened = {passage.position.paragraph_id for passage in result.passages}
        found = passages_of(
            corpus=result.corpus,
            paragraph_ids=[paragraph for paragraph in paragraphs if paragraph not in opened],
            filters=question.filters,
            first_rank=len(result.passages) + 1,
        )
    milliseconds = round(1000 * (perf_counter() - started), 1)
    return found, ({"step": "nearest", "milliseconds": milliseconds, "hits": len(found)},) if paragraphs else ()
