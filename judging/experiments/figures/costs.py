"""What the answers of a configuration took: time, tokens, money, and an estimate of the energy."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any


def cost_rows(report: Mapping[str, Any], *, watts: int) -> list[dict[str, Any]]:
    """One row a configuration, per answer that came.

    Energy is the mean wall time of an answer times `watts`, so it counts this machine, at its stated power, and nothing
    that a provider burns; `seconds_total` is of the answers that came, without those taken from other experiments.

    Args:
        report: As `judging.experiments` stores it.
        watts: What this machine draws while it answers.
    """
    return [_row(cell, report, watts) for cell in report["cells"]]


def _row(cell: Mapping[str, Any], report: Mapping[str, Any], watts: int) -> dict[str, Any]:
    n = cell["n"] - cell["failed"]
    seconds = next(
        (r["value"] for r in report["rows"] if r["preset"] == cell["key"] and r["metric"] == "seconds"), None
    )
    return {
        "cell": cell["key"],
        "title": cell["title"],
        "n": n,
        "failed": cell["failed"],
        "reused": cell["reused"],
        "seconds_median": cell["seconds_median"],
        "seconds_p95": cell["seconds_p95"],
        "tokens": cell["tokens"] / n if n else None,
        "cost": Decimal(cell["cost"]) / n if n else None,
        "judge_cost": Decimal(cell["judge_cost"]),
        "watt_hours": None if seconds is None else seconds * watts / 3600,
    }
