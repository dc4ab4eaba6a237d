"""Trust in a judge: its agreement beside people's, its matrices, and where it differs."""

import pytest

from judging.experiments.trust.figures import GradedItem, disagreements, judges_of, trust_charts

# Ten answers, two people each; the judge with law is right throughout, the plain one is one too high throughout.
GRADES = [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (1, 1), (2, 2), (3, 3), (4, 4), (4, 5)]
ITEMS = [
    GradedItem(
        str(at),
        f"q{at}",
        "words " * (at + 1),
        people={"a": [one], "b": [other]},
        judges={"plain": [min(5, one + 1)], "plain, with law": [one]},
    )
    for at, (one, other) in enumerate(GRADES)
]
SCALE = (1, 2, 3, 4, 5)


def test_every_judge_has_a_bar_beside_people_and_the_silly_baseline() -> None:
    bars = trust_charts(ITEMS, judge="plain", scale=SCALE, threshold=4, seed=1)[0]

    names = [row[0].text for row in bars.table.rows]
    assert names[:2] == ["plain – people", "plain, with law – people"]
    assert {
        "people – people",
        "one person – the others",
        "always the most frequent grade",
        "the answer's length",
    } <= set(names)
    same = {row[0].text: row[2].text for row in bars.table.rows}
    # people's median is the first grade but for the last answer, which is 4.5; 5 stays 5 for the plain judge
    assert same["plain, with law – people"] == "0.90"
    assert same["plain – people"] == "0.10"


def test_the_matrix_counts_on_the_whole_scale() -> None:
    _, five, two = trust_charts(ITEMS, judge="plain, with law", scale=SCALE, threshold=4, seed=1)

    assert [[cell.text for cell in row] for row in five.table.rows] == [
        ["1", "2", "0", "0", "0", "0", "2"],
        ["2", "0", "2", "0", "0", "0", "2"],
        ["3", "0", "0", "2", "0", "0", "2"],
        ["4", "0", "0", "0", "2", "0", "2"],
        ["5", "0", "0", "0", "1", "1", "2"],  # 4.5 of people is nearer to 5 in words: it belongs to the upper point
    ]
    assert [[cell.text for cell in row] for row in two.table.rows] == [
        ["below 4", "6", "0", "6"],
        ["4 or more", "0", "4", "4"],
    ]


def test_the_answers_furthest_apart_come_first() -> None:
    items = [
        GradedItem("1", "q1", "a", people={"a": [5]}, judges={"plain": [4]}),
        GradedItem("2", "q2", "b", people={"a": [1]}, judges={"plain": [5]}),
        GradedItem("3", "q3", "c", people={"a": [3]}, judges={"plain": [3]}),
        GradedItem("4", "q4", "d", people={}, judges={"plain": [3]}),
    ]

    assert [(one.item.id, one.human, one.judge) for one in disagreements(items, judge="plain")] == [
        ("2", 1, 5),
        ("1", 5, 4),
    ]


@pytest.mark.parametrize("people", [{"a": [4], "b": [4]}, {"a": [4]}, {}])
def test_people_alone_have_a_bar_where_two_graded_the_same(people: dict[str, list[float]]) -> None:
    items = [GradedItem(str(at), f"q{at}", "a", people=people) for at in range(3)]

    (bars,) = trust_charts(items, judge="", scale=SCALE, threshold=4, seed=1)

    assert judges_of(items) == []
    assert len(bars.table.rows) == (1 if len(people) == 2 else 0)
