"""What the report of a classifier of question complexity shows."""

from typing import Any

from legalqa.common.errors import NotFound
from legalqa.common.numbers import whole_number
from legalqa.training.classifier.fitting import KINDS
from retrieval.models import ComplexityClassifier

CLASS_NAMES = {2: ("One passage", "More"), 3: ("One passage", "Two", "Three or more")}
CELL_SHOWN = 200  # questions of one cell


def class_names(n_classes: int) -> tuple[str, ...]:
    """What each class means, in the words of the pages."""
    return CLASS_NAMES.get(n_classes) or (*(str(n + 1) for n in range(n_classes - 1)), f"{n_classes} or more")


def report_page(*, version: ComplexityClassifier, address: str, cell: str) -> dict[str, Any]:
    """The report of a version; `cell` is "true-called" where somebody opened one.

    Raises:
        NotFound: there is no such cell.
    """
    report, names = version.report, class_names(version.n_classes)
    figures = report["figures"]
    most = max((value for row in figures["confusion"] for value in row), default=0)
    return {
        "title": KINDS.get(version.kind, version.kind),
        "is_validated": any(epoch["score"] is not None for epoch in report["epochs"]),
        "names": names,
        "classes": [c | {"name": names[c["label"]]} for c in figures["classes"]],
        "confusion": [
            {
                "name": names[true],
                "cells": [
                    {
                        "n": n,
                        "called": names[called],
                        "is_right": true == called,
                        "weight": _weight(n, most),
                        "url": f"{address}?cell={true}-{called}#cell",
                    }
                    for called, n in enumerate(row)
                ],
            }
            for true, row in enumerate(figures["confusion"])
        ],
        "words": [
            {"name": names[label], "words": [{"word": w, "value": v, "share": v / words[0][1]} for w, v in words]}
            for label, words in enumerate(report["words"])
            if words
        ],
        "cell": _cell(report, names, cell),
    }


def _weight(n: int, most: int) -> int:
    """How dark a cell is, 0 to 4."""
    return 0 if not n or not most else 1 + min(3, 4 * n // (most + 1))


def _cell(report: dict[str, Any], names: tuple[str, ...], cell: str) -> dict[str, Any] | None:
    if not cell:
        return None
    places = [place for part in cell.split("-") if (place := whole_number(part)) is not None and place < len(names)]
    if len(places) != 2 or cell.count("-") != 1:
        raise NotFound("cell")
    true, called = places
    rows = [row for row in report["asked"] if row[1] == true and row[2] == called]
    return {
        "true": names[true],
        "called": names[called],
        "n": len(rows),
        "questions": [{"text": text, "chance": chance} for text, _, _, chance in rows[:CELL_SHOWN]],
        "n_hidden": max(0, len(rows) - CELL_SHOWN),
    }
