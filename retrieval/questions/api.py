"""Endpoints of the question index."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from legalqa.accounts.api import ManagersApi, MemberRequest
from legalqa.common.drf import error_responses, operation
from retrieval.models import IndexedQuestion, QuestionSource, QuestionState
from retrieval.questions import services
from retrieval.questions.building import is_stale
from retrieval.questions.files import MAX_CHARS, MAX_ROWS


class QuestionIndexSerializer(serializers.Serializer[Any]):
    corpus_id = serializers.UUIDField()
    state = serializers.CharField(
        help_text="Of the newest build, such as running or done; `none` if nothing has been built."
    )
    done = serializers.IntegerField(help_text="Paragraphs that were asked about.")
    total = serializers.IntegerField()
    is_stale = serializers.BooleanField(help_text="Documents or the encoder changed since the last build.")
    waits_for_graph = serializers.BooleanField(
        help_text="It is brought up to date after the knowledge graph, which is being built."
    )
    questions = serializers.IntegerField()
    replaced = serializers.IntegerField(
        help_text="Paragraphs whose questions templates wrote, because the model returned none that could be used."
    )
    built_at = serializers.DateTimeField(allow_null=True)


class IndexedQuestionSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    text = serializers.CharField()
    source = serializers.CharField(help_text="pair, provision or decision.")  # type: ignore[assignment]  # a field of that name
    kind = serializers.CharField(help_text="What it asks for, such as duty; empty for a real question.")
    state = serializers.CharField(help_text="indexed or rejected.")
    is_edited = serializers.BooleanField()
    author = serializers.CharField()
    paragraph_id = serializers.SerializerMethodField()
    document_id = serializers.UUIDField(source="paragraph.document_id")
    start = serializers.IntegerField()
    end = serializers.IntegerField()

    def get_paragraph_id(self, question: IndexedQuestion) -> str:
        return str(question.paragraph.shown_id)


@extend_schema_serializer(component_name="IndexedQuestionsAdded")
class AddedSerializer(serializers.Serializer[Any]):
    added = serializers.IntegerField(source="n_added")
    known = serializers.IntegerField(source="n_known")
    left_out = serializers.ListField(child=serializers.CharField())


def _shown(request: MemberRequest, corpus_id: UUID, *, status: int = 200) -> Response:
    corpus, index, job = services.question_index_get(organization=request.organization, corpus_id=corpus_id)
    questions = services.question_list(organization=request.organization, corpus_id=corpus_id)
    document = {
        "corpus_id": corpus.pk,
        "state": job.state if job is not None else "none",
        "done": job.cursor if job is not None else 0,
        "total": job.total if job is not None else 0,
        "is_stale": index is not None and is_stale(index=index),
        "waits_for_graph": services.waits_for_graph(index=index, job=job),
        "questions": questions.count(),
        "replaced": services.paragraphs_replaced(corpus=corpus).count(),
        "built_at": index.built_at if index is not None else None,
    }
    return Response(QuestionIndexSerializer(document).data, status=status)


class QuestionIndexApi(ManagersApi):
    @extend_schema_serializer(component_name="QuestionIndexBuild")
    class InputSerializer(serializers.Serializer[Any]):
        uses_model = serializers.BooleanField(
            required=False,
            allow_null=True,
            default=None,
            help_text="Whether a language model writes the questions, one call a paragraph; null: where one is set up.",
        )

    @operation("question_index_get", QuestionIndexSerializer, 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """The question index of a corpus, and how far its build is."""
        return _shown(request, corpus_id)

    @operation("question_index_build", QuestionIndexSerializer, 404, 409, status=202, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> Response:
        """Build the question index, or bring it up to date, in the background."""
        services.questions_build(**request.acting, corpus_id=corpus_id, **data)
        return _shown(request, corpus_id, status=202)


class QuestionIndexCancelApi(ManagersApi):
    @operation("question_index_cancel", QuestionIndexSerializer, 404, 409)
    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Stop the build; what it has made is kept and searched."""
        services.questions_build_cancel(organization=request.organization, corpus_id=corpus_id)
        return _shown(request, corpus_id)


class QuestionIndexResumeApi(ManagersApi):
    @operation("question_index_resume", QuestionIndexSerializer, 404, 409)
    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Resume a build that was cancelled or failed, where it stopped."""
        services.questions_build_resume(organization=request.organization, corpus_id=corpus_id)
        return _shown(request, corpus_id)


class IndexedQuestionListApi(ManagersApi):
    @extend_schema_serializer(component_name="NewIndexedQuestions")
    class InputSerializer(serializers.Serializer[Any]):
        questions = serializers.ListField(
            child=serializers.DictField(),
            min_length=1,
            max_length=MAX_ROWS,
            help_text="Objects with question, and answer or paragraph_id. Without an id, the passage is the law that "
            "the answer names by number.",
        )

    class FilterSerializer(serializers.Serializer[Any]):
        source = serializers.ChoiceField(choices=QuestionSource.choices, default="")  # type: ignore[assignment]  # a field of that name
        state = serializers.ChoiceField(
            choices=list(services.STATES), default="", help_text="gone: the passage is in no current version."
        )
        words = serializers.CharField(
            max_length=MAX_CHARS, default="", allow_blank=True, help_text="Words of the question."
        )

    @operation(
        "indexed_questions_list", IndexedQuestionSerializer(many=True), 404, filters=FilterSerializer, is_paged=True
    )
    def get(self, request: MemberRequest, corpus_id: UUID, filters: dict[str, Any]) -> object:
        """The indexed questions of a corpus that fit the filters, in pages."""
        return services.question_list(organization=request.organization, corpus_id=corpus_id, **filters)

    @operation("indexed_questions_add", AddedSerializer, 404, status=201, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """Add real questions; they are matched once the build that this starts has encoded them."""
        lines = enumerate(data["questions"], start=1)
        return services.pairs_import(**request.acting, corpus_id=corpus_id, lines=lines, author="API")


class IndexedQuestionFileApi(ManagersApi):
    @extend_schema(
        operation_id="indexed_questions_file",
        parameters=[OpenApiParameter("shape", str, enum=["jsonl", "csv"], default="jsonl")],
        responses={
            (200, "application/x-ndjson"): OpenApiResponse(OpenApiTypes.STR),
            (200, "text/csv"): OpenApiResponse(OpenApiTypes.STR),
            **error_responses(400, 401, 404),
        },
    )
    def get(self, request: MemberRequest, corpus_id: UUID) -> HttpResponse:
        """The indexed questions of a corpus with their passages, as a file."""
        body, kind = services.questions_export(
            **request.acting, corpus_id=corpus_id, shape=request.query_params.get("shape", "jsonl")
        )
        return HttpResponse(body, content_type=kind)


class IndexedQuestionApi(ManagersApi):
    @extend_schema_serializer(component_name="IndexedQuestionChange")
    class InputSerializer(serializers.Serializer[Any]):
        text = serializers.CharField(max_length=MAX_CHARS, required=False)
        state = serializers.ChoiceField(choices=QuestionState.choices, required=False)

    @operation("indexed_question_get", IndexedQuestionSerializer, 404)
    def get(self, request: MemberRequest, question_id: int) -> object:
        """An indexed question."""
        return services.question_get(organization=request.organization, question_id=question_id)

    @operation("indexed_question_change", IndexedQuestionSerializer, 404, takes=InputSerializer)
    def patch(self, request: MemberRequest, question_id: int, data: dict[str, Any]) -> object:
        """Reword a question, which gives it another id, or reject it; a rebuild keeps both."""
        question = services.question_get(organization=request.organization, question_id=question_id)
        if "text" in data:
            question = services.question_edit(**request.acting, question_id=question.pk, text=data["text"])
        if "state" in data:
            question = services.question_state_set(**request.acting, question_id=question.pk, state=data["state"])
        return question

    @operation("indexed_question_remove", None, 404, 409)
    def delete(self, request: MemberRequest, question_id: int) -> None:
        """Remove a real question; a generated one is rejected instead."""
        services.pair_remove(**request.acting, question_id=question_id)
