"""What every expander keeps: what was found, in its order; its budget; the filters; and where a passage came from."""

from dataclasses import replace

import numpy as np
import pytest

from legalqa.accounts.scoping import organization_scope
from retrieval.expanders import EXPANDERS, AutoMerge, Expander, Neighbours, References
from retrieval.expanders.base import origin_of
from retrieval.retrievers import Bm25
from retrieval.stages import Resources
from retrieval.types import Query, Ranking
from tests.contracts.library import QUESTION, library, live_chunks, resources

__all__ = ["library", "resources"]

ROWS: dict[str, Expander] = {
    "neighbours.v1": Neighbours(budget=2),
    "references.v1": References(budget=2),
    "auto-merge.v1": AutoMerge(budget=2),
}
each = pytest.mark.parametrize("kind", EXPANDERS.names())


def found(resources: Resources) -> Ranking:
    return Bm25(top_k=2).search(Query(QUESTION), resources)


def expanded_by(kind: str, resources: Resources) -> tuple[Ranking, Ranking]:
    """What a search found, and what the expander made of it."""
    with organization_scope(resources.corpus.organization, user=None):
        before = found(resources)
        return before, ROWS[kind].apply(Query(QUESTION), before, resources)


@each
def test_an_expander_describes_itself(kind: str) -> None:
    expander = ROWS[kind]

    assert expander.kind == kind
    assert expander.label
    assert expander.action
    assert expander.choice
    assert expander.tie
    assert set(expander.settable) <= type(expander).model_fields.keys()


@each
def test_what_was_found_stays_in_its_order_and_the_budget_is_kept(kind: str, resources: Resources) -> None:
    before, after = expanded_by(kind, resources)
    ids = [hit.chunk_id for hit in before.hits]

    assert [hit.chunk_id for hit in after.hits if hit.chunk_id in ids] == ids
    assert len(after.hits) <= len(before.hits) + 2
    assert [hit.score for hit in after.hits] == sorted((hit.score for hit in after.hits), reverse=True)


@each
def test_what_is_added_is_of_the_corpus_and_says_where_it_came_from(kind: str, resources: Resources) -> None:
    before, after = expanded_by(kind, resources)
    ids = {hit.chunk_id for hit in before.hits}

    for hit in after.hits:
        origin = origin_of(dict(hit.parts))
        assert hit.chunk_id in live_chunks(resources)
        assert (origin is None) == (hit.chunk_id in ids)
        assert origin is None or (origin[0], origin[1] in ids, origin[2]) == (ROWS[kind].name, True, 1)


@each
def test_what_the_filters_shut_out_is_not_added(kind: str, resources: Resources) -> None:
    with organization_scope(resources.corpus.organization, user=None):
        allowed = [hit.chunk_id for hit in found(resources).hits]
    before, after = expanded_by(kind, replace(resources, allowed=np.array(allowed, np.int64)))

    assert after.hits == before.hits


@each
def test_nothing_found_leads_to_nothing(kind: str, resources: Resources) -> None:
    nothing = Ranking(QUESTION, ())
    with organization_scope(resources.corpus.organization, user=None):
        assert ROWS[kind].apply(Query(QUESTION), nothing, resources).hits == ()


@each
def test_an_expander_says_in_the_trace_how_much_it_added(kind: str, resources: Resources) -> None:
    before, after = expanded_by(kind, resources)
    n = len(after.hits) - len(before.hits)

    step = resources.times[-1]
    assert (step.stage, step.n_hits) == (kind, len(after.hits))
    assert step.note == ("nothing to add" if not n else f"{n} passage{'' if n == 1 else 's'} added")
