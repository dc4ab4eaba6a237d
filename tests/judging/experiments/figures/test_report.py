"""A report becomes charts: what is drawn, from which rows, and what is left out where there is no data."""

from typing import Any
from uuid import UUID

import pytest

from judging.experiments.figures.places import places_chart
from judging.experiments.figures.report import (
    Measured,
    charts_of,
    measure_of,
    question_values,
)
from judging.experiments.report import measure_key

RIGHT = {
    "name": "right",
    "judge": "",
    "label": "Decided right",
    "help": "",
    "is_share": True,
    "less_is_better": False,
}
GRADE = RIGHT | {"name": "correctness", "judge": "llamaindex", "label": "correctness (llamaindex)", "is_share": False}
SECONDS = RIGHT | {"name": "seconds", "label": "Seconds", "is_share": False, "less_is_better": True}


def link(*, cell: str, kind: str = "") -> str:
    return f"/items/?cell={cell}&type={kind}"


def row(cell: str, name: str, value: float | None, delta: float | None = None, **more: Any) -> dict[str, Any]:
    end = None if value is None else 0.1
    moved = None if delta is None else {"value": delta, "low": delta - 0.1, "high": delta + 0.1, "n": 20}
    tests = {"wins": 5, "ties": 14, "losses": 1, "p": 0.01, "p_holm": 0.02, "is_marked": True}
    return {
        "preset": cell,
        "metric": name,
        "judge": "",
        "value": value,
        "low": None if value is None else value - (end or 0),
        "high": None if value is None else value + (end or 0),
        "n": 20,
        "undefined": 0,
        "delta": None if moved is None else moved | tests,
    } | more


def cell(key: str, **overrides: str) -> dict[str, Any]:
    preset = key.split(maxsplit=1)[0]
    return {"key": key, "preset": preset, "overrides": overrides, "generator": "quoted", "n": 20, "seconds_median": 0.5}


def report(**more: Any) -> dict[str, Any]:
    return {
        "baseline": "B2",
        "measures": [RIGHT, GRADE, SECONDS],
        "cells": [cell("B2"), cell("ours")],
        "rows": [row("B2", "right", 0.5), row("ours", "right", 0.7, delta=0.2)],
        "types": [],
    } | more


def answer(cell: str, at: int, value: float | None, *, said: bool = True, confidence: float | None = None) -> Measured:
    sure = confidence if confidence is not None else 1 - at / 100
    return Measured(cell, UUID(int=at), value, "", said, True, sure)


def test_a_measure_is_named_with_its_judge_and_an_unknown_name_is_the_first() -> None:
    assert [measure_key(m) for m in (RIGHT, GRADE)] == ["right", "llamaindex:correctness"]
    assert measure_of(report(), "llamaindex:correctness") is GRADE
    assert measure_of(report(), "nothing") is RIGHT


def test_repeats_of_a_question_are_averaged_first_and_undefined_ones_left_out() -> None:
    answers = [answer("ours", 1, 1.0), answer("ours", 1, 0.0), answer("ours", 2, None), answer("ours", 3, 1.0)]

    assert question_values(answers) == {"ours": {UUID(int=1): 0.5, UUID(int=3): 1.0}}


def test_wilcoxon_looks_at_the_questions_of_both_only() -> None:
    ours = [answer("ours", at, float(at)) for at in range(1, 7)] + [answer("ours", 50, 9.0)]
    theirs = [answer("B2", at, 0.0) for at in range(1, 7)]

    (chart,) = [c for c in charts_of(report(), RIGHT, [*ours, *theirs], link) if c.key == "forest"]

    # six differences of one sign: both tails of 2^6 equally likely signs
    assert chart.table.rows[0][-2].text == f"{2 / 2**6:.3f}"


def test_the_forest_compares_every_other_configuration_with_the_baseline() -> None:
    (chart,) = [c for c in charts_of(report(), RIGHT, [], link) if c.key == "forest"]

    assert [[cell.text for cell in line][:8] for line in chart.table.rows] == [
        ["ours", "+0.20", "+0.10", "+0.30", "20", "5", "14", "1"]
    ]
    assert chart.table.rows[0][0].href == "/items/?cell=ours&type="


def test_types_become_a_heat_map_that_leads_to_their_answers() -> None:
    types = [row("ours", "right", 0.8, type="vague", n=12), row("B2", "right", 0.5, type="vague", n=12)]

    (chart,) = [c for c in charts_of(report(types=types), RIGHT, [], link) if c.key == "types"]

    assert chart.table.columns == ("Question type", "B2", "ours")
    assert [c.text for c in chart.table.rows[0]] == ["vague", "0.50 (n = 12)", "0.80 (n = 12)"]
    assert chart.table.rows[0][2].href == "/items/?cell=ours&type=vague"


def test_parts_of_the_pipeline_are_means_over_the_questions_that_test_them() -> None:
    types = [
        row("ours", "right", 0.8, type="simple", n=30),  # generator, retriever, router
        row("ours", "right", 0.2, type="Vague", n=10),  # generator, rewriter
        row("ours", "right", 0.0, type="of our own", n=5),  # targets nothing that is known
    ]

    (chart,) = [c for c in charts_of(report(types=types), RIGHT, [], link) if c.key == "components"]

    # generator: (30 x 0.8 + 10 x 0.2) / 40
    assert [(line[0].text, line[2].text) for line in chart.table.rows] == [
        ("generator", "0.65 (n = 40)"),
        ("retriever", "0.80 (n = 30)"),
        ("rewriter", "0.20 (n = 10)"),
        ("router", "0.80 (n = 30)"),
    ]


def test_risk_ends_where_a_configuration_stops_answering() -> None:
    # 20 answers, surest first, the last 5 of which are wrong; 5 more declined: 20 of 25 answered, 5 of 20 wrong
    said = [answer("ours", at, 1.0 if at < 15 else 0.0) for at in range(20)]
    declined = [answer("ours", at, 1.0, said=False) for at in range(20, 25)]

    (chart,) = [c for c in charts_of(report(), RIGHT, [*said, *declined], link) if c.key == "risk"]

    (line,) = chart.table.rows
    assert [c.text for c in line][:3] == ["ours", "operating point", "share of questions answered 0.80"]
    assert line[3].text.startswith("share of the answers that are wrong 0.25 [0.11, 0.47]")  # Wilson of 5 in 20
    assert line[4].text == "20"


def test_a_configuration_that_always_answers_ends_at_one() -> None:
    said = [answer("B2", at, float(at % 2)) for at in range(12)]

    (chart,) = [c for c in charts_of(report(), RIGHT, said, link) if c.key == "risk"]

    assert [c.text for c in chart.table.rows[0]][1:3] == ["always answering", "share of questions answered 1.00"]


def test_grades_are_right_from_four_and_few_answers_have_no_curve() -> None:
    graded = [answer("ours", at, 4.0 if at < 9 else 3.0) for at in range(12)]

    (chart,) = [c for c in charts_of(report(), GRADE, graded, link) if c.key == "risk"]

    assert "below 4" in chart.note
    assert chart.table.rows[0][3].text.startswith("share of the answers that are wrong 0.25")
    assert [c.key for c in charts_of(report(), GRADE, graded[:9], link)] == []


def test_seconds_have_no_risk() -> None:
    assert "risk" not in [c.key for c in charts_of(report(), SECONDS, [answer("B2", a, 3.0) for a in range(12)], link)]


def test_the_trade_off_has_a_point_for_every_configuration_with_both_shares() -> None:
    rows = [
        row("B2", "answer_rate", 0.9),
        row("B2", "ungrounded", 0.4),
        row("ours", "answer_rate", 0.6),
        row("ours", "ungrounded", 0.1),
        row("B1", "answer_rate", 1.0),
        row("B1", "ungrounded", None),
    ]
    cells = [cell("B1"), cell("B2"), cell("ours")]

    (chart,) = [c for c in charts_of(report(rows=rows, cells=cells), RIGHT, [], link) if c.key == "trade-off"]

    assert [[c.text for c in line][2:4] for line in chart.table.rows] == [
        ["answer rate 0.90", "ungrounded share 0.40 [0.30, 0.50]"],
        ["answer rate 0.60", "ungrounded share 0.10 [0.00, 0.20]"],
    ]


def test_a_setting_tried_with_several_numbers_is_a_sweep() -> None:
    cells = [cell("ours k=10", k="10"), cell("ours k=3", k="3"), cell("B2")]
    rows = [row("ours k=10", "right", 0.7), row("ours k=3", "right", 0.6), row("B2", "right", 0.5)]

    (chart,) = [c for c in charts_of(report(rows=rows, cells=cells), RIGHT, [], link) if c.key == "sweep"]

    assert [[c.text for c in line][1:4] for line in chart.table.rows] == [
        ["k 3", "k 3.00", "Decided right 0.60 [0.50, 0.70]"],
        ["k 10", "k 10.00", "Decided right 0.70 [0.60, 0.80]"],
        ["k 3", "k 3.00", "seconds, median 0.50"],
        ["k 10", "k 10.00", "seconds, median 0.50"],
    ]


@pytest.mark.parametrize(("values", "is_drawn"), [([0.0, 1.0, 1.0], False), ([0.05, 0.5, 0.55, 1.0], True)])
def test_values_between_right_and_wrong_show_their_distribution(values: list[float], is_drawn: bool) -> None:
    answers = [answer("ours", at, value) for at, value in enumerate(values)]

    charts = [c for c in charts_of(report(), RIGHT, answers, link) if c.key == "spread"]

    assert bool(charts) is is_drawn
    for chart in charts:
        assert [line[2].text for line in chart.table.rows] == [
            f"{share:.2f} (n = 4)" for share in (0.25, 0, 0.5, 0, 0.25)
        ]


def test_a_judge_of_pairs_has_a_chart_of_what_the_place_does() -> None:
    names = {"wins shown first": 0.75, "wins shown second": 0.25, "orders disagree": 0.5, "quality": 6.0}
    rows = [row("naive", name, value) | {"judge": "faireval"} for name, value in names.items()]
    report = {"rows": rows, "cells": [{"key": "naive"}]}

    drawn = places_chart(report, "faireval")

    assert drawn is not None
    assert [[cell.text for cell in line] for line in drawn.table.rows] == [
        ["Wins shown first", "0.75 (n = 20)"],
        ["Wins shown second", "0.25 (n = 20)"],
        ["Orders disagree", "0.50 (n = 20)"],
    ]
    assert places_chart(report, "llamaindex") is places_chart(report, "") is None
