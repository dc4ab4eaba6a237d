"""`search`, `ask` and `ingest` on the command line: bad input is exit code 2 and one line, good input one document."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, load_command_class
from django.core.management.base import OutputWrapper

from corpora.models import Corpus, Document
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Question
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

APPS = {"search": "retrieval", "ask": "legalqa.answering", "ingest": "corpora"}
LEASE = "# Lease\n\n## Rent\n\nThe tenant pays a rent of 900 euros on the first day of each month.\n"
RENT = "What rent does the tenant pay each month?"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command: its exit code, its standard output, its standard error.

    As `run_from_argv` does it, which would close the connection that holds the test's transaction.
    """

    def command(name: str, *arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        made, code = load_command_class(APPS[name], name), 0
        made.stdout, made.stderr = OutputWrapper(sys.stdout), OutputWrapper(sys.stderr)
        try:
            made.execute(**vars(made.create_parser("manage.py", name).parse_args(arguments)))
        except CommandError as error:
            made.stderr.write(str(error))
            code = error.returncode
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_corpus(firm, "Leases")


@pytest.fixture
def leases(firm: Firm, corpus: Corpus) -> Corpus:
    ingest(firm, corpus, "lease.md", LEASE)
    return corpus


BAD_SEARCHES: dict[str, tuple[str, ...]] = {
    "an unknown corpus": ("nowhere", "rent"),
    "an empty text": ("leases", ""),
    "a blank text": ("leases", "  \n "),
    "20,000 characters": ("leases", "x" * 20_000),
    "half a surrogate pair": ("leases", "rent \udcff"),
    "no text": ("leases",),
    "an unknown organisation": ("leases", "rent", "--organization", "nowhere"),
    "an unknown preset": ("leases", "rent", "--preset", "magic"),
    "an unknown setting": ("leases", "rent", "--set", "magic=1"),
    "a setting without a value": ("leases", "rent", "--set", "k"),
    "a setting of the wrong type": ("leases", "rent", "--set", "k=many"),
    "a huge k": ("leases", "rent", "--set", "k=99999999999999999999"),
    "a setting that is given twice": ("leases", "rent", "--set", "k=5", "--set", "k=10"),
    "an unknown filter": ("leases", "rent", "--filter", "magic=1"),
    "a filter that is given twice": ("leases", "rent", "--filter", "kinds=pdf", "--filter", "kinds=docx"),
    "an unknown format": ("leases", "rent", "--filter", "kinds=doc"),
    "two days": ("leases", "rent", "--as-of", "2024-01-31", "--filter", "as_of=2025-01-31"),
    "an invalid date": ("leases", "rent", "--filter", "date_from=yesterday"),
    "an invalid day": ("leases", "rent", "--as-of", "yesterday"),
    "an unknown document": ("leases", "rent", "--document", "nowhere.pdf"),
}


@pytest.mark.parametrize("command", ["search", "ask"])
@pytest.mark.parametrize("case", BAD_SEARCHES)
def test_bad_input_is_exit_code_2_and_one_line(command: str, case: str, firm: Firm, corpus: Corpus, run: Run) -> None:
    code, out, error = run(command, *BAD_SEARCHES[case], "--json")

    assert (code, out) == (2, "")
    assert len(error.strip().splitlines()) == 1
    assert "Traceback" not in error
    with organization_scope(firm.organization, user=None):
        assert not Question.objects.exists()


@pytest.mark.parametrize("command", ["search", "ask"])
def test_documents_are_named_in_one_place(command: str, firm: Firm, leases: Corpus, run: Run) -> None:
    with organization_scope(firm.organization, user=None):
        lease = Document.objects.get().pk
    code, out, error = run(command, "leases", RENT, "--document", "lease", "--filter", f"document_ids={lease}")

    assert (code, out) == (2, "")
    assert error.strip() == "Name the documents with --document or with --filter, not both."


@pytest.mark.parametrize("k", ["0", "-5", "201"])
def test_a_number_of_hits_out_of_range_is_refused(k: str, leases: Corpus, run: Run) -> None:
    code, out, error = run("search", "leases", "rent", "-k", k, "--json")

    assert (code, out) == (2, "")
    assert error.strip() == f"-k is {k}, but must be from 1 to 200."


@pytest.mark.parametrize(("command", "option"), [("search", "--queries"), ("ask", "--questions")])
@pytest.mark.parametrize(
    "content",
    [
        b"not json\n",
        b"[1]\n",
        b'{"id": "1"}\n',
        b'{"id": "1", "text": ""}\n',
        b'{"id": "1", "text": 7}\n',
        b'{"id": "1", "text": "re\\u0000nt"}\n',
        b'{"id": "1", "text": "rent \\ud800"}\n',
        b"\xff\xfe\x00\n",
        b"[" * 100_000,
        b"",
    ],
    ids=lambda content: content[:30].decode("latin-1").strip(),
)
def test_an_invalid_file_of_questions_is_refused(
    command: str, option: str, content: bytes, leases: Corpus, tmp_path: Path, run: Run
) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_bytes(content)
    code, out, error = run(command, "leases", option, str(file), "--json")

    assert (code, out) == (2, "")
    assert len(error.strip().splitlines()) == 1
    assert "Traceback" not in error


@pytest.mark.parametrize(("command", "option"), [("search", "--queries"), ("ask", "--questions")])
def test_a_file_of_questions_that_is_not_there_is_said_so(command: str, option: str, leases: Corpus, run: Run) -> None:
    code, out, error = run(command, "leases", option, "nowhere.jsonl", "--json")

    assert (code, out) == (2, "")
    assert "nowhere.jsonl" in error


def test_search_prints_one_json_document(leases: Corpus, run: Run) -> None:
    code, out, _ = run("search", "leases", RENT, "--json")
    document = json.loads(out)

    assert code == 0
    assert document["query"] == RENT
    assert "900 euros" in document["hits"][0]["text"]


def test_search_writes_a_run_of_a_file_of_queries(leases: Corpus, tmp_path: Path, run: Run) -> None:
    queries, trec = tmp_path / "queries.jsonl", tmp_path / "out.trec"
    queries.write_text("".join(json.dumps({"id": f"q{n}", "text": RENT}) + "\n" for n in range(2)))
    code, out, _ = run("search", "leases", "--queries", str(queries), "--run", str(trec), "--json")
    rows = [line.split() for line in trec.read_text().splitlines()]

    assert code == 0
    assert [row["id"] for row in json.loads(out)["queries"]] == ["q0", "q1"]
    assert {len(row) for row in rows} == {6}
    assert {row[0] for row in rows} == {"q0", "q1"}


def test_ask_prints_a_cited_answer(leases: Corpus, run: Run) -> None:
    code, out, _ = run("ask", "leases", RENT, "--preset", "fixed-3", "--json")
    (answer,) = json.loads(out)["answers"]
    plain, text, _ = run("ask", "leases", RENT, "--preset", "fixed-3")

    assert (code, plain) == (0, 0)
    assert answer["state"] == "answered"
    assert "900 euros" in answer["claims"][0]["citations"][0]["quote"]
    assert "[1] Lease" in text and ", version 1" in text


def test_asking_an_empty_corpus_says_so(corpus: Corpus, run: Run) -> None:
    code, out, error = run("ask", "leases", RENT, "--json")

    assert (code, out) == (2, "")
    assert "nothing searchable" in error


def test_ingest_says_that_a_file_is_not_there(firm: Firm, corpus: Corpus, run: Run) -> None:
    code, out, error = run("ingest", "leases", "nowhere.pdf", "--json")

    assert (code, out) == (2, "")
    assert "nowhere.pdf" in error


@pytest.mark.parametrize(
    "arguments",
    [
        ("nowhere", "{file}"),
        ("leases", "{file}", "--password", "x"),
        ("leases", "{file}", "--password", "leese.md=x"),
        ("leases", "{file}", "--password", "lease.md=x", "--password", "lease.md=y"),
        ("leases", "{file}", "--remove-missing"),
        ("new", "{file}", "--create", "--chunker", "y"),
        ("leases", "{file}", "--create", "--chunker", "recursive.v1"),
    ],
)
def test_bad_arguments_take_nothing_in(
    arguments: tuple[str, ...], firm: Firm, corpus: Corpus, tmp_path: Path, run: Run
) -> None:
    (tmp_path / "lease.md").write_text(LEASE)
    code, out, error = run("ingest", *(a.format(file=tmp_path / "lease.md") for a in arguments), "--json")

    assert (code, out, len(error.strip().splitlines())) == (2, "", 1)
    with organization_scope(firm.organization, user=None):
        assert not Document.objects.exists()


def test_one_bad_file_costs_the_others_nothing(
    firm: Firm, corpus: Corpus, tmp_path: Path, run: Run, settings: Any
) -> None:
    settings.MAX_UPLOAD_BYTES = 5000
    files = {
        "lease.md": LEASE.encode(),
        "empty.pdf": b"",
        "long.txt": b"word " * 2000,
        "picture.png": b"\x89PNG\r\n\x1a\n",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    code, out, _ = run("ingest", "leases", str(tmp_path), "--wait", "--json")
    documents = {d["name"]: (d["status"], d["code"]) for d in json.loads(out)["documents"]}

    assert code == 0
    assert documents == {
        "lease.md": ("ready", ""),
        "empty.pdf": ("refused", "empty_file"),
        "long.txt": ("refused", "too_large"),
        "picture.png": ("refused", "image"),
    }


def test_a_day_before_the_document_was_there_finds_nothing(leases: Corpus, run: Run) -> None:
    code, out, _ = run("search", "leases", RENT, "--as-of", "2001-01-31", "--json")
    assert (code, json.loads(out)["hits"]) == (0, [])


def test_a_question_about_a_day_on_which_nothing_was_in_force_is_refused_in_one_sentence(
    leases: Corpus, run: Run
) -> None:
    code, out, error = run("ask", "leases", RENT, "--as-of", "2001-01-31", "--json")
    assert (code, out) == (2, "")
    assert "No document was in force on 31 January 2001. Choose a later day." in error
