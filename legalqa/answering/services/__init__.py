"""Asking and answering: the only place that decides what an answer says."""

from legalqa.answering.services.answers import answer_export
from legalqa.answering.services.conversations import (
    conversation_delete,
    conversation_rename,
    conversation_share,
    conversation_unshare,
)
from legalqa.answering.services.grades import answer_grade, answer_ungrade, grades_possible
from legalqa.answering.services.questions import (
    question_again,
    question_ask,
    question_following,
    question_like,
    question_start,
)
from legalqa.answering.services.work import answer_cancel, answer_give_up, answer_settle, answer_work
