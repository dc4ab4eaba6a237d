"""Rows that a reader learns from and is judged on: questions with a passage, and claims with their evidence."""

import gzip
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from legalqa.common.errors import ApplicationError
from legalqa.common.json_lines import json_read

LABELS = ("supported", "contradicted", "not_mentioned")


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A question and a passage.

    Attributes:
        spans: Where the passage answers, as character offsets; alternatives, or all the pieces. Empty where the
            passage does not answer, or where it is not known where it does.
        tempting: Spans that look like the answer and are not.
        group: Rows with the same value share a document.
    """

    id: str
    question: str
    passage: str
    is_answerable: bool
    spans: tuple[tuple[int, int], ...] = ()
    tempting: tuple[tuple[int, int], ...] = ()
    source: str = ""
    kind: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim and its evidence; `label` is a place in LABELS."""

    id: str
    claim: str
    evidence: str
    label: int
    source: str = ""


Row = AnswerRow | ClaimRow


def rows_read(path: Path) -> list[Row]:
    """The rows of a JSONL file, gzipped or not.

    Raises:
        ApplicationError: the file cannot be read, or a line is not such a row: which line, and what it lacks.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
            rows = [_row(line, number) for number, line in enumerate(lines, start=1) if line.strip()]
    except (OSError, UnicodeDecodeError, EOFError) as error:
        raise ApplicationError(f"The file {path} cannot be read: {error}.", code="bad_file") from error
    if not rows:
        raise ApplicationError(f"The file {path} has no rows. Write one JSON object a line.", code="bad_file")
    return rows


def _row(line: str, number: int) -> Row:
    try:
        data = json_read(line)
        return _claim_row(data, number) if "claim" in data else _answer_row(data, number)
    except (ValueError, TypeError, KeyError, AttributeError) as error:  # not an object, or a part of another type
        what = f"lacks {error}" if isinstance(error, KeyError) else f"is not a row of a reader ({error})"
        raise ApplicationError(
            f"Line {number} {what}. A row has question, passage and answerable, or claim, evidence and label.",
            code="bad_row",
        ) from error


def _answer_row(data: dict[str, Any], number: int) -> AnswerRow:
    spans = {
        part: tuple((int(span["start"]), int(span["end"])) for span in data.get(part, ()))
        for part in ("answers", "plausible_answers")
    }
    passage = str(data["passage"])
    if any(not 0 <= start < end <= len(passage) for start, end in spans["answers"]):
        raise ValueError("an answer is outside its passage")
    return AnswerRow(
        str(data.get("id", number)),
        str(data["question"]),
        passage,
        bool(data["answerable"]),
        spans["answers"],
        spans["plausible_answers"],
        str(data.get("source", "")),
        str(data.get("kind", "")),
        str(data.get("title", "")),
    )


def _claim_row(data: dict[str, Any], number: int) -> ClaimRow:
    evidence = data["evidence"]
    return ClaimRow(
        str(data.get("id", number)),
        str(data["claim"]),
        " ".join(evidence) if isinstance(evidence, list) else str(evidence),
        LABELS.index(data["label"]),
        str(data.get("source", "")),
    )
