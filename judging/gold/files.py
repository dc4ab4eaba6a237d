"""Gold sets as JSONL, one question a line: reading what people bring, writing what they take."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judging.models import Review, Split
from legalqa.common.errors import ApplicationError
from legalqa.common.json_lines import LineError, line_text
from legalqa.common.storable import UNSTORABLE
from retrieval.services.search import MAX_QUERY_CHARS

MAX_QUESTIONS = 10_000  # ours: questions that a tuning searches for in an hour
MAX_REFERENCES, MAX_TURNS, MAX_CHARS = 100, 20, 20_000  # references, turns and characters of one question at most
KEYS = (  # of a line, in the order in which a table has them as columns
    *("id", "question", "reference_answer", "reference_paragraph_ids", "question_type", "answerable", "split"),
    *("review", "topic", "written_by", "spans", "history"),
)


class GoldFileError(LineError):
    """A line that is not a gold question: which one, what is wrong, what to do."""

    kind = "bad_gold_line"


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """A passage by the id of its paragraph, or the part of it from `start` to `end`."""

    paragraph_id: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class GoldRow:
    """One line of the file; `line` counts from 1.

    An answerable question without references is one whose evidence nobody has named yet.
    """

    line: int
    id: str
    question: str
    reference_answer: str
    references: tuple[GoldSpan, ...]
    question_type: str
    is_answerable: bool
    history: tuple[Any, ...]
    split: str = ""
    review: str = "approved"
    topic: str = ""
    written_by: str = ""


def gold_rows_of(documents: Sequence[Mapping[str, Any]], *, lines: Sequence[int] = ()) -> list[GoldRow]:
    """The questions of objects as the lines of a file have them.

    An object has `question` and may have `id`, `reference_answer`, `reference_paragraph_ids` (ids as the reader, the
    API and searches show them, or those of a passages file), `spans` (objects with `paragraph_id`, `start`, `end`),
    `question_type`, `answerable` (true where left out and there are references or a reference answer), `history`,
    `split`, `review` (approved where left out), `topic` and `written_by`. One with a reference answer and no reference
    is a question whose evidence is unknown. Other keys are refused, so that a misspelt one is not silently lost.

    Args:
        documents: One object a question.
        lines: The line of each in its file; counted from 1 where there are none.

    Raises:
        GoldFileError: an object that does not fit; it names the line.
        ApplicationError: no object, or more than MAX_QUESTIONS.
    """
    rows = []
    for line, document in zip(lines or range(1, len(documents) + 1), documents, strict=True):
        rows.append(_row(line, document))
        if len(rows) > MAX_QUESTIONS:
            raise ApplicationError(
                f"The file has more than {MAX_QUESTIONS:,} questions. Split it.", code="too_many_questions"
            )
    if not rows:
        raise ApplicationError("The file contains no question. Write one a line.", code="empty_file")
    return rows


def _row(line: int, fields: Mapping[str, Any]) -> GoldRow:
    if unknown := sorted(fields.keys() - set(KEYS)):
        raise GoldFileError(line, f"there is no key {unknown[0]!r}; the keys are {', '.join(sorted(KEYS))}.")
    question = " ".join(_text(line, fields, "question", MAX_QUERY_CHARS).split())
    if not question:
        raise GoldFileError(line, "the question is empty. Write one, or remove the line.")
    references = _references(line, fields)
    reference_answer = _text(line, fields, "reference_answer", MAX_CHARS)
    is_answerable = fields.get("answerable", bool(references or reference_answer.strip()))
    if not isinstance(is_answerable, bool):
        raise GoldFileError(line, "answerable must be true or false.")
    if references and not is_answerable:
        raise GoldFileError(
            line,
            "a question that is not answerable cannot have references. Remove the references, "
            "or set answerable to true.",
        )
    if is_answerable and not (references or reference_answer.strip()):
        raise GoldFileError(
            line,
            "an answerable question needs a reference or a reference answer. Give one, or set answerable to false.",
        )
    history = fields.get("history") or []
    if not isinstance(history, list) or len(history) > MAX_TURNS or not all(map(_is_turn, history)):
        raise GoldFileError(
            line, f"history must be a list of at most {MAX_TURNS} turns, each a string or an object of strings."
        )
    identifier = fields.get("id", "")
    return GoldRow(
        line,
        _short(line, "id", str(identifier) if type(identifier) is int else identifier, 200),
        question,
        reference_answer,
        references,
        _text(line, fields, "question_type", 60).strip(),
        is_answerable,
        tuple(history),
        _choice(line, fields, "split", Split.values, ""),
        _choice(line, fields, "review", Review.values, Review.APPROVED),
        _text(line, fields, "topic", 80).strip(),
        _text(line, fields, "written_by", 200).strip(),
    )


def _choice(line: int, fields: Mapping[str, Any], key: str, words: Iterable[str], usual: str) -> str:
    word = fields.get(key) or usual
    if word not in words:
        allowed = ", ".join(str(choice) for choice in words if choice)
        raise GoldFileError(line, f"{key} must be one of {allowed}.")
    return str(word)


def _references(line: int, fields: Mapping[str, Any]) -> tuple[GoldSpan, ...]:
    ids, spans = fields.get("reference_paragraph_ids") or [], fields.get("spans") or []
    if not isinstance(ids, list) or not isinstance(spans, list):
        raise GoldFileError(line, "reference_paragraph_ids and spans must be lists.")
    references = [GoldSpan(_short(line, "a reference (the id of a paragraph)", entry, 200)) for entry in ids]
    for span in spans:
        fits = isinstance(span, dict) and all(type(span.get(key)) is int for key in ("start", "end"))
        if not fits or not 0 <= span["start"] < span["end"] < 2**31:
            raise GoldFileError(line, "a span needs paragraph_id, start and end, with 0 <= start < end.")
        references.append(
            GoldSpan(_short(line, "paragraph_id", span.get("paragraph_id"), 200), span["start"], span["end"])
        )
    if len(references) > MAX_REFERENCES:
        raise GoldFileError(
            line, f"there are {len(references)} references; a question can have at most {MAX_REFERENCES}."
        )
    return tuple(dict.fromkeys(references))


def _text(line: int, fields: Mapping[str, Any], key: str, longest: int) -> str:
    return _short(line, key, fields.get(key) or "", longest)


def _short(line: int, key: str, value: Any, longest: int) -> str:
    return line_text(line, key, value, longest=longest, refused=GoldFileError)


def _is_turn(turn: Any) -> bool:
    texts = list(turn.values()) if isinstance(turn, dict) else [turn]
    return all(isinstance(text, str) and len(text) <= MAX_QUERY_CHARS and not UNSTORABLE.search(text) for text in texts)


def gold_lines(rows: Iterable[GoldRow]) -> Iterable[str]:
    """The questions as lines of a file, which `gold_rows_of` takes."""
    return (json.dumps(document, ensure_ascii=False) + "\n" for document in gold_documents(rows))


def gold_documents(rows: Iterable[GoldRow]) -> Iterable[dict[str, Any]]:
    """The questions as objects of JSON; what is empty, or approved, is left out."""
    for row in rows:
        whole = [span.paragraph_id for span in row.references if span.start is None]
        parts = [
            {"paragraph_id": span.paragraph_id, "start": span.start, "end": span.end}
            for span in row.references
            if span.start is not None
        ]
        document: dict[str, Any] = {
            "id": row.id,
            "question": row.question,
            "reference_answer": row.reference_answer,
            "reference_paragraph_ids": whole,
            "spans": parts,
            "question_type": row.question_type,
            "answerable": row.is_answerable,
            "history": list(row.history),
            "split": row.split,
            "review": row.review if row.review != Review.APPROVED else "",
            "topic": row.topic,
            "written_by": row.written_by,
        }
        yield {key: value for key, value in document.items() if value or key == "answerable"}
