"""Endpoints of the taxonomy: types of question, shipped and of an organisation."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from rest_framework import serializers

from judging.gold.services import kinds
from judging.gold.taxonomy import OWN, Target
from legalqa.accounts.access import EVERYONE, MANAGERS
from legalqa.accounts.api import CorpusApi, ManagersApi, MemberRequest
from legalqa.common.drf import operation


class KindSerializer(serializers.Serializer[Any]):
    """`id` is null for a type that is shipped."""

    id = serializers.UUIDField(allow_null=True, read_only=True)
    name = serializers.CharField(max_length=60)
    family = serializers.CharField(read_only=True)
    targets = serializers.ListField(child=serializers.ChoiceField(choices=[target.value for target in Target]))
    tests = serializers.CharField(max_length=kinds.MAX_TESTS)


class QuestionTypeListApi(CorpusApi):
    roles = {"get": EVERYONE, "post": MANAGERS}

    @operation("question_types_list", KindSerializer(many=True))
    def get(self, request: MemberRequest) -> object:
        """The types of gold questions: the shipped ones, and the organisation's own."""
        ids = {row.name: row.pk for row in kinds.kinds_own(organization=request.organization)}
        every = kinds.kinds_all(organization=request.organization)
        return [asdict(kind) | {"id": ids.get(kind.name)} for kind in every]

    @operation("question_types_create", KindSerializer, 409, status=201, takes=KindSerializer)
    def post(self, request: MemberRequest, data: dict[str, Any]) -> object:
        """Add a type of the organisation's own."""
        row = kinds.kind_add(**request.acting, **data)
        return vars(row) | {"family": OWN}


class QuestionTypeApi(ManagersApi):
    @operation("question_types_delete", None, 404)
    def delete(self, request: MemberRequest, type_id: UUID) -> None:
        """Remove a type of the organisation's own."""
        kinds.kind_remove(**request.acting, type_id=type_id)
