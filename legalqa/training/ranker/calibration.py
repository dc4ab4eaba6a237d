"""How reliable the stated probability of a question is: reliability by bins, and risk against coverage."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from judging.measures.abstention import aurc, calibration_error, reliability_bins, risk_coverage
from judging.measures.values import number
from legalqa.training.ranker.types import QuestionOutcome
from retrieval.rerankers.model import FIRST

STEPS = 20  # points of the diagram at most
SIDE, EDGE = 240, 30  # of the diagram, in units of its own


def calibration_report(outcomes: Sequence[QuestionOutcome]) -> dict[str, Any]:
    """Bins of equal mass by probability, their calibration error, and the risk at some twenty steps of coverage.

    Right means that a gold passage is in the ranker's first five.
    """
    probabilities = [one.probability for one in outcomes]
    right = [one.found(FIRST) for one in outcomes]
    curve = risk_coverage(probabilities, right)
    steps = np.unique(np.linspace(0, len(curve) - 1, STEPS).round().astype(int)) if curve else ()
    return {
        "n": len(outcomes),
        "ece": number(calibration_error(probabilities, right), 4),
        "aurc": number(aurc(probabilities, right), 4),
        "bins": [
            {"n": one.n, "said": round(one.confidence, 4), "right": round(one.share, 4)}
            for one in reliability_bins(probabilities, right)
        ],
        "risk_coverage": [{"coverage": round(curve[at].coverage, 3), "risk": round(curve[at].risk, 4)} for at in steps],
    }


def reliability_svg(bins: Sequence[dict[str, float]], *, title: str) -> str:
    """A reliability diagram: stated probability along, share right up; on the diagonal both agree."""

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
