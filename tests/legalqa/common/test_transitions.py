"""Every state has its transitions beside it, and what they do not allow is not written."""

import pytest
from django.db.models import TextChoices

from corpora.models import (
    TRAINED_TRANSITIONS,
    VERSION_TRANSITIONS,
    WATCHED_TRANSITIONS,
    TrainedState,
    VersionState,
    WatchedState,
)
from judging.models import GOLD_REVIEW_TRANSITIONS, REPORT_TRANSITIONS, ReportState, Review
from judging.models.campaigns import ASSIGNMENT_TRANSITIONS, AssignmentState
from legalqa.answering.models import (
    ANSWER_TRANSITIONS,
    CONTRADICTION_TRANSITIONS,
    STEP_TRANSITIONS,
    AnswerState,
    ReviewState,
    StepState,
)
from legalqa.common.transitions import TransitionRefused, Transitions, moved, sources
from legalqa.jobs.models import JOB_TRANSITIONS, OPEN_STATES, JobState
from legalqa.webhooks.models import DELIVERY_TRANSITIONS, DeliveryState
from retrieval.models import CASE_TRANSITIONS, QUESTION_TRANSITIONS, CaseState, QuestionState

DECLARED = [
    (AnswerState, AnswerState.WORKING, ANSWER_TRANSITIONS),
    (AssignmentState, AssignmentState.OPEN, ASSIGNMENT_TRANSITIONS),
    (CaseState, CaseState.WAITING, CASE_TRANSITIONS),
    (DeliveryState, DeliveryState.WAITING, DELIVERY_TRANSITIONS),
    (JobState, JobState.QUEUED, JOB_TRANSITIONS),
    (QuestionState, QuestionState.INDEXED, QUESTION_TRANSITIONS),
    (ReportState, ReportState.OPEN, REPORT_TRANSITIONS),
    (Review, Review.DRAFT, GOLD_REVIEW_TRANSITIONS),
    (ReviewState, ReviewState.OPEN, CONTRADICTION_TRANSITIONS),
    (StepState, StepState.WAITING, STEP_TRANSITIONS),
    (TrainedState, TrainedState.BUILDING, TRAINED_TRANSITIONS),
    (VersionState, VersionState.RECEIVED, VERSION_TRANSITIONS),
    (WatchedState, WatchedState.SEEN, WATCHED_TRANSITIONS),
]


@pytest.mark.parametrize(
    ("states", "first", "transitions"),
    DECLARED,
    ids=[
        "answer",
        "assignment",
        "case",
        "delivery",
        "job",
        "question",
        "report",
        "gold-question",
        "contradiction",
        "step",
        "trained",
        "version",
        "watched",
    ],
)
def test_every_state_is_declared_and_reached_from_the_first(
    states: type[TextChoices], first: TextChoices, transitions: Transitions[TextChoices]
) -> None:
    reached, ahead = {first}, [first]
    while ahead:
        new = transitions[ahead.pop()] - reached
        reached |= new
        ahead += new

    assert set(transitions) == set(states) == reached


def test_an_answer_ends_once() -> None:
    ends = set(AnswerState) - {AnswerState.WORKING}

    assert all(sources(ANSWER_TRANSITIONS, end) == [AnswerState.WORKING] for end in ends)
    assert not any(ANSWER_TRANSITIONS[end] for end in ends)


def test_only_open_jobs_end_and_a_done_one_stays_done() -> None:
    for end in (JobState.FAILED, JobState.CANCELLED):
        assert sources(JOB_TRANSITIONS, end) == list(OPEN_STATES)
    assert sources(JOB_TRANSITIONS, JobState.DONE) == [JobState.RUNNING]
    assert not JOB_TRANSITIONS[JobState.DONE]


def test_a_report_is_decided_once_and_a_reviewed_case_never_waits_again() -> None:
    assert [state for state, after in REPORT_TRANSITIONS.items() if after] == [ReportState.OPEN]
    with pytest.raises(TransitionRefused, match="No CaseState leads to 'waiting'"):
        sources(CASE_TRANSITIONS, CaseState.WAITING)


def test_only_a_file_that_a_look_has_seen_is_taken_or_refused() -> None:
    for state in (WatchedState.TAKEN, WatchedState.REFUSED):
        assert sources(WATCHED_TRANSITIONS, state) == [WatchedState.SEEN]
    assert sources(WATCHED_TRANSITIONS, WatchedState.SEEN) == list(WatchedState)


def test_a_document_is_removed_with_its_file_only_after_a_look_that_found_the_file_missing() -> None:
    assert sources(WATCHED_TRANSITIONS, WatchedState.REMOVED) == [WatchedState.MISSING]


def test_a_trained_version_that_is_ready_stays_so() -> None:
    assert sources(TRAINED_TRANSITIONS, TrainedState.READY) == [TrainedState.BUILDING]
    assert not TRAINED_TRANSITIONS[TrainedState.READY]


def test_what_may_not_follow_is_refused() -> None:
    assert moved(VERSION_TRANSITIONS, "chunked", VersionState.READY) == VersionState.READY
    with pytest.raises(TransitionRefused, match="VersionState 'ready' may not follow 'superseded'"):
        moved(VERSION_TRANSITIONS, "superseded", VersionState.READY)
    with pytest.raises(TransitionRefused, match="No AnswerState leads to 'working'"):
        sources(ANSWER_TRANSITIONS, AnswerState.WORKING)
