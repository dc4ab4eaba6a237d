"""Every statistic of agreement against another computation of it, and undefined where it is."""

import math
import random
from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from judging.measures.agreement import Rating, Scale, Statistics, agreement, columns
from judging.measures.values import Undefined, Value

Table = Sequence[Sequence[float | None]]
GRADES = [1, 2, 3, 4, 5]
# Four people on twelve units with gaps: Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability".
KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
grades = st.lists(st.tuples(st.sampled_from(GRADES), st.sampled_from(GRADES)), min_size=2, max_size=40)
tables = st.lists(
    st.lists(st.one_of(st.none(), st.sampled_from(GRADES)), min_size=3, max_size=3), min_size=1, max_size=20
)


def of_columns(human: Sequence[float], judge: Sequence[float], *, threshold: float | None = None) -> Statistics:
    return agreement(columns(human, judge), threshold=threshold, categories=GRADES, draws=0).overall


def long_form(table: Table) -> list[Rating]:
    """The ratings of a table with one row a rater."""
    return [Rating(str(at), f"r{rater}", value) for rater, row in enumerate(table) for at, value in enumerate(row)]


def same(ours: Value, theirs: float) -> bool:
    """Equal to 1e-9, and undefined exactly where the other computation has no number."""
    if isinstance(ours, Undefined) or math.isnan(theirs):
        return isinstance(ours, Undefined) and math.isnan(theirs)
    return ours == pytest.approx(theirs, abs=1e-9)


@given(grades)
@settings(deadline=None)
@pytest.mark.filterwarnings("ignore")
def test_two_columns_agree_with_scipy_and_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    human, judge = ([pair[side] for pair in pairs] for side in (0, 1))
    ours = of_columns(human, judge)

    assert same(ours["pearson"], stats.pearsonr(human, judge).statistic)
    assert same(ours["spearman"], stats.spearmanr(human, judge).statistic)
    assert same(ours["kendall"], stats.kendalltau(human, judge).statistic)
    for name, weights in (("kappa", None), ("linear_kappa", "linear"), ("weighted_kappa", "quadratic")):
        assert same(ours[name], metrics.cohen_kappa_score(human, judge, labels=GRADES, weights=weights)), name
    assert same(ours["percent"], metrics.accuracy_score(human, judge))
    assert same(ours["mean_difference"], float(np.mean(judge) - np.mean(human)))
    assert same(ours["within_one"], float(np.mean(np.abs(np.subtract(human, judge)) <= 1)))


@given(grades, st.sampled_from([None, 4.0]))
@settings(deadline=None)
def test_macro_figures_are_scikit_learn_s_over_the_classes_that_people_gave(
    pairs: list[tuple[int, int]], threshold: float | None
) -> None:
    human, judge = ([pair[side] for pair in pairs] for side in (0, 1))
    ours = of_columns(human, judge, threshold=threshold)
    if threshold is not None:
        human, judge = ([int(value >= threshold) for value in side] for side in (human, judge))
    theirs = metrics.precision_recall_fscore_support(
        human, judge, labels=sorted(set(human)), average="macro", zero_division=0.0
    )

    assert [ours[f"macro_{name}"] for name in ("precision", "recall", "f1")] == pytest.approx(theirs[:3], abs=1e-9)


def test_p_values_are_scipy_s() -> None:
    chance = random.Random(7)
    human = [chance.randint(1, 5) for _ in range(30)]
    judge = [min(5, max(1, value + chance.randint(-1, 1))) for value in human]
    ours = of_columns(human, judge).by_name

    assert ours["pearson"].p == pytest.approx(stats.pearsonr(human, judge).pvalue, abs=1e-12)
    assert ours["spearman"].p == pytest.approx(stats.spearmanr(human, judge).pvalue, abs=1e-12)
    assert ours["kendall"].p == pytest.approx(stats.kendalltau(human, judge).pvalue, abs=1e-12)


def test_continuous_values_correlate_as_in_scipy() -> None:
    chance = np.random.default_rng(3)
    human = chance.normal(size=1200)  # more than one block of signs
    judge = np.round(human + chance.normal(size=1200), 2)
    ours = agreement(columns(human.tolist(), judge.tolist()), scale=Scale.INTERVAL, draws=0).overall

    assert same(ours["pearson"], stats.pearsonr(human, judge).statistic)
    assert same(ours["spearman"], stats.spearmanr(human, judge).statistic)
    assert same(ours["kendall"], stats.kendalltau(human, judge).statistic)


def test_alpha_of_krippendorff_s_own_example() -> None:
    found = agreement(long_form(KRIPPENDORFF), draws=0).overall

    assert found["alpha_nominal"] == pytest.approx(0.743, abs=5e-4)
    assert found["alpha_ordinal"] == pytest.approx(0.815, abs=5e-4)
    assert found["alpha_interval"] == pytest.approx(0.849, abs=5e-4)
    assert found["alpha"] == found["alpha_ordinal"]


def test_gwet_s_ac1_of_the_same_example_is_the_published_one() -> None:
    found = agreement(long_form(KRIPPENDORFF), draws=0).overall

    assert found["percent"] == pytest.approx(0.81818, abs=5e-6)
    assert found["ac1"] == pytest.approx(0.77544, abs=5e-6)


def test_kappa_of_cohen_1968_by_hand() -> None:
    """Both pass 20, both fail 15, 5 + 10 apart: observed 0.7, by chance 0.5, so kappa is 0.4."""
    human = [1] * 20 + [1] * 5 + [0] * 10 + [0] * 15
    judge = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15

    assert agreement(columns(human, judge), draws=0).overall["kappa"] == pytest.approx(0.4)


@given(tables)
@settings(deadline=None)
def test_alpha_is_one_less_observed_over_expected_distance_with_gaps(table: Table) -> None:
    ours = agreement(long_form(table), categories=GRADES, draws=0).overall

    for scale in Scale:
        assert same(ours[f"alpha_{scale}"], alpha_by_definition(table, scale)), scale


@given(tables)
@settings(deadline=None)
def test_gwet_s_coefficients_follow_their_definition_with_gaps(table: Table) -> None:
    ours = agreement(long_form(table), categories=GRADES, draws=0).overall

    assert same(ours["ac1"], gwet_by_definition(table, np.eye(5)))
    assert same(ours["ac2"], gwet_by_definition(table, 1 - (np.subtract.outer(GRADES, GRADES) / 4.0) ** 2))


def units_of(table: Table) -> list[list[float]]:
    return [[value for row in table if (value := row[at]) is not None] for at in range(len(table[0]))]


def alpha_by_definition(table: Table, scale: Scale) -> float:
    units = [unit for unit in units_of(table) if len(unit) > 1]
    given = [value for unit in units for value in unit]
    if len(set(given)) < 2:
        return math.nan
    n = {grade: given.count(grade) for grade in GRADES}

    def distance(a: float, b: float) -> float:
        if scale == Scale.NOMINAL:
            return float(a != b)
        if scale == Scale.INTERVAL:
            return (a - b) ** 2
        low, high = sorted((int(a), int(b)))
        return (sum(n[grade] for grade in range(low, high + 1)) - (n[low] + n[high]) / 2) ** 2

    observed = sum(sum(distance(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units)
    expected = sum(distance(a, b) for a, b in permutations(given, 2)) / (len(given) - 1)
    return 1 - observed / expected


def gwet_by_definition(table: Table, weights: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> float:
    units = [unit for unit in units_of(table) if unit]
    paired = [unit for unit in units if len(unit) > 1]
    if not paired:
        return math.nan
    agreed = np.mean([np.mean([weights[int(a) - 1, int(b) - 1] for a, b in permutations(u, 2)]) for u in paired])
    share = [np.mean([unit.count(grade) / len(unit) for unit in units]) for grade in GRADES]
    by_chance = weights.sum() / (5 * 4) * sum(one * (1 - one) for one in share)
    return float((agreed - by_chance) / (1 - by_chance))


@given(tables, st.randoms())
@settings(deadline=None)
def test_names_of_raters_and_order_of_items_change_nothing(table: Table, chance: random.Random) -> None:
    ratings = long_form(table)
    shuffled = [Rating(one.item, f"x{9 - int(one.rater[1:])}", one.value) for one in ratings]
    chance.shuffle(shuffled)
    one, other = (agreement(held, categories=GRADES, draws=0) for held in (ratings, shuffled))

    assert one.undefined == other.undefined
    assert one.overall.by_name.keys() == other.overall.by_name.keys()
    for name in one.overall.by_name:
        left, right = one.overall[name], other.overall[name]
        assert left == right if isinstance(left, Undefined) else same(right, left), name


@given(grades)
@settings(deadline=None)
def test_exchanged_sides_change_only_the_sign_of_the_mean_difference(pairs: list[tuple[int, int]]) -> None:
    human, judge = ([pair[side] for pair in pairs] for side in (0, 1))
    one, other = of_columns(human, judge), of_columns(judge, human)

    for name in set(one.by_name) - {"mean_difference", "macro_precision", "macro_recall", "macro_f1"}:
        left, right = one[name], other[name]
        assert left == right if isinstance(left, Undefined) else same(right, left), name
    assert isinstance(back := other["mean_difference"], float)
    assert one["mean_difference"] == pytest.approx(-back)


def test_constant_ratings_have_a_percentage_and_reasons() -> None:
    found = agreement(columns([4, 4, 4], [4, 4, 4]), draws=0).overall

    assert found["percent"] == 1.0
    assert found["spearman"] == Undefined("one of the two sides has only one value")
    assert found["kappa"] == found["alpha"] == Undefined("all ratings are the same value")
    assert found["ac1"] == Undefined("the scale has only one value")
    assert agreement(columns([4, 4], [4, 4]), categories=GRADES, draws=0).overall["ac1"] == 1.0


def test_of_nothing_everything_is_undefined() -> None:
    for ratings in ([], columns([None, 3], [4, None])):
        found = agreement(ratings)
        assert found.overall.n == 0
        assert all(isinstance(one.value, Undefined) for one in found.overall.by_name.values())
    assert found.undefined == {"no human value": 1, "no value of the judge": 1}


def test_the_paradox_of_kappa_shows_in_ac1() -> None:
    """One frequent label: 96 % agree, kappa is below 0, AC1 is high."""
    human, judge = ([1] * 2 + [0] * 98, [0] * 2 + [1] * 2 + [0] * 96)
    found = agreement(columns(human, judge), draws=0).overall

    assert found["percent"] == 0.96
    assert found["kappa"] == pytest.approx(1 - 0.04 / (2 * 0.02 * 0.98))
    assert found["ac1"] == pytest.approx((0.96 - 2 * 0.02 * 0.98) / (1 - 2 * 0.02 * 0.98))


def test_unlike_label_sets_of_two_sides_are_one_set() -> None:
    """The judge's "2" is the people's "2", whichever of them a side happens to lack."""
    found = agreement(columns(["1", "2", "2", "1"], ["1", "1", "1", "1"]), draws=0).overall

    assert found["kappa"] == 0.0
    assert found.classes == ("1", "2")
    assert found.confusion == ((2, 0), (2, 0))
