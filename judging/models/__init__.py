"""Tables of judging, one module a room."""

from judging.models.experiments import Experiment, ExperimentAnswer, ExperimentScore, Rerun
from judging.models.feedback import FeedbackReview, Outcome
from judging.models.gold import GoldQuestion, GoldReference, GoldSet
from judging.models.tuning import TunedSearch, TuningRun

__all__ = [
    "Experiment",
    "ExperimentAnswer",
    "ExperimentScore",
    "FeedbackReview",
    "GoldQuestion",
    "GoldReference",
    "GoldSet",
    "Outcome",
    "Rerun",
    "TunedSearch",
    "TuningRun",
]
