"""The two addresses for machines that watch."""

from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.test import Client
from pytest_django import Settings

from legalqa.common.database.embedded import embedded_home, superuser_uri
from legalqa.jobs.services import heartbeat_write
from tests.database import NAME


@pytest.fixture
def changed(settings: Settings) -> Settings:
    """Settings that are put back after the test."""
    return settings


@pytest.fixture
def storage(tmp_path: Path, changed: Settings) -> Path:
    changed.FILES_ROOT = tmp_path / "files"
    return tmp_path


def test_the_process_says_that_it_lives_without_asking_the_database(client: Client) -> None:
    response = client.get("/healthz")

    assert (response.status_code, response.content) == (200, b"ok\n")


def test_it_is_ready_once_the_queue_has_been_seen_at_work(client: Client, db: None, storage: Path) -> None:
    before = client.get("/readyz")
    heartbeat_write()
    after = client.get("/readyz")

    assert (before.status_code, before.json()) == (503, {"ready": False})
    assert (after.status_code, after.json()) == (200, {"ready": True})


def test_storage_that_cannot_be_written_makes_it_unready(
    client: Client, db: None, storage: Path, changed: Settings
) -> None:
    heartbeat_write()
    (storage / "blocked").write_text("a file where a folder should be")
    changed.FILES_ROOT = storage / "blocked"

    assert client.get("/readyz").status_code == 503


def test_a_migration_that_is_not_applied_makes_it_unready(client: Client, db: None, storage: Path) -> None:
    heartbeat_write()
    with psycopg.connect(superuser_uri(embedded_home(settings.VAR), NAME), autocommit=True) as superuser:
        name = ["jobs", "0001_initial"]
        superuser.execute("UPDATE django_migrations SET app = 'elsewhere' WHERE app = %s AND name = %s", name)
        try:
            during = client.get("/readyz").status_code
        finally:
            superuser.execute("UPDATE django_migrations SET app = 'jobs' WHERE app = 'elsewhere'")

    assert (during, client.get("/readyz").status_code) == (503, 200)


def test_only_the_token_is_told_what_was_found(client: Client, db: None, storage: Path, changed: Settings) -> None:
    changed.HEALTH_TOKEN = "a-token-of-an-operator"

    told = client.get("/readyz", headers={"Authorization": "Bearer a-token-of-an-operator"}).json()
    wrong = client.get("/readyz", headers={"Authorization": "Bearer another"}).json()

    assert told["checks"]["background.queue_beats"] == {"level": "FAIL", "found": "the queue has never worked"}
    assert wrong == {"ready": False}


def test_without_a_token_in_the_settings_an_empty_one_opens_nothing(client: Client, db: None, storage: Path) -> None:
    assert client.get("/readyz", headers={"Authorization": "Bearer "}).json() == {"ready": False}
