"""Cases as JSONL or CSV: reading files that people upload, writing files that they download."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from legalqa.common.csv_files import csv_lines
from legalqa.common.errors import ApplicationError
from legalqa.common.json_lines import LineError, json_lines, line_text
from retrieval.cases.entities import KINDS, Entities

MAX_CASES = 10_000  # ours, per file: as many as one person can review
MAX_CHARS = 20_000  # ours, per text: several pages
MAX_PARAGRAPHS = 50
COLUMNS: Final = ("id", "name", "question", "support", "answer", "paragraph_ids")
KEYS: Final = frozenset((*COLUMNS, "entities"))


class CaseFileError(LineError):
    """A line that is not a case: which one, what is wrong, what to do."""

    kind = "bad_case_line"


@dataclass(frozen=True, slots=True)
class CaseSpan:
    """A paragraph that a case rests on, by an id of it, or the part of it from `start` to `end`."""

    paragraph_id: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A case as it is brought: `support` is "" where it is the text of its paragraphs, `entities` None where rules
    find them."""

    question: str
    answer: str
    support: str = ""
    spans: tuple[CaseSpan, ...] = ()
    id: str = ""
    name: str = ""
    entities: Entities | None = field(default=None, hash=False)
    line: int = 0

    @property
    def digest(self) -> str:
        """Of question, support and answer: what a corpus keeps once."""
        return sha256("\0".join((self.question, self.support, self.answer)).encode()).hexdigest()


def case_rows_read(text: str) -> list[CaseRow]:
    """The cases of a text: JSONL where its first sign is a brace, else CSV with the names of `COLUMNS` as its head.

    A case has `question` and `answer`, and `support` or `paragraph_ids` (ids as the reader, the API and searches show
    them; in CSV with blanks between). It may have `id`, `name` and, in JSONL, `entities` (phrases by kind).

    Raises:
        CaseFileError: a line that does not fit; it names the line.
        ApplicationError: no case, or more than MAX_CASES.
    """
    text = text.removeprefix("\ufeff")
    lines = json_lines(text, refused=CaseFileError) if text.lstrip()[:1] == "{" else _csv_lines(text)
    rows: list[CaseRow] = []
    for line, fields in lines:
        rows.append(_row(line, fields))
        if len(rows) > MAX_CASES:
            raise ApplicationError(f"The file has more than {MAX_CASES:,} cases. Split it.", code="too_many_cases")
    if not rows:
        raise ApplicationError(
            "The file contains no case. Use one JSON object or one CSV row per case.", code="empty_file"
        )
    return rows


def case_lines(documents: Iterable[Mapping[str, Any]]) -> str:
    """Cases as JSONL that `case_rows_read` takes."""
    return "".join(json.dumps(dict(document), ensure_ascii=False) + "\n" for document in documents)


def _csv_lines(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, fields in csv_lines(text, refused=CaseFileError):
        if None in fields.values():
            raise CaseFileError(line, "the row does not have as many cells as the head. Check the quotes.")
        yield line, fields | {"paragraph_ids": (fields.get("paragraph_ids") or "").split()}


def _row(line: int, fields: Mapping[str, Any]) -> CaseRow:
    if unknown := sorted(fields.keys() - KEYS):
        raise CaseFileError(line, f"there is no key {unknown[0][:40]!r}; the keys are {', '.join(sorted(KEYS))}.")
    question = " ".join(_text(line, fields, "question").split())
    answer, support = _text(line, fields, "answer").strip(), _text(line, fields, "support").strip()
    spans = _spans(line, fields)
    if not question or not answer:
        raise CaseFileError(
            line, f"the {'answer' if question else 'question'} is empty. Write one, or remove the line."
        )
    if not support and not spans:
        raise CaseFileError(line, "nothing supports the answer. Give support, paragraph_ids, or both.")
    return CaseRow(
        question,
        answer,
        support,
        spans,
        _text(line, fields, "id", 200).strip(),
        " ".join(_text(line, fields, "name", 300).split()),
        _entities(line, fields),
        line,
    )


def _spans(line: int, fields: Mapping[str, Any]) -> tuple[CaseSpan, ...]:
    ids = fields.get("paragraph_ids") or []
    if not isinstance(ids, list) or len(ids) > MAX_PARAGRAPHS or not all(isinstance(one, str) for one in ids):
        raise CaseFileError(line, f"paragraph_ids must be a list of at most {MAX_PARAGRAPHS} ids.")
    return tuple(dict.fromkeys(CaseSpan(one[:200]) for one in ids))


def _entities(line: int, fields: Mapping[str, Any]) -> Entities | None:
    entities = fields.get("entities")
    if not entities:
        return None
    fits = isinstance(entities, dict) and all(
        kind in KINDS and isinstance(phrases, list) and all(isinstance(phrase, str) for phrase in phrases)
        for kind, phrases in entities.items()
    )
    if not fits:
        raise CaseFileError(line, f"entities must be lists of phrases by kind; the kinds are {', '.join(KINDS)}.")
    return {kind: tuple(phrases) for kind, phrases in entities.items()}


def _text(line: int, fields: Mapping[str, Any], key: str, longest: int = MAX_CHARS) -> str:
    value = fields.get(key) or ""
    if isinstance(value, int) and key == "id":
        value = str(value)
    return line_text(line, key, value, longest=longest, refused=CaseFileError)
