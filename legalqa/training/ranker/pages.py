"""What the report of a ranker shows."""

from typing import Any

from corpora.models import Corpus
from legalqa.accounts.models import Organization
from legalqa.training import comparisons
from legalqa.training.encoder.pages import encoder_words
from retrieval.models import TrainedRanker

CALIBRATED = (
    "With each search it estimates the probability that a right passage is among the first five. This is the expected "
    "calibration error of that estimate; 0 is best. Whether a question is answered does not depend on it."
)


def report_page(*, organization: Organization, corpus: Corpus, version: TrainedRanker) -> dict[str, Any]:
    """What the page of a report shows besides its figures."""
    report = version.report
    elsewhere = comparisons.elsewhere_rows(organization=organization, report=report)
    before = report.get("provenance", {}).get("before", "packaged")
    return {
        "over": encoder_words(version.encoder, corpus=corpus),
        "is_other": version.encoder != corpus.encoder,
        "verdict": comparisons.verdict_words(report, elsewhere, what="ranker"),
        "tables": comparisons.comparison_rows(report),
        "elsewhere": elsewhere,
        "calibrated": CALIBRATED,
        "before": "the packaged ranker" if before == "packaged" else f"ranker version {before}",
    }
