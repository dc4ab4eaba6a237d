"""Which paragraphs of a chunk are evidence, and how much of a question each of them holds."""

from dataclasses import replace

from corpora.models import Corpus, Position
from corpora.term_memory import TermMemory
from retrieval.indexes.cache import matrix_current
from retrieval.indexes.statistics import TermStatistics, term_weights
from retrieval.selectors import chunk_map, positions_of_chunks
from retrieval.types import Query, Ranking


class Masses:
    """The idf weight of a question's terms that a paragraph holds, each term once."""

    def __init__(self, *, corpus: Corpus, words: TermStatistics, text: str) -> None:
        self._weights = term_weights(words, text, language=corpus.language)
        self._memory = TermMemory(corpus_id=corpus.pk, language=corpus.language)

    def of(self, position: Position) -> float:
        terms = set(self._memory.terms(position.paragraph.text))
        return sum(weight for term, weight in self._weights.items() if term in terms)


def is_evidence(position: Position, excluded: set[str]) -> bool:
    paragraph = position.paragraph
    return position.kind != "heading" and not {paragraph.public_id, paragraph.external_id} & excluded


def share_weighed(score: float, share: float) -> float:
    """A chunk's score for one of its paragraphs, by its share of the question against the best paragraph (ours)."""
    return score * (0.5 + 0.5 * share)


def ranked_by_rest(ranking: Ranking, *, query: Query, corpus: Corpus) -> Ranking:
    """The ranking by what is left of each chunk without the excluded paragraphs.

    A chunk that was found by the words of an excluded paragraph falls behind: its score is weighed by what the best
    paragraph left holds of the question, against the best of all. Ties stay as they were.
    """
    excluded = set(query.filters.excluded_paragraph_ids)
    if not excluded:
        return ranking
    chunks = chunk_map(corpus=corpus, chunk_ids=[hit.chunk_id for hit in ranking.hits])
    positions = positions_of_chunks(chunks=list(chunks.values()))
    masses, hits = Masses(corpus=corpus, words=matrix_current(corpus=corpus), text=query.text), []
    for hit in ranking.hits:
        whole = [(masses.of(p), p) for p in positions.get(hit.chunk_id, ()) if is_evidence(p, set())]
        rest = max((mass for mass, p in whole if is_evidence(p, excluded)), default=0.0)
        most = max((mass for mass, _ in whole), default=0.0)
        hits.append(replace(hit, score=share_weighed(hit.score, rest / most if most else 1.0)))
    hits.sort(key=lambda hit: -hit.score)
    return replace(ranking, hits=tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, start=1)))
