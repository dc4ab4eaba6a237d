"""The row of the clause library: verdicts that were judged by hand against those that are read now."""

import json

from legalqa.answering.clauses.library import library
from legalqa.answering.clauses.reading import Finding, Quote
from legalqa.reproduce.rows.clauses import JUDGED, verdict_figures

LAW = "This Agreement is governed by the laws of Ohio."


def found(verdict: str, quote: str = "") -> tuple[Finding, str]:
    return Finding("governing-law", verdict, 0.5, Quote(0, 0, len(quote)) if quote else None), quote  # type: ignore[arg-type]  # one of the three


def judged(contract: str, truth: str, *accepted: str) -> dict[str, object]:
    return {"contract": contract, "clause": "governing-law", "truth": truth, "accepted": list(accepted)}


def test_a_present_verdict_is_right_with_an_accepted_quote_alone_and_not_sure_is_counted_apart() -> None:
    rows = [
        judged("a", "present", "governed by the laws of Ohio"),
        judged("b", "present", "the laws of Utah"),
        judged("c", "absent"),
        judged("d", "present", LAW),
        judged("e", "absent"),
    ]
    now = {
        ("a", "governing-law"): found("present", LAW.replace(" the ", "\nthe ")),
        ("b", "governing-law"): found("present", LAW),
        ("c", "governing-law"): found("absent"),
        ("d", "governing-law"): found("absent"),
        ("e", "governing-law"): found("unsure", LAW),
    }

    figures = verdict_figures(rows, now)

    assert {name: (figure.value, figure.n) for name, figure in figures.items()} == {
        "right": (2, 4), "present": (1, 2), "absent": (1, 2), "unsure": (1, 5),
    }  # fmt: skip


def test_verdicts_were_judged_once_each_with_its_quote_or_none() -> None:
    rows = [json.loads(line) for line in JUDGED.read_text(encoding="utf-8").splitlines()]

    assert len(rows) == len({(row["contract"], row["clause"]) for row in rows}) == 113
    assert {row["clause"] for row in rows} <= {clause.key for clause in library()}
    assert all(bool(row["accepted"]) == (row["truth"] == "present") for row in rows)
