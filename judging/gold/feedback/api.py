"""Endpoints of feedback."""

from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from corpora.selectors import corpus_get
from judging.gold.feedback.pages import feedback_rows
from judging.gold.feedback.selectors import STATES, WAITING, feedback_list, grades_given
from judging.gold.feedback.services import MAX_NOTE, feedback_get, feedback_review
from judging.gold.feedback.threshold import RISKS, threshold_report, threshold_set
from judging.gold.files import MAX_CHARS
from judging.gold.lines import ANSWERS, KINDS, training_lines
from judging.models import Outcome
from legalqa.accounts.api import ManagersApi, MemberApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.common.drf import PAGING, operation, paged


@extend_schema_serializer(component_name="Feedback")
class FeedbackSerializer(serializers.Serializer[Any]):
    """A grade and what became of it; `outcome` is null while it waits. Who asked and graded is not said."""

    id = serializers.UUIDField()
    question = serializers.CharField()
    answer = serializers.CharField()
    grade = serializers.CharField()
    note = serializers.CharField()
    correction = serializers.CharField()
    changed_at = serializers.DateTimeField()
    outcome = serializers.ChoiceField(choices=Outcome.choices, allow_null=True)
    said = serializers.CharField(help_text="What the reviewer wrote to the person who graded.")


class FeedbackListApi(ManagersApi):
    class FilterSerializer(serializers.Serializer[Any]):
        state = serializers.ChoiceField(choices=STATES, default=WAITING)

    @operation(
        "feedback_list",
        FeedbackSerializer(many=True),
        404,
        parameters=[OpenApiParameter("state", str, enum=STATES), *PAGING],
    )
    def get(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Grades of a corpus that wait for a review, or were reviewed, the oldest first."""
        filters = self.FilterSerializer(data=request.query_params)
        filters.is_valid(raise_exception=True)
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        grades = feedback_list(organization=request.organization, corpus_id=corpus.pk, **filters.validated_data)
        return paged(grades, request, FeedbackSerializer, shown=feedback_rows)


class MyFeedbackApi(MemberApi):
    scopes = {"get": TokenScope.ANSWERS_READ}

    @operation("feedback_mine", FeedbackSerializer(many=True), parameters=PAGING)
    def get(self, request: MemberRequest) -> Response:
        """The grades that you gave, and what became of each, the newest first."""
        grades = grades_given(**request.acting)
        return paged(grades, request, FeedbackSerializer, shown=feedback_rows)


class FeedbackDetailApi(ManagersApi):
    @extend_schema_serializer(component_name="FeedbackResult")
    class InputSerializer(serializers.Serializer[Any]):
        outcome = serializers.ChoiceField(choices=Outcome.choices)
        note = serializers.CharField(max_length=MAX_NOTE, default="", allow_blank=True)
        reference = serializers.CharField(
            max_length=MAX_CHARS, default="", allow_blank=True, help_text="The right answer, for a gold question."
        )

    @operation("feedback_review", FeedbackSerializer, 404, request=InputSerializer)
    def put(self, request: MemberRequest, grade_id: UUID) -> object:
        """Close a grade with a result, which the person who graded sees."""
        grade = feedback_get(organization=request.organization, grade_id=grade_id)
        data = self.InputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        feedback_review(**request.acting, grade_id=grade.pk, **data.validated_data)
        grade = feedback_get(organization=request.organization, grade_id=grade_id)
        return feedback_rows([grade])[0]


class FeedbackExportApi(ManagersApi):
    scopes = {"get": TokenScope.DOCUMENTS_READ}

    class FilterSerializer(serializers.Serializer[Any]):
        kind = serializers.ChoiceField(choices=list(KINDS), default=ANSWERS)

    @operation(
        "feedback_export", OpenApiTypes.OBJECT, 404, parameters=[OpenApiParameter("kind", str, enum=list(KINDS))]
    )
    def get(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Graded answers as lines to train on: `lines` is a list of objects, each as a line of the file has it."""
        corpus_get(organization=request.organization, corpus_id=corpus_id)
        filters = self.FilterSerializer(data=request.query_params)
        filters.is_valid(raise_exception=True)
        lines = training_lines(**request.acting, corpus_id=corpus_id, **filters.validated_data)
        return Response({"lines": lines})


class ThresholdApi(ManagersApi):
    @extend_schema_serializer(component_name="ThresholdOfRisk")
    class InputSerializer(serializers.Serializer[Any]):
        risk = serializers.ChoiceField(choices=RISKS, allow_null=True, help_text="Null for the usual threshold.")

    @extend_schema_serializer(component_name="Threshold")
    class OutputSerializer(serializers.Serializer[Any]):
        class ThresholdChoiceSerializer(serializers.Serializer[Any]):
            risk = serializers.FloatField()
            threshold = serializers.FloatField(source="chance", allow_null=True)
            reason = serializers.CharField(help_text="Why no threshold could be found; empty if one was.")
            answered = serializers.FloatField(help_text="Share of the graded questions.")
            wrong = serializers.FloatField(help_text="Share of the graded questions that is answered and wrong.")

        threshold = serializers.FloatField()
        is_own = serializers.BooleanField(help_text="Whether it was chosen for this corpus.")
        grades = serializers.IntegerField(source="n_grades", help_text="Graded questions that count.")
        needed = serializers.IntegerField(source="least", help_text="How many are needed to choose a threshold.")
        calibration_error = serializers.FloatField(source="error", allow_null=True)
        choices = ThresholdChoiceSerializer(many=True)

    @operation("threshold_retrieve", OutputSerializer, 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> object:
        """From which probability a question to this corpus is answered, and what grades say about other thresholds."""
        return threshold_report(organization=request.organization, corpus_id=corpus_id)

    @operation("threshold_set", OutputSerializer, 404, 409, request=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Choose the threshold by its promise: of all questions at most this share is answered and wrong."""
        corpus_get(organization=request.organization, corpus_id=corpus_id)
        data = self.InputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        threshold_set(**request.acting, corpus_id=corpus_id, **data.validated_data)
        return self.get(request, corpus_id)
