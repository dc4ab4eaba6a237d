"""What every retriever keeps: its corpus alone, what is allowed alone, at most its top k, and its numbers."""

from dataclasses import replace

import numpy as np
import pytest
from pydantic import ValidationError

from legalqa.accounts.scoping import organization_scope
from retrieval.retrievers import RETRIEVERS, Bm25, Bm25Near, Bm25Title, Cases, Dense, QuestionMatch, Retriever, Wording
from retrieval.stages import Resources
from retrieval.types import Query, Ranking
from tests.contracts.library import QUESTION, library, live_chunks, resources

__all__ = ["library", "resources"]

ROWS: dict[str, Retriever] = {
    "bm25.v1": Bm25(top_k=3),
    "bm25-title.v1": Bm25Title(top_k=3),
    "bm25-near.v1": Bm25Near(top_k=3),
    "dense.v1": Dense(top_k=3),
    "cases.v1": Cases(top_k=3),
    "wording.v1": Wording(top_k=3),
    "question-index.v1": QuestionMatch(top_k=3),
}
each = pytest.mark.parametrize("kind", RETRIEVERS.names())
# What is asked where a question finds nothing: that retriever looks for wording that is taken over.
TEXTS = {"wording.v1": "Each tenant pays 3 euros of rent for room 3."}


def found_by(kind: str, resources: Resources) -> Ranking:
    with organization_scope(resources.corpus.organization, user=None):
        return ROWS[kind].search(Query(TEXTS.get(kind, QUESTION)), resources)


@each
def test_a_retriever_describes_itself(kind: str) -> None:
    retriever = ROWS[kind]

    assert retriever.kind == kind
    assert retriever.label
    assert retriever.action
    assert set(retriever.settable) <= type(retriever).model_fields.keys()
    with pytest.raises(ValidationError):
        type(retriever).model_validate({"top_k": 0})


@each
def test_a_retriever_gives_at_most_its_top_k_of_its_own_corpus(kind: str, resources: Resources) -> None:
    ranking = found_by(kind, resources)

    assert 1 <= len(ranking.hits) <= 3
    assert {hit.chunk_id for hit in ranking.hits} <= set(live_chunks(resources))
    assert all(hit.source.kind == "chunk" for hit in ranking.hits)
    assert [hit.score for hit in ranking.hits] == sorted((hit.score for hit in ranking.hits), reverse=True)


@each
def test_a_retriever_keeps_rank_and_score_under_its_name(kind: str, resources: Resources) -> None:
    ranking = found_by(kind, resources)

    for hit in ranking.hits:
        assert hit.part(f"{ROWS[kind].name}.rank") == hit.rank
        assert hit.part(f"{ROWS[kind].name}.score") == hit.score


@each
def test_a_retriever_returns_only_what_is_allowed(kind: str, resources: Resources) -> None:
    allowed = live_chunks(resources)[-1:]
    only = replace(resources, allowed=np.array(allowed, np.int64))
    nothing = replace(resources, allowed=np.zeros(0, np.int64))

    assert {hit.chunk_id for hit in found_by(kind, only).hits} <= set(allowed)
    assert found_by(kind, nothing).hits == ()


@each
def test_a_retriever_gives_the_same_twice(kind: str, resources: Resources) -> None:
    assert found_by(kind, resources) == found_by(kind, resources)


@each
def test_a_retriever_says_in_the_trace_that_it_ran(kind: str, resources: Resources) -> None:
    with organization_scope(resources.corpus.organization, user=None):
        ranking = ROWS[kind].apply(Query(TEXTS.get(kind, QUESTION)), Ranking(QUESTION, ()), resources)

    assert [(step.stage, step.n_hits) for step in resources.times] == [(kind, len(ranking.hits))]
    assert ROWS[kind].needs_vector or found_by(kind, replace(resources, vector=None)).hits == ranking.hits
