"""Endpoints of gold sets as files in the formats of others."""

import base64
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers

from judging.gold.api.sets import GoldSetSerializer
from judging.gold.formats import READERS, WRITERS
from judging.gold.services.doubles import MAX_COMPARED
from judging.gold.services.files import gold_set_bring, gold_set_file
from judging.gold.services.sets import MAX_NAME, gold_set_counted, gold_set_get
from legalqa.accounts.api import ManagersApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.common.downloads import download
from legalqa.common.drf import error_responses, operation
from legalqa.common.errors import ApplicationError

MAX_ENCODED = 3_500_000  # characters of a file in base64


class GoldSetImportApi(ManagersApi):
    in_scope = False

    @extend_schema_serializer(component_name="GoldSetImport")
    class InputSerializer(serializers.Serializer[Any]):
        name = serializers.CharField(max_length=MAX_NAME)
        shape = serializers.ChoiceField(choices=list(READERS))
        content = serializers.CharField(max_length=MAX_ENCODED, help_text="The file in base64.")

    @extend_schema_serializer(component_name="GoldSetImported")
    class OutputSerializer(serializers.Serializer[Any]):
        gold_set = GoldSetSerializer()
        notes = serializers.ListField(child=serializers.CharField())

    @operation("goldsets_import", OutputSerializer, 404, 409, 503, status=201, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """Store a gold set in one of the formats; `notes` say what is unknown, duplicate or shared between splits."""
        try:
            content = base64.b64decode(data["content"], validate=True)
        except ValueError:
            raise ApplicationError(
                "content is not base64. Send the file's bytes in standard base64, with padding.", code="bad_content"
            ) from None
        gold_set, notes = gold_set_bring(
            **request.acting,
            corpus_id=corpus_id,
            name=data["name"],
            data=content,
            shape=data["shape"],
            n_compared=MAX_COMPARED,
        )
        with organization_scope(request.organization, user=request.user):
            return {"gold_set": gold_set_counted(gold_set=gold_set), "notes": notes}


class GoldSetFileApi(ManagersApi):
    scopes = {"get": TokenScope.DOCUMENTS_READ}

    @extend_schema(
        operation_id="goldsets_export",
        parameters=[OpenApiParameter("shape", str, enum=list(WRITERS))],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, **error_responses(400, 401, 404)},
    )
    def get(self, request: MemberRequest, gold_set_id: UUID) -> HttpResponse:
        """A gold set as a file in one of the formats, JSONL where none is named.

        Only JSONL and CSV have drafts and rejected questions; the other formats have approved ones.
        """
        gold_set = gold_set_get(organization=request.organization, gold_set_id=gold_set_id)
        shape = request.query_params.get("shape", "jsonl")
        body, ending, kind = gold_set_file(**request.acting, gold_set=gold_set, shape=shape)
        return download(body, name=f"goldset.{ending}", kind=kind)
