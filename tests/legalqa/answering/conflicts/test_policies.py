"""Pairs in the manner of policies: those that chose the rules, and those that were left out."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from legalqa.answering.services.conflicts import pairs_judged

PAIRS = Path(__file__).parents[3] / "data" / "conflicts" / "policies.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
CHOSEN_BY = (0, 1, 3)  # remainders by 5 of the pairs that choose; see the README beside the pairs


def is_left_out(row: dict[str, Any]) -> bool:
    return int(row["id"][1:]) % 5 not in CHOSEN_BY


@cache
def judged() -> tuple[tuple[dict[str, Any], bool], ...]:
    found = pairs_judged(pairs=[(row["a"], row["b"]) for row in ROWS])
    return tuple((row, one is not None and one.is_open) for row, one in zip(ROWS, found, strict=True))


def called(*, left_out: bool, label: str) -> list[bool]:
    return [
        is_called
        for row, is_called in judged()
        if is_left_out(row) == left_out and (row["label"] == "conflict") == (label == "conflict")
    ]


def test_four_of_five_contradictions_by_which_the_rules_were_chosen_are_found() -> None:
    hits = called(left_out=False, label="conflict")

    assert len(hits) >= 50
    assert sum(hits) >= 0.8 * len(hits)


def test_two_of_three_contradictions_that_were_left_out_are_found() -> None:
    hits = called(left_out=True, label="conflict")

    assert len(hits) >= 30
    assert sum(hits) >= 2 / 3 * len(hits)


def test_of_the_others_left_out_at_most_one_in_sixteen_is_called_a_contradiction() -> None:
    wrong = called(left_out=True, label="other")

    assert len(wrong) >= 30
    assert sum(wrong) <= 0.06 * len(wrong)
