"""Tables of judging, one module a room."""

from judging.models.campaigns import Adjudication, Assignment, Campaign, CampaignGrade, CampaignGrader, CampaignItem
from judging.models.cases import CaseEvaluation
from judging.models.experiments import Experiment, ExperimentAnswer, ExperimentScore, Rerun
from judging.models.feedback import FeedbackReview, Outcome
from judging.models.generation import GoldGeneration
from judging.models.gold import (
    GOLD_REVIEW_TRANSITIONS,
    REPORT_TRANSITIONS,
    GoldEdit,
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
from judging.models.judges import Judge
from judging.models.tuning import TunedSearch, TuningRun
