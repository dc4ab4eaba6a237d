"""Gold sets in the shapes of other tools: CSV, BEIR, TREC, RAGAS, Hugging Face `datasets`, CUAD, IRLeD, plain pairs."""

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judging.gold.files import KEYS, GoldFileError, GoldRow, gold_documents, gold_lines
from judging.gold.passages import Passages
from judging.gold.qrels import queries_and_relevant
from judging.models import Review
from legalqa.common.csv_files import csv_lines, csv_text
from legalqa.common.errors import ApplicationError
from legalqa.common.json_lines import NotJson, json_lines, json_read
from legalqa.common.text_files import text_read
from retrieval.services.search import MAX_QUERY_CHARS

Document = dict[str, Any]


@dataclass
class Brought:
    """Questions of a file in the shape of JSONL, and what the person should know about them."""

    documents: list[Document] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)  # of the file, where each question is one; for its errors
    notes: list[str] = field(default_factory=list)

    def place(self, document: Document, quotes: Iterable[str], passages: Passages, *, title: str = "") -> None:
        """Add a question whose passages are given as words; those that no document has leave its evidence unknown."""
        spans = [passages.find(quote, document=title) for quote in quotes]
        places = [span for span in spans if span is not None]
        if len(places) < len(spans):
            name = document.get("id") or str(len(self.documents) + 1)
            missing = len(spans) - len(places)
            self.notes.append(f"Question {name}: {missing} of {len(spans)} passages are not in the corpus.")
        self.documents.append(document | {"spans": places})


# -- Taking in ---------------------------------------------------------------------------------------------------------


def gold_brought(data: bytes, *, shape: str, passages: Passages) -> Brought:
    """The questions of a file in one of the shapes of READERS.

    Raises:
        GoldFileError: a line that does not fit.
        ApplicationError: an unknown shape, or a file that is not of that shape.
    """
    if shape not in READERS:
        raise ApplicationError(f"Cannot import {shape!r}; choose one of: {', '.join(READERS)}.", code="unknown_format")
    return READERS[shape](data, passages)


def _jsonl(data: bytes, _passages: Passages) -> Brought:
    lines = list(json_lines(text_read(data), refused=GoldFileError))
    return Brought([document for _, document in lines], [line for line, _ in lines])


def _csv_rows(data: bytes) -> Iterator[tuple[int, dict[str, str]]]:
    for line, row in csv_lines(text_read(data), refused=GoldFileError):
        yield line, {key: _unquoted(cell or "") for key, cell in row.items()}


def _unquoted(cell: str) -> str:
    """A cell without the apostrophe that `legalqa.common.csv_files` puts before what would be a formula."""
    return cell[1:] if cell[:1] == "'" and cell[1:].lstrip()[:1] in tuple("=+-@") else cell


def _csv(data: bytes, _passages: Passages) -> Brought:
    brought = Brought()
    for line, row in _csv_rows(data):
        document: Document = {key: value for key, value in row.items() if value.strip()}
        if "reference_paragraph_ids" in document:
            document["reference_paragraph_ids"] = document["reference_paragraph_ids"].split()
        if "answerable" in document:
            document["answerable"] = _yes(line, document["answerable"])
        for key in ("spans", "history"):
            if key in document:
                document[key] = _json(document[key], f"Line {line}: {key} must be JSON.")
        brought.documents.append(document)
        brought.lines.append(line)
    return brought


def _yes(line: int, word: str) -> bool:
    choices = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if word.strip().lower() not in choices:
        raise GoldFileError(line, "answerable must be true or false.")
    return choices[word.strip().lower()]


def _json(text: str, problem: str) -> Any:
    try:
        return json_read(text)
    except NotJson as error:
        raise ApplicationError(f"{problem} What is there is not valid: {error}.", code="bad_json") from None


def _judged(data: bytes, passages: Passages) -> Brought:
    """BEIR, TREC and IRLeD: queries with the documents or paragraphs that are relevant to them, in one zip.

    A document counts as its paragraphs, as many as a question may have.
    """
    queries, relevant = queries_and_relevant(data)
    brought = Brought()
    judged = {query: text for query, text in queries.items() if relevant.get(query)}
    if left_out := len(queries) - len(judged):
        brought.notes.append(f"Left out: {left_out:,} questions for which the qrels name nothing relevant.")
    if without_text := relevant.keys() - queries.keys():
        brought.notes.append(f"Left out: {len(without_text):,} judged questions that no file of queries has.")
    for query, text in judged.items():
        ids = [paragraph_id for name in relevant[query] for paragraph_id in passages.named(name)]
        if missing := [name for name in relevant[query] if not passages.named(name)]:
            brought.notes.append(f"Question {query}: {missing[0]!r} is not in the corpus ({len(missing)} missing).")
        if len(text) > MAX_QUERY_CHARS:
            brought.notes.append(f"Question {query}: cut after {MAX_QUERY_CHARS:,} of {len(text):,} characters.")
        if not ids:
            brought.notes.append(f"Question {query}: left out, because nothing that answers it is in the corpus.")
            continue
        references = list(dict.fromkeys(ids))[:100]
        if len(references) < len(set(ids)):
            brought.notes.append(f"Question {query}: the first 100 of {len(set(ids))} paragraphs are kept.")
        brought.documents.append(
            {"id": query, "question": text[:MAX_QUERY_CHARS], "reference_paragraph_ids": references}
        )
    return brought


def _texts(line: int, fields: Mapping[str, Any], key: str) -> list[str]:
    """The strings of a list; none where the key is missing or null."""
    texts = [] if fields.get(key) is None else fields[key]
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise GoldFileError(line, f"{key} must be a list of strings. Write [] where there is none.")
    return texts


def _ragas(data: bytes, passages: Passages) -> Brought:
    """JSON lines with the columns of RAGAS, of version 0.2 on or before it."""
    brought = Brought()
    for line, row in json_lines(text_read(data), refused=GoldFileError):
        answer = row.get("reference") or row.get("ground_truth") or ""
        quotes = _texts(line, row, "reference_contexts")
        document: Document = {"question": row.get("user_input") or row.get("question"), "reference_answer": answer}
        if not answer and not quotes:
            document["answerable"] = False
        brought.place(document, quotes, passages)
    return brought


def _datasets(data: bytes, passages: Passages) -> Brought:
    """JSON lines with the columns of SQuAD 2.0 in the Hugging Face hub: id, title, context, question, answers."""
    brought = Brought()
    for line, row in json_lines(text_read(data), refused=GoldFileError):
        held = row.get("answers") or {}
        if not isinstance(held, dict):
            raise GoldFileError(line, "answers must be an object with text, a list of strings.")
        answers = [text for text in _texts(line, held, "text") if text]
        document: Document = {"id": str(row.get("id", "")), "question": row.get("question")}
        document["answerable"] = bool(answers)
        document["reference_answer"] = answers[0] if answers else ""
        brought.place(document, answers, passages, title=str(row.get("title", "")))
    return brought


def _cuad(data: bytes, passages: Passages) -> Brought:
    """CUAD and other files in the shape of SQuAD 2.0: contracts with questions and spans."""
    file = _json(text_read(data), "This is not JSON in the shape of SQuAD: an object with `data`.")
    if not isinstance(file, dict) or not isinstance(file.get("data"), list):
        raise ApplicationError("This is not JSON in the shape of SQuAD: an object with `data`.", code="bad_json")
    brought = Brought()
    try:
        for contract in file["data"]:
            for entry in (entry for part in contract["paragraphs"] for entry in part["qas"]):
                answers = list(dict.fromkeys(answer["text"] for answer in entry["answers"] if answer["text"].strip()))
                document: Document = {"id": str(entry.get("id", ""))[-200:], "question": entry["question"]}
                document["answerable"] = bool(answers)
                document["reference_answer"] = "\n".join(answers)
                document["question_type"] = "clause identification"
                brought.place(document, answers, passages, title=str(contract.get("title", "")))
    except (KeyError, TypeError, AttributeError):
        raise ApplicationError(
            "The file is not in the shape of SQuAD: data, paragraphs, qas, question, answers.", code="bad_json"
        ) from None
    return brought


def _pairs(data: bytes, _passages: Passages) -> Brought:
    """Questions with answers, as CSV or JSON lines; the evidence is unknown, and no answer means not answerable."""
    text = text_read(data)
    is_json = text.lstrip().startswith("{")
    rows: Iterable[tuple[int, Mapping[str, Any]]]
    rows = json_lines(text, refused=GoldFileError) if is_json else _csv_rows(data)
    brought = Brought()
    for _, row in rows:
        answer = str(row.get("answer") or row.get("reference_answer") or "")
        brought.documents.append(
            {"question": row.get("question"), "reference_answer": answer, "answerable": bool(answer.strip())}
        )
    return brought


READERS: dict[str, Callable[[bytes, Passages], Brought]] = {
    "jsonl": _jsonl,
    "csv": _csv,
    "beir": _judged,
    "trec": _judged,
    "irled": _judged,
    "ragas": _ragas,
    "datasets": _datasets,
    "cuad": _cuad,
    "pairs": _pairs,
}


# -- Writing -----------------------------------------------------------------------------------------------------------


def gold_written(rows: Sequence[GoldRow], *, shape: str, passages: Passages) -> tuple[bytes, str, str]:
    """A gold set in one of the shapes of WRITERS: its content, the ending of its file, and the content type.

    Shapes of others have no place for a review, so only approved questions are written in them.

    Raises:
        ApplicationError: an unknown shape.
    """
    if shape not in WRITERS:
        raise ApplicationError(f"Cannot export {shape!r}; choose one of: {', '.join(WRITERS)}.", code="unknown_format")
    write, ending, kind = WRITERS[shape]
    if shape not in WITH_REVIEW:
        rows = [row for row in rows if row.review == Review.APPROVED]
    return write(rows, passages), ending, kind


def _to_jsonl(rows: Sequence[GoldRow], _passages: Passages) -> bytes:
    return "".join(gold_lines(rows)).encode()


def _to_csv(rows: Sequence[GoldRow], _passages: Passages) -> bytes:
    table = []
    for document in gold_documents(rows):
        cells = document | {
            "answerable": "true" if document["answerable"] else "false",
            "reference_paragraph_ids": " ".join(document.get("reference_paragraph_ids", ())),
        }
        for key in ("spans", "history"):
            cells[key] = json.dumps(document[key], ensure_ascii=False) if key in document else ""
        table.append([cells.get(key, "") for key in KEYS])
    return csv_text(header=KEYS, rows=table).encode()


def _name(row: GoldRow) -> str:
    return row.id or f"q{row.line}"


def zipped(files: Mapping[str, str]) -> bytes:
    """A zip archive of texts by file name, without times: the same files give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return out.getvalue()


def _to_beir(rows: Sequence[GoldRow], passages: Passages) -> bytes:
    pairs = [(row, span.paragraph_id) for row in rows for span in row.references]
    qrels = "".join(f"{_name(row)}\t{paragraph}\t1\n" for row, paragraph in dict.fromkeys(pairs))
    return zipped(
        {
            "corpus.jsonl": _lines({"_id": name, "title": "", "text": text} for name, text in passages.texts.items()),
            "queries.jsonl": _lines({"_id": _name(row), "text": row.question} for row in rows),
            "qrels/test.tsv": f"query-id\tcorpus-id\tscore\n{qrels}",
        }
    )


def _to_trec(rows: Sequence[GoldRow], _passages: Passages) -> bytes:
    pairs = dict.fromkeys((_name(row), span.paragraph_id) for row in rows for span in row.references)
    return zipped(
        {
            "topics.tsv": "".join(f"{_name(row)}\t{row.question}\n" for row in rows),
            "qrels.txt": "".join(f"{query} 0 {paragraph} 1\n" for query, paragraph in pairs),
        }
    )


def _to_ragas(rows: Sequence[GoldRow], passages: Passages) -> bytes:
    """The columns of a RAGAS evaluation set; the person who runs a system adds what it retrieved and answered."""
    return _lines(
        {
            "user_input": row.question,
            "reference": row.reference_answer,
            "reference_contexts": _quoted(row, passages),
        }
        for row in rows
    ).encode()


def _to_datasets(rows: Sequence[GoldRow], passages: Passages) -> bytes:
    """The columns of SQuAD 2.0; a question's answers are its passages, each with its place in the context."""
    lines = []
    for row in rows:
        texts, context, starts = _quoted(row, passages), "", []
        for text in texts:
            starts.append(len(context))
            context += text + "\n\n"
        answers = {"text": texts, "answer_start": starts}
        lines.append({"id": _name(row), "title": "", "context": context, "question": row.question, "answers": answers})
    return _lines(lines).encode()


def _quoted(row: GoldRow, passages: Passages) -> list[str]:
    """The words of a question's live references."""
    live = [span for span in row.references if span.paragraph_id in passages.texts]
    return [passages.texts[span.paragraph_id][slice(span.start, span.end)] for span in live]


def _lines(documents: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(document, ensure_ascii=False) + "\n" for document in documents)


WITH_REVIEW = ("jsonl", "csv")  # the shapes that say what is a draft
JSONL, ZIP = "application/x-ndjson; charset=utf-8", "application/zip"
WRITERS: dict[str, tuple[Callable[[Sequence[GoldRow], Passages], bytes], str, str]] = {
    "jsonl": (_to_jsonl, "jsonl", JSONL),
    "csv": (_to_csv, "csv", "text/csv; charset=utf-8"),
    "beir": (_to_beir, "zip", ZIP),
    "trec": (_to_trec, "zip", ZIP),
    "ragas": (_to_ragas, "jsonl", JSONL),
    "datasets": (_to_datasets, "jsonl", JSONL),
}
