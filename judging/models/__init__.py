"""Tables of judging, one module a room."""

from judging.models.campaigns import Adjudication, Assignment, Campaign, CampaignGrade, CampaignGrader, CampaignItem
from judging.models.experiments import Experiment, ExperimentAnswer, ExperimentScore, Rerun
from judging.models.gold import GoldQuestion, GoldReference, GoldSet
from judging.models.judges import Judge
from judging.models.tuning import TunedSearch, TuningRun

__all__ = [
    "Adjudication",
    "Assignment",
    "Campaign",
    "CampaignGrade",
    "CampaignGrader",
    "CampaignItem",
    "Experiment",
    "ExperimentAnswer",
    "ExperimentScore",
    "GoldQuestion",
    "GoldReference",
    "GoldSet",
    "Judge",
    "Rerun",
    "TunedSearch",
    "TuningRun",
]
