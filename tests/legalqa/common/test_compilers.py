"""Every query on an organisation's table names the organisation, those that Django writes itself too."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from corpora.models import Chunk, Corpus, Document, DocumentVersion, Paragraph, Position
from legalqa.accounts.models import Membership
from legalqa.accounts.scoping import organization_scope, user_scope
from tests.ingestion import ingest, make_corpus
from tests.named import tables_without_organization, unnamed
from tests.people import Firm


def saved(version: DocumentVersion) -> None:
    version.save(update_fields=["detail"])


def locked(version: DocumentVersion) -> None:
    Document.objects.select_related("corpus", "current").select_for_update(of=("self",)).get(pk=version.document_id)


def counted(version: DocumentVersion) -> None:
    Position.objects.filter(paragraph__document__corpus__name="Policies").exclude(version__state="ready").count()


def changed_through_a_join(version: DocumentVersion) -> None:
    Chunk.objects.filter(version__document__name="lease.txt").update(is_parent=False)


def removed_through_a_join(version: DocumentVersion) -> None:
    Position._base_manager.filter(version__document__name="other.txt").delete()


def removed_with_what_hangs_on_it(version: DocumentVersion) -> None:
    Corpus.objects.create(organization_id=version.organization_id, name="Empty", slug="empty").delete()


QUERIES: list[Callable[[DocumentVersion], Any]] = [
    saved,
    locked,
    counted,
    changed_through_a_join,
    removed_through_a_join,
    removed_with_what_hangs_on_it,
    lambda version: version.refresh_from_db(),
    lambda version: DocumentVersion._base_manager.get(pk=version.pk).document,
    lambda version: list(Paragraph._base_manager.filter(document=version.document_id).union(Paragraph.objects.all())),
    lambda version: list(Document.objects.filter(pk=version.document_id).prefetch_related("current")),
    lambda version: Document._base_manager.bulk_update([version.document], ["title"]),
]


@pytest.mark.parametrize("query", QUERIES)
def test_every_table_in_the_query_names_its_organisation(firm: Firm, query: Callable[[DocumentVersion], Any]) -> None:
    version = ingest(firm, make_corpus(firm), "lease.txt", "The tenant pays the rent.").version
    with organization_scope(firm.organization, user=None), CaptureQueriesContext(connection) as queries:
        query(version)
    texts = [captured["sql"] for captured in queries]

    assert any("corpora_" in text for text in texts)
    assert [(text, tables) for text in texts if (tables := tables_without_organization(text))] == []


def test_without_a_scope_nothing_is_added(firm: Firm) -> None:
    with user_scope(firm.lawyer), CaptureQueriesContext(connection) as queries:
        assert Membership._base_manager.filter(user=firm.lawyer).count() == 1

    assert tables_without_organization(queries[-1]["sql"]) == ("accounts_membership",)


def test_a_queryset_made_in_one_scope_reads_nothing_in_another(firm: Firm, rivals: Firm) -> None:
    make_corpus(firm)
    corpora = Corpus._base_manager.all()
    with organization_scope(firm.organization, user=None):
        assert corpora.count() == 1
    with organization_scope(rivals.organization, user=None):
        assert corpora.count() == 0
    with organization_scope(firm.organization, user=None):
        assert corpora.count() == 1


JOINED = """SELECT 1 FROM "corpora_document" LEFT OUTER JOIN "corpora_corpus" T2
    ON ("corpora_document"."corpus_id" = T2."id") WHERE "corpora_document"."organization_id" = %s"""
NESTED = """SELECT 1 FROM "corpora_document" WHERE "corpora_document"."organization_id" = %s
    AND EXISTS(SELECT 1 FROM "corpora_corpus" U0 WHERE U0."id" = %s)"""
BOTH = "SELECT 1 FROM corpora_chunk c JOIN corpora_embedding e ON e.chunk_id = c.id"
NAMELESS = [
    ('SELECT 1 FROM "corpora_corpus" WHERE "corpora_corpus"."id" = %s', ("corpora_corpus",)),
    ('SELECT "organization_id" FROM "corpora_corpus"', ("corpora_corpus",)),
    ('UPDATE "corpora_corpus" SET "organization_id" = %s WHERE "corpora_corpus"."id" = %s', ("corpora_corpus",)),
    (JOINED, ("corpora_corpus",)),
    (NESTED, ("corpora_corpus",)),
    ('INSERT INTO "corpora_corpus" ("id") VALUES (%s)', ("corpora_corpus",)),
    (
        "SELECT 1 FROM corpora_chunk c JOIN corpora_embedding e ON e.chunk_id = c.id",
        ("corpora_chunk", "corpora_embedding"),
    ),
    ('INSERT INTO "corpora_corpus" ("organization_id", "id") VALUES (%s, %s)', ()),
    ("SELECT 1 FROM corpora_embedding WHERE organization_id = %(organization)s", ()),
    ('SELECT 1 FROM "jobs_job" WHERE "jobs_job"."id" = %s', ()),
]


@pytest.mark.parametrize(("query", "tables"), NAMELESS)
def test_the_suite_notices_a_table_without_its_organisation(query: str, tables: tuple[str, ...]) -> None:
    assert tables_without_organization(query) == tables


def test_tests_may_leave_it_out_to_see_what_the_database_does(firm: Firm) -> None:
    with organization_scope(firm.organization, user=None), unnamed(), CaptureQueriesContext(connection) as queries:
        Corpus._base_manager.count()

    assert tables_without_organization(queries[-1]["sql"]) == ("corpora_corpus",)
