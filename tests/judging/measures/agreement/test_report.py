"""What an agreement report compares: judge and people, people and people, a judge and itself, baselines, parts."""

from collections.abc import Sequence
from typing import Any

import pytest

from judging.measures.agreement import About, Rating, Scale, agreement, columns
from judging.measures.intervals import bootstrap_mean
from judging.measures.values import Undefined

GRADES = [1, 2, 3, 4, 5]


def rated(**raters: Sequence[float | str | None]) -> list[Rating]:
    return [Rating(f"i{at}", name, value) for name, values in raters.items() for at, value in enumerate(values)]


def test_people_become_one_value_by_scale() -> None:
    people = {"a": [1, 4], "b": [1, 5], "c": [2, 5], "judge": [1, 5]}
    nominal, ordinal, interval = (agreement(rated(**people), scale=scale, draws=0).overall for scale in Scale)

    assert nominal["percent"] == 1.0  # 1 and 5 are the most frequent
    assert ordinal["mean_difference"] == 0.0  # 1 and 5 are the medians
    assert interval["mean_difference"] == pytest.approx(((1 - 4 / 3) + (5 - 14 / 3)) / 2)


def test_names_in_a_tie_are_left_out_and_counted() -> None:
    found = agreement(rated(a=["yes", "yes"], b=["no", "yes"], judge=["yes", "yes"]), draws=0)

    assert found.overall.n == 1
    assert found.undefined == {"people are divided equally": 1}
    assert found.n_undefined == found.document()["undefined"] == 1


def test_the_ceiling_leaves_each_person_out_and_shows_the_judge_beside_it() -> None:
    """Item 0: a and b say 1, c says 0, the judge 1. Others of a: tie; of b: tie; of c: 1. Item 1: all say 0."""
    ratings = rated(a=[1, 0], b=[1, 0], c=[0, 0], judge=[1, 0])
    found = agreement(ratings, scale=Scale.NOMINAL, draws=0)

    assert found.ceiling is not None
    assert found.ceiling_judge is not None
    assert found.ceiling["percent"] == 3 / 4  # c against 1, and all three on item 1
    assert found.ceiling_judge["percent"] == 1.0
    assert found.ceiling.n == found.ceiling_judge.n == 4
    assert found.people is not None
    assert found.people["percent"] == pytest.approx((1 / 3 + 1) / 2)


def test_repeats_of_the_judge_measure_it_against_itself() -> None:
    ratings = [*rated(human=[1, 5, 3], judge=[1, 5, 3]), Rating("i0", "judge", 1), Rating("i1", "judge", 4)]
    found = agreement(ratings, categories=GRADES, draws=0)

    assert found.judge_self is not None
    assert found.judge_self.n == 2
    assert found.judge_self["percent"] == 0.5
    assert found.overall["mean_difference"] == pytest.approx((0 - 0.5 + 0) / 3)  # repeats are one value: 4.5


def test_baselines_are_the_most_frequent_value_and_silly_measures() -> None:
    about = {f"i{at}": About(baselines={"length": length}) for at, length in enumerate([10, 20, 30])}
    found = agreement(rated(human=[1, 2, 2], judge=[1, 2, 1]), about=about, draws=0).baselines

    assert found["most_frequent"]["percent"] == pytest.approx(2 / 3)
    assert found["most_frequent"]["kappa"] == pytest.approx(0.0)
    assert found["length"]["spearman"] == pytest.approx(3**0.5 / 2)
    assert "kappa" not in found["length"].by_name


def test_parts_by_type_and_component_hold_only_their_items() -> None:
    about = {"i0": About(question_type="simple", component="reader"), "i1": About(question_type="vague")}
    found = agreement(rated(human=[1, 5, 3], judge=[1, 4, 3]), about=about, draws=0)

    assert {name: one["percent"] for name, one in found.by_type.items()} == {"simple": 1.0, "vague": 0.0}
    assert {name: one.n for name, one in found.by_component.items()} == {"reader": 1}


def test_without_a_judge_pairs_of_raters_are_averaged_and_nobody_is_the_reference() -> None:
    found = agreement(rated(a=[1, 1, 0, 0], b=[1, 1, 0, 0], c=[1, 0, 0, 0]), draws=0).overall

    assert found["kappa"] == pytest.approx((1 + 0.5 + 0.5) / 3)
    assert found["macro_f1"] == found["mean_difference"] == Undefined("no rater is named as the judge")


def test_two_raters_of_whom_one_is_human_need_no_name_for_the_judge() -> None:
    ratings = rated(human=[1, 5], model=[2, 5])

    assert agreement(ratings, draws=0).judge == "model"
    assert agreement(ratings, draws=0).overall["mean_difference"] == 0.5
    assert agreement(rated(anna=[1, 5], model=[2, 5]), judge="model", draws=0).judge == "model"


def test_intervals_draw_questions_and_not_items() -> None:
    human, judge = [1, 0] * 30, [1, 1, 1, 0] * 15
    about = {str(at): About(question=str(at // 6)) for at in range(60)}
    by_question = agreement(columns(human, judge), about=about, seed=5).overall.by_name["percent"]
    by_item = agreement(columns(human, judge), seed=5).overall.by_name["percent"]
    right = [float(a == b) for a, b in zip(human, judge, strict=True)]
    other = bootstrap_mean(right, seed=1, groups=[str(at // 6) for at in range(60)])

    assert by_question.low is not None
    assert by_question.high is not None
    assert by_item.low is not None
    assert not isinstance(other, Undefined)
    assert (by_question.low, by_question.high) == pytest.approx((other.low, other.high), abs=0.02)
    assert by_item.low < by_question.low  # each question here holds as many right ones, so questions hardly differ
    assert agreement(columns(human, judge), about=about, seed=5).overall.by_name["percent"] == by_question


def test_one_question_has_no_interval() -> None:
    about = {"0": About(question="q"), "1": About(question="q")}
    found = agreement(columns([1, 2], [1, 1]), about=about).overall

    assert found["percent"] == 0.5
    assert found.by_name["percent"].low is None
    assert found.document()["intervals"] == {}


def test_the_document_has_null_and_a_reason_and_no_nan() -> None:
    document = agreement(columns([1, 1], [1, 1]), draws=10).document()

    assert document["kappa"] is None
    assert document["reasons"]["kappa"] == "all ratings are the same value"
    assert document["n"] == 2


def test_the_confusion_is_of_values_or_of_passing() -> None:
    plain = agreement(columns([1, 5, 4], [2, 4, 5]), categories=GRADES, draws=0).overall
    passing = agreement(columns([1, 5, 4], [2, 4, 5]), categories=GRADES, threshold=4, draws=0).overall

    assert plain.classes == (1, 2, 3, 4, 5)
    assert plain.confusion[0] == (0, 1, 0, 0, 0)
    assert (passing.classes, passing.confusion) == (("below 4", "4 or more"), ((1, 0), (0, 2)))
    assert passing["macro_f1"] == 1.0


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        (["a", 1.0], {}, "Some values are names"),
        (["a", "b"], {"scale": Scale.INTERVAL}, "needs numbers"),
        (["a", "b"], {"threshold": 4}, "leave it out"),
        ([1, 7], {"categories": GRADES}, "7 is not one of the categories 1, 2, 3, 4, 5"),
        (["a", "c"], {"categories": ["a", "b"]}, "'c' is not one of the categories a, b"),
        ([1.0, float("nan")], {}, "nan is not a number"),
    ],
)
def test_values_off_the_scale_are_refused(values: list[float], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        agreement(columns(values, values), **options)


def test_named_grades_in_their_order_are_ordinal() -> None:
    found = agreement(
        columns(["poor", "fair", "good"], ["poor", "good", "good"]),
        scale=Scale.ORDINAL,
        categories=["poor", "fair", "good"],
        draws=0,
    ).overall

    assert found["mean_difference"] == pytest.approx(1 / 3)
    assert found.classes == ("poor", "fair", "good")
