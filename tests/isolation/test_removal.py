"""A corpus that is removed leaves no row and no file; the corpora beside it and the other house keep everything."""

from uuid import UUID

import pytest
from django.db import connection

from corpora.models import Chunk, Corpus, Document, DocumentVersion
from corpora.removal import parts
from corpora.services import corpus_remove, removal_work
from legalqa.accounts.models import AuditEvent
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer
from legalqa.jobs.models import Job
from tests.isolation.world import House, World
from tests.uploads import file_path

pytestmark = pytest.mark.django_db(databases=["default", "owner"])

# Ids and counts without content: who did what, which work was done, what other programs were told of.
KEEPS_IDS = {"accounts_auditevent", "jobs_job", "django_q_ormq", "webhooks_delivery"}
CLOSED = {"django_q_schedule", "django_q_task"}  # to the application's role, and nothing is ever written there


def tables() -> list[str]:
    with connection.cursor() as cursor:
        return [name for name in connection.introspection.table_names(cursor) if name not in KEEPS_IDS | CLOSED]


def tables_that_name(house: House, ids: set[UUID]) -> set[str]:
    """The tables with a row that holds one of the ids in any column, columns of JSON included."""
    found = set()
    with organization_scope(house.firm.organization, user=None), connection.cursor() as cursor:
        for table in tables():
            quoted = connection.ops.quote_name(table)
            cursor.execute(
                f"SELECT EXISTS (SELECT 1 FROM {quoted} t WHERE to_jsonb(t)::text ~ %s)",
                ["|".join(str(one) for one in ids)],
            )
            if cursor.fetchone()[0]:
                found.add(table)
    return found


def ids_inside(house: House, corpus: Corpus) -> set[UUID]:
    with organization_scope(house.firm.organization, user=None):
        versions = DocumentVersion.objects.filter(corpus=corpus)
        return {
            corpus.pk,
            *Document.objects.filter(corpus=corpus).values_list("pk", flat=True),
            *versions.values_list("pk", flat=True),
            *versions.values_list("file_id", flat=True),
            *Answer.objects.filter(question__corpus=corpus).values_list("pk", flat=True),
        }


def remove(house: House, corpus: Corpus, settings: object) -> Job:
    settings.CORPUS_REMOVAL_DELAY_S = 0  # type: ignore[attr-defined]  # Django's settings
    with organization_scope(house.firm.organization, user=house.firm.owner):
        job = corpus_remove(**house.firm.by_owner, corpus_id=corpus.pk, name=corpus.name)
    for _ in range(50):  # slices: a slow machine needs more than one
        removal_work(job_id=job.pk)
        job.refresh_from_db()
        if job.state != "queued":
            break
    return job


def test_no_row_of_any_table_and_no_file_is_left_of_a_corpus_that_was_removed(world: World, settings: object) -> None:
    house, organization = world.ours, world.ours.firm.organization
    ids = ids_inside(house, house.corpus)
    assert {"corpora_document", "answering_question", "judging_goldset"} <= tables_that_name(house, ids)
    with organization_scope(organization, user=None):
        file_ids = list(DocumentVersion.objects.filter(corpus=house.corpus).values_list("file_id", flat=True))
    files = [file_path(organization_id=organization.pk, file_id=file_id) for file_id in file_ids]
    kept = {path: path.read_bytes() for path in files}
    assert kept

    try:
        assert remove(house, house.corpus, settings).state == "done"
        assert tables_that_name(house, ids) == set()
        assert not any(path.exists() for path in files)
        with organization_scope(organization, user=None):
            newest = AuditEvent.objects.filter(subject_id=house.corpus.pk).order_by("-sequence")
            told = dict(newest.values_list("action", "details"))
            assert "corpus.removed" in told
            assert told["corpus.removal_begun"]["documents"] == 4
            assert told["corpus.removal_begun"]["answers"] == 4
            assert set(newest.filter(action="corpus.removed").values_list("actor_id", flat=True)) == {
                house.firm.owner.pk
            }
    finally:
        for path, content in kept.items():
            path.write_bytes(content)  # the rows of the world come back at the end of the test


def test_the_corpora_beside_it_keep_every_row(world: World, settings: object) -> None:
    house = world.ours
    before = rows_of(world.theirs), beside(house)
    files = {
        path: path.read_bytes()
        for path in file_path(organization_id=house.firm.organization.pk, file_id=house.corpus.pk).parent.iterdir()
    }
    try:
        remove(house, house.corpus, settings)
        assert (rows_of(world.theirs), beside(house)) == before
    finally:
        for path, content in files.items():
            path.write_bytes(content)


def rows_of(house: House) -> dict[str, int]:
    with organization_scope(house.firm.organization, user=None):
        return {part.model._meta.label: part.model._default_manager.count() for part in parts()}


def beside(house: House) -> dict[str, int]:
    """How many rows the walled corpus has in each table."""
    with organization_scope(house.firm.organization, user=None):
        counts = {
            f"{part.model._meta.label} {part.path}": part.model._default_manager.filter(
                **{part.path: house.walled.pk}
            ).count()
            for part in parts()
        }
        assert counts[f"{Chunk._meta.label} corpus"]
        return counts
