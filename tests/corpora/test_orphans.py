"""The sweep of stored files: put aside first, removed a week later, and never another database's."""

import logging
import os
import time
import uuid
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from corpora.services import files_sweep
from tests.ingestion import make_corpus, upload
from tests.people import Firm
from tests.uploads import file_path

HOUR_S, DAY_S = 3600, 86_400


@pytest.fixture(autouse=True)
def files(settings: Settings, tmp_path: Path) -> Path:
    settings.FILES_ROOT = tmp_path
    return tmp_path


def stored(folder: Path, *, age_s: float, name: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / (name or str(uuid.uuid4()))
    file.write_bytes(b"words")
    aged(file, age_s)
    return file


def aged(file: Path, age_s: float) -> None:
    os.utime(file, (time.time() - age_s, time.time() - age_s))


def test_an_orphan_is_put_aside_for_a_week_and_then_removed(firm: Firm, files: Path) -> None:
    folder = str(firm.organization.pk)
    orphan = stored(files / folder, age_s=30 * DAY_S)
    aside = files / ".orphans" / folder / orphan.name

    assert files_sweep() == 1
    assert (orphan.exists(), aside.read_bytes()) == (False, b"words")
    assert files_sweep() == 0
    aged(aside, 6 * DAY_S)
    files_sweep()
    assert aside.exists()
    aged(aside, 8 * DAY_S)
    assert files_sweep() == 0
    assert not aside.exists()


def test_files_of_an_organisation_the_database_does_not_know_stay_and_the_log_says_so_once(
    firm: Firm, files: Path, caplog: pytest.LogCaptureFixture
) -> None:
    unknown = str(uuid.uuid4())
    foreign = [stored(files / unknown, age_s=30 * DAY_S) for _ in range(2)]
    foreign.append(stored(files / ".orphans" / unknown, age_s=30 * DAY_S))

    with caplog.at_level(logging.WARNING):
        assert [files_sweep(), files_sweep()] == [0, 0]
    assert all(file.exists() for file in foreign)
    assert [unknown in record.getMessage() for record in caplog.records] == [True]


def test_a_folder_that_is_no_organisations_does_not_end_the_sweep(firm: Firm, files: Path) -> None:
    strangers = [stored(files / name, age_s=DAY_S) for name in ("backup", "lost+found", "0")]
    orphan = stored(files / str(firm.organization.pk), age_s=DAY_S)

    assert files_sweep() == 1
    assert not orphan.exists()
    assert all(file.exists() for file in strangers)


def test_what_a_document_refers_to_stays_wherever_it_lies(firm: Firm, files: Path) -> None:
    taken = upload(firm, make_corpus(firm), "lease.txt", "The tenant pays the rent.")
    kept = file_path(organization_id=firm.organization.pk, file_id=taken.version.file_id)
    aged(kept, 30 * DAY_S)
    aside = stored(files / ".orphans" / kept.parent.name, age_s=30 * DAY_S, name=kept.name)

    assert files_sweep() == 0
    assert kept.exists()
    assert aside.exists()


def test_an_upload_under_way_is_left_alone(firm: Firm, files: Path) -> None:
    fresh = stored(files / str(firm.organization.pk), age_s=HOUR_S / 2, name="half.part")

    assert files_sweep() == 0
    assert fresh.exists()
