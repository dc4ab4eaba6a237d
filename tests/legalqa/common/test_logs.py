"""What the log keeps, and how its file turns over."""

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from legalqa.common.logs import JsonFormatter, SharedFileHandler, TextFormatter, log_context, request_id_make

SECRET = "canary-7f3a"
WRITER = """
import logging, sys
from pathlib import Path
from legalqa.common.logs import JsonFormatter, SharedFileHandler
handler = SharedFileHandler(Path(sys.argv[1]), 20_000)
handler.setFormatter(JsonFormatter())
log = logging.getLogger("legalqa.test")
log.addHandler(handler)
for n in range(300):
    log.warning("line %s %d", sys.argv[2], n)
"""


def record_of(name: str, message: str, *arguments: object, error: BaseException | None = None) -> logging.LogRecord:
    info = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord(name, logging.ERROR, __file__, 1, message, arguments, info)


def line_of(record: logging.LogRecord) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(JsonFormatter().format(record))
    return found


def raised() -> BaseException:
    try:
        try:
            raise KeyError(SECRET)
        except KeyError as inner:
            raise ValueError(f"Failing row contains ({SECRET})") from inner
    except ValueError as error:
        return error


def test_our_message_is_kept_with_what_was_put_in_and_the_context() -> None:
    with log_context(request_id="ab" * 16, user=""):
        line = line_of(record_of("legalqa.jobs", "job %s: %s", "123", "fault"))

    assert line["message"] == "job 123: fault"
    assert line["request_id"] == "ab" * 16
    assert "user" not in line


def test_a_librarys_message_is_kept_as_its_template_only() -> None:
    with_arguments = line_of(record_of("django.request", "%s: %s", "Not Found", f"/sign-in/{SECRET}/"))
    put_together = line_of(record_of("django-q", f"Failed task - {SECRET}"))

    assert with_arguments["message"] == "%s: %s"
    assert put_together["message"] == ""
    assert put_together["at"] == "test_logs:1"


@pytest.mark.parametrize("formatter", [JsonFormatter(), TextFormatter()], ids=["json", "text"])
def test_an_exception_is_kept_as_types_and_places_without_its_words(formatter: logging.Formatter) -> None:
    text = formatter.format(record_of("legalqa.jobs", "job failed", error=raised()))

    assert "builtins.ValueError" in text
    assert "builtins.KeyError" in text
    assert "test_logs.py:" in text
    assert SECRET not in text


@pytest.mark.parametrize("given", ["", "words of a person", "x" * 32, "ab", "a" * 41, "0123456789abcdef\nforged"])
def test_an_id_that_could_carry_words_is_replaced(given: str) -> None:
    made = request_id_make(given)

    assert made != given
    assert len(made) == 32


def test_the_id_of_a_proxy_is_kept() -> None:
    assert request_id_make("0f8fad5b-d9cb-469f-a165-70867728950e") == "0f8fad5b-d9cb-469f-a165-70867728950e"


def test_processes_that_share_the_file_lose_no_line_while_it_turns_over(tmp_path: Path) -> None:
    log = tmp_path / "log" / "legalqa.jsonl"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(log), name], cwd=settings.BASE_DIR, stderr=subprocess.DEVNULL
        )
        for name in "ab"
    ]
    assert [writer.wait() for writer in writers] == [0, 0]

    files = sorted(log.parent.glob("legalqa.jsonl*"))
    lines = [json.loads(line)["message"] for file in files for line in file.read_text().splitlines()]
    kept = {name: [int(line.split()[2]) for line in lines if line.split()[1] == name] for name in "ab"}
    assert 2 <= len(files) <= 6
    assert all(file.stat().st_size <= 20_000 + 200 for file in files), "a line of the other may come in between"
    assert log.stat().st_mode & 0o077 == 0
    assert {len(set(numbers)) == len(numbers) for numbers in kept.values()} == {True}
    assert max(kept["a"]) == max(kept["b"]) == 299
    assert len(lines) == 600, "600 lines of about 130 bytes fit into the file and its five elders"


def test_a_log_that_cannot_be_written_does_not_end_the_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "log").write_text("a file where the folder should be")
    handler = SharedFileHandler(tmp_path / "log" / "legalqa.jsonl", 1000)
    handler.setFormatter(JsonFormatter())

    handler.emit(record_of("legalqa.jobs", "still at work"))

    assert capsys.readouterr().err.startswith("The log cannot be written")


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """What our parts log during the test, as it would be written."""
    kept: list[dict[str, Any]] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            kept.append(json.loads(JsonFormatter().format(record)))

    handler = Keeping()
    logging.getLogger("legalqa").addHandler(handler)
    yield kept
    logging.getLogger("legalqa").removeHandler(handler)


def test_a_request_is_one_line_with_its_route_and_without_its_address(db: None, lines: list[dict[str, Any]]) -> None:
    response = Client().get(f"/sign-in/link/{SECRET}/?next=/{SECRET}", headers={"X-Request-ID": "ab" * 16})

    [line] = [line for line in lines if line["message"] == "request"]
    assert response["X-Request-ID"] == line["request_id"] == "ab" * 16
    assert (line["method"], line["status"]) == ("GET", response.status_code)
    assert SECRET not in json.dumps(line)


def test_a_slow_query_is_logged_without_its_parameters(db: None, settings: Any, lines: list[dict[str, Any]]) -> None:
    from django.db import connection

    settings.SLOW_QUERY_MS = 1
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(0.01), %s", [SECRET])

    [line] = [line for line in lines if line["message"] == "slow query"]
    assert line["sql"] == "SELECT pg_sleep(0.01), %s"
    assert line["ms"] >= 10
