"""Provisions of stored versions: roles kept at ingestion and by migration; windows in one query, inside the scope."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from corpora.migrations._roles import roles_fill
from corpora.models import Position
from corpora.services.provisions import provisions_around
from legalqa.accounts.scoping import organization_scope
from tests.ingestion import Ingested, ingest, make_corpus, positions
from tests.people import Firm

POLICY = """# Leave

## Definitions

"Year" means the calendar year.

## Notice

You must send two things:

- a form
- a doctor's note

Example: Ann sends both on Monday.
"""


@pytest.fixture
def policy(firm: Firm) -> Ingested:
    return ingest(firm, make_corpus(firm), "leave.md", POLICY)


def roles(firm: Firm, policy: Ingested) -> list[str]:
    return [position.role for position in positions(firm, policy.version)]


def test_ingestion_keeps_what_each_paragraph_is(firm: Firm, policy: Ingested) -> None:
    assert roles(firm, policy) == [
        "heading",
        "heading",
        "definition",
        "heading",
        "operative",
        "operative",
        "operative",
        "example",
    ]


@pytest.mark.parametrize("before", ["", "operative"])
def test_migrations_work_out_the_roles_of_stored_versions(firm: Firm, policy: Ingested, before: str) -> None:
    expected = roles(firm, policy)
    with organization_scope(firm.organization, user=None):
        Position.objects.filter(version=policy.version).update(role=before)

    with connection.schema_editor() as editor:
        roles_fill(None, editor)

    assert roles(firm, policy) == expected


def test_provisions_of_several_places_take_one_query(firm: Firm, policy: Ingested) -> None:
    places = positions(firm, policy.version)
    with organization_scope(firm.organization, user=firm.manager), CaptureQueriesContext(connection) as queries:
        found = provisions_around(positions=[places[2], places[6]])

    reads = [query["sql"] for query in queries.captured_queries if "corpora_position" in query["sql"]]
    assert len(reads) == 1
    assert [piece.part for piece in found[policy.version.pk, 6].pieces] == ["stem", "item", "item"]
    assert found[policy.version.pk, 2].role == "definition"
    assert found[policy.version.pk, 6].path == ("Leave", "Notice")


def test_what_a_question_has_opened_before_is_not_read_again(firm: Firm, policy: Ingested) -> None:
    places = positions(firm, policy.version)
    with organization_scope(firm.organization, user=firm.manager):
        before = provisions_around(positions=places)
        with CaptureQueriesContext(connection) as queries:
            again = provisions_around(positions=places)

    assert again == before
    assert not [query for query in queries.captured_queries if "corpora_position" in query["sql"]]


def test_another_organisation_reads_no_provision_of_ours(firm: Firm, rivals: Firm, policy: Ingested) -> None:
    places = positions(firm, policy.version)
    with organization_scope(firm.organization, user=firm.manager):
        assert provisions_around(positions=places), "and they are kept by this process"

    with organization_scope(rivals.organization, user=rivals.manager):
        assert provisions_around(positions=places) == {}
