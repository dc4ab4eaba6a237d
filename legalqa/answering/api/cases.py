"""The endpoint that keeps an answer as a solved case."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.answering.services.cases import answer_keep
from legalqa.common.drf import operation


class AnswerKeepApi(MemberApi):
    scopes = {"post": TokenScope.ANSWERS_WRITE}

    @extend_schema_serializer(component_name="KeptAnswer")
    class OutputSerializer(serializers.Serializer[Any]):
        case_id = serializers.UUIDField(help_text="The case that was there already, if the answer was kept before.")

    @operation("answers_keep", OutputSerializer, 404, 409, status=201)
    def post(self, request: MemberRequest, answer_id: UUID) -> dict[str, UUID]:
        """Keep an answer that was graded right as a solved case; it waits for a reviewer."""
        added = answer_keep(**request.acting, answer_id=answer_id)
        return {"case_id": [*added.cases, *added.known][0].pk}
