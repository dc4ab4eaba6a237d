"""Searching a corpus: from a question to ranked paragraphs, each with the numbers of every stage."""

from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any
from uuid import UUID

from django.db.models import Q

from corpora.hnsw import LATER_S, index_build, index_is_wanted, indexes_drop_others
from corpora.models import Chunk, Corpus, Document, Position
from corpora.selectors import encoder_names
from corpora.tokens import term_ids, tokens
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.common.storable import UNSTORABLE
from legalqa.jobs.services import JobLater, Lease
from legalqa.jobs.sliced import job_task
from retrieval.evidence import Masses, is_evidence, share_weighed
from retrieval.indexes.cache import matrix_current
from retrieval.indexes.statistics import TermStatistics, term_weights
from retrieval.pipelines.presets import Preset
from retrieval.pipelines.request import SearchRequest
from retrieval.pipelines.rewriting import Rewriting, encoded_again, question_rewrite
from retrieval.pipelines.run import queries_run
from retrieval.questions.matching import MATCHED, questions_matched
from retrieval.rerankers.scoring import scores_ask
from retrieval.scores import Scores
from retrieval.selectors import chunk_map, chunks_allowed, positions_of_chunks
from retrieval.services.mappings import preset_for_question
from retrieval.stages import Resources
from retrieval.types import Hit, Query, Ranking, SideEvidence, Timed
from retrieval.vectors import Vectors, vectors_ask

MAX_QUERY_CHARS = 4000
LOOKS = 10  # ours: a judged search waits up to five times for the reader; publishing takes milliseconds


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph as evidence: where it is, and how the search came to it.

    `score` orders the passages of one search and means nothing outside it; `hit_rank` is the rank of the chunk it was
    opened from; `parts` are the stages' own numbers, `chunk_id` the chunk. `question` is the indexed question that led
    to it, "" where none did.
    """

    rank: int
    score: float
    hit_rank: int
    position: Position
    document: Document
    version_number: int
    kind: str
    parts: tuple[tuple[str, float], ...]
    chunk_id: int = 0
    question: str = ""

    @property
    def paragraph_id(self) -> str:
        return self.position.paragraph.shown_id

    @property
    def stages(self) -> dict[str, float]:
        """The ranks and scores among the parts."""
        return {name: value for name, value in self.parts if name != MATCHED}

    @property
    def heading(self) -> str:
        return " › ".join(self.position.headings)

    @property
    def text(self) -> str:
        return self.position.paragraph.text.strip()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What was found.

    `request` is as it was asked; `preset` is the one that ran; an adaptive one is made concrete for the question.
    `rewriting` says what was searched. `complexity` is the step of the trail that says how an adaptive preset became
    concrete; None where nothing was adaptive. `side` is evidence that is no passage of a document. `chunk_set_id` is
    the set that was searched; None where nothing was found.
    """

    request: SearchRequest
    preset: Preset
    corpus: Corpus
    passages: tuple[Passage, ...]
    times: tuple[Timed, ...]
    statistics: TermStatistics
    rewriting: Rewriting
    complexity: dict[str, Any] | None
    side: tuple[SideEvidence, ...]
    chunk_set_id: UUID | None

    def term_weights(self, text: str) -> dict[str, float]:
        """The index terms of a text with their idf in the corpus."""
        return term_weights(self.statistics, text, language=self.corpus.language)

    def unknown_terms(self, text: str) -> frozenset[str]:
        """The index terms of a text that no chunk of the corpus holds."""
        terms = sorted(set(tokens(text, language=self.corpus.language)))
        is_known = self.statistics.holds(term_ids(terms))
        return frozenset(term for term, known in zip(terms, is_known, strict=True) if not known)


def query_check(*, text: str) -> str:
    """The text as a query.

    Raises:
        ApplicationError: it is empty, longer than MAX_QUERY_CHARS, or holds NUL or half a surrogate pair.
    """
    if UNSTORABLE.search(text):
        raise ApplicationError(
            "The question holds a character that cannot be stored (NUL or half a surrogate pair). Remove it.",
            code="unstorable_character",
        )
    clean = " ".join(text.split())
    if not clean:
        raise ApplicationError("The question is empty. Type a question and ask again.", code="empty_question")
    if len(clean) > MAX_QUERY_CHARS:
        raise ApplicationError(
            f"The question has {len(clean):,} characters; at most {MAX_QUERY_CHARS:,} can be read. Shorten it.",
            code="question_too_long",
        )
    return clean


def corpus_search(*, request: SearchRequest) -> SearchResult:
    """Rank the paragraphs of a corpus for a query, by the preset's pipeline.

    Opens its own short transactions; the query is encoded, and a rerank model asked, outside them. An adaptive preset
    is made concrete first, by the class of the question.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        ApplicationError: the query is empty or too long.
        Conflict: documents were published, or encoders switched, LOOKS times while it searched; or a version of the day
            that the filters name is not indexed any more.
    """
    asked = replace(request, text=query_check(text=request.text))
    preset, step = preset_for_question(request=asked)
    rewriting = question_rewrite(replace(asked, preset=preset))
    query, scores, waits = Query(rewriting.queries.text, request.filters), Scores(), list[Timed]()
    vectors = Vectors()
    for _ in range(LOOKS):
        with request.scope():
            corpus = request.corpus()
            if rewriting.fits(corpus):
                allowed = chunks_allowed(corpus=corpus, filters=query.filters)
                resources = Resources(corpus, None, allowed, scores, vectors=vectors)
                ranking = queries_run(rewriting, filters=query.filters, resources=resources)
                started = perf_counter()
                words = matrix_current(corpus=corpus)
                chunks = chunk_map(corpus=corpus, chunk_ids=[hit.chunk_id for hit in ranking.hits])
                if len(chunks) == len(ranking.hits) and not scores.lacking and not vectors.lacking:
                    passages = _passages(ranking, query, corpus, words, chunks)
                    opened = Timed("paragraphs", 1000 * (perf_counter() - started), len(passages))
                    times = (*rewriting.times, *waits, *resources.times, opened)
                    chunk_set_id = next((chunk.chunk_set_id for chunk in chunks.values()), None)
                    return SearchResult(
                        request,
                        preset,
                        corpus,
                        passages,
                        times,
                        words,
                        rewriting,
                        step,
                        ranking.side,
                        chunk_set_id,
                    )
                # A new version was published between two queries and took its chunks away: what is left would be half.
        vectors_ask(corpus=corpus, vectors=vectors)
        if scores.lacking:  # the same search again, which finds them then
            waits += scores_ask(organization=request.organization, user=request.user, scores=scores)
        elif not rewriting.fits(corpus):
            rewriting = encoded_again(rewriting, corpus=corpus)
    raise Conflict("The corpus is changing faster than it can be searched. Search again.", code="corpus_changing")


def _passages(
    ranking: Ranking, query: Query, corpus: Corpus, words: TermStatistics, chunks: dict[int, Chunk]
) -> tuple[Passage, ...]:
    """Open chunks into paragraphs, each once.

    A paragraph takes the score of its best chunk, times one half to one by its share of the question's terms (weighted
    by idf) against the best paragraph of that chunk; a chunk of one paragraph passes its score on unchanged (ours). A
    chunk that only an indexed question led to passes it on to the paragraph of that question.
    """
    positions = positions_of_chunks(chunks=list(chunks.values()))
    of_question = Masses(corpus=corpus, words=words, text=query.text)
    excluded = set(query.filters.excluded_paragraph_ids)
    led = questions_matched(corpus=corpus, hits=ranking.hits)
    best: dict[int, tuple[float, Hit, Position]] = {}
    for hit in ranking.hits:
        candidates = [p for p in positions.get(hit.chunk_id, ()) if is_evidence(p, excluded)]
        masses = [of_question.of(p) for p in candidates]
        most = max(masses, default=0.0) or 1.0
        for position, mass in zip(candidates, masses, strict=True):
            lead = led.get(hit.chunk_id)
            share = float(lead.paragraph_id == position.paragraph_id) if lead and lead.is_alone else mass / most
            score = share_weighed(hit.score, share)
            if position.pk not in best or score > best[position.pk][0]:
                best[position.pk] = (score, hit, position)
    ordered = sorted(best.values(), key=lambda scored: (-scored[0], scored[2].pk))
    return tuple(
        Passage(
            rank,
            score,
            hit.rank,
            position,
            chunks[hit.chunk_id].document,
            chunks[hit.chunk_id].version.number,
            chunks[hit.chunk_id].version.kind,
            hit.parts,
            hit.chunk_id,
            lead.text if lead and lead.paragraph_id == position.paragraph_id else "",
        )
        for rank, (score, hit, position) in enumerate(ordered, start=1)
        for lead in (led.get(hit.chunk_id),)
    )


def passages_where(*, result: SearchResult, where: Q, first_rank: int) -> tuple[Passage, ...]:
    """Further paragraphs of documents as evidence, which no chunk led to; in the caller's transaction.

    Args:
        result: Of the search: what it excludes is left out here too.
        where: Of positions.
        first_rank: Of the first of them.
    """
    excluded = set(result.request.filters.excluded_paragraph_ids)
    rows = Position.objects.filter(where).select_related("paragraph", "version__document").defer("version__text")
    positions = [position for position in rows.order_by("version_id", "ordinal") if is_evidence(position, excluded)]
    return tuple(
        Passage(rank, 0.0, rank, at, at.version.document, at.version.number, at.version.kind, ())
        for rank, at in enumerate(positions, start=first_rank)
    )


@job_task
def corpus_index(*, lease: Lease) -> bool:
    """Build the HNSW index of a corpus that has outgrown exact search; drop those of encoders it no longer has."""
    with organization_scope(lease.organization_id, user=None):
        corpus = Corpus.objects.filter(pk=lease.subject_id).first()
        if corpus is None:
            return True
        names = encoder_names(corpus=corpus)
        lease.advance(stage="indexing")
    indexes_drop_others(corpus_id=corpus.pk, encoder_names=names)
    while (corpus := _lacking_index(lease)) is not None:  # again, in case the corpus has switched encoders meanwhile
        if not index_build(corpus=corpus):
            raise JobLater(LATER_S)
    return True


def _lacking_index(lease: Lease) -> Corpus | None:
    """The corpus, if it is searched over an index and has none for its encoder."""
    with organization_scope(lease.organization_id, user=None):
        corpus = Corpus.objects.filter(pk=lease.subject_id).first()
        return corpus if corpus is not None and index_is_wanted(corpus=corpus) else None
