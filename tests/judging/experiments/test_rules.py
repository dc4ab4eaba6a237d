"""Measures by rule, worked out by hand on single answers."""

import math
from dataclasses import replace

import pytest

from judging.experiments.rules import RULES, AnswerFacts, SaidClaim
from judging.measures.values import Undefined

GOLD = "The tenant pays 900 euros a month."
FACTS = AnswerFacts(
    is_answerable=True,
    reference_answer="900 euros",
    gold=("a", "b"),
    gold_texts=(GOLD, "The rent is due on the first day."),
    is_answered=True,
    ranked=("x", "a", "y", "z", "w", "b"),
    cited=("a", "x"),
    claims=(SaidClaim(GOLD, "supported"), SaidClaim("The landlord may keep 40 dogs.", "contradicted")),
    ranked_tokens=(40, 100, 60, 80, 20, 100),
    seconds=0.25,
    tokens=120,
    cost=0.004,
)
SILENT = replace(FACTS, is_answered=False, cited=(), claims=())


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("right", 1.0),
        ("answer_rate", 1.0),
        ("cites_gold", 1.0),
        ("citation_precision", 0.5),
        ("recall@5", 0.5),
        ("precision@5", 0.2),
        ("mrr", 0.5),
        ("ungrounded", 0.5),
        ("ungrounded_gold", 0.5),
        ("rouge_l", 2 * 2 / (13 + 2)),  # "900 euros" among the thirteen words that were said
        ("seconds", 0.25),
        ("tokens", 120.0),
        ("cost", 0.004),
        # b at rank 6, a at rank 2, against ranks 1 and 2
        ("ndcg@10", (1 / math.log2(3) + 1 / math.log2(7)) / (1 + 1 / math.log2(3))),
        ("recall/1000", 1000 * 1.0 / 400),
    ],
)
def test_an_answer_is_measured(measure: str, value: float) -> None:
    assert RULES[measure].rule(FACTS) == pytest.approx(value)


def test_a_silence_on_an_answerable_question_is_a_wrong_abstention_and_its_retrieval_still_counts() -> None:
    assert RULES["right"].rule(SILENT) == RULES["answer_rate"].rule(SILENT) == 0.0
    assert RULES["recall@5"].rule(SILENT) == 0.5
    for measure in ("cites_gold", "citation_precision", "ungrounded", "abstention"):
        assert isinstance(RULES[measure].rule(SILENT), Undefined)


def test_a_silence_on_a_question_that_nothing_answers_is_right() -> None:
    facts = replace(SILENT, is_answerable=False, gold=(), gold_texts=())

    assert RULES["right"].rule(facts) == RULES["abstention"].rule(facts) == 1.0
    for measure in ("answer_rate", "recall@5", "ungrounded_gold"):
        assert isinstance(RULES[measure].rule(facts), Undefined)


def test_of_an_answer_without_retrieval_what_needs_passages_is_undefined_and_no_zero() -> None:
    facts = replace(FACTS, ranked=(), cited=())

    for measure in ("recall@5", "mrr", "ungrounded"):
        assert RULES[measure].rule(facts) == Undefined("nothing was retrieved")
    assert RULES["ungrounded_gold"].rule(facts) == 0.5
