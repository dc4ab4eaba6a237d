"""Endpoints of gold questions, their reviews and reports, of the taxonomy, and of gold sets in other formats."""

import base64
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from judging.gold import kinds, reviewing
from judging.gold.api import GoldSetSerializer
from judging.gold.bringing import gold_set_bring, gold_set_deal, gold_set_file
from judging.gold.cases import gold_set_keep
from judging.gold.doubles import MAX_COMPARED
from judging.gold.files import gold_documents
from judging.gold.formats import READERS, WRITERS
from judging.gold.indexing import gold_set_index
from judging.gold.pages import questions_chosen
from judging.gold.services import MAX_NAME, gold_set_counted, gold_set_get, question_rows_of
from judging.gold.taxonomy import OWN, Target
from judging.models import GoldQuestion, GoldReport, ReportState, Review
from legalqa.accounts.access import EVERYONE, MANAGERS, REVIEWERS
from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.common.drf import Pages, error_responses
from legalqa.common.errors import ApplicationError
from retrieval.questions.api import AddedSerializer

MAX_ENCODED = 3_500_000  # characters of a file in base64
FILTERS = [
    OpenApiParameter("type", str, description="Name of a question type."),
    OpenApiParameter("split", str, description="train, calibration, test, or none."),
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
    return [
        {
            "id": question.pk,
            "gold_set_id": question.gold_set_id,
            "version": question.version,
            "review": question.review,
            "double_of": question.double_of,
            "question": document,
        }
        for question, document in zip(questions, documents, strict=True)
    ]


class GoldQuestionListApi(MemberApi):
    scopes = {"get": TokenScope.DOCUMENTS_READ}
    roles = {"get": REVIEWERS}
    pagination_class = Pages

    @extend_schema(
        operation_id="gold_questions_list",
        parameters=FILTERS,
        responses={200: GoldQuestionSerializer(many=True), **error_responses(401, 404)},
    )
    def get(self, request: MemberRequest, gold_set_id: UUID) -> Response:
        """The questions of a gold set that fit the filters, in pages."""
        gold_set = gold_set_get(organization=request.organization, gold_set_id=gold_set_id)
        pages = Pages()
        questions = questions_chosen(gold_set=gold_set, chosen=request.query_params.dict())
        held = pages.paginate_queryset(questions, request, view=self) or []
        return pages.get_paginated_response(GoldQuestionSerializer(_shown(held), many=True).data)


class GoldQuestionApi(MemberApi):
    scopes = {"get": TokenScope.DOCUMENTS_READ, "patch": TokenScope.CORPORA_WRITE}
    roles = {"get": REVIEWERS, "patch": MANAGERS}

    @extend_schema_serializer(component_name="GoldQuestionEdit")
    class InputSerializer(serializers.Serializer[Any]):
        version = serializers.IntegerField(required=False, help_text="The version that was edited.")
        changes = serializers.DictField(help_text="Keys of a line of the file with their new values.")

    @extend_schema(
        operation_id="gold_questions_get", responses={200: GoldQuestionSerializer, **error_responses(401, 404)}
    )
    def get(self, request: MemberRequest, gold_question_id: UUID) -> Response:
        """A gold question."""
        question = reviewing.gold_question_get(organization=request.organization, question_id=gold_question_id)
        return Response(GoldQuestionSerializer(_shown([question])[0]).data)

    @extend_schema(
        operation_id="gold_questions_edit",
        request=InputSerializer,
        responses={200: GoldQuestionSerializer, **error_responses(400, 401, 403, 404, 409)},
    )
    def patch(self, request: MemberRequest, gold_question_id: UUID) -> Response:
        """Edit a gold question; its earlier text is kept, and it becomes a draft again."""
        data = self.InputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        asked = data.validated_data
        version = {"version": asked["version"]} if "version" in asked else {}
        question = reviewing.gold_question_edit(
            organization=request.organization,
            user=request.user,
            question_id=gold_question_id,
            changes={key: value for key, value in asked["changes"].items() if key != "version"} | version,
        )
        return Response(GoldQuestionSerializer(_shown([question])[0]).data)


class GoldReviewApi(MemberApi):
    scopes = {"get": TokenScope.DOCUMENTS_READ, "post": TokenScope.CORPORA_WRITE}
    roles = {"get": REVIEWERS, "post": REVIEWERS}

    @extend_schema_serializer(component_name="GoldReview")
    class ReviewSerializer(serializers.Serializer[Any]):
        state = serializers.ChoiceField(choices=Review.values)
        grades = serializers.DictField(child=serializers.IntegerField(min_value=1, max_value=5), required=False)
        note = serializers.CharField(required=False, allow_blank=True, max_length=reviewing.MAX_NOTE)
        version = serializers.IntegerField(read_only=True)
        reviewed_at = serializers.DateTimeField(read_only=True)

    @extend_schema(
        operation_id="gold_reviews_list", responses={200: ReviewSerializer(many=True), **error_responses(401, 404)}
    )
    def get(self, request: MemberRequest, gold_question_id: UUID) -> Response:
        """The reviews of a gold question, newest first."""
        question = reviewing.gold_question_get(organization=request.organization, question_id=gold_question_id)
        return Response(self.ReviewSerializer(reviewing.reviews_of(question=question), many=True).data)

    @extend_schema(
        operation_id="gold_reviews_create",
        request=ReviewSerializer,
        responses={201: ReviewSerializer, **error_responses(400, 401, 403, 404)},
    )
    def post(self, request: MemberRequest, gold_question_id: UUID) -> Response:
        """Approve or reject a gold question, or make it a draft, with grades on the six criteria."""
        data = self.ReviewSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        review = reviewing.gold_question_review(
            organization=request.organization, user=request.user, question_id=gold_question_id, **data.validated_data
        )
        return Response(self.ReviewSerializer(review).data, status=201)


class GoldReportSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(read_only=True)
    question_id = serializers.UUIDField(read_only=True)
    note = serializers.CharField(max_length=reviewing.MAX_NOTE)
    state = serializers.CharField(read_only=True)
    decision_note = serializers.CharField(read_only=True)
    reported_at = serializers.DateTimeField(read_only=True)


class GoldReportListApi(MemberApi):
    scopes = {"get": TokenScope.DOCUMENTS_READ, "post": TokenScope.CORPORA_WRITE}
    roles = {"get": REVIEWERS, "post": REVIEWERS}

    @extend_schema(
        operation_id="gold_reports_list",
        responses={200: GoldReportSerializer(many=True), **error_responses(401, 404)},
    )
    def get(self, request: MemberRequest, gold_question_id: UUID) -> Response:
        """What people said of the reference of a gold question, newest first."""
        question = reviewing.gold_question_get(organization=request.organization, question_id=gold_question_id)
        return Response(GoldReportSerializer(reviewing.reports_of(questions=[question]), many=True).data)

    @extend_schema(
        operation_id="gold_reports_create",
        request=GoldReportSerializer,
        responses={201: GoldReportSerializer, **error_responses(400, 401, 403, 404)},
    )
    def post(self, request: MemberRequest, gold_question_id: UUID) -> Response:
        """Say that the reference of a gold question is wrong."""
        data = GoldReportSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        report = reviewing.reference_report(
            organization=request.organization, user=request.user, question_id=gold_question_id, **data.validated_data
        )
        return Response(_report(report), status=201)


class GoldReportApi(MemberApi):
    scopes = {"post": TokenScope.CORPORA_WRITE}
    roles = {"post": MANAGERS}

    @extend_schema_serializer(component_name="GoldReportDecision")
    class InputSerializer(serializers.Serializer[Any]):
        state = serializers.ChoiceField(choices=[ReportState.ACCEPTED.value, ReportState.DECLINED.value])
        note = serializers.CharField(required=False, allow_blank=True, max_length=reviewing.MAX_NOTE)

    @extend_schema(
        operation_id="gold_reports_decide",
        request=InputSerializer,
        responses={200: GoldReportSerializer, **error_responses(400, 401, 403, 404, 409)},
    )
    def post(self, request: MemberRequest, gold_report_id: UUID) -> Response:
        """Accept or decline a report; an accepted one makes its question a draft."""
        data = self.InputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        report = reviewing.report_decide(
            organization=request.organization, user=request.user, report_id=gold_report_id, **data.validated_data
        )
        return Response(_report(report))


def _report(report: GoldReport) -> Any:
    return GoldReportSerializer(report).data


class GoldSetImportApi(MemberApi):
    scopes = {"post": TokenScope.CORPORA_WRITE}
    roles = {"post": MANAGERS}

    @extend_schema_serializer(component_name="GoldSetImport")
    class InputSerializer(serializers.Serializer[Any]):
        name = serializers.CharField(max_length=MAX_NAME)
        shape = serializers.ChoiceField(choices=list(READERS))
        content = serializers.CharField(max_length=MAX_ENCODED, help_text="The file in base64.")

    @extend_schema_serializer(component_name="GoldSetImported")
    class OutputSerializer(serializers.Serializer[Any]):
        gold_set = GoldSetSerializer()
        notes = serializers.ListField(child=serializers.CharField())

    @extend_schema(
        operation_id="goldsets_import",
        request=InputSerializer,
        responses={201: OutputSerializer, **error_responses(400, 401, 403, 404, 409)},
    )
    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Store a gold set in one of the formats; `notes` say what is unknown, doubled or shared between splits."""
        data = self.InputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        try:
            content = base64.b64decode(data.validated_data["content"], validate=True)
        except ValueError:
            raise ApplicationError("content is not base64.", code="bad_content") from None
        brought = gold_set_bring(
            organization=request.organization,
            user=request.user,
            corpus_id=corpus_id,
            name=data.validated_data["name"],
            data=content,
            shape=data.validated_data["shape"],
            n_compared=MAX_COMPARED,
        )
        counted = gold_set_counted(gold_set=brought.gold_set)
        return Response(self.OutputSerializer({"gold_set": counted, "notes": brought.notes}).data, status=201)


class GoldSetFileApi(MemberApi):
    scopes = {"get": TokenScope.DOCUMENTS_READ}
    roles = {"get": MANAGERS}

    @extend_schema(
        operation_id="goldsets_export",
        parameters=[OpenApiParameter("shape", str, enum=list(WRITERS))],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, **error_responses(400, 401, 404)},
    )
    def get(self, request: MemberRequest, gold_set_id: UUID) -> HttpResponse:
        """A gold set as a file in one of the formats, JSONL where none is named."""
        gold_set = gold_set_get(organization=request.organization, gold_set_id=gold_set_id)
        shape = request.query_params.get("shape", "jsonl")
        body, ending, kind = gold_set_file(
            organization=request.organization, user=request.user, gold_set=gold_set, shape=shape
        )
        response = HttpResponse(body, content_type=kind)
        response["Content-Disposition"] = f'attachment; filename="goldset.{ending}"'
        return response


class GoldSetIndexApi(MemberApi):
    scopes = {"post": TokenScope.CORPORA_WRITE}
    roles = {"post": MANAGERS}

    @extend_schema(
        operation_id="goldsets_index",
        request=None,
        responses={200: AddedSerializer, **error_responses(400, 401, 403, 404)},
    )
    def post(self, request: MemberRequest, gold_set_id: UUID) -> Response:
        """Add its questions to the question index of the corpus; drafts and the test split are left out."""
        made = gold_set_index(organization=request.organization, user=request.user, gold_set_id=gold_set_id)
        return Response(AddedSerializer(made).data)


class GoldSetSplitsApi(MemberApi):
    scopes = {"post": TokenScope.CORPORA_WRITE}
    roles = {"post": MANAGERS}

    @extend_schema_serializer(component_name="GoldSetSplits")
    class OutputSerializer(serializers.Serializer[Any]):
        train = serializers.IntegerField()
        calibration = serializers.IntegerField()
        test = serializers.IntegerField()

    @extend_schema(
        operation_id="goldsets_split",
        request=None,
        responses={200: OutputSerializer, **error_responses(400, 401, 403, 404)},
    )
    def post(self, request: MemberRequest, gold_set_id: UUID) -> Response:
        """Assign the questions to train, calibration and test so that no document is in two of them."""
        counts = gold_set_deal(organization=request.organization, user=request.user, gold_set_id=gold_set_id)
        return Response(self.OutputSerializer(counts).data)


class GoldSetCasesApi(MemberApi):
    scopes = {"post": TokenScope.CORPORA_WRITE}
    roles = {"post": MANAGERS}

    @extend_schema_serializer(component_name="GoldSetCases")
    class OutputSerializer(serializers.Serializer[Any]):
        added = serializers.IntegerField()
        known = serializers.IntegerField(help_text="They were there already.")

    @extend_schema(
        operation_id="goldsets_cases",
        request=None,
        responses={201: OutputSerializer, **error_responses(401, 403, 404)},
    )
    def post(self, request: MemberRequest, gold_set_id: UUID) -> Response:
        """Make solved cases of the approved questions that have a reference answer and known evidence."""
        added = gold_set_keep(organization=request.organization, user=request.user, gold_set_id=gold_set_id)
        return Response({"added": len(added.cases), "known": added.n_known}, status=201)


class KindSerializer(serializers.Serializer[Any]):
    """`id` is null for a type that is shipped."""

    id = serializers.UUIDField(allow_null=True, read_only=True)
    name = serializers.CharField(max_length=60)
    family = serializers.CharField(read_only=True)
    targets = serializers.ListField(child=serializers.ChoiceField(choices=[target.value for target in Target]))
    tests = serializers.CharField(max_length=kinds.MAX_TESTS)


class QuestionTypeListApi(MemberApi):
    scopes = {"get": TokenScope.CORPORA_READ, "post": TokenScope.CORPORA_WRITE}
    roles = {"get": EVERYONE, "post": MANAGERS}

    @extend_schema(
        operation_id="question_types_list", responses={200: KindSerializer(many=True), **error_responses(401)}
    )
    def get(self, request: MemberRequest) -> Response:
        """The types of gold questions: the shipped ones, and the organisation's own."""
        ids = {row.name: row.pk for row in kinds.kinds_own(organization=request.organization)}
        rows = [
            {
                "id": ids.get(kind.name),
                "name": kind.name,
                "family": kind.family,
                "targets": [target.value for target in kind.targets],
                "tests": kind.tests,
            }
            for kind in kinds.kinds_all(organization=request.organization)
        ]
        return Response(KindSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="question_types_create",
        request=KindSerializer,
        responses={201: KindSerializer, **error_responses(400, 401, 403, 409)},
    )
    def post(self, request: MemberRequest) -> Response:
        """Add a type of the organisation's own."""
        data = KindSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        row = kinds.kind_add(organization=request.organization, user=request.user, **data.validated_data)
        document = {"id": row.pk, "name": row.name, "family": OWN, "targets": row.targets, "tests": row.tests}
        return Response(KindSerializer(document).data, status=201)


class QuestionTypeApi(MemberApi):
    scopes = {"delete": TokenScope.CORPORA_WRITE}
    roles = {"delete": MANAGERS}

    @extend_schema(operation_id="question_types_delete", responses={204: None, **error_responses(401, 403, 404)})
    def delete(self, request: MemberRequest, type_id: UUID) -> Response:
        """Remove a type of the organisation's own."""
        kinds.kind_remove(organization=request.organization, user=request.user, type_id=type_id)
        return Response(status=204)
