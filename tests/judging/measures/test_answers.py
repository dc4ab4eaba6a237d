"""Measures of answers and silences by hand: every kind of question with every kind of reply."""

import pytest

from judging.measures import answers
from judging.measures.values import Average, Undefined, Value
from legalqa.training.ranker.types import QuestionOutcome


def outcome(*, gold: tuple[str, ...] = (), cited: tuple[str, ...] = (), answered: bool = True) -> QuestionOutcome:
    return QuestionOutcome(
        id="q",
        collection="made",
        group="g",
        kind="1",
        is_answerable=bool(gold),
        gold=gold,
        ranked=(),
        baseline=(),
        probability=0.5,
        answerable=0.5,
        fusion_score=0.5,
        is_answered=answered,
        cited=cited,
    )


SILENT, NO_GOLD = Undefined("no answer was given"), Undefined("no passage is marked as relevant")
NO_CITATION = Undefined("the answer cites nothing")


@pytest.mark.parametrize(
    ("asked", "cites_gold", "precision"),
    [
        (outcome(gold=("a", "b"), cited=("a", "x")), 1.0, 0.5),
        (outcome(gold=("a", "b"), cited=("x",)), 0.0, 0.0),
        (outcome(gold=("a",), cited=()), 0.0, NO_CITATION),
        (outcome(gold=("a",), answered=False), SILENT, SILENT),
        (outcome(cited=("x",)), NO_GOLD, NO_GOLD),
        (outcome(answered=False), SILENT, SILENT),
    ],
)
def test_citations_of_one_question(asked: QuestionOutcome, cites_gold: Value, precision: Value) -> None:
    assert answers.cited_gold(asked) == cites_gold
    assert answers.citation_precision(asked) == precision


def test_a_question_that_cannot_be_answered_does_not_count_in_the_answer_rate() -> None:
    asked = [outcome(gold=("a",)), outcome(gold=("a",), answered=False), outcome(answered=False), outcome()]

    assert answers.answer_rate(asked) == Average(0.5, 2)
    assert answers.answer_rate(asked[2:]) == Average(Undefined("no values"), 0)
