"""The product on a PostgreSQL that is not its own: another server, TCP, passwords, roles that an administrator made."""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.external import ExternalServer
from tests.faults.environment import Installation

LAW = """Penalties

The greatest civil penalty for a first violation is five hundred dollars.

Notice

An employer must give notice ten business days before the tool is used.
"""
QUESTION = "What is the greatest civil penalty for a first violation?"


@pytest.fixture(scope="module")
def server() -> Iterator[ExternalServer]:
    # Not below pytest's own folder: as root the server runs as another user, whom that folder shuts out.
    with TemporaryDirectory(prefix="legalqa-external-") as folder:
        started = ExternalServer(Path(folder))
        started.create("legalqa")
        yield started
        started.stop()


@pytest.fixture(scope="module")
def installation(server: ExternalServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    made = Installation(tmp_path_factory.mktemp("installed") / "var", **server.urls())
    made.manage("migrate", "--verbosity", "0")
    made.encoder_start()
    yield made
    made.close()


@pytest.fixture(scope="module")
def law(installation: Installation) -> str:
    """The id of the organisation in which one document has been taken in by the command."""
    case = installation.driver.case("external")
    document = installation.var / "law.txt"
    document.write_text(LAW)
    taken = answer_of(installation, "ingest", "law", str(document), "--wait")
    assert [d["status"] for d in taken["documents"]] == ["ready"]
    return case.organization


def answer_of(installation: Installation, *arguments: str) -> dict[str, Any]:
    said = installation.manage(*arguments, "--json")
    found: dict[str, Any] = json.loads(next(line for line in said.splitlines() if line.startswith("{")))
    return found


def variant(installation: Installation, **environment: str) -> Installation:
    """The same data folder with another environment."""
    return Installation(installation.var, **environment)


def test_a_document_is_taken_in_searched_and_quoted_with_its_source(installation: Installation, law: str) -> None:
    hits = answer_of(installation, "search", "law", "civil penalty")["hits"]
    [answer] = answer_of(installation, "ask", "law", QUESTION)["answers"]

    assert "five hundred dollars" in hits[0]["text"]
    assert answer["state"] == "answered"
    assert "five hundred dollars" in answer["claims"][0]["text"]
    assert not (installation.var / "postgres").exists(), "no server of our own was started"


def test_the_roles_are_bound_and_the_application_owns_nothing(server: ExternalServer, law: str) -> None:
    roles = server.execute(
        "SELECT rolname, rolsuper, rolbypassrls, rolcreaterole FROM pg_roles WHERE rolname LIKE 'legalqa%' ORDER BY 1"
    )
    owned = server.execute("SELECT count(*) FROM pg_tables WHERE tableowner = 'legalqa_app'", database="legalqa")

    assert roles == [("legalqa_app", False, False, False), ("legalqa_owner", False, False, False)]
    assert owned == [(0,)]


def test_a_backup_brings_everything_back_into_an_empty_installation(
    installation: Installation, server: ExternalServer, law: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    archive = tmp_path_factory.mktemp("backup") / "copy.tar"
    made = answer_of(installation, "backup", str(archive))
    before = installation.driver.order("snapshot", organization=law)
    server.create("restored")
    elsewhere = Installation(tmp_path_factory.mktemp("elsewhere") / "var", **server.urls("restored"))

    restored = answer_of(elsewhere, "restore", str(archive))

    after = elsewhere.driver.order("snapshot", organization=law)
    elsewhere.close()
    assert after == before
    assert before["versions"][0][1] == "ready"
    assert restored["tables"] == made["tables"]
    assert (restored["files"], made["files"]) == (1, 1)
    assert rows_of(server, "restored") == made["tables"]
    assert files_of(elsewhere) == files_of(installation)


def rows_of(server: ExternalServer, database: str) -> dict[str, int]:
    tables = server.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", database=database)
    return {t: int(server.execute(f"SELECT count(*) FROM {t}", database=database)[0][0]) for (t,) in tables}


def files_of(installation: Installation) -> dict[str, bytes]:
    files = (f for f in installation.files.rglob("*") if f.is_file())
    return {str(file.relative_to(installation.files)): file.read_bytes() for file in files}


def test_a_database_without_pgvector_is_refused_with_what_to_do(
    installation: Installation, server: ExternalServer
) -> None:
    server.create("plain", with_vector=False)

    said = variant(installation, **server.urls("plain")).manage("migrate", expect=2)

    assert said.strip() == (
        "CommandError: The database lacks the extension `vector`, and only a superuser can create it: "
        "run `CREATE EXTENSION vector` in it once, then migrate again."
    )


def test_a_role_that_passes_row_level_security_is_refused_for_the_application(
    installation: Installation, server: ExternalServer
) -> None:
    urls = server.urls() | {"DATABASE_URL": server.url("backup")}

    said = variant(installation, **urls).manage("migrate", expect=2)

    assert "backup" in said
    assert "BYPASSRLS" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("command", [("migrate",), ("search", "law", "penalty"), ("backup",)])
def test_a_wrong_password_is_one_sentence_without_the_password(
    command: tuple[str, ...], installation: Installation, server: ExternalServer
) -> None:
    wrong = {
        "DATABASE_URL": server.url("legalqa_app", password="wrong-secret"),
        "DATABASE_OWNER_URL": server.url("legalqa_owner", password="wrong-secret"),
        "DATABASE_BACKUP_URL": server.url("backup", password="wrong-secret"),
    }

    said = variant(installation, **wrong).manage(*command, expect=2)

    assert "The database refused the sign-in" in said
    assert "wrong-secret" not in said
    assert "Traceback" not in said


def test_one_address_without_the_other_stops_the_start(installation: Installation, server: ExternalServer) -> None:
    said = variant(installation, DATABASE_URL=server.url("legalqa_app")).manage("check", expect=2)

    assert said == (
        "CommandError: DATABASE_URL is set but DATABASE_OWNER_URL is not: migrations need the owner's role. Set both.\n"
    )
