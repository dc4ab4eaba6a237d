"""Logs that hold no content: one JSON object a line, with ids, counts and times, in a file that turns over by size.

Questions, texts, names, addresses and secrets stay out by construction. Our own messages name ids only. A message of a
library is kept as its template, without what was put in; an exception is kept as its type and places, without its
words, because a database's words hold values of rows. The id of the request is in the context, and goes with it into
the jobs that the request starts.
"""

import fcntl
import json
import logging
import os
import re
import sys
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from traceback import extract_tb
from types import MappingProxyType
from typing import Any

OURS = ("legalqa", "corpora", "retrieval", "judging")
REQUEST_ID = re.compile(r"[0-9a-f-]{16,40}")  # hexadecimal: nobody can send words to be logged
KEPT_FILES = 5
MAX_FRAMES = 25
_SECRETS = re.compile(
    r"\bsk-[\w-]{8,}|\bbearer\s+[^\s\"',}]+|\bapi[_-]?key[\"']?\s*[=:]\s*[\"']?[^\s\"',}]+", re.IGNORECASE
)
_ROOT = str(Path(__file__).resolve().parents[2]) + os.sep

_context: ContextVar[Mapping[str, Any]] = ContextVar("log_context", default=MappingProxyType({}))


@contextmanager
def log_context(**fields: Any) -> Iterator[None]:
    """Add fields to every line that is logged inside the block; empty ones are left out."""
    token = _context.set({**_context.get(), **{key: value for key, value in fields.items() if value not in (None, "")}})
    try:
        yield
    finally:
        _context.reset(token)


def request_id() -> str:
    """The id of the request that this work belongs to; "" outside of any."""
    return str(_context.get().get("request_id", ""))


def request_id_make(header: str) -> str:
    """The id that a proxy has given the request, if it is one, else a new one."""
    return header if REQUEST_ID.fullmatch(header) else uuid.uuid4().hex


def log_line(record: logging.LogRecord) -> dict[str, Any]:
    """The stored part of a record: our message in full, a library's template, the context, an exception's shape."""
    is_ours = record.name.partition(".")[0] in OURS
    line: dict[str, Any] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname,
        "logger": record.name,
        "message": record.getMessage() if is_ours else record.msg if record.args else "",
        "process": record.process,
    }
    if not is_ours:
        line["at"] = f"{record.module}:{record.lineno}"
    # Nothing of ours logs a key, and a library might.
    line["message"] = _SECRETS.sub("[secret]", str(line["message"]))
    line |= _context.get()
    line |= getattr(record, "fields", {})
    if record.exc_info and record.exc_info[1] is not None:
        line["exceptions"] = exception_shapes(record.exc_info[1])
    return line


def exception_shapes(error: BaseException | None) -> list[dict[str, Any]]:
    """Types and places of an exception and of its causes, the outermost first; never their words."""
    shapes: list[dict[str, Any]] = []
    while error is not None and len(shapes) < 5:
        frames = extract_tb(error.__traceback__)[-MAX_FRAMES:]
        shapes.append(
            {
                "type": f"{type(error).__module__}.{type(error).__qualname__}",
                "at": [f"{frame.filename.removeprefix(_ROOT)}:{frame.lineno} {frame.name}" for frame in frames],
            }
        )
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return shapes


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(log_line(record), ensure_ascii=False, default=str)


class TextFormatter(logging.Formatter):
    """The same for people: time, level, part, message, then the rest as key=value."""

    def format(self, record: logging.LogRecord) -> str:
        line = log_line(record)
        exceptions = line.pop("exceptions", [])
        head = " ".join(str(line.pop(key)) for key in ("time", "level", "logger", "message"))
        rest = " ".join(f"{key}={value}" for key, value in line.items())
        places = [f"\n  {shape['type']}" + "".join(f"\n    {at}" for at in shape["at"]) for shape in exceptions]
        return f"{head} {rest}{''.join(places)}"


class SharedFileHandler(logging.Handler):
    """Appends whole lines to a file that several processes share; past `max_bytes` it becomes `.1`, that `.2`, …"""

    def __init__(self, path: Path, max_bytes: int) -> None:
        super().__init__()
        self._path, self._max_bytes, self._descriptor = Path(path), max_bytes, -1

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = (self.format(record) + "\n").encode("utf-8", "replace")
            self._reopen_if_moved()
            if os.fstat(self._descriptor).st_size + len(line) > self._max_bytes:
                self._turn_over(len(line))
            os.write(self._descriptor, line)  # O_APPEND: lines of several processes do not mix
        except Exception as error:  # noqa: BLE001 - a full disk, or whatever: it must not end the work that said something
            with suppress(OSError, ValueError):  # standard error may be a file on the same disk, or closed
                sys.stderr.write(f"The log cannot be written: {getattr(error, 'strerror', type(error).__name__)}\n")

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        super().close()

    def _reopen_if_moved(self) -> None:
        try:
            is_same = self._descriptor >= 0 and os.path.samestat(os.fstat(self._descriptor), self._path.stat())
        except FileNotFoundError:
            is_same = False
        if not is_same:
            if self._descriptor >= 0:
                os.close(self._descriptor)
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def _turn_over(self, n_bytes: int) -> None:
        with self._path.with_suffix(".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._reopen_if_moved()  # another process may have been first
            if os.fstat(self._descriptor).st_size + n_bytes <= self._max_bytes:
                return
            for n in range(KEPT_FILES - 1, 0, -1):
                older = self._path.with_name(f"{self._path.name}.{n}")
                if older.exists():
                    older.replace(self._path.with_name(f"{self._path.name}.{n + 1}"))
            self._path.replace(self._path.with_name(f"{self._path.name}.1"))
            self._reopen_if_moved()


def logging_settings(*, to_file: bool, is_json: bool, folder: Path, max_bytes: int) -> dict[str, Any]:
    """Django's LOGGING: everything into the shared file and warnings to standard error, or all to standard error."""
    formatter = "json" if is_json else "text"
    stderr = {"class": "logging.StreamHandler", "formatter": "text" if to_file else formatter}
    handlers: dict[str, dict[str, Any]] = {"stderr": stderr | ({"level": "WARNING"} if to_file else {})}
    if to_file:
        handlers["file"] = {
            "()": "legalqa.common.logs.SharedFileHandler",
            "path": folder / "legalqa.jsonl",
            "max_bytes": max_bytes,
            "formatter": formatter,
        }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {"()": "legalqa.common.logs.JsonFormatter"},
            "text": {"()": "legalqa.common.logs.TextFormatter"},
        },
        "handlers": handlers,
        "root": {"handlers": list(handlers), "level": "WARNING"},
        "loggers": {name: {"level": "INFO"} for name in OURS}
        | {
            # Their own handlers would write content that ours leave out.
            "django": {"handlers": [], "level": "WARNING"},
            "django.server": {"handlers": [], "propagate": True},
            "django.request": {"level": "ERROR"},  # refusals are in our own line of the request
            "django-q": {"handlers": list(handlers), "level": "WARNING", "propagate": False},
            "sentence_transformers": {"level": "WARNING"},
            # At a lower level these write addresses and bodies of requests to language models.
            **{name: {"level": "WARNING"} for name in ("openai", "httpx2", "httpcore2")},
        },
    }
