"""Rows that come from asking, on invented outcomes whose figures can be counted by hand."""

import random
from pathlib import Path
from typing import Any

import pytest

from judging.measures.values import Undefined
from legalqa.common.errors import ApplicationError
from legalqa.reproduce.rows import questions
from legalqa.reproduce.types import Context, FigureSpec, RowSpec
from legalqa.training.ranker.types import QuestionOutcome

SPEC = RowSpec(title="made", figures={"any": FigureSpec(what="any", figure="any")})
CONTEXT = Context("made", SPEC, Path(), Path(), Path(), 144, lambda _: None)


def outcome(number: int = 0, **changes: Any) -> QuestionOutcome:
    held: dict[str, Any] = {
        "id": str(number),
        "collection": "made",
        "group": f"document {number % 10}",
        "kind": "1",
        "is_answerable": True,
        "gold": ("a",),
        "ranked": ("a", "b", "c"),
        "baseline": ("b", "a", "c"),
        "probability": 0.9,
        "answerable": 0.9,
        "fusion_score": 0.01,
        "is_answered": True,
        "cited": ("a",),
    }
    return QuestionOutcome(**(held | changes))


SILENCE: dict[str, Any] = {"is_answered": False, "cited": ()}
UNANSWERABLE: dict[str, Any] = {"is_answerable": False, "gold": (), "kind": "NotMentioned"}


def test_answers_and_silences_are_counted_on_their_own_questions() -> None:
    asked = [outcome(), outcome(cited=("b",)), outcome(**SILENCE), outcome(**UNANSWERABLE, **SILENCE)]

    found = questions.ll144_figures(asked, CONTEXT)

    assert (found["answered"].value, found["answered"].n) == (1, 3)
    assert (found["declined"].value, found["declined"].n) == (1, 1)


def test_policy_figures_by_hand() -> None:
    asked = [
        outcome(gold=("a", "z"), ranked=("a", "b")),
        outcome(cited=("b",)),
        outcome(**SILENCE),
        outcome(**UNANSWERABLE),
    ]

    found = questions.policy_copilot_figures(asked, CONTEXT)

    assert found["answer_rate"].value == pytest.approx(2 / 3)
    assert (found["abstention"].value, found["abstention"].n) == (0, 1)
    assert found["hit"].value == 1.0
    assert found["recall"].value == pytest.approx((0.5 + 1 + 1) / 3)
    assert (found["cited"].value, found["cited"].n) == (0.5, 2)


def test_a_gain_over_the_fusion_is_measured_on_the_same_questions() -> None:
    deep = tuple(f"x{n}" for n in range(10))
    better = [outcome(n, ranked=("a",), baseline=(*deep, "a")) for n in range(15)]
    equal = [outcome(n) for n in range(15, 30)]

    found = questions.obliqa_figures([*better, *equal], CONTEXT)

    assert found["recall_one"].value == 1.0
    assert found["recall_one"].note == "the fusion alone 0.500"
    gain = found["gain_one"]
    assert gain.value == 0.5
    assert gain.low is not None
    assert gain.low > 0
    assert found["recall_two"].value == Undefined("no values")


def test_telling_the_unmentioned_apart_is_measured_over_contracts() -> None:
    asked = [outcome(n, answerable=0.8) for n in range(40)]
    asked += [outcome(n, **UNANSWERABLE, **SILENCE, answerable=0.3) for n in range(40)]

    found = questions.contractnli_figures(asked, CONTEXT)

    assert (found["auc"].value, found["accuracy"].value) == (1.0, 1.0)
    assert (found["recall"].value, found["recall"].n) == (1.0, 40)


def test_a_probability_that_knows_beats_a_score_that_does_not() -> None:
    chance = random.Random(1)
    asked = []
    for number in range(400):
        probability = chance.random()
        is_right = chance.random() < probability
        ranked = ("a", "b") if is_right else ("b", "c")
        asked.append(outcome(number, ranked=ranked, probability=probability, fusion_score=chance.random()))

    found = questions.calibration_figures(asked, CONTEXT)

    error, gain = found["error"], found["aurc_gain"]
    assert isinstance(error.value, float)
    assert error.value < 0.08
    assert error.n == 400
    assert gain.low is not None
    assert gain.low > 0


def test_an_answerable_question_without_gold_is_refused_instead_of_left_out() -> None:
    with pytest.raises(ApplicationError, match="has no gold"):
        questions.obliqa_figures([outcome(gold=())], CONTEXT)
