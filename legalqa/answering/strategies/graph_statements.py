"""What the knowledge graph states about a question, for a model that writes: triplets with their paragraphs."""

from dataclasses import replace
from uuid import UUID

from django.db.models import Q

from corpora.in_force import versions_searched
from legalqa.answering.strategies.search import Search
from legalqa.answering.types import Evidence, GraphStatement
from retrieval.graph.selectors import triplet_list
from retrieval.graph.stage import GraphPaths
from retrieval.services.search import passages_where


def with_statements(search: Search, evidence: Evidence) -> Evidence:
    """The evidence with the paragraphs of the graph's statements behind those that are read, and the statements.

    In the caller's transaction. Where the search follows no graph, nothing changes. With "union" the paragraph of every
    statement is given, so that it can be cited; with "cut" only the statements of the paragraphs that are read anyway.

    Source: HyPA-RAG 8.3 (triplets are appended to the chunks). Differs: a triplet is no evidence here; it points to
    its paragraph, which is cited and checked as any other.
    """
    corpus = search.result.corpus
    joins = [stage.join for stage in search.result.preset.pipeline.stages if isinstance(stage, GraphPaths)]
    stated = {UUID(side.source.key): side.text for side in search.result.side if side.source.kind == "triplet"}
    if not joins or not stated:
        return evidence
    paragraphs = dict(triplet_list(corpus=corpus).filter(pk__in=stated).values_list("pk", "paragraph_id"))
    ids = [passage.position.paragraph_id for passage in evidence.passages]
    lacking = () if joins[-1] == "cut" else set(paragraphs.values()) - set(ids)
    where = Q(version__in=versions_searched(corpus=corpus).values("pk"), paragraph_id__in=lacking)
    more = passages_where(result=search.result, where=where, first_rank=len(ids) + 1)
    near, rest = evidence.passages[: evidence.n_read], (*evidence.passages[evidence.n_read :], *more)
    cited = set(paragraphs.values()) if joins[-1] == "union" else set()
    first = [passage for passage in rest if passage.position.paragraph_id in cited]
    others = [passage for passage in rest if passage.position.paragraph_id not in cited]
    places = {passage.position.paragraph_id: place for place, passage in enumerate((*near, *first))}
    statements = [
        GraphStatement(text, places[paragraphs[pk]]) for pk, text in stated.items() if paragraphs.get(pk) in places
    ]
    return replace(evidence, passages=(*near, *first, *others), statements=tuple(statements))
