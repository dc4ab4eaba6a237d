"""The graph as a step of a search: statements on paths from the question's keywords, beside and among the passages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from django.db.models import Q
from pydantic import Field

from corpora.in_force import chunks_searched
from corpora.models import Position
from corpora.term_memory import TermMemory
from legalqa.llm.pricing import tokens_estimate
from retrieval.fusion.ranks import reciprocal_rank_fusion
from retrieval.graph.paths import MAX_HOPS, Reached, triplets_reached
from retrieval.graph.selectors import entities_named, graph_of
from retrieval.indexes.cache import matrix_current
from retrieval.indexes.statistics import term_weights
from retrieval.models import GraphEntity, GraphTriplet
from retrieval.selectors import chunk_texts
from retrieval.stages import STAGES, Resources, Stage
from retrieval.types import Hit, Query, Ranking, SideEvidence, Source


@dataclass(frozen=True, slots=True)
class Statement:
    """A triplet that a question leads to, and how well its words fit."""

    triplet: GraphTriplet
    score: float

    @property
    def text(self) -> str:
        one = self.triplet
        return f"{one.section}: {_sentence(one)}" if one.section else _sentence(one)


class GraphPaths(Stage):
    """Statements of the knowledge graph on paths from the question, and the paragraphs that they are in.

    Attributes:
        keywords: K, entities of the question at most, 1 to 20, the rarest first.
        hops: S, steps of a path at most, 1 to MAX_HOPS.
        triplets: Statements that are kept beside the passages at most, 1 to 100.
        most: Chunks with paragraphs of theirs that become hits at most, 0 to 50.
        join: "union" puts these behind the hits found before; in "cut" they compete with them for as many places as
            there were.

    Source: HyPA-RAG 8.2 to 8.4. Differs: keywords are the entities that the question names, no model is asked; of the
    statements reached, those come first whose words are the question's.
    """

    label = "Graph"
    action = "Followed the knowledge graph"
    takes: ClassVar[str] = "Ranking"
    settable = ("triplets", "most", "join")

    kind: Literal["graph.v1"] = "graph.v1"
    keywords: int = Field(default=4, ge=1, le=20)
    hops: int = Field(default=2, ge=1, le=MAX_HOPS)
    triplets: int = Field(default=12, ge=1, le=100)
    most: int = Field(default=3, ge=0, le=50)
    join: Literal["union", "cut"] = "union"

    @property
    def words(self) -> str:
        end = "added to the passages" if self.join == "union" else "competing with the passages"
        return f"Knowledge graph: {self.keywords} keywords, paths of {self.hops} steps, {end}"

    def run(self, query: Query, before: Ranking, resources: Resources) -> tuple[Ranking, str]:
        """The ranking with the statements as side evidence, and their paragraphs among or behind its hits.

        Returns:
            For "union" the hits as they were and at most `most` behind them, whose scores fall below theirs; for "cut"
            as many hits as before, where there were any, with scores as of `reciprocal_rank_fusion`. Statements come
            best first, with scores above 0 and at most 1 + (keywords - 1) / 4. The note says what was followed, or why
            nothing was.
        """
        graph = graph_of(corpus=resources.corpus)
        if graph is None or resources.corpus.is_as_of_former_day:
            return before, "the graph knows the current versions only" if graph else "the corpus has no graph"
        entities = keywords_of(query.text, resources, most=self.keywords)
        reached = triplets_reached(corpus=resources.corpus, starts=[one.pk for one in entities], hops=self.hops)
        scored = _scored(query.text, reached, resources)
        chunks = _chunks_of([one.triplet.paragraph_id for one in scored], query, resources)
        best: dict[str, Statement] = {}
        for one in _ranked(scored, chunks):
            best.setdefault(one.text, one)
        statements = list(best.values())[: self.triplets]
        side = tuple(
            SideEvidence(Source("triplet", str(one.triplet.pk)), one.text, one.score, self.name) for one in statements
        )
        ranking = self._hits(query, statements, chunks)
        after = self.joined(before, ranking)
        return replace(after, side=(*before.side, *side)), self._note(entities, side, before, after, resources)

    def _hits(self, query: Query, statements: Sequence[Statement], chunks: Mapping[int, int]) -> Ranking:
        """The chunks that the statements' paragraphs are in, each with the score of its best statement."""
        scored: dict[int, float] = {}
        for one in statements:
            scored.setdefault(chunks[one.triplet.paragraph_id], one.score)
        ranking = Ranking.of(query.text, scored.items(), stage=self.name)
        return ranking.cut(self.most) if self.most and ranking.hits else replace(ranking, hits=())

    def joined(self, before: Ranking, ranking: Ranking) -> Ranking:
        """The hits found before with those of the graph, as `join` says."""
        if not ranking.hits:
            return before
        if self.join == "cut" and before.hits:
            whole = reciprocal_rank_fusion([replace(before, query_text=ranking.query_text), ranking])
            return whole.cut(len(before.hits))
        numbers = {hit.chunk_id: hit.parts for hit in ranking.hits}
        hits = [replace(hit, parts=(*hit.parts, *numbers.pop(hit.chunk_id, ()))) for hit in before.hits]
        last = before.hits[-1].score if before.hits else 1.0
        new = [hit for hit in ranking.hits if hit.chunk_id in numbers]
        for place, hit in enumerate(new, start=1):
            hits.append(Hit(hit.chunk_id, len(hits) + 1, last - abs(last) * place / 100, hit.parts))
        return Ranking(before.query_text, tuple(hits))

    def _note(
        self,
        entities: Sequence[GraphEntity],
        side: Sequence[SideEvidence],
        before: Ranking,
        after: Ranking,
        resources: Resources,
    ) -> str:
        """What was followed, and how many tokens that adds: of the statements, and of the passages."""
        if not entities:
            return "the question names no entity of the graph"
        old = {hit.chunk_id for hit in before.hits}
        texts = chunk_texts(
            corpus=resources.corpus, chunk_ids=[h.chunk_id for h in after.hits if h.chunk_id not in old]
        )
        n_tokens = sum(tokens_estimate([one.text for one in side]))
        n_added = sum(tokens_estimate(list(texts.values())))
        names = ", ".join(one.name for one in entities)
        return (
            f"from {names}: {len(side)} statements ({n_tokens} tokens), "
            f"{len(texts)} further passages ({n_added} tokens), {self.join}"
        )


STAGES.register("graph.v1", GraphPaths)


def keywords_of(text: str, resources: Resources, *, most: int) -> list[GraphEntity]:
    """At most `most` entities that a question names, the longest names and the rarest entities first."""
    pairs = entities_named(corpus=resources.corpus, text=text)
    return [row for row, _ in sorted(pairs, key=lambda pair: (-pair[1], pair[0].n_triplets, pair[0].key))][:most]


def _scored(text: str, reached: Sequence[Reached], resources: Resources) -> list[Statement]:
    """Statements by the share of the question's words that they hold; nearer and more often reached ones score more."""
    rows = GraphTriplet.objects.filter(corpus=resources.corpus).in_bulk([one.triplet_id for one in reached])
    weights = term_weights(matrix_current(corpus=resources.corpus), text, language=resources.corpus.language)
    memory = TermMemory(corpus_id=resources.corpus.pk, language=resources.corpus.language)
    total = sum(weights.values()) or 1.0
    scored = []
    for one in reached:
        row = rows.get(one.triplet_id)
        if row is not None:
            share = sum(weights.get(term, 0.0) for term in set(memory.terms(f"{row.section} {_sentence(row)}"))) / total
            scored.append(Statement(row, share * (0.5 + 0.5 / one.hops) * (1 + 0.25 * (one.starts - 1))))
    return [one for one in scored if one.score]


def _ranked(scored: Sequence[Statement], chunks: Mapping[int, int]) -> list[Statement]:
    """The statements of searched chunks, the best first.

    Ties are broken by the words and then by the order of the documents, not by row keys: these differ from one build of
    the graph to the next, and so would the answer.
    """
    searched = [one for one in scored if one.triplet.paragraph_id in chunks]
    return sorted(searched, key=lambda one: (-one.score, one.text, chunks[one.triplet.paragraph_id], one.triplet.start))


def _chunks_of(paragraph_ids: Sequence[int], query: Query, resources: Resources) -> dict[int, int]:
    """The searched chunk that each paragraph is in; those that the filters leave out are missing.

    So are those of documents that were removed or replaced since the graph was built, and of versions to come.
    """
    excluded = query.filters.excluded_paragraph_ids
    is_excluded = Q(paragraph__public_id__in=excluded) | Q(paragraph__external_id__in=excluded)
    positions = Position.objects.filter(paragraph_id__in=paragraph_ids, version__document__current_id__isnull=False)
    positions = positions.exclude(is_excluded) if excluded else positions
    places = {
        (version, ordinal): paragraph
        for version, ordinal, paragraph, current in positions.values_list(
            "version_id", "ordinal", "paragraph_id", "version__document__current_id"
        )
        if version == current
    }
    chunks = chunks_searched(corpus=resources.corpus).filter(version_id__in={version for version, _ in places})
    if resources.allowed is not None:
        chunks = chunks.filter(pk__in=np.asarray(resources.allowed).tolist())
    by_paragraph: dict[int, int] = {}
    for pk, version, first, last in chunks.order_by("pk").values_list(
        "pk", "version_id", "first_paragraph", "last_paragraph"
    ):
        for ordinal in range(first, last + 1):
            if (version, ordinal) in places:
                by_paragraph.setdefault(places[version, ordinal], pk)
    return by_paragraph


def _sentence(one: GraphTriplet) -> str:
    return f"{one.subject} {one.predicate} {one.object}"
