"""Results as people and programs read them."""

import json

import pytest

from judging.measures.values import Undefined
from legalqa.reproduce.report import figure_text, page_table, report_document, screen_table
from legalqa.reproduce.types import Expected, Figure, Measured

EXPECTED = Expected.model_validate(
    {
        "seed": 7,
        "rows": {
            "kept": {
                "title": "Kept",
                "figures": {
                    "rate": {"what": "share answered", "figure": "≥ 0.9", "at_least": 0.9},
                    "errors": {"what": "errors", "figure": "none", "at_most": 0},
                },
            },
            "missing": {"title": "Missing", "figures": {"rate": {"what": "another", "figure": "> 0", "above": 0}}},
            "never": {"title": "Never", "figures": {"rate": {"what": "a third", "figure": "as said"}}},
        },
    }
)


def measured(row: str, *, reason: str = "", **figures: Figure) -> Measured:
    return Measured(
        row, "2026-11-21", 7, data={"set/a.jsonl": "0" * 64}, weights={}, seconds=1234.5, figures=figures, reason=reason
    )


ROWS = {
    "kept": measured("kept", rate=Figure(0.95, 20, 0.8, 0.99), errors=Figure(3.0)),
    "missing": measured("missing", reason="the file is not there"),
}


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (Figure(0.5), "0.500"),
        (Figure(2.25), "2.25"),
        (Figure(12.345), "12.3"),
        (Figure(12_345.0), "12,345"),
        (Figure(-0.25, 1_200, -0.5, 0.0), "-0.250 (-0.500 to 0.000; n = 1,200)"),
        (Figure(17.0, 18, 0.742, 0.99, is_count=True), "17 of 18 (0.742 to 0.990)"),
        (Figure(Undefined("no gold"), 0), "undefined: no gold (n = 0)"),
        (Figure(0.5, note="plain search: 0.4"), "0.500; plain search: 0.4"),
    ],
)
def test_a_figure_is_written_with_as_many_digits_as_it_needs(figure: Figure, text: str) -> None:
    assert figure_text(figure) == text


def test_a_figure_that_is_not_there_says_why() -> None:
    assert figure_text(None) == "not run"
    assert figure_text(None, "not run: no data") == "not run: no data"


def test_the_screen_has_one_line_for_each_figure_that_is_set_in_its_order() -> None:
    lines = [line.split("  ")[0].strip() for line in screen_table(EXPECTED, ROWS).splitlines()]

    assert lines == ["OK", "FAIL", "NOT RUN", "NOT RUN"]
    last = screen_table(EXPECTED, ROWS).splitlines()[-2:]
    assert last[0].endswith("not run: the file is not there")
    assert last[1].endswith("not run")


def test_the_page_says_how_a_row_was_measured_only_where_it_was() -> None:
    figures, runs = page_table(EXPECTED, ROWS).split("\n\n")

    assert "| share answered | ≥ 0.9 | 0.950 (0.800 to 0.990; n = 20) | OK, `kept` |" in figures
    assert "| another | > 0 | not run: the file is not there | NOT RUN, `missing` |" in figures
    version = report_document(EXPECTED, ROWS)["rows"]["kept"]["data_version"]
    row = f"| `kept` | 2026-11-21, 7 | {version} | `manage.py results --only kept`, 1,234 s |"
    assert runs.splitlines()[2:] == [row]


def test_the_document_has_every_figure_with_what_was_measured_or_why_nothing_was() -> None:
    document = json.loads(json.dumps(report_document(EXPECTED, ROWS)))

    assert [(one["row"], one["key"], one["status"]) for one in document["figures"]] == [
        ("kept", "rate", "OK"),
        ("kept", "errors", "FAIL"),
        ("missing", "rate", "NOT RUN"),
        ("never", "rate", "NOT RUN"),
    ]
    assert document["figures"][0]["measured"]["low"] == 0.8
    assert document["figures"][2]["reason"] == "not run: the file is not there"
    assert "measured" not in document["figures"][3]
    assert set(document["rows"]) == {"kept", "missing"}
    assert "figures" not in document["rows"]["kept"]
    assert len(document["rows"]["kept"]["data_version"]) == 12
