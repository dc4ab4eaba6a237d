"""Queries with the names of what is relevant to them, as BEIR, TREC and IRLeD have them: files in one zip."""

import io
import lzma
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator

from judging.gold.files import GoldFileError
from legalqa.common.errors import ApplicationError
from legalqa.common.json_lines import json_lines
from legalqa.common.numbers import whole_number
from legalqa.common.text_files import text_read

MAX_MEMBER = 50_000_000  # bytes of one file in an archive, unpacked


def queries_and_relevant(data: bytes) -> tuple[dict[str, str], dict[str, list[str]]]:
    """The text of each query of a zip, and the names of what is relevant to it, by its id.

    Queries are JSONL (`_id`, `query_id` or `id`, and `text`) or lines of an id, a tab and the text; qrels have three
    columns with a heading (BEIR) or four without (TREC). Only judgments above 0 count.

    Raises:
        GoldFileError: a line that does not fit.
        ApplicationError: no archive, no query in it, or two of one id.
    """
    relevant: dict[str, list[str]] = defaultdict(list)
    queries: dict[str, str] = {}
    for name, content in _archive(data):
        if "qrel" in name or (name.endswith(".tsv") and "quer" not in name and "topic" not in name):
            for query, document in _qrels(text_read(content, name)):
                relevant[query].append(document)
        elif "quer" in name or "topic" in name:
            for query, text in _queries(text_read(content, name)):
                if queries.setdefault(query, text) != text:
                    raise ApplicationError(f"Two queries have the id {query[:80]!r}. Change one.", code="same_query")
    if not queries:
        raise ApplicationError("The archive has no file of queries, such as queries.jsonl.", code="no_queries")
    return queries, relevant


def _archive(data: bytes) -> list[tuple[str, bytes]]:
    """The files of a zip with their names, which those of two folders may share; without folders and hidden files."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not _is_hidden(member.filename)]
            if sum(member.file_size for member in members) > MAX_MEMBER:
                raise ApplicationError("The archive holds more than 50 MB. Split it.", code="too_large")
            return [(member.filename.rsplit("/", 1)[-1], archive.read(member)) for member in members]
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, EOFError, NotImplementedError, RuntimeError):
        raise ApplicationError(
            "This is not a zip archive, or it is damaged. Put the queries and the qrels into one zip file.",
            code="bad_archive",
        ) from None


def _is_hidden(path: str) -> bool:
    """Whether that is a folder, or what an operating system adds ("._queries.tsv", ".DS_Store")."""
    return path.endswith("/") or path.rsplit("/", 1)[-1].startswith(".")


def _queries(text: str) -> Iterator[tuple[str, str]]:
    """The id and the text of each query of a file."""
    if text.lstrip().startswith("{"):
        for _, row in json_lines(text, refused=GoldFileError):
            yield str(row.get("_id") or row.get("query_id") or row.get("id")), str(row.get("text", ""))
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            name, tab, words = line.partition("\t")
            if not tab:
                raise GoldFileError(number, "a query is an id, a tab and its text, and this line has no tab.")
            yield name.strip(), words.strip()


def _qrels(text: str) -> Iterator[tuple[str, str]]:
    """The id of each query with the name of something relevant to it."""
    for number, line in enumerate(text.splitlines(), start=1):
        cells = line.split("\t") if "\t" in line else line.split()
        if not line.strip() or cells[-1].strip() in ("score", "relevance"):
            continue
        if len(cells) < 3:
            raise GoldFileError(number, f"qrels have three or four columns, and this line has {len(cells)}.")
        query, document, score = (cells[0], cells[-2], cells[-1].strip())
        judgment = whole_number(score.removeprefix("-"))
        if judgment is None:
            raise ApplicationError(
                f"Line {number} of the qrels ends with {score[:40]!r}, which is not a whole number. Correct it.",
                code="bad_qrels",
            )
        if judgment and not score.startswith("-"):
            yield query.strip(), document.strip()
