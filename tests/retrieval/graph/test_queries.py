"""Typed path queries, typed by hand or filled in by a model."""

from typing import Any

import pytest

from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError
from retrieval.graph.queries import path_query_read, path_query_run
from retrieval.graph.reviewing import graph_decide
from retrieval.models import GraphEntity
from tests.retrieval.graph.world import Built

pytestmark = pytest.mark.django_db


def paths(built: Built, **query: Any) -> list[list[str]]:
    with organization_scope(built.firm.organization, user=built.firm.lawyer):
        found = path_query_run(corpus=built.corpus, query=path_query_read(query))
        return [[one.name for one in path.entities] for path in found]


def test_a_path_runs_from_an_entity_over_a_kind_of_statement_to_a_type(built: Built) -> None:
    assert paths(built, start="the auditor", predicates=["deadline"], end_kind="value") == [["auditor", "five years"]]


def test_a_cross_reference_is_a_step(built: Built) -> None:
    assert paths(built, start="§ 20-872", predicates=["reference"], end_kind="section") == [["§ 20-872", "§ 20-871"]]


def test_two_steps_lead_to_what_the_section_referred_to_says(built: Built) -> None:
    found = paths(built, start="§ 20-872", hops=2, end_kind="actor", limit=200)

    assert ["§ 20-872", "§ 20-871", "employer"] in found


def test_no_path_leads_through_an_entity_that_was_rejected(built: Built) -> None:
    firm = built.firm
    middle = next(path[1] for path in paths(built, start="§ 20-872", hops=2, limit=200) if len(path) == 3)
    with organization_scope(firm.organization, user=firm.owner):
        entity = GraphEntity.objects.get(corpus=built.corpus, name=middle)
        of: dict[str, Any] = {"organization": firm.organization, "user": firm.owner, "corpus_id": built.corpus.pk}
        graph_decide(**of, action="reject", entity_id=entity.pk)

    assert not [path for path in paths(built, start="§ 20-872", hops=2, limit=200) if middle in path]


def test_a_name_that_nobody_has_gives_no_path(built: Built) -> None:
    assert paths(built, start="zebra") == []


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"hops": 9}, "hops"),
        ({"predicates": ["DROP TABLE"]}, "predicates"),
        ({"hops": 2}, "needs the name of an entity"),
        ({"sql": "SELECT 1"}, "sql"),
        ([], "path query"),
    ],
)
def test_a_query_of_another_form_is_refused(query: object, message: str) -> None:
    with pytest.raises(ApplicationError, match=message):
        path_query_read(query)
