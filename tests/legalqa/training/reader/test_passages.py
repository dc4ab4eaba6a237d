"""How often the encoder of passages finds one that answers, counted by hand on vectors of our own."""

import numpy as np
import pytest

from legalqa.encoder.client import FloatMatrix
from legalqa.training.reader.passages import passages_found
from legalqa.training.reader.rows import AnswerRow


def encode(texts: list[str]) -> FloatMatrix:
    """On a circle, at the angle in degrees that is the last word of a text."""
    angles = np.radians([float(text.split()[-1]) for text in texts])
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def row(question: str, passage: str, *, answers: bool, group: str = "a") -> AnswerRow:
    return AnswerRow("1", question, passage, answers, group=group)


def found(rows: list[AnswerRow]) -> dict[str, float]:
    return passages_found(rows, encode)


def test_a_question_counts_as_found_from_the_place_of_its_nearest_passage_that_answers() -> None:
    near = [row("asked 0", f"other {angle}", answers=False) for angle in (1, 2, 3, 4)]

    assert found([*near, row("asked 0", "answer 0.5", answers=True)])["at_1"] == 1.0
    fifth = found([*near, row("asked 0", "answer 9", answers=True)])
    assert (fifth["at_1"], fifth["at_4"], fifth["at_16"]) == (0.0, 0.0, 1.0)


def test_the_best_of_several_passages_that_answer_counts_and_the_question_counts_once() -> None:
    rows = [row("asked 0", f"answer {angle}", answers=True) for angle in (50, 1)]

    assert found([*rows, row("asked 0", "other 20", answers=False)]) == {
        "questions": 1,
        "at_1": 1.0,
        "at_4": 1.0,
        "at_16": 1.0,
        "at_32": 1.0,
    }


def test_passages_of_other_documents_are_no_rivals() -> None:
    elsewhere = [row("another 90", f"elsewhere {angle}", answers=False, group="b") for angle in range(6)]

    assert found([row("asked 0", "answer 80", answers=True), *elsewhere])["at_1"] == 1.0


def test_a_passage_that_several_questions_share_is_looked_at_once() -> None:
    """The rows repeat a rival ten times; it is still one passage before the one that answers."""
    rows = [row(f"other question {n} 0", "rival 1", answers=False) for n in range(10)]

    figures = found([*rows, row("asked 0", "answer 5", answers=True)])
    assert (figures["at_1"], figures["at_4"]) == (0.0, 1.0)


def test_the_shares_are_over_all_questions_of_all_documents() -> None:
    rows = [
        row("asked 0", "answer 1", answers=True),
        row("asked 0", "answer 2", answers=True, group="b"),
        row("asked 0", "other 1", answers=False, group="b"),
        row("asked 40", "answer 41", answers=True, group="c"),
    ]

    assert found(rows)["questions"] == 3
    assert found(rows)["at_1"] == pytest.approx(2 / 3, abs=1e-4)
