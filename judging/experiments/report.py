"""The head table in words and figures: what page and command show of a result, row by configuration."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

DASH = "–"


def head_table(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A row for each configuration with a cell for each measure, in their order.

    A cell has `value`, `interval`, `n`, `undefined`, `statuses`, `delta` and `is_marked`, all in words; an undefined
    value is a dash.
    """
    rows = {(row["preset"], row["judge"], row["metric"]): row for row in report["rows"]}
    return [
        {
            "cell": cell,
            "is_baseline": cell["key"] == report["baseline"],
            "figures": [
                _figure(rows[cell["key"], measure["judge"], measure["name"]], measure) for measure in report["measures"]
            ],
        }
        for cell in report["cells"]
    ]


def measure_key(measure: Mapping[str, Any]) -> str:
    """What names a measure in an address: the judge comes before the name."""
    return f"{measure['judge']}:{measure['name']}" if measure["judge"] else str(measure["name"])


def _figure(row: Mapping[str, Any], measure: Mapping[str, Any]) -> dict[str, Any]:
    delta = row["delta"]
    return {
        "query": urlencode({"cell": row["preset"], "measure": measure_key(measure)}),
        "value": number_words(row["value"], measure),
        "interval": _interval(row, measure),
        "n": row["n"],
        "undefined": row["undefined"],
        "statuses": ", ".join(f"{count} {status}" for status, count in row.get("statuses", {}).items()),
        "reasons": "; ".join(f"{reason}: {count}" for reason, count in row["reasons"].items()),
        "delta": _signed(delta["value"], measure) if delta else "",
        "is_marked": bool(delta and delta["is_marked"]),
        "is_worse": bool(delta and delta["is_worse"]),
        "p": f"p = {delta['p_holm']:.3f} after Holm" if delta and delta["p_holm"] is not None else "",
    }


def number_words(value: float | None, measure: Mapping[str, Any]) -> str:
    """A value as tables show it: shares with two decimals, other numbers as large as they are."""
    if value is None:
        return DASH
    if measure["is_share"] or 0 < abs(value) < 100:
        return f"{value:.2f}" if abs(value) >= 0.005 or value == 0 else f"{value:.1g}"
    return f"{value:,.0f}"


def _interval(row: Mapping[str, Any], measure: Mapping[str, Any]) -> str:
    if row["low"] is None:
        return ""
    return f"{number_words(row['low'], measure)} to {number_words(row['high'], measure)}"


def _signed(value: float, measure: Mapping[str, Any]) -> str:
    words = number_words(abs(value), measure)
    return f"{'−' if value < 0 else '+'}{words}" if value else "±0"


def table_text(report: Mapping[str, Any]) -> str:
    """The head table for a terminal: a line for each configuration, an asterisk where the corrected test tells."""
    head = ["", *(measure["label"] for measure in report["measures"])]
    lines = [head]
    for row in head_table(report):
        cells = [f"{figure['value']}{'*' if figure['is_marked'] else ''}" for figure in row["figures"]]
        lines.append([row["cell"]["key"], *cells])
    widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
    text = ["  ".join(part.ljust(width) for part, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([*text, "", *_notes(report)])


def _notes(report: Mapping[str, Any]) -> Sequence[str]:
    notes = [f"* differs from {report['baseline']}, corrected for looking at all of them (Holm)."]
    failed = sum(cell["failed"] for cell in report["cells"])
    unchecked = ", ".join(cell["key"] for cell in report["cells"] if cell["is_unchecked"])
    if failed:
        notes.append(f"{failed} answers failed and are in no figure.")
    if unchecked:
        notes.append(f"Unchecked text, for comparison only: {unchecked}.")
    notes += warnings_words(report)
    if not report["is_whole"]:
        notes.append("The budget was used up before the end.")
    return notes


def warnings_words(report: Mapping[str, Any]) -> list[str]:
    """Why values of judges may flatter, in sentences; a report of an earlier version says nothing of it."""
    return [
        f"{warning['n']} of {warning['of']} values of {warning['judge']}: {warning['words']}"
        for warning in report.get("warnings", ())
    ]
