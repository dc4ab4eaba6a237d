"""Endpoints of conversations: name, delete, share, and an answer as a memo."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_serializer, extend_schema_view
from rest_framework import serializers

from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.answering import selectors, services
from legalqa.answering.models import Answer, AnswerState, ConversationShare
from legalqa.answering.pages.memo import memo_response
from legalqa.answering.services.conversations import MAX_TITLE
from legalqa.common.drf import error_responses, operation


class TurnSerializer(serializers.Serializer[Any]):
    answer_id = serializers.UUIDField(source="pk")
    question_id = serializers.UUIDField()
    question = serializers.CharField(source="question.text")
    state = serializers.ChoiceField(choices=AnswerState.choices)
    created_at = serializers.DateTimeField()


class ConversationApi(MemberApi):
    scopes = {"get": TokenScope.ANSWERS_READ, "put": TokenScope.ANSWERS_WRITE, "delete": TokenScope.ANSWERS_WRITE}

    @extend_schema_serializer(component_name="NewConversationName")
    class InputSerializer(serializers.Serializer[Any]):
        title = serializers.CharField(
            allow_blank=True, max_length=MAX_TITLE, help_text="Empty: the words of its first question."
        )

    @extend_schema_serializer(component_name="Conversation")
    class OutputSerializer(serializers.Serializer[Any]):
        id = serializers.UUIDField(help_text="Of its first question.")
        title = serializers.CharField()
        turns = TurnSerializer(many=True)

    @operation("conversation_retrieve", OutputSerializer, 404)
    def get(self, request: MemberRequest, answer_id: UUID) -> dict[str, Any]:
        """The conversation that an answer belongs to, in order."""
        return self._reply(request, selectors.answer_get(**request.acting, answer_id=answer_id))

    @operation("conversation_rename", OutputSerializer, 404, takes=InputSerializer)
    def put(self, request: MemberRequest, answer_id: UUID, data: dict[str, Any]) -> dict[str, Any]:
        """Give your conversation a name."""
        return self._reply(request, services.conversation_rename(**request.acting, answer_id=answer_id, **data))

    @operation("conversation_delete", None, 404, 409)
    def delete(self, request: MemberRequest, answer_id: UUID) -> None:
        """Delete your conversation for good, with its answers, grades and shares."""
        services.conversation_delete(**request.acting, answer_id=answer_id)

    def _reply(self, request: MemberRequest, answer: Answer) -> dict[str, Any]:
        return {
            "id": answer.question.conversation,
            "title": selectors.conversation_title(answer=answer),
            "turns": selectors.answer_list_of_conversation(answer=answer, user=request.user),
        }


class ShareListApi(MemberApi):
    scopes = {"get": TokenScope.ANSWERS_READ, "post": TokenScope.ANSWERS_WRITE}

    @extend_schema_serializer(component_name="NewShare")
    class InputSerializer(serializers.Serializer[Any]):
        member_id = serializers.UUIDField(help_text="A member who may see the corpus that was asked.")

    @extend_schema_serializer(component_name="Share")
    class OutputSerializer(serializers.Serializer[Any]):
        member_id = serializers.UUIDField()
        member = serializers.CharField(source="member.name")
        shared_by = serializers.CharField(source="shared_by.name")
        created_at = serializers.DateTimeField()

    @operation("shares_list", OutputSerializer(many=True), 404)
    def get(self, request: MemberRequest, answer_id: UUID) -> list[ConversationShare]:
        """With whom you share the conversation of one of your answers."""
        answer = selectors.answer_get_own(**request.acting, answer_id=answer_id)
        return selectors.share_list(answer=answer)

    @operation("shares_create", OutputSerializer, 404, status=201, takes=InputSerializer)
    def post(self, request: MemberRequest, answer_id: UUID, data: dict[str, Any]) -> ConversationShare:
        """Let a colleague read your conversation, including what is asked in it later."""
        return services.conversation_share(**request.acting, answer_id=answer_id, **data)


class ShareDetailApi(MemberApi):
    scopes = {"delete": TokenScope.ANSWERS_WRITE}

    @operation("shares_delete", None, 404)
    def delete(self, request: MemberRequest, answer_id: UUID, member_id: UUID) -> None:
        """Stop sharing with a member."""
        services.conversation_unshare(**request.acting, answer_id=answer_id, member_id=member_id)


class _MemoApi(MemberApi):
    scopes = {"get": TokenScope.ANSWERS_READ}
    kind = ""

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, **error_responses(401, 404)})
    def get(self, request: MemberRequest, answer_id: UUID) -> HttpResponse:
        """An answer as a memo: question, answer, quotes with provision and page, what was not found."""
        answer = services.answer_export(**request.acting, answer_id=answer_id)
        return memo_response(answer=answer, kind=self.kind)


@extend_schema_view(get=extend_schema(operation_id="answers_memo_docx"))
class MemoDocxApi(_MemoApi):
    kind = "docx"


@extend_schema_view(get=extend_schema(operation_id="answers_memo_pdf"))
class MemoPdfApi(_MemoApi):
    kind = "pdf"
