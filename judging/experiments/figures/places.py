"""The chart of position bias: how a judge of pairs favours the answer that comes first."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from judging.experiments.plots.drawing import Chart
from judging.experiments.plots.grid import Tile, heat_map
from judging.measures.places import CONFLICT, FIRST, SECOND

SHOWN = {FIRST: "Wins shown first", SECOND: "Wins shown second", CONFLICT: "Orders disagree"}


def places_chart(report: Mapping[str, Any], judge: str) -> Chart | None:
    """How often each configuration wins in either place, and how often the place decides; None for other judges.

    Args:
        report: As `judging.experiments` stores it.
        judge: Of the measure that the page shows; "" for a rule.
    """
    rows = {(r["metric"], r["preset"]): r for r in report["rows"] if judge and r["judge"] == judge}
    tiles = {
        (title, cell): Tile(row["value"], row["n"], row["undefined"])
        for (measure, cell), row in rows.items()
        if (title := SHOWN.get(measure))
    }
    if not tiles:
        return None
    columns = [cell["key"] for cell in report["cells"]]
    chart = heat_map(tiles, rows=list(SHOWN.values()), columns=columns, low=0, high=1, measure="Share of pairs")
    return replace(
        chart,
        key="places",
        title=f"Position bias of {judge}",
        note="Share of the pairs that a configuration wins when its answer is shown first, and when it is shown "
        "second; a tie is half. A judge without bias has the same share in both rows. The last row is the share of the "
        "pairs in which the two orders name different winners.",
    )
