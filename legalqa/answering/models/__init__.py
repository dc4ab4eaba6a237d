"""Questions, answers with claims and steps, grades, contradictions, trained readers; and the tables of clauses."""

from legalqa.answering.clauses.models import ClauseQuestion, ClauseReview, ClauseVerdict
from legalqa.answering.models.answer import (
    ANSWER_TRANSITIONS,
    STEP_TRANSITIONS,
    Answer,
    AnswerMode,
    AnswerState,
    AnswerStep,
    Purpose,
    StepState,
)
from legalqa.answering.models.claim import Citation, Claim, ClaimPart, Verdict
from legalqa.answering.models.contradiction import CONTRADICTION_TRANSITIONS, Contradiction, ReviewState
from legalqa.answering.models.grade import AnswerGrade, Grade, PassageJudgment
from legalqa.answering.models.question import ConversationShare, Question
from legalqa.answering.models.reader import ReaderActivation, TrainedReader
