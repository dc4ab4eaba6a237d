"""The sets that every preset is measured on: their files, a drawn part of their questions, and what answers those."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

from corpora.services.uploads import document_name
from judging.measures import ranking
from legalqa.reproduce.intake import file_parts
from legalqa.reproduce.ll144 import FILES, overlaps
from legalqa.reproduce.rows.casebase import case_of
from legalqa.reproduce.rows.precedents import CITATION, cases_cited, is_reported
from legalqa.reproduce.types import defined
from legalqa.training.collections.corpus import rows
from legalqa.training.collections.questions import QUESTION_SETS
from retrieval.cases.files import CaseRow, CaseSpan
from retrieval.services.search import MAX_QUERY_CHARS, Passage

K = 10
QUESTIONS = 100  # ours: questions of each set, so that all of them take minutes
PASSAGES = 2_500  # ours: passages of a collection, in whole documents
DECISIONS, AROUND = 16, 200  # ours: this many decisions ask; this many characters on each side of a citation
CASES_FROM = "dev"  # the split of ObliQA that solved cases are made of; the other one asks

Files = Iterable[tuple[str, Iterable[bytes]]]


@dataclass(frozen=True, slots=True)
class SetQuestion:
    """A question, what it is drawn with, the keys of what answers it, and the file that it is about; "" for all."""

    text: str
    group: str
    gold: tuple[str, ...]
    file: str = ""


@dataclass(frozen=True, slots=True)
class AblationSet:
    """A set to be measured.

    Attributes:
        files: What is uploaded, read when it is.
        questions: The questions that were drawn.
        keys: Of a passage that was found for a question, the gold that it holds, by the keys of `SetQuestion.gold`.
        is_first: Whether the reciprocal rank of the gold is the measure, in place of recall@K.
        trained: The collection that the packaged ranker has learned from; "" for none.
        cases: Solved cases of its corpus.
    """

    files: Callable[[], Files]
    questions: tuple[SetQuestion, ...]
    keys: Callable[[Passage, SetQuestion], Sequence[str]]
    is_first: bool = False
    trained: str = ""
    cases: tuple[CaseRow, ...] = ()

    def value(self, question: SetQuestion, passages: Sequence[Passage]) -> float:
        """The measure over the first K passages."""
        ranked = list(dict.fromkeys(key for passage in passages[:K] for key in self.keys(passage, question)))
        if self.is_first:
            return defined(ranking.reciprocal_rank(ranked, question.gold))
        return len(set(ranked) & set(question.gold)) / len(set(question.gold))


def own_key(passage: Passage, _: SetQuestion) -> Sequence[str]:
    """A passage by its id."""
    return (passage.paragraph_id,)


def document_key(passage: Passage, _: SetQuestion) -> Sequence[str]:
    """A passage by the name of its document."""
    return (passage.document.name,)


def quotes_held(passage: Passage, question: SetQuestion) -> Sequence[str]:
    """The gold quotes that a passage shares words with."""
    return [quote for quote in question.gold if overlaps(passage.text, quote)]


def collection(name: str, data: Path, seed: int, *, passages: int = PASSAGES, split: str = "") -> AblationSet:
    """A collection of labelled passages: documents drawn up to this many passages, and questions that they answer.

    Args:
        name: One of `legalqa.training.collections.questions.QUESTION_SETS`.
        data: The folder of the data sets.
        seed: Of the draws.
        passages: No document is added to more.
        split: Of ObliQA's questions, the part that asks; "" for all.
    """
    question_set = QUESTION_SETS[name](data)
    documents: dict[int, list[int]] = defaultdict(list)
    for place, document in enumerate(question_set.corpus.outline.versions.tolist()):
        documents[document].append(place)
    order = np.random.default_rng(seed).permutation(sorted(documents)).tolist()
    pool: set[int] = set()
    for document in order:
        if len(pool) + len(documents[document]) <= passages:
            pool.update(documents[document])
    owner = {place: f"{name}-{document}.jsonl" for document, places in documents.items() for place in places}
    ids = {row["id"] for row in rows(data / name, "questions.jsonl.gz") if row["split"] == split} if split else None
    questions = [
        SetQuestion(
            one.text,
            one.group,
            tuple(question_set.passage_ids[place] for place in one.gold),
            owner[one.gold[0]] if one.allowed is not None else "",
        )
        for one in question_set.questions
        if one.gold and pool.issuperset(one.gold) and (ids is None or one.id in ids)
    ]

    def files() -> Iterator[tuple[str, Iterable[bytes]]]:
        for document, places in documents.items():
            if pool.issuperset(places):
                lines = ({"id": question_set.passage_ids[at], "text": question_set.corpus.texts[at]} for at in places)
                yield f"{name}-{document}.jsonl", [(json.dumps(line) + "\n").encode() for line in lines]

    return AblationSet(files, drawn(questions, seed=seed), own_key, trained=name)


def drawn(questions: Sequence[SetQuestion], *, seed: int, most: int = QUESTIONS) -> tuple[SetQuestion, ...]:
    """At most `most` questions, in the order in which they are drawn: the first of them are a draw, too."""
    return tuple(questions[place] for place in np.random.default_rng(seed).permutation(len(questions))[:most].tolist())


def obliqa(data: Path, seed: int) -> AblationSet:
    """Rules of a regulator: its test questions, and solved cases made of its other questions on one passage."""
    test_set = collection("obliqa", data, seed, split="test")
    texts = {json.loads(line)["id"] for _, lines in test_set.files() for line in lines}
    ids = {
        (row["document_id"], row["passage_id"]): str(row["id"])
        for row in rows(data / "obliqa", "corpus.jsonl.gz")
        if str(row["id"]) in texts
    }
    cases = []
    for row in rows(data / "obliqa", "questions.jsonl.gz"):
        key = ids.get((row["passages"][0]["document_id"], row["passages"][0]["passage_id"]))
        if row["split"] == CASES_FROM and row["n_passages"] == 1 and key is not None:
            cases.append(case_of(row, spans=(CaseSpan(key),)))
    return replace(test_set, cases=tuple(cases))


def ll144(data: Path, seed: int) -> AblationSet:
    """A local law in three files; gold are the quotes that answer a question, wherever they occur."""
    folder = data / "public_law" / "ll144"
    questions = [
        SetQuestion(row["question"], row["id"], tuple(evidence["quote"] for evidence in row["evidence"]))
        for row in rows(folder, "questions.jsonl")
        if row["answerable"]
    ]
    return AblationSet(
        lambda: ((name, file_parts(folder / name)) for name in FILES), drawn(questions, seed=seed), quotes_held
    )


def legalbench_rag_mini(data: Path, seed: int) -> AblationSet:
    """Whole contracts and policies; gold is the document that a question is about."""
    folder = data / "legalbench_rag_mini"

    def name_of(document: object) -> str:
        return document_name(raw=str(document).replace("/", " ").removesuffix(".txt") + ".txt")

    questions = [
        SetQuestion(row["query"], str(row["relevant_doc"]), (name_of(row["relevant_doc"]),))
        for row in rows(folder, "queries.jsonl")
    ]
    return AblationSet(
        lambda: ((name_of(row["doc_id"]), [row["text"].encode()]) for row in rows(folder, "documents.jsonl.gz")),
        drawn(questions, seed=seed),
        document_key,
        is_first=True,
    )


def irled2017(data: Path, seed: int) -> AblationSet:
    """Decisions of courts: the words around each citation taken out ask for the prior cases, among those of all drawn.

    Queries that settings were chosen on do not ask.
    """
    folder = data / "irled2017"
    texts = {row["doc_id"] for row in rows(folder, "prior_cases.jsonl.gz") if row["text"].strip()}
    gold = {query: [name for name in cited if name in texts] for query, cited in cases_cited(folder).items()}
    questions = [
        SetQuestion(citing_words(row["text"]), row["query_id"], tuple(f"{name}.txt" for name in gold[row["query_id"]]))
        for row in rows(folder, "queries.jsonl.gz")
        if is_reported(row["query_id"]) and CITATION in row["text"] and gold[row["query_id"]]
    ]
    sample = drawn(questions, seed=seed, most=DECISIONS)
    cited = {name for one in sample for name in one.gold}
    return AblationSet(lambda: _decisions(folder, cited), sample, document_key)


def _decisions(folder: Path, cited: set[str]) -> Iterator[tuple[str, Iterable[bytes]]]:
    for row in rows(folder, "prior_cases.jsonl.gz"):
        if f"{row['doc_id']}.txt" in cited:
            yield f"{row['doc_id']}.txt", [row["text"].encode()]


def citing_words(text: str) -> str:
    """The words on both sides of each citation that was taken out, as many as a question may have."""
    parts = text.split(CITATION)
    near = (f"{before[-AROUND:]} {after[:AROUND]}" for before, after in pairwise(parts))
    return re.sub(r"\s+", " ", " ".join(near)).strip()[:MAX_QUERY_CHARS].strip()


SETS: Mapping[str, Callable[[Path, int], AblationSet]] = {
    "ll144": ll144,
    "policy_copilot": partial(collection, "policy_copilot"),
    "contractnli": partial(collection, "contractnli"),
    "legalbench_rag_mini": legalbench_rag_mini,
    "obliqa": obliqa,
    "irled2017": irled2017,
}
