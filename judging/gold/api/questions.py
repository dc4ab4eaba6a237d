"""Endpoints of gold questions, their reviews and reports."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from judging.gold.files import gold_documents
from judging.gold.pages import NO_SPLIT, questions_chosen
from judging.gold.services import reviewing
from judging.gold.services.sets import gold_set_get, question_rows_of
from judging.models import GoldQuestion, ReportState, Review, Split
from legalqa.accounts.access import MANAGERS, REVIEWERS
from legalqa.accounts.api import ManagersApi, MemberApi, MemberRequest, ReviewersApi
from legalqa.accounts.scopes import TokenScope
from legalqa.common.drf import PAGING, chosen, operation, paged

SPLITS = [*filter(None, Split.values), NO_SPLIT]
FILTERS = [
    *PAGING,
    OpenApiParameter("type", str, description="Name of a question type."),
    OpenApiParameter("split", str, enum=SPLITS),
    OpenApiParameter("review", str, enum=list(Review.values)),
    OpenApiParameter("doubles", bool, description="Only questions that ask the same as an earlier one."),
]


class GoldQuestionSerializer(serializers.Serializer[Any]):
    """`question` is the question as a line of an exported file has it."""

    id = serializers.UUIDField()
    gold_set_id = serializers.UUIDField()
    version = serializers.IntegerField()
    review = serializers.CharField()
    double_of = serializers.UUIDField(allow_null=True)
    question = serializers.DictField()


def _shown(questions: list[GoldQuestion]) -> list[dict[str, Any]]:
    documents = gold_documents(question_rows_of(questions=questions))
    return [vars(question) | {"question": document} for question, document in zip(questions, documents, strict=True)]


class GoldQuestionListApi(ReviewersApi):
    scopes = {"get": TokenScope.DOCUMENTS_READ}

    class FilterSerializer(serializers.Serializer[Any]):
        doubles = serializers.BooleanField(default=False)

    @operation("gold_questions_list", GoldQuestionSerializer(many=True), 404, parameters=FILTERS)
    def get(self, request: MemberRequest, gold_set_id: UUID) -> Response:
        """The questions of a gold set that fit the filters, in pages."""
        gold_set = gold_set_get(organization=request.organization, gold_set_id=gold_set_id)
        chosen(request, "review", Review.values)
        chosen(request, "split", SPLITS)
        filters = self.FilterSerializer(data=request.query_params)
        filters.is_valid(raise_exception=True)
        questions = questions_chosen(gold_set=gold_set, query=request.query_params.dict() | filters.validated_data)
        return paged(questions, request, GoldQuestionSerializer, shown=_shown)


class GoldQuestionApi(MemberApi):
    scopes = {"get": TokenScope.DOCUMENTS_READ, "patch": TokenScope.CORPORA_WRITE}
    roles = {"get": REVIEWERS, "patch": MANAGERS}

    @extend_schema_serializer(component_name="GoldQuestionEdit")
    class InputSerializer(serializers.Serializer[Any]):
        version = serializers.IntegerField(required=False, help_text="The version that was edited.")
        changes = serializers.DictField(help_text="Keys of a line of the file with their new values.")

    @operation("gold_questions_get", GoldQuestionSerializer, 404)
    def get(self, request: MemberRequest, gold_question_id: UUID) -> object:
        """A gold question."""
        question = reviewing.gold_question_get(organization=request.organization, question_id=gold_question_id)
        return _shown([question])[0]

    @operation("gold_questions_edit", GoldQuestionSerializer, 404, 409, takes=InputSerializer)
    def patch(self, request: MemberRequest, gold_question_id: UUID, data: dict[str, Any]) -> object:
        """Edit a gold question; its earlier text is kept, and it becomes a draft again."""
        version = {"version": data["version"]} if "version" in data else {}
        question = reviewing.gold_question_edit(
            **request.acting,
            question_id=gold_question_id,
            changes={key: value for key, value in data["changes"].items() if key != "version"} | version,
        )
        return _shown([question])[0]


class GoldReviewApi(ReviewersApi):
    scopes = {"get": TokenScope.DOCUMENTS_READ, "post": TokenScope.CORPORA_WRITE}

    @extend_schema_serializer(component_name="GoldReview")
    class ReviewSerializer(serializers.Serializer[Any]):
        state = serializers.ChoiceField(choices=Review.values)
        grades = serializers.DictField(child=serializers.IntegerField(min_value=1, max_value=5), required=False)
        note = serializers.CharField(required=False, allow_blank=True, max_length=reviewing.MAX_NOTE)
        version = serializers.IntegerField(read_only=True)
        reviewed_at = serializers.DateTimeField(read_only=True)

    @operation("gold_reviews_list", ReviewSerializer(many=True), 404)
    def get(self, request: MemberRequest, gold_question_id: UUID) -> object:
        """The reviews of a gold question, newest first."""
        question = reviewing.gold_question_get(organization=request.organization, question_id=gold_question_id)
        return reviewing.reviews_of(question=question)

    @operation("gold_reviews_create", ReviewSerializer, 404, status=201, takes=ReviewSerializer)
    def post(self, request: MemberRequest, gold_question_id: UUID, data: dict[str, Any]) -> object:
        """Approve or reject a gold question, or make it a draft, with grades on the six criteria."""
        return reviewing.gold_question_review(**request.acting, question_id=gold_question_id, **data)


class GoldReportSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(read_only=True)
    question_id = serializers.UUIDField(read_only=True)
    note = serializers.CharField(max_length=reviewing.MAX_NOTE)
    state = serializers.CharField(read_only=True)
    decision_note = serializers.CharField(read_only=True)
    reported_at = serializers.DateTimeField(read_only=True)


class GoldReportListApi(ReviewersApi):
    scopes = {"get": TokenScope.DOCUMENTS_READ, "post": TokenScope.CORPORA_WRITE}

    @operation("gold_reports_list", GoldReportSerializer(many=True), 404)
    def get(self, request: MemberRequest, gold_question_id: UUID) -> object:
        """What people said of the reference of a gold question, newest first."""
        question = reviewing.gold_question_get(organization=request.organization, question_id=gold_question_id)
        return reviewing.reports_of(questions=[question])

    @operation("gold_reports_create", GoldReportSerializer, 404, status=201, takes=GoldReportSerializer)
    def post(self, request: MemberRequest, gold_question_id: UUID, data: dict[str, Any]) -> object:
        """Say that the reference of a gold question is wrong."""
        return reviewing.reference_report(**request.acting, question_id=gold_question_id, **data)


class GoldReportApi(ManagersApi):
    @extend_schema_serializer(component_name="GoldReportDecision")
    class InputSerializer(serializers.Serializer[Any]):
        state = serializers.ChoiceField(choices=[ReportState.ACCEPTED.value, ReportState.DECLINED.value])
        note = serializers.CharField(required=False, allow_blank=True, max_length=reviewing.MAX_NOTE)

    @operation("gold_reports_decide", GoldReportSerializer, 404, 409, takes=InputSerializer)
    def post(self, request: MemberRequest, gold_report_id: UUID, data: dict[str, Any]) -> object:
        """Accept or decline a report; an accepted one makes its question a draft."""
        return reviewing.report_decide(**request.acting, report_id=gold_report_id, **data)
