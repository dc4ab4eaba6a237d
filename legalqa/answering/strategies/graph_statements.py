"""What the knowledge graph states on a question, for a model that writes: triplets with their paragraphs."""

from collections.abc import Sequence
from uuid import UUID

from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.answering.types import GraphStatement, Question
from retrieval.graph.selectors import triplets
from retrieval.graph.stage import GraphPaths
from retrieval.services.search import Passage, SearchResult, passages_of


def with_statements(
    question: Question, result: SearchResult, passages: Sequence[Passage], n_read: int
) -> tuple[tuple[Passage, ...], tuple[GraphStatement, ...]]:
    """The passages with the paragraphs of the graph's statements behind those that are read, and the statements.

    Where the search follows no graph, nothing changes. With "union" the paragraph of every statement is given, so that
    it can be cited; with "cut" only the statements of the paragraphs that are read anyway.

    Source: HyPA-RAG 8.3 (triplets are appended to the chunks). Differs: a triplet is no evidence here; it points to
    its paragraph, which is cited and checked as any other.
    """
    stages = result.preset.pipeline.stages if result.preset else ()
    joins = [stage.join for stage in stages if isinstance(stage, GraphPaths)]
    found = {UUID(side.source.key): side.text for side in result.side if side.source.kind == "triplet"}
    if not joins or not found:
        return tuple(passages), ()
    with organization_scope(question.organization, user=question.user):
        paragraphs = dict(triplets(corpus=result.corpus).filter(pk__in=found).values_list("pk", "paragraph_id"))
        lacking = set(paragraphs.values()) - {passage.position.paragraph_id for passage in passages}
        more = (
            ()
            if joins[-1] == "cut"
            else passages_of(
                corpus=result.corpus, paragraph_ids=lacking, filters=question.filters, first_rank=len(passages) + 1
            )
        )
    connection_give_back()
    read, rest = passages[:n_read], (*passages[n_read:], *more)
    stated = set(paragraphs.values()) if joins[-1] == "union" else set()
    ordered = (
        *read,
        *(passage for passage in rest if passage.position.paragraph_id in stated),
        *(passage for passage in rest if passage.position.paragraph_id not in stated),
    )
    n_given = n_read + sum(passage.position.paragraph_id in stated for passage in rest)
    places = {passage.position.paragraph_id: place for place, passage in enumerate(ordered[:n_given])}
    statements = [
        GraphStatement(text, places[paragraphs[pk]]) for pk, text in found.items() if paragraphs.get(pk) in places
    ]
    return ordered, tuple(statements)
