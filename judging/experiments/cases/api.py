"""Endpoints of the evaluations of a case base."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from rest_framework import serializers

from corpora.runs.api import Found, RunApi, run_routes
from judging.experiments.cases.pages import evaluation_document
from judging.experiments.cases.pairs import N_PAIRS, SEED, pair_questions_read
from judging.experiments.cases.services import (
    CASE_EVALUATIONS,
    MAX_QUESTIONS,
    case_evaluation_measure,
    case_evaluation_remove,
    case_evaluation_start,
)
from judging.models import CaseEvaluation
from legalqa.accounts.access import REVIEWERS
from legalqa.accounts.api import MemberRequest
from legalqa.common.drf import operation

MAX_TEXT = 2_500_000


class CaseTestQuestionSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="From 0; by it a question is chosen.")
    question = serializers.CharField()
    answer = serializers.CharField()
    cases = serializers.ListField(child=serializers.CharField(), help_text="Ids of the cases that it needs.")
    act = serializers.CharField(help_text="The legal act that the cases name; empty if the question came from a file.")
    is_chosen = serializers.BooleanField()


class CaseEvaluationSerializer(serializers.Serializer[Any]):
    """Test questions, each of which needs several cases, and how well the case base serves them."""

    id = serializers.UUIDField()
    corpus_id = serializers.UUIDField()
    state = serializers.CharField(help_text="`unmeasured`: choose the questions to measure with.")
    job_id = serializers.UUIDField(allow_null=True)
    created_at = serializers.DateTimeField()
    questions = CaseTestQuestionSerializer(many=True)
    cases = serializers.IntegerField(allow_null=True, help_text="Cases that were compared.")
    f1 = serializers.DictField(help_text="Mean F1 by encoder, weighting and k.")
    tests = serializers.DictField(help_text="By encoder: p of the analysis of variance, and of hybrid against each.")
    answers = serializers.DictField(
        allow_null=True, help_text="Cosine of a model's answers with the references by setting, with p; `{}`: no reply."
    )


class NewCaseEvaluationSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(
        max_length=MAX_TEXT,
        required=False,
        default="",
        allow_blank=True,
        trim_whitespace=False,
        help_text="JSONL: `question`, `answer`, and `cases`, a list of ids. Without it and `gold_set_id` a model "
        "writes them.",
    )
    gold_set_id = serializers.UUIDField(
        required=False,
        allow_null=True,
        default=None,
        help_text="A gold set of the corpus: its questions on passages of two cases or more are used.",
    )
    number = serializers.IntegerField(min_value=1, max_value=MAX_QUESTIONS, default=N_PAIRS)
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=SEED)


class CaseMeasurementSerializer(serializers.Serializer[Any]):
    chosen = serializers.ListField(
        child=serializers.IntegerField(min_value=0),
        max_length=MAX_QUESTIONS,
        help_text="Numbers of the questions that a person has found good.",
    )
    with_answers = serializers.BooleanField(
        default=False, help_text="Let a model answer each from no, one and three cases, too."
    )


class CaseEvaluationApi(RunApi):
    runs = CASE_EVALUATIONS
    roles = RunApi.roles | {"get": REVIEWERS}

    def start(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> CaseEvaluation:
        text = data.pop("text")
        questions = pair_questions_read(text) if text.strip() else ()
        return case_evaluation_start(**request.acting, corpus_id=corpus_id, questions=questions, **data)

    def documents(self, found: Sequence[Found]) -> list[dict[str, Any]]:
        return [evaluation_document(evaluation=evaluation, job=job) for evaluation, job in found]

    def removed(self, request: MemberRequest, **ids: UUID) -> None:
        (evaluation_id,) = ids.values()
        case_evaluation_remove(**request.acting, evaluation_id=evaluation_id)


class CaseEvaluationDetailApi(CaseEvaluationApi):
    @operation(
        "case_evaluations_measure", CaseEvaluationSerializer, 404, 409, status=202, takes=CaseMeasurementSerializer
    )
    def post(self, request: MemberRequest, evaluation_id: UUID, data: dict[str, Any]) -> object:
        """Measure the case base with the chosen questions, in the background; measured figures are replaced."""
        case_evaluation_measure(**request.acting, evaluation_id=evaluation_id, **data)
        return self.shown(request, id=evaluation_id)


case_evaluation_routes = run_routes(
    CaseEvaluationApi,
    name="case_evaluation",
    operations="case_evaluations",
    addresses=("corpora/<uuid:corpus_id>/case-evaluations/", "case-evaluations/<uuid:evaluation_id>/"),
    says={
        "list": "The evaluations of the case base of a corpus, newest first.",
        "create": "Begin an evaluation with test questions, or let a language model write them in the background.",
        "get": "An evaluation, with its figures once it was measured.",
        "delete": "Remove an evaluation with its test questions; one at work must be cancelled first.",
        "cancel": "Stop an evaluation; what was written is kept.",
        "resume": "Resume an evaluation that was cancelled or failed, from where it stopped.",
    },
    gives=CaseEvaluationSerializer,
    takes=NewCaseEvaluationSerializer,
    start_errors=(),
    detail=CaseEvaluationDetailApi,
    removed=CaseEvaluationApi.removed,
)
