"""The only door to the parsers: each file is read by a fresh process without rights (`server.py`, `rights.py`)."""

import json
import logging
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from corpora.parsers.client import run_forked
from corpora.parsers.confined import Outcome
from corpora.parsers.limits import Limits
from corpora.parsers.reasons import FileRefused
from corpora.parsers.wire import document_load, lines_read, recognised_dump
from corpora.types import ParsedDocument, RecognisedPage

_DEFAULT_LIMITS = Limits()
_LOGGED = 200  # characters of a child's last error that are logged

logger = logging.getLogger(__name__)


def parse_file(
    path: str | Path,
    *,
    name: str,
    recognised: Sequence[RecognisedPage] = (),
    limits: Limits = _DEFAULT_LIMITS,
    should_stop: Callable[[], bool] | None = None,
) -> ParsedDocument:
    """Read a file of any known kind.

    Rule: the file is opened here and handed to the child as a descriptor, so that the child needs no right to find
    it. What the child answers is checked before it is used.

    Args:
        path: Where the file is.
        name: Its name as uploaded: only its extension and, for want of a title, its stem are used.
        recognised: Pages of a PDF as text recognition read them; they are read like pages with text.
        limits: Caps on the file and on the work.
        should_stop: Asked while waiting; True stops the work with reason "cancelled".

    Returns:
        The document.

    Raises:
        FileRefused: With a code of `reasons.REASONS`; RETRYABLE says which are worth another try.
    """
    path = Path(path)
    order = {"name": name, "recognised": recognised_dump(recognised), **asdict(limits)}
    with path.open("rb") as source:
        size = os.fstat(source.fileno()).st_size
        if size == 0:
            raise FileRefused("empty_file")
        if size > limits.file_bytes:
            raise FileRefused(
                "too_large", f"The file has {size:,} bytes, more than the limit of {limits.file_bytes:,}: split it."
            )
        with tempfile.TemporaryDirectory(prefix="parse-") as folder:
            answer_path = Path(folder) / "answer.jsonl"
            with answer_path.open("wb") as answer:
                outcome = run_forked(
                    json.dumps(order).encode("ascii"),
                    limits,
                    source=source.fileno(),
                    answer=answer.fileno(),
                    should_stop=should_stop,
                )
            return _read_answer(answer_path, outcome, limits)


def _read_answer(path: Path, outcome: Outcome, limits: Limits) -> ParsedDocument:
    with path.open(encoding="ascii", errors="replace") as answer:
        if not outcome.reason:
            return document_load(lines_read(answer), limits)
        try:
            document_load(lines_read(answer), limits)
        except FileRefused as refused:
            if refused.code != "bad_output":
                raise
    # The child's output may quote the document, an error's words too: only the name of the error is kept.
    error = outcome.log.strip().rsplit("\n", 1)[-1].partition(":")[0][:_LOGGED]
    name = error if error.replace(".", "").isidentifier() else "no error named"
    logger.warning("A file was not read: %s, exit %d, %s", outcome.reason, outcome.returncode, name)
    raise FileRefused(outcome.reason)
