"""`doctor` names what is wrong, says what to do, and fails where something fails."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from corpora.parsers.rights import PROGRAM
from legalqa.jobs.services import heartbeat_write
from legalqa.operations.checks import ALL, Check, Level, background, checks_run, database, machine, setup, storage
from tests.ingestion import make_corpus, upload
from tests.people import Firm


@pytest.fixture(autouse=True)
def own_storage(tmp_path: Path, settings: Any) -> None:
    settings.FILES_ROOT = tmp_path / "files"


def doctored() -> tuple[int, dict[str, Any]]:
    out, status = StringIO(), 0
    try:
        call_command("doctor", "--json", stdout=out)
    except SystemExit as ended:
        status = int(ended.code or 0)
    document: dict[str, Any] = json.loads(out.getvalue())
    return status, document


def test_a_sound_installation_passes_every_check(firm: Firm) -> None:
    heartbeat_write()

    status, document = doctored()

    failed = [check for check in document["checks"] if check["level"] == "FAIL"]
    assert (failed, status, document["failed"]) == ([], 0, 0)
    assert len(document["checks"]) == len(ALL) >= 20


def test_a_document_without_its_file_is_a_failure_with_what_to_do(firm: Firm, settings: Any) -> None:
    heartbeat_write()
    taken = upload(firm, make_corpus(firm), "policy.txt", "Notice must be given.")
    (Path(settings.FILES_ROOT) / str(firm.organization.pk) / str(taken.version.file_id)).unlink()

    status, document = doctored()

    found = next(check for check in document["checks"] if check["name"] == "storage.documents_have_files")
    assert status == 1
    assert (found["level"], found["advice"]) == ("FAIL", "Copy var/files from a backup.")
    assert str(taken.version.file_id) in found["found"]


def test_a_file_without_a_document_is_worth_a_look(firm: Firm, settings: Any) -> None:
    folder = Path(settings.FILES_ROOT) / str(firm.organization.pk)
    folder.mkdir(parents=True)
    (folder / "left-over").write_text("x")

    assert storage.no_orphans().level is Level.WARN


def change(name: str, value: object) -> Callable[[Any], None]:
    return lambda settings: setattr(settings, name, value)


@pytest.mark.parametrize(
    ("check", "wrong", "level"),
    [
        (setup.debug_off, change("DEBUG", True), Level.FAIL),
        (setup.secret_keys, change("FIELD_KEYS", ["same" * 8]), Level.FAIL),
        (setup.address, change("BASE_URL", "https://law.example"), Level.FAIL),
        (setup.mail, change("EMAIL_HOST", "127.0.0.1"), Level.FAIL),
        (background.encoder_answers, change("ENCODER_SERVER", True), Level.FAIL),
        (background.workers, change("JOB_LEASE_S", 4), Level.WARN),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_wrong_setting_is_found(
    check: Callable[[], Check], wrong: Callable[[Any], None], level: Level, db: None, settings: Any, tmp_path: Path
) -> None:
    settings.SECRET_KEY, settings.EMAIL_PORT, settings.EMAIL_HOST = "same" * 8, 9, ""
    settings.ENCODER_SOCKET, settings.VAR = str(tmp_path / "none.sock"), tmp_path
    wrong(settings)

    found = check()

    assert found.level is level
    assert found.advice.endswith(".")


def test_an_installed_version_other_than_the_pinned_one_is_named(tmp_path: Path, settings: Any) -> None:
    (tmp_path / "constraints.txt").write_text("Django==1.0\nsomething-else==3.1\n")
    settings.PRODUCT_DIR = tmp_path

    assert machine.packages().result.startswith("Django 5.")


def test_a_secret_that_others_may_read_is_a_failure(tmp_path: Path, settings: Any) -> None:
    settings.VAR = tmp_path
    (tmp_path / "secret_key").write_text("x" * 40)
    (tmp_path / "secret_key").chmod(0o644)

    assert storage.private() == Check(
        Level.FAIL, "others may read secret_key", "chmod 600 these files, and create new keys."
    )


def test_the_locks_between_organisations_are_looked_at(db: None) -> None:
    assert database.roles_bound().level is Level.OK
    assert database.rows_isolated().level is Level.OK


def test_a_check_that_cannot_be_made_does_not_end_the_others() -> None:
    def broken() -> Check:
        raise OSError("names of files stay inside")

    found = checks_run([broken, setup.debug_off])

    assert [check.level for check in found] == [Level.FAIL, Level.OK]
    assert "names of files" not in found[0].result


def test_the_doctor_says_what_the_reader_of_uploads_could_still_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert machine.reader_confined() == Check(Level.OK, "no sockets, no other files, no processes, no signals")

    trusting = tmp_path / "rights.py"
    source = PROGRAM.read_text()
    trusting.write_text(source.replace('if __name__ == "__main__":\n    rights_drop()', 'if __name__ == "__main__":'))
    monkeypatch.setattr("legalqa.operations.checks.machine.RIGHTS", trusting)  # a reader that gives up no rights

    found = machine.reader_confined()
    assert (found.level, found.result.startswith("it can open sockets, read other files")) == (Level.WARN, True)
