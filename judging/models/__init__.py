"""Tables of judging, one module a room."""

from judging.models.gold import (
    GoldEdit,
    GoldGeneration,
    GoldQuestion,
    GoldReference,
    GoldReport,
    GoldReview,
    GoldSet,
    QuestionType,
    ReportState,
    Review,
    Split,
)
from judging.models.tuning import TunedSearch, TuningRun

__all__ = [
    "GoldEdit",
    "GoldGeneration",
    "GoldQuestion",
    "GoldReference",
    "GoldReport",
    "GoldReview",
    "GoldSet",
    "QuestionType",
    "ReportState",
    "Review",
    "Split",
    "TunedSearch",
    "TuningRun",
]
