"""How well the probability of a question keeps its word: reliability by bins, and risk against coverage.

Source: measures.md, "Abstention" (AURC is the mean of the risk over the first 1, 2, … n questions by confidence).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from judging.evaluation_types import QuestionOutcome

BINS = 10
SIDE, EDGE = 240, 30  # of the diagram, in units of its own


def calibration_report(found: Sequence[QuestionOutcome]) -> dict[str, Any]:
    """Bins of equal size by probability, their calibration error, and the risk at each coverage.

    Right means that a gold passage stands in the ranker's first five.
    """
    order = sorted(found, key=lambda one: (one.probability, one.id))
    said = np.array([one.probability for one in order])
    right = np.array([float(one.found(5)) for one in order])
    bins = [
        {"n": len(part), "said": round(float(said[part].mean()), 4), "right": round(float(right[part].mean()), 4)}
        for part in np.array_split(np.arange(len(order)), BINS)
        if len(part)
    ]
    error = sum(b["n"] * abs(b["said"] - b["right"]) for b in bins) / max(1, len(order))
    risk = np.cumsum(1.0 - right[::-1]) / np.arange(1, len(right) + 1)
    at = [max(1, round(share * len(right))) for share in np.linspace(0.05, 1.0, 20)]
    return {
        "n": len(order),
        "ece": round(float(error), 4),
        "aurc": round(float(risk.mean()), 4),
        "bins": bins,
        "risk_coverage": [{"coverage": round(n / len(right), 3), "risk": round(float(risk[n - 1]), 4)} for n in at],
    }


def reliability_svg(bins: Sequence[dict[str, float]], *, title: str) -> str:
    """A reliability diagram: said along, right up; on the diagonal the probability keeps its word."""

    def point(x: float, y: float) -> str:
        return f"{EDGE + x * SIDE:.1f},{EDGE + (1 - y) * SIDE:.1f}"

    dots = "".join(
        f'<circle cx="{x}" cy="{y}" r="4"/>' for x, y in (point(b["said"], b["right"]).split(",") for b in bins)
    )
    size = SIDE + 2 * EDGE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" role="img">'
        f"<title>Said probability against what came true: {title}</title>"
        f'<polyline points="{point(0, 0)} {point(1, 1)}" stroke="gray" fill="none"/>'
        f'<polyline points="{" ".join(point(b["said"], b["right"]) for b in bins)}" stroke="black" fill="none"/>'
        f'{dots}<text x="{size / 2}" y="{size - 6}" text-anchor="middle" font-size="12">said, 0 to 1</text>'
        f'<text x="12" y="{size / 2}" font-size="12" text-anchor="middle" transform="rotate(-90 12 {size / 2})">'
        "came true, 0 to 1</text></svg>\n"
    )
