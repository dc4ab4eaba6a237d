"""The rows of agreement read votes as published: what a judge left open is not a verdict."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from legalqa.reproduce.expected import expected_load
from legalqa.reproduce.rows.agreement import alce_human, openqa_eval
from legalqa.reproduce.types import Context


def context(folder: Path, row: str, rows: list[dict[str, Any]]) -> Context:
    spec = expected_load().rows[row]
    file = folder / spec.reads[0]
    file.parent.mkdir()
    file.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    return Context(row, spec, folder, folder, folder, 144, print)


def test_gpt4_and_bem_are_compared_with_people(tmp_path: Path) -> None:
    """Of four verdicts of GPT-4 three agree, one pass too many: observed 0.75, by chance 0.5."""
    verdicts = [(True, True, 0.9), (True, True, 0.8), (False, True, 0.3), (False, False, 0.2), (True, None, 0.7)]
    rows = [
        {"question_id": str(at), "human_acceptable": human, "bem_score": bem}
        | ({} if judge is None else {"judge_gpt4": judge})
        for at, (human, judge, bem) in enumerate(verdicts)
    ]
    found = openqa_eval(context(tmp_path, "openqa_eval", rows))

    assert (found["gpt4_raw"].value, found["gpt4_raw"].n) == (0.75, 4)
    assert found["gpt4_kappa"].value == pytest.approx(0.5)
    assert found["bem_kendall"].n == 5
    assert found["bem_kendall"].value == pytest.approx(6 / (6 * 10) ** 0.5)  # 6 pairs of unlike verdicts, of 10


def test_asqa_s_checks_are_compared_with_utility_and_other_tasks_are_not(tmp_path: Path) -> None:
    rows = [
        {"task": task, "question": str(at), "human_utility": utility, "automatic_correctness": checks}
        for at, (task, utility, checks) in enumerate(
            [("asqa", 1, [False, False]), ("asqa", 3, [True, False]), ("asqa", 5, [True]), ("eli5", 1, [True])]
        )
    ]
    found = alce_human(context(tmp_path, "alce_human", rows))

    assert found["spearman"].value == pytest.approx(1.0)
    assert found["kendall"].n == 3
