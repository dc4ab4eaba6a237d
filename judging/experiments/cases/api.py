"""Endpoints of the evaluations of a case base."""

from functools import partial
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from judging.experiments.cases import services
from judging.experiments.cases.pages import evaluation_document
from judging.experiments.cases.pairs import N_PAIRS, SEED, pair_questions_read
from legalqa.accounts.access import MANAGERS, REVIEWERS
from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.steps import step_api
from legalqa.common.drf import operation
from legalqa.jobs.selectors import job_latest_by_subject

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


def _shown(request: MemberRequest, evaluation_id: UUID) -> dict[str, Any]:
    evaluation, job = services.case_evaluation_get(organization=request.organization, evaluation_id=evaluation_id)
    return evaluation_document(evaluation=evaluation, job=job)


class CaseEvaluationListApi(MemberApi):
    scopes = {"get": TokenScope.CORPORA_READ, "post": TokenScope.CORPORA_WRITE}
    roles = {"get": REVIEWERS, "post": MANAGERS}

    @extend_schema_serializer(component_name="NewCaseEvaluation")
    class InputSerializer(serializers.Serializer[Any]):
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
        number = serializers.IntegerField(min_value=1, max_value=services.MAX_QUESTIONS, default=N_PAIRS)
        seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=SEED)

    @operation("case_evaluations_list", CaseEvaluationSerializer(many=True), 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> object:
        """The evaluations of the case base of a corpus, newest first."""
        evaluations = list(services.case_evaluation_list(organization=request.organization, corpus_id=corpus_id))
        jobs = job_latest_by_subject(organization=request.organization, subject_ids=[one.pk for one in evaluations])
        return [evaluation_document(evaluation=one, job=jobs.get(one.pk)) for one in evaluations]

    @operation("case_evaluations_create", CaseEvaluationSerializer, 404, status=202, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """Begin an evaluation with test questions, or let a language model write them in the background."""
        text = data.pop("text")
        questions = pair_questions_read(text) if text.strip() else ()
        evaluation = services.case_evaluation_start(**request.acting, corpus_id=corpus_id, questions=questions, **data)
        return _shown(request, evaluation.pk)


class CaseEvaluationDetailApi(MemberApi):
    scopes = {
        "get": TokenScope.CORPORA_READ,
        "post": TokenScope.CORPORA_WRITE,
        "delete": TokenScope.CORPORA_WRITE,
    }
    roles = {"get": REVIEWERS, "post": MANAGERS, "delete": MANAGERS}

    @extend_schema_serializer(component_name="CaseMeasurement")
    class InputSerializer(serializers.Serializer[Any]):
        chosen = serializers.ListField(
            child=serializers.IntegerField(min_value=0),
            max_length=services.MAX_QUESTIONS,
            help_text="Numbers of the questions that a person has found good.",
        )
        with_answers = serializers.BooleanField(
            default=False, help_text="Let a model answer each from no, one and three cases, too."
        )

    @operation("case_evaluations_get", CaseEvaluationSerializer, 404)
    def get(self, request: MemberRequest, evaluation_id: UUID) -> object:
        """An evaluation, with its figures once it was measured."""
        return _shown(request, evaluation_id)

    @operation("case_evaluations_measure", CaseEvaluationSerializer, 404, 409, status=202, takes=InputSerializer)
    def post(self, request: MemberRequest, evaluation_id: UUID, data: dict[str, Any]) -> object:
        """Measure the case base with the chosen questions, in the background; measured figures are replaced."""
        services.case_evaluation_measure(**request.acting, evaluation_id=evaluation_id, **data)
        return _shown(request, evaluation_id)

    @operation("case_evaluations_delete", None, 404, 409)
    def delete(self, request: MemberRequest, evaluation_id: UUID) -> None:
        """Remove an evaluation with its test questions; one at work must be cancelled first."""
        services.case_evaluation_remove(**request.acting, evaluation_id=evaluation_id)


_step = partial(step_api, answer=_shown, serializer=CaseEvaluationSerializer)
CaseEvaluationCancelApi = _step(
    services.case_evaluation_cancel,
    name="case_evaluations_cancel",
    words="Stop an evaluation; what was written is kept.",
)
CaseEvaluationResumeApi = _step(
    services.case_evaluation_resume,
    name="case_evaluations_resume",
    words="Resume an evaluation that was cancelled or failed, from where it stopped.",
)
