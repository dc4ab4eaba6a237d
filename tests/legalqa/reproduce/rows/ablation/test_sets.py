"""The sets of the ablation, each made of a few lines: what is uploaded, what is asked, and what counts as found."""

import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from legalqa.reproduce.rows.ablation.sets import (
    AblationSet,
    SetQuestion,
    citing_words,
    collection,
    document_key,
    drawn,
    irled2017,
    legalbench_rag_mini,
    obliqa,
    quotes_held,
)
from legalqa.reproduce.rows.precedents import CITATION, is_reported

SEED = 144
RULES = {1: "The licensee keeps records for six years.", 2: "A fund appoints a custodian.", 3: "Fees fall due in May."}


def written(folder: Path, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
    folder.mkdir(exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / name).write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())


def uploaded(chosen: AblationSet) -> dict[str, str]:
    return {name: b"".join(parts).decode() for name, parts in chosen.files()}


def passages(*documents: str) -> Any:
    return [SimpleNamespace(document=SimpleNamespace(name=name), text=name) for name in documents]


def test_questions_are_drawn_alike_each_time_and_each_once() -> None:
    asked = [SetQuestion(str(number), "", ("a",)) for number in range(50)]

    assert drawn(asked, seed=SEED, most=20) == drawn(asked, seed=SEED, most=20)
    assert len(set(drawn(asked, seed=SEED, most=20))) == 20
    assert set(drawn(asked, seed=SEED)) == set(asked)
    assert drawn(asked, seed=SEED, most=20) != tuple(asked[:20])


def test_documents_are_drawn_whole_and_only_what_they_answer_is_asked(tmp_path: Path) -> None:
    policies = [
        {"doc_id": f"policy {number}", "paragraph_id": f"p{number}-{place}", "text": f"{text} {place}"}
        for number, text in RULES.items()
        for place in range(2)
    ]
    asked = [
        {
            "id": str(number),
            "question": f"What of {number}?",
            "checked_category": "answerable",
            "gold_paragraph_ids": [f"p{number}-1"],
        }
        for number in RULES
    ]
    silent = {"id": "none", "question": "What?", "checked_category": "unanswerable", "gold_paragraph_ids": []}
    written(tmp_path / "policy_copilot", "paragraphs.jsonl", policies)
    written(tmp_path / "policy_copilot", "golden_set.jsonl", [*asked, silent])

    chosen = collection("policy_copilot", tmp_path, seed=SEED, passages=5)

    held = {json.loads(line)["id"] for text in uploaded(chosen).values() for line in text.splitlines()}
    assert len(held) == 4
    assert {one.gold for one in chosen.questions} == {(key,) for key in held if key.endswith("-1")}
    assert chosen.trained == "policy_copilot"


def test_cases_are_made_of_the_questions_that_do_not_ask(tmp_path: Path) -> None:
    passage = {number: {"document_id": number, "passage_id": "1", "text": text} for number, text in RULES.items()}
    asked = [
        {
            "id": f"{split} {number}",
            "question": f"What of {split} {number}?",
            "split": split,
            "n_passages": 1,
            "complexity": "1",
            "passages": [passage[number]],
        }
        for number in RULES
        for split in ("dev", "test")
    ]
    written(tmp_path / "obliqa", "corpus.jsonl.gz", [{"id": f"o{key}", **row} for key, row in passage.items()])
    written(tmp_path / "obliqa", "questions.jsonl.gz", asked)

    chosen = obliqa(tmp_path, SEED)

    assert {one.text for one in chosen.questions} == {f"What of test {number}?" for number in RULES}
    assert {(case.id, case.spans[0].paragraph_id) for case in chosen.cases} == {(f"dev {n}", f"o{n}") for n in RULES}


def test_the_right_document_counts_by_its_rank(tmp_path: Path) -> None:
    folder = tmp_path / "legalbench_rag_mini"
    names = ["cuad/A Lease.txt", 126]
    written(folder, "documents.jsonl.gz", [{"doc_id": name, "text": f"Text of {name}."} for name in names])
    written(folder, "queries.jsonl", [{"query": "Who pays?", "relevant_doc": "cuad/A Lease.txt"}])

    chosen = legalbench_rag_mini(tmp_path, SEED)

    assert uploaded(chosen) == {"cuad A Lease.txt": "Text of cuad/A Lease.txt.", "126.txt": "Text of 126."}
    found = passages("126.txt", "126.txt", "cuad A Lease.txt")
    assert (chosen.value(chosen.questions[0], found), chosen.value(chosen.questions[0], found[:2])) == (0.5, 0)


def test_a_judgment_asks_by_the_words_around_its_citations_among_the_cases_that_are_cited(tmp_path: Path) -> None:
    name = next(f"case{number}" for number in range(100) if is_reported(f"case{number}"))
    text = f"{'Long before. ' * 40}It was held in {CITATION} that leave is needed.\n{'Long after. ' * 40}"
    written(tmp_path / "irled2017", "queries.jsonl.gz", [{"query_id": name, "text": text}])
    (tmp_path / "irled2017" / "qrels.txt").write_text("".join(f"{name} 0 prior{n} 1\n" for n in (1, 2, 4)))
    prior = [{"doc_id": f"prior{number}", "text": f"Judgment {number}."} for number in (1, 2, 3)]
    prior.append({"doc_id": "prior4", "text": "\n"})  # as one of the set is: it can be neither uploaded nor found
    written(tmp_path / "irled2017", "prior_cases.jsonl.gz", prior)

    chosen = irled2017(tmp_path, SEED)

    assert uploaded(chosen) == {"prior1.txt": "Judgment 1.", "prior2.txt": "Judgment 2."}
    (asked,) = chosen.questions
    assert "It was held in that leave is needed. Long after." in asked.text
    assert len(asked.text) <= 401
    assert chosen.value(asked, passages("prior1.txt", "other.txt")) == 0.5


def test_no_question_is_longer_than_one_may_be() -> None:
    assert len(citing_words(f"a case {CITATION} " * 500)) <= 4000


@pytest.mark.parametrize(("text", "held"), [("A tool is AUDITED each year, always.", 1.0), ("Fees fall due.", 0.0)])
def test_a_quote_is_found_wherever_a_passage_holds_its_words(text: str, held: float) -> None:
    asked = SetQuestion("How often?", "", ("a tool is audited each year",))
    found: Any = [SimpleNamespace(text=text)]

    assert AblationSet(list, (asked,), quotes_held).value(asked, found) == held


def test_only_the_first_ten_passages_count() -> None:
    asked = SetQuestion("Who?", "", ("right",))
    chosen = AblationSet(list, (asked,), document_key)

    assert chosen.value(asked, passages(*["wrong"] * 9, "right")) == 1
    assert chosen.value(asked, passages(*["wrong"] * 10, "right")) == 0
