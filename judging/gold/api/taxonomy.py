"""Endpoints of the taxonomy: types of question, shipped and of an organisation."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from judging.gold.services import kinds
from judging.gold.taxonomy import OWN, Target
from legalqa.accounts.access import EVERYONE, MANAGERS
from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.common.drf import error_responses


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
