"""The row of the case base: which questions test it, and its figures worked out by hand."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from judging.experiments.cases.measure import CaseQuestion, Compared, found_by, heat_map_of
from legalqa.reproduce.rows.casebase import casebase_figures, cases_and_questions


def row(question: str, *passages: str, split: str = "dev") -> dict[str, Any]:
    return {
        "id": question,
        "question": question,
        "n_passages": len(passages),
        "passages": [
            {"document_id": 1, "passage_id": name, "text": f"Nothing else. What of {name} is due."} for name in passages
        ],
        "split": split,
    }


def test_a_question_tests_the_base_where_both_its_passages_are_cases(tmp_path: Path) -> None:
    folder = tmp_path / "obliqa"
    folder.mkdir()
    lines = [
        row("What of a?", "a"),
        row("More of a?", "a"),
        row("What of b?", "b"),
        row("Both?", "a", "b", split="test"),
    ]
    more = [row("Both?", "a", "b"), row("One is missing?", "a", "c"), row("All three?", "a", "b", "c")]
    for name, rows in (("questions", lines), ("multipassage_questions", more)):
        with gzip.open(folder / f"{name}.jsonl.gz", "wt") as file:
            file.writelines(json.dumps(line) + "\n" for line in rows)

    cases, asked = cases_and_questions(tmp_path)

    assert [(case.question, case.answer) for case in cases] == [
        ("What of a?", "What of a is due."),
        ("What of b?", "What of b is due."),
    ]
    assert asked == [CaseQuestion("Both?", frozenset({0, 1}), "1", is_test=True)]


def compared() -> Compared:
    """Two test questions and one other, four cases: the support finds both parents, the question neither."""
    asked = tuple(CaseQuestion(f"q{n}", frozenset({0, 1}), str(n), is_test=n < 2) for n in range(3))
    wrong = np.tile(np.array([0.1, 0.2, 0.9, 0.8], np.float32), (3, 1))
    right = np.tile(np.array([0.9, 0.8, 0.2, 0.1], np.float32), (3, 1))
    return Compared(asked, (wrong, right, right))


def test_figures_are_of_the_test_questions_alone_and_differences_are_paired() -> None:
    figures = casebase_figures(compared(), seed=144)

    assert figures["f1_support"].value == pytest.approx(0.8)  # both of two in three: precision 2/3, recall 1
    assert figures["f1_question"].value == pytest.approx(0.4)  # one of two in three
    assert figures["f1_question"].n == 2
    assert figures["gain"].value == pytest.approx(0.4)
    assert figures["f1_support"].note.startswith("@1 0.667, @2 1.000, @3 0.800")


def test_the_heat_map_has_a_row_for_each_encoder_and_weighting_and_a_column_for_each_k() -> None:
    chart = heat_map_of(found_by({"MiniLM": compared()}))

    assert len(chart.table.rows) == 5
    assert chart.table.rows[1][0].text == "MiniLM [0, 1, 0]"
    assert len(chart.table.rows[0]) == 14
