"""Questions of the public collections with the passages that answer them, ready to be searched in memory."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from legalqa.training.collections.corpus import MemoryCorpus, rows

WICE_CLAIMS, WICE_SENTENCES = 110, 80  # ours: enough statements to learn from, in a minute of encoding


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question with the places of the passages that answer it; `allowed` are the places of its own document."""

    id: str
    text: str
    group: str
    kind: str
    gold: tuple[int, ...]
    allowed: NDArray[np.int64] | None = None


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """A collection: its questions, its passages, and the passages' own ids."""

    name: str
    corpus: MemoryCorpus
    passage_ids: tuple[str, ...]
    questions: tuple[LabelledQuestion, ...]


def policy_copilot(data: Path) -> QuestionSet:
    """Questions on five policies, by the corrected label; checked paragraphs where there are any, else gold."""
    folder = data / "policy_copilot"
    paragraphs = list(rows(folder, "paragraphs.jsonl"))
    corpus = MemoryCorpus.build([r["text"] for r in paragraphs], _numbers(r["doc_id"] for r in paragraphs))
    ids = tuple(str(r["paragraph_id"]) for r in paragraphs)
    place = {identifier: i for i, identifier in enumerate(ids)}
    questions = []
    for row in rows(folder, "golden_set.jsonl"):
        kind = row["checked_category"]
        gold = () if kind == "unanswerable" else row.get("checked_paragraph_ids") or row["gold_paragraph_ids"]
        questions.append(
            LabelledQuestion(
                row["id"], row["question"], row["id"], kind, tuple(place[identifier] for identifier in gold)
            )
        )
    return QuestionSet("policy_copilot", corpus, ids, tuple(questions))


def contractnli(data: Path) -> QuestionSet:
    """Statements on one contract each, all contracts in one corpus; what is not mentioned has no gold."""
    folder = data / "contractnli"
    texts, documents, ids = [], [], []
    for document in rows(folder, "documents.jsonl.gz"):
        for number, (start, end) in enumerate(document["spans"]):
            if text := document["text"][start:end].strip():
                texts.append(text)
                documents.append(document["doc_id"])
                ids.append(f"{document['doc_id']}#{number}")
    place, owner = {identifier: i for i, identifier in enumerate(ids)}, np.array(documents)
    inside = {name: np.flatnonzero(owner == name) for name in dict.fromkeys(documents)}
    questions = tuple(
        LabelledQuestion(
            row["id"],
            row["hypothesis"],
            row["doc_id"],
            row["label"],
            tuple(place[key] for n in row["evidence_span_ids"] if (key := f"{row['doc_id']}#{n}") in place),
            inside[row["doc_id"]],
        )
        for row in rows(folder, "annotations.jsonl.gz")
    )
    return QuestionSet("contractnli", MemoryCorpus.build(texts, _numbers(documents)), tuple(ids), questions)


def obliqa(data: Path) -> QuestionSet:
    """Questions on 40 documents of rules; only those all of whose passages are in the corpus."""
    folder = data / "obliqa"
    passages = [row for row in rows(folder, "corpus.jsonl.gz") if row["text"].strip()]
    corpus = MemoryCorpus.build([r["text"] for r in passages], _numbers(r["document_id"] for r in passages))
    place = {_passage(row): i for i, row in enumerate(passages)}
    questions = []
    for row in rows(folder, "questions.jsonl.gz"):
        gold = [place.get(_passage(passage)) for passage in row["passages"]]
        if gold and None not in gold:
            group = str(row["passages"][0]["document_id"])
            places = tuple(g for g in gold if g is not None)
            questions.append(LabelledQuestion(row["id"], row["question"], group, row["complexity"], places))
    return QuestionSet("obliqa", corpus, tuple(str(r["id"]) for r in passages), tuple(questions))


def wice(data: Path) -> QuestionSet:
    """Claims on the sentences of the pages they cite: statements to learn from, reported nowhere."""
    claims = [
        row
        for row in rows(data / "wice", "claims.jsonl.gz")
        if len(row["evidence"]) <= WICE_SENTENCES and row["supporting_sentences"]
    ][:WICE_CLAIMS]
    texts: list[str] = []
    documents: list[int] = []
    questions = []
    for number, row in enumerate(claims):
        places = {}
        for sentence, text in enumerate(row["evidence"]):
            if text.strip():
                places[sentence] = len(texts)
                texts.append(text)
                documents.append(number)
        numbers = sorted({sentence for sentences in row["supporting_sentences"] for sentence in sentences})
        gold = tuple(places[sentence] for sentence in numbers if sentence in places)
        inside = np.array(list(places.values()), np.int64)
        questions.append(LabelledQuestion(row["id"], row["claim"], row["id"], row["label"], gold, inside))
    ids = tuple(str(place) for place in range(len(texts)))
    return QuestionSet("wice", MemoryCorpus.build(texts, documents), ids, tuple(questions))


QUESTION_SETS: dict[str, Callable[[Path], QuestionSet]] = {
    "policy_copilot": policy_copilot,
    "contractnli": contractnli,
    "obliqa": obliqa,
    "wice": wice,
}


def _numbers(names: Iterable[Any]) -> list[int]:
    numbers: dict[Any, int] = {}
    return [numbers.setdefault(name, len(numbers)) for name in names]


def _passage(row: dict[str, Any]) -> tuple[str, str]:
    return str(row["document_id"]), str(row["passage_id"])
