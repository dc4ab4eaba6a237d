"""Real questions from a file: the paragraph of each is the one that is given, or the law that its answer names."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from corpora.models import Corpus
from legalqa.common.csv_files import csv_lines, csv_text
from legalqa.common.errors import ApplicationError
from legalqa.common.json_lines import LineError, json_lines
from legalqa.common.numbers import whole_number
from legalqa.common.text_files import text_read
from retrieval.models import IndexedQuestion, QuestionSource, QuestionState
from retrieval.questions.laws import Place, Provisions

MAX_ROWS = 10_000  # ours, a file
MAX_CHARS = 2000  # ours: characters of a question
MAX_KIND = 40
COLUMNS = ("question", "answer", "paragraph_id")
EXPORTED = ("question", "paragraph_id", "start", "end", "source", "kind", "state", "author", "passage", "made_text")


class QuestionFileError(LineError):
    """A line that is no question."""

    kind = "bad_line"


@dataclass(frozen=True, slots=True)
class Pair:
    """A question and the words of a paragraph that answer it, a real one where nothing else is said.

    Attributes:
        author: Where it came from.
        source, kind, state: As of `IndexedQuestion`.
        made_text: As it was before somebody put it in other words; "" where nobody did.
    """

    text: str
    paragraph_id: int
    start: int
    end: int
    author: str
    source: str = QuestionSource.PAIR.value
    kind: str = ""
    state: str = QuestionState.INDEXED.value
    made_text: str = ""

    @property
    def is_generated(self) -> bool:
        """Whether a build made it, and nobody rejected or edited it: the next build may make it otherwise."""
        is_changed = self.made_text not in ("", self.text)
        return self.source != QuestionSource.PAIR and self.state == QuestionState.INDEXED and not is_changed


def pairs_read(
    lines: Iterable[tuple[int, Mapping[str, Any]]], *, corpus: Corpus, author: str
) -> tuple[list[Pair], list[str]]:
    """The pairs of numbered lines, and a sentence for each line that became none; inside the organisation's scope.

    A line has `question`, and `answer` or `paragraph_id` (as searches and the reader show it). Without an id, the
    paragraph is the law that the answer names by number ("Article 841", "§ 20-871"). What an exported file has beside
    that is kept: where in the paragraph the words are, source, kind, state, author, the words before an edit.

    Source: Ryu et al. 2023, Eval-RAG, section 2: "we extract related document d from the answer a".

    Raises:
        ApplicationError: there are no lines or too many, or one is not of that shape.
    """
    rows = list(lines)
    if not rows or len(rows) > MAX_ROWS:
        raise ApplicationError(f"Give 1 to {MAX_ROWS:,} questions a file; this one has {len(rows):,}.", code="bad_rows")
    pairs, left_out = [], []
    provisions = Provisions(corpus)
    for line, row in rows:
        text = " ".join(_words(row, "question").split())
        if not 8 <= len(text) <= MAX_CHARS:
            raise ApplicationError(
                f"Line {line}: the question has {len(text):,} characters; give 8 to {MAX_CHARS:,}.", code="bad_line"
            )
        place = _place(provisions, row)
        if isinstance(place, Place):
            pairs.append(_pair(line, row, text, place, author))
        else:
            left_out.append(f"Line {line} {place}.")
    return pairs, left_out


def file_lines(data: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a JSONL or CSV file with their numbers.

    Raises:
        ApplicationError: the file is neither.
    """
    text = text_read(data)
    if text.lstrip()[:1] == "{":
        yield from json_lines(text, refused=QuestionFileError)
        return
    for line, row in csv_lines(text, refused=QuestionFileError):
        if "question" not in row:
            raise ApplicationError(
                f"This is not a table with the columns {', '.join(COLUMNS)}, and no JSONL. Give one of the two.",
                code="bad_file",
            )
        yield line, row


def _pair(line: int, row: Mapping[str, Any], text: str, place: Place, author: str) -> Pair:
    """
    Raises:
        QuestionFileError: a source, a state or a span that there is not.
    """
    chosen = {"source": QuestionSource.PAIR.value, "state": QuestionState.INDEXED.value}
    for column, choices in (("source", QuestionSource.values), ("state", QuestionState.values)):
        if word := _words(row, column):
            if word not in choices:
                raise QuestionFileError(
                    line, f"the {column} is {word[:40]!r}; use one of {', '.join(choices)}, or leave it out."
                )
            chosen[column] = word
    bounds = ["" if row.get(column) is None else str(row[column]) for column in ("start", "end")]
    start, end = [whole_number(bound) for bound in bounds] if any(bounds) else (0, place.length)
    if start is None or end is None or not start < end <= place.length:
        raise QuestionFileError(
            line,
            f"the passage has {place.length:,} characters; give a start from 0 and an end up to that, or neither.",
        )
    kind, made_text = _words(row, "kind")[:MAX_KIND], " ".join(_words(row, "made_text").split())[:MAX_CHARS]
    who = _words(row, "author") or author
    return Pair(text, place.paragraph_id, start, end, who, kind=kind, made_text=made_text, **chosen)


def _place(provisions: Provisions, row: Mapping[str, Any]) -> Place | str:
    """The paragraph of a line, or why it has none."""
    if paragraph_id := _words(row, "paragraph_id"):
        return provisions.by_id(paragraph_id) or f"names the paragraph {paragraph_id[:80]!r}, which is not searched"
    return provisions.by_answer(_words(row, "answer"))


def _words(row: Mapping[str, Any], column: str) -> str:
    """What a column holds, without what cannot be stored; "" where it holds no text."""
    cell = row.get(column)
    return cell.replace("\x00", "").encode("utf-8", "replace").decode() if isinstance(cell, str) else ""


def questions_file(questions: list[IndexedQuestion], *, shape: str) -> tuple[str, str]:
    """Indexed questions as CSV or JSONL, with the content type; the paragraphs must be loaded.

    Raises:
        ApplicationError: another shape.
    """
    rows = [
        {
            "question": question.text,
            "paragraph_id": question.paragraph.shown_id,
            **{name: getattr(question, name) for name in ("start", "end", "source", "kind", "state", "author")},
            "passage": question.paragraph.text[question.start : question.end],
            "made_text": question.made_text,
        }
        for question in questions
    ]
    if shape == "csv":
        return csv_text(
            header=EXPORTED, rows=[[row[name] for name in EXPORTED] for row in rows]
        ), "text/csv; charset=utf-8"
    if shape == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "application/x-ndjson"
    raise ApplicationError(f"There is no format {shape!r}; choose jsonl or csv.", code="unknown_format")
