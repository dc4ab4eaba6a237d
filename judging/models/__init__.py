"""Tables of judging, one module a room."""

from judging.models.experiments import Experiment, ExperimentAnswer, ExperimentScore, Rerun
from judging.models.feedback import FeedbackReview, Outcome
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
    "Experiment",
    "ExperimentAnswer",
    "ExperimentScore",
    "FeedbackReview",
    "GoldEdit",
    "GoldGeneration",
    "GoldQuestion",
    "GoldReference",
    "GoldReport",
    "GoldReview",
    "GoldSet",
    "Outcome",
    "QuestionType",
    "ReportState",
    "Rerun",
    "Review",
    "Split",
    "TunedSearch",
    "TuningRun",
]
