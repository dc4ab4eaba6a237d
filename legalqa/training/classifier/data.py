"""Questions with a class to train on: from a CSV, from a public collection, from gold sets."""

import csv
import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from corpora.in_force import positions_live
from corpora.models import Corpus
from judging.gold.services.sets import gold_questions_learned
from judging.models import GoldReference, GoldSet
from legalqa.common.csv_files import csv_lines
from legalqa.common.errors import ApplicationError
from legalqa.common.json_lines import LineError
from legalqa.common.numbers import whole_number
from legalqa.common.text_files import file_read
from legalqa.training.classifier.fitting import MAX_ROWS
from legalqa.training.classifier.splitting import GROUPS
from legalqa.training.collections.corpus import rows as collection_rows
from retrieval.complexity.types import COLUMNS, MAX_CLASSES, LabelledText, label_of

MAX_CHARS = 2000  # characters of a question that are read
MAX_BYTES = 20_000_000


class CsvError(LineError):
    """A line that is no question with a class."""

    kind = "bad_csv"


def csv_rows(text: str) -> list[LabelledText]:
    """The questions of a CSV with the columns question and label; group, change and original where it has them.

    Labels are whole numbers from 0; a question that occurs twice with the same label is taken once.

    Raises:
        ApplicationError: a column is missing, or a row does not fit; the row's number is named.
    """
    by_text: dict[str, LabelledText] = {}
    for line, row in csv_lines(text, refused=CsvError):
        if missing := [name for name in COLUMNS[:2] if name not in row]:
            raise CsvError(1, f"the CSV has no column {missing[0]!r}. Its first line must name question and label.")
        question = (row["question"] or "").strip()
        by_text.setdefault(question.casefold(), _csv_row(line, question, row))
        if len(by_text) > MAX_ROWS:
            raise ApplicationError(f"The CSV has more than {MAX_ROWS:,} questions. Give fewer.", code="bad_csv")
    return list(by_text.values())


def _csv_row(line: int, question: str, row: Mapping[str, str | None]) -> LabelledText:
    written = (row["label"] or "").strip()
    label = whole_number(written)
    if label is None or label >= MAX_CLASSES:
        raise CsvError(line, f"the label {written[:40]!r} is not a whole number from 0 to {MAX_CLASSES - 1}.")
    if not question or len(question) > MAX_CHARS:
        raise CsvError(line, f"a question has 1 to {MAX_CHARS:,} characters.")
    more = {name: (row.get(name) or "").strip() for name in COLUMNS[2:]}
    return LabelledText(question, label, more["group"], more["change"], more["original"])


def csv_read(file: str) -> list[LabelledText]:
    """The questions of a CSV file.

    Raises:
        ApplicationError: there is no such file, it is not text, or it does not fit.
    """
    return csv_rows(file_read(file))


def csv_text_of(rows: Iterable[LabelledText]) -> str:
    """Rows as the CSV that `csv_rows` reads."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(row.as_mapping().values() for row in rows)
    return out.getvalue()


# -- Public collections -----------------------------------------------------------------------------------------------


def obliqa_rows(data: Path) -> list[LabelledText]:
    """ObliQA and its multi-passage questions. A question's groups are the documents that its passages are in."""
    folder = data / "obliqa"
    by_text: dict[str, LabelledText] = {}
    # The authors checked the multi-passage questions: where one is in both files, theirs holds.
    for name in ("multipassage_questions.jsonl.gz", "questions.jsonl.gz"):
        for row in collection_rows(folder, name):
            documents = sorted({str(passage["document_id"]) for passage in row["passages"]})
            text = row["question"].strip()
            labelled = LabelledText(text, label_of(row["n_passages"], 3), GROUPS.join(documents))
            by_text.setdefault(text.casefold(), labelled)
    return list(by_text.values())


def wice_rows(data: Path) -> list[LabelledText]:
    """Claims by how many sentences support them, the shortest set where there are several: statements, no questions."""
    by_text: dict[str, LabelledText] = {}
    for row in collection_rows(data / "wice", "claims.jsonl.gz"):
        if sets := [sentences for sentences in row["supporting_sentences"] if sentences]:
            text = row["claim"].strip()
            label = label_of(min(map(len, sets)), 3)
            by_text.setdefault(text.casefold(), LabelledText(text, label, row["claim_title"].replace(GROUPS, ",")))
    return list(by_text.values())


def policy_copilot_rows(data: Path) -> list[LabelledText]:
    """The golden set of Policy Copilot, by its checked paragraphs."""
    questions = []
    for row in collection_rows(data / "policy_copilot", "golden_set.jsonl"):
        gold = row.get("checked_paragraph_ids") or row["gold_paragraph_ids"]
        if gold and row["checked_category"] != "unanswerable":
            questions.append(LabelledText(row["question"].strip(), label_of(len(gold), 3)))
    return questions


def ll144_rows(data: Path) -> list[LabelledText]:
    """The questions on Local Law 144, by how many contexts their reader counted."""
    rows = collection_rows(data / "public_law" / "ll144", "questions.jsonl")
    return [LabelledText(r["question"], label_of(r["n_contexts"], 3)) for r in rows if r["answerable"]]


COLLECTIONS: Mapping[str, Callable[[Path], list[LabelledText]]] = {
    "obliqa": obliqa_rows,
    "policy_copilot": policy_copilot_rows,
    "ll144": ll144_rows,
    "wice": wice_rows,
}


# -- What people have marked ------------------------------------------------------------------------------------------


def gold_set_rows(*, gold_set: GoldSet) -> list[LabelledText]:
    """The answerable questions of a gold set, by how many passages answer them (H4); call it inside a scope."""
    references = GoldReference.objects.filter(question__gold_set=gold_set).order_by("pk")
    passages: dict[Any, set[int]] = defaultdict(set)
    for question_id, paragraph_id in references.values_list("question_id", "paragraph_id"):
        passages[question_id].add(paragraph_id)
    questions = gold_questions_learned(gold_sets=[gold_set]).filter(is_answerable=True)
    return [
        LabelledText(text.strip(), label_of(len(passages[pk]), MAX_CLASSES))
        for pk, text in questions.values_list("pk", "text")
        if passages[pk] and text.strip()
    ]


def passages_by_document(*, corpus: Corpus) -> dict[str, list[str]]:
    """The paragraphs of each searchable document in reading order, headings left out; call it inside a scope."""
    live = positions_live(corpus=corpus).exclude(kind="heading")
    passages: dict[str, list[str]] = defaultdict(list)
    for document_id, text in live.order_by("version", "ordinal").values_list("version__document_id", "paragraph__text"):
        passages[str(document_id)].append(text)
    return passages
