"""Endpoints of questions and answers."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from corpora.api import PAGING
from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import audit
from legalqa.answering import presentation, selectors, services
from legalqa.answering.models import AnswerState, Verdict
from legalqa.common.drf import Pages, error_responses
from retrieval.api import SettingsSerializer
from retrieval.saved_presets import preset_resolve
from retrieval.types import Filters


class CitationSerializer(serializers.Serializer[Any]):
    paragraph_id = serializers.CharField()
    document_id = serializers.UUIDField()
    document = serializers.CharField()
    version = serializers.IntegerField()
    page = serializers.IntegerField()
    page_label = serializers.CharField()
    needs_a_look = serializers.BooleanField(help_text="Text recognition was unsure of the words on this scanned page.")
    start = serializers.IntegerField(help_text="Offset in the paragraph's text.")
    end = serializers.IntegerField(help_text="Offset in the paragraph's text, exclusive.")
    quote = serializers.CharField()


class ClaimSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    verdict = serializers.ChoiceField(choices=Verdict.choices)
    shown = serializers.BooleanField()
    reason = serializers.CharField()
    citations = CitationSerializer(many=True)
    also_in = CitationSerializer(many=True)


class AnswerSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    question = serializers.CharField()
    corpus_id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=AnswerState.choices)
    mode = serializers.CharField()
    notice = serializers.CharField()
    why = serializers.CharField()
    text = serializers.CharField()
    claims = ClaimSerializer(many=True)
    confidence = serializers.FloatField(allow_null=True)
    complexity = serializers.CharField(allow_null=True)
    contradictions = serializers.ListField(child=serializers.DictField())
    settings = serializers.DictField()
    seconds = serializers.FloatField()
    cost = serializers.FloatField()
    created_at = serializers.DateTimeField()


class QuestionListApi(MemberApi):
    scopes = {"get": TokenScope.ANSWERS_READ, "post": TokenScope.QUESTIONS_WRITE}
    rates = {"post": "ask"}
    idempotent = ("post",)
    in_scope = False

    @extend_schema_serializer(component_name="NewQuestion")
    class InputSerializer(SettingsSerializer):
        corpus_id = serializers.UUIDField()
        text = serializers.CharField(max_length=100_000, allow_blank=True)  # the service says it in our words

    @extend_schema_serializer(component_name="Question")
    class OutputSerializer(serializers.Serializer[Any]):
        id = serializers.UUIDField(source="question.id")
        text = serializers.CharField(source="question.text")
        corpus_id = serializers.UUIDField(source="question.corpus_id")
        answer_id = serializers.UUIDField(source="pk")
        state = serializers.ChoiceField(choices=AnswerState.choices)
        created_at = serializers.DateTimeField()

    @extend_schema(
        operation_id="questions_list",
        parameters=PAGING,
        responses={200: OutputSerializer(many=True), **error_responses(401)},
    )
    def get(self, request: MemberRequest) -> Response:
        """Your questions, newest first."""
        with organization_scope(request.organization, user=request.user):
            pages = Pages()
            answers = selectors.answer_list(organization=request.organization, user=request.user)
            found = pages.paginate_queryset(answers, request, view=self)
            return pages.get_paginated_response(self.OutputSerializer(found, many=True).data)

    @extend_schema(
        operation_id="questions_create",
        request=InputSerializer,
        responses={201: AnswerSerializer, **error_responses(400, 401, 404, 409, 422)},
    )
    def post(self, request: MemberRequest) -> Response:
        """Ask a question of a corpus; the answer is cited, or says that there is not enough evidence."""
        data = self.InputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        asked: dict[str, Any] = data.validated_data
        answer = services.question_ask(
            organization=request.organization,
            user=request.user,
            corpus_id=asked["corpus_id"],
            text=asked["text"],
            preset=preset_resolve(
                organization=request.organization,
                user=request.user,
                corpus_id=asked["corpus_id"],
                name=asked["preset"],
                overrides=asked["set"],
            ),
            filters=Filters.parse(asked["filters"]),
        )
        with organization_scope(request.organization, user=request.user):
            return Response(presentation.answer_document(answer=answer), status=201)

    def idempotent_reply(self, request: MemberRequest, subject_id: UUID) -> Response:
        answer = selectors.answer_get(organization=request.organization, user=request.user, answer_id=subject_id)
        return Response(presentation.answer_document(answer=answer), status=201)


class AnswerDetailApi(MemberApi):
    scopes = {"get": TokenScope.ANSWERS_READ}

    @extend_schema(operation_id="answers_retrieve", responses={200: AnswerSerializer, **error_responses(401, 404)})
    def get(self, request: MemberRequest, answer_id: UUID) -> Response:
        """One of your answers."""
        answer = selectors.answer_get(organization=request.organization, user=request.user, answer_id=answer_id)
        return Response(presentation.answer_document(answer=answer))


class AnswerPackApi(MemberApi):
    scopes = {"get": TokenScope.ANSWERS_READ}

    @extend_schema_serializer(component_name="EvidencePack")
    class OutputSerializer(serializers.Serializer[Any]):
        answer = AnswerSerializer()
        evidence = serializers.ListField(child=serializers.DictField())
        trace = serializers.ListField(child=serializers.DictField())
        prompts = serializers.ListField(child=serializers.DictField())
        files = serializers.ListField(child=serializers.DictField())

    @extend_schema(operation_id="answers_pack", responses={200: OutputSerializer, **error_responses(401, 404)})
    def get(self, request: MemberRequest, answer_id: UUID) -> Response:
        """The evidence pack: candidates with scores, steps, claims, verdicts and files, for refusals too."""
        answer = selectors.answer_get(organization=request.organization, user=request.user, answer_id=answer_id)
        audit(organization=request.organization, actor=request.user, action="answer.exported", subject_id=answer.pk)
        return Response(presentation.answer_pack(answer=answer))
