"""Heat maps and matrices say value and n in every cell and shade by one scale."""

import pytest

from judging.experiments.plots.grid import Tile, heat_map, matrix

TILES = {
    ("simple", "B1"): Tile(0.5, 25),
    ("simple", "ours"): Tile(1.0, 25, 2, "/items/"),
    ("vague", "B1"): Tile(0.9, 9),
    ("vague", "ours"): Tile(None, 0, 3),
}


def test_shades_follow_the_fixed_scale_and_small_counts_are_pale() -> None:
    chart = heat_map(TILES, rows=["simple", "vague"], columns=["B1", "ours"], low=0, high=1, measure="correctness")

    # nine shades over 0 to 1: 0.5 is the fifth, 1.0 the last; 9 questions and none are outlined only
    assert [(m.tone, m.look) for m in chart.marks if m.tag == "rect"] == [
        ("h4", "fill"),
        ("h8", "fill"),
        ("pale", "hollow"),
        ("pale", "hollow"),
    ]


def test_every_cell_says_its_value_its_n_and_what_is_undefined() -> None:
    chart = heat_map(TILES, rows=["simple", "vague"], columns=["B1", "ours"], low=0, high=1, measure="correctness")

    texts = [mark.text for mark in chart.marks]
    assert {"0.50", "n 25", "1.00", "n 25 + 2", "0.90", "n 9", "–"} <= set(texts)
    assert [[cell.text for cell in row] for row in chart.table.rows] == [
        ["simple", "0.50 (n = 25)", "1.00 (n = 25, 2 undefined)"],
        ["vague", "0.90 (n = 9)", "no value (3 undefined)"],
    ]
    assert chart.table.rows[0][2].href == "/items/"


def test_a_matrix_gives_counts_with_the_share_of_their_row() -> None:
    counts = [[8, 2], [5, 15]]

    chart = matrix(counts, labels=["below 4", "4 or 5"], key="two", title="At 4", note="")

    assert [m.text for m in chart.marks if "·" in m.text] == ["8 · 80%", "2 · 20%", "5 · 25%", "15 · 75%"]
    assert [[cell.text for cell in row] for row in chart.table.rows] == [
        ["below 4", "8", "2", "10"],
        ["4 or 5", "5", "15", "20"],
    ]


def test_a_row_without_items_has_no_shares() -> None:
    chart = matrix([[0, 0], [3, 12]], labels=["a", "b"], key="two", title="", note="")

    assert [m.text for m in chart.marks if m.tag == "text" and m.tone in ("muted",)] == ["0", "0"]


def test_a_matrix_that_is_not_square_over_its_labels_is_refused() -> None:
    with pytest.raises(ValueError, match="as many rows and columns"):
        matrix([[1, 2]], labels=["a", "b"], key="two", title="", note="")
