"""RAGAS's measures over verdicts, computed by hand."""

import pytest

from judging.measures.ranking import average_precision
from judging.measures.values import Undefined
from judging.measures.verdicts import (
    answer_relevancy,
    context_precision_ranking,
    context_precision_share,
    context_recall,
    faithfulness,
)


def test_faithfulness_is_the_share_of_statements_that_follow() -> None:
    assert faithfulness([True, True, False, True], n_retrieved=3) == 0.75
    assert faithfulness([False], n_retrieved=1) == 0.0


def test_a_statement_that_the_judge_skipped_makes_it_undefined_and_not_better() -> None:
    assert faithfulness([True, None, True], n_retrieved=3) == Undefined("the judge gave no verdict on 1 of 3")
    assert context_recall([None, None], n_retrieved=3) == Undefined("the judge gave no verdict on 2 of 2")


def test_an_answer_without_statements_or_passages_has_no_faithfulness() -> None:
    assert faithfulness([], n_retrieved=3) == Undefined("the answer makes no statement")
    assert faithfulness([True], n_retrieved=0) == Undefined("nothing was retrieved")


def test_relevancy_is_the_mean_cosine_unless_every_flag_says_evasive() -> None:
    assert answer_relevancy([0.9, 0.6, -0.3], [False, True, False]) == pytest.approx(0.4)
    assert answer_relevancy([0.9, 0.6], [True, True]) == 0.0
    assert answer_relevancy([], []) == Undefined("no question was made back from the answer")
    with pytest.raises(ValueError, match="1 flags do not go with 2 cosines"):
        answer_relevancy([0.1, 0.2], [True])


def test_context_precision_has_a_ranking_and_a_share_form() -> None:
    first_of_ten = [True] + [False] * 9

    assert (context_precision_ranking(first_of_ten), context_precision_share(first_of_ten)) == (1.0, 0.1)
    assert context_precision_ranking([False, True, True]) == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert context_precision_share([False, True, True]) == pytest.approx(2 / 3)
    assert context_precision_ranking([False, False]) == context_precision_share([False, False]) == 0.0
    assert context_precision_ranking([]) == context_precision_share([]) == Undefined("nothing was retrieved")


def test_the_ranking_form_is_average_precision_of_what_was_retrieved() -> None:
    verdicts = [True, False, True, True, False]
    gold = [str(at) for at, verdict in enumerate(verdicts) if verdict]

    assert context_precision_ranking(verdicts) == pytest.approx(average_precision(list("01234"), gold))


def test_context_recall_is_the_share_of_the_reference_that_was_retrieved() -> None:
    assert context_recall([True, False, False], n_retrieved=5) == pytest.approx(1 / 3)
    assert context_recall([], n_retrieved=5) == Undefined("the reference answer makes no statement")
    assert context_recall([True], n_retrieved=0) == Undefined("nothing was retrieved")
