"""Ranking measures: by hand, beside trec_eval and scikit-learn, and what must hold for every ranking."""

import math
from collections.abc import Callable

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, ndcg_score

from judging.measures import ranking
from judging.measures.values import Average, Undefined, average

RANKED = ("a", "b", "c", "d", "e")
rankings = st.permutations([f"p{n}" for n in range(8)])
golds = st.sets(st.sampled_from([f"p{n}" for n in range(10)]), min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("measure", "expected"), [(ranking.hit_at, 1.0), (ranking.recall_at, 1 / 3), (ranking.precision_at, 1 / 2)]
)
def test_the_first_two_places_by_hand(measure: Callable[..., float], expected: float) -> None:
    # Gold b, d and z: b is in the first two places, d further down, z nowhere.
    assert measure(RANKED, {"b", "d", "z"}, 2) == pytest.approx(expected)


def test_the_reciprocal_rank_stops_at_the_first_gold_passage() -> None:
    assert ranking.reciprocal_rank(RANKED, {"b", "c", "d"}) == 0.5
    assert ranking.reciprocal_rank(RANKED, {"z"}) == 0.0


def test_average_precision_divides_by_all_gold_passages() -> None:
    # b at rank 2: 1/2, d at rank 4: 2/4, z not found: 0.
    assert ranking.average_precision(RANKED, {"b", "d", "z"}) == pytest.approx((0.5 + 0.5) / 3)


def test_ndcg_by_hand() -> None:
    # Gains 0, 3, 0, 1 at ranks 1 to 4; best order 3, 2, 1.
    gained = 3 / math.log2(3) + 1 / math.log2(5)
    best = 3 + 2 / math.log2(3) + 1 / math.log2(4)

    assert ranking.ndcg_at(RANKED, {"b": 3, "d": 1, "z": 2}, 5) == pytest.approx(gained / best)


def test_a_short_ranking_pays_for_its_empty_places() -> None:
    assert ranking.precision_at(("a",), {"a"}, 5) == 0.2


def test_without_gold_nothing_is_defined() -> None:
    nothing: set[str] = set()
    values = [
        ranking.hit_at(RANKED, nothing, 5),
        ranking.recall_at(RANKED, nothing, 5),
        ranking.precision_at(RANKED, nothing, 5),
        ranking.reciprocal_rank(RANKED, nothing),
        ranking.average_precision(RANKED, nothing),
        ranking.ndcg_at(RANKED, {"a": 0.0}, 5),
    ]

    assert values == [Undefined("no passage is marked as relevant")] * len(values)


def test_an_empty_ranking_finds_nothing_and_is_defined() -> None:
    assert ranking.recall_at((), {"a"}, 5) == 0.0
    assert ranking.average_precision((), {"a"}) == 0.0
    assert ranking.ndcg_at((), {"a": 1.0}, 5) == 0.0


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="cutoff is 0"):
        ranking.recall_at(RANKED, {"a"}, 0)
    with pytest.raises(ValueError, match="ranked twice"):
        ranking.average_precision(("a", "a"), {"a"})
    with pytest.raises(ValueError, match="below 0"):
        ranking.ndcg_at(RANKED, {"a": -1}, 5)


@given(ranked=rankings, grades=st.dictionaries(st.sampled_from([f"p{n}" for n in range(8)]), st.integers(1, 4)))
@settings(deadline=None)
def test_ndcg_and_average_precision_agree_with_scikit_learn(ranked: list[str], grades: dict[str, int]) -> None:
    order = np.arange(len(ranked), 0, -1)
    relevance = np.array([grades.get(passage, 0) for passage in ranked])
    if not grades:
        assert isinstance(ranking.ndcg_at(ranked, {}, 5), Undefined)
        return
    by_grade = {passage: float(grade) for passage, grade in grades.items()}

    assert ranking.ndcg_at(ranked, by_grade, 5) == pytest.approx(ndcg_score([relevance], [order], k=5))
    assert ranking.average_precision(ranked, set(grades)) == pytest.approx(
        average_precision_score(relevance > 0, order)
    )


@given(
    ranked=rankings,
    n_found=st.integers(1, 8),
    grades=st.dictionaries(st.sampled_from([f"p{n}" for n in range(10)]), st.integers(1, 4), min_size=1),
    k=st.integers(1, 8),
)
@settings(deadline=None)
def test_measures_are_those_of_trec_eval(ranked: list[str], n_found: int, grades: dict[str, int], k: int) -> None:
    found, gold = ranked[:n_found], set(grades)
    ours = {
        ir_measures.Success @ k: ranking.hit_at(found, gold, k),
        ir_measures.P @ k: ranking.precision_at(found, gold, k),
        ir_measures.R @ k: ranking.recall_at(found, gold, k),
        ir_measures.RR: ranking.reciprocal_rank(found, gold),
        ir_measures.AP: ranking.average_precision(found, gold),
        ir_measures.nDCG @ k: ranking.ndcg_at(found, {name: float(grade) for name, grade in grades.items()}, k),
    }
    run = {"q": {name: float(-rank) for rank, name in enumerate(found)}}

    theirs = ir_measures.pytrec_eval.calc_aggregate(list(ours), {"q": grades}, run)
    assert {measure: theirs[measure] for measure in ours} == pytest.approx(ours, abs=1e-6)


@given(ranked=rankings, gold=golds, k=st.integers(1, 8))
@settings(deadline=None)
def test_measures_stay_between_nothing_and_all_and_grow_with_the_places(
    ranked: list[str], gold: set[str], k: int
) -> None:
    for measure in (ranking.hit_at, ranking.recall_at, ranking.precision_at):
        value = measure(ranked, gold, k)
        assert isinstance(value, float)
        assert 0 <= value <= 1
    for measure in (ranking.hit_at, ranking.recall_at):
        now, then = measure(ranked, gold, k), measure(ranked, gold, k + 1)
        assert isinstance(now, float)
        assert isinstance(then, float)
        assert now <= then


@given(ranked=rankings, gold=golds)
@settings(deadline=None)
def test_names_do_not_matter(ranked: list[str], gold: set[str]) -> None:
    renamed = {f"p{n}": f"q{9 - n}" for n in range(10)}

    assert ranking.average_precision(ranked, gold) == ranking.average_precision(
        [renamed[p] for p in ranked], {renamed[p] for p in gold}
    )


def test_an_average_counts_what_it_left_out() -> None:
    assert average([1.0, Undefined("no gold"), 0.0]) == Average(0.5, 2, 1)
    assert average([Undefined("no gold")]) == Average(Undefined("all 1 values are undefined"), 0, 1)
    assert average([]) == Average(Undefined("no values"), 0)
