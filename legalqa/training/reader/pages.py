"""What the report of a reader shows."""

from typing import Any

from legalqa.answering.models import TrainedReader
from legalqa.training import comparisons

MEASURES = {
    "first": ("Right passage first", "share of the questions of which a right passage comes before all others"),
    "mrr": ("Rank of the first right one", "mean reciprocal rank: 1 if it is first, ½ if second, and so on"),
    "auc": (
        "Told from others",
        "area under the ROC curve: how often a right passage comes before one of any question that does not answer",
    ),
}
SAID = {
    comparisons.BETTER: "It puts a right passage first more often than the packaged reader, on questions that it has "
    "not learned from.",
    comparisons.WORSE: "It puts a right passage first less often than the packaged reader. Do not use it.",
    comparisons.LEVEL: "No significant difference. Using this reader gains nothing; more questions may help.",
    comparisons.UNKNOWN: "Too few questions were left to compare before and after.",
}
CALIBRATED = (
    "An answer is given only above a certain probability. This is the expected calibration error of the probability "
    "that a passage answers, over all passages of the held-out questions; 0 is best. If it rises, choose the threshold "
    "of this corpus again from its feedback."
)


def report_page(*, version: TrainedReader) -> dict[str, Any]:
    """What the page of a report shows besides its figures."""
    report = version.report
    return {
        "verdict": comparisons.verdict_words(report, (), what="reader", sentences=SAID),
        "main": MEASURES["first"][0],
        "tables": comparisons.comparison_rows(report, measures=MEASURES),
        "before": "the packaged reader",
        "loss": comparisons.loss_curve(report),
        "calibrated": CALIBRATED,
    }
