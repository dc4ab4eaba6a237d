"""Endpoints about how a corpus is split and indexed, and about the versions of its documents."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema_serializer
from rest_framework import serializers

from corpora import selectors, services, versions
from corpora.configs import CONTEXTS
from corpora.models import DocumentVersion
from legalqa.accounts.access import MANAGERS
from legalqa.accounts.api import DocumentApi, ManagersApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.common.drf import DayField, operation
from legalqa.common.errors import Conflict
from legalqa.jobs.api import JobSerializer


def context_field() -> Any:  # a serializer has a `context` of another type
    return serializers.ChoiceField(
        choices=[(one, one) for one in CONTEXTS],
        required=False,
        help_text="What is put before a chunk's text when it is embedded; left out, it does not change.",
    )


class ReindexApi(ManagersApi):
    @extend_schema_serializer(component_name="Reindex")
    class InputSerializer(serializers.Serializer[Any]):
        chunker = serializers.DictField(required=False, default=dict)
        context = context_field()

    @operation("corpora_reindex", JobSerializer, 404, 409, status=202, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """Rebuild the index, with this chunker or the corpus's own; searches switch when it is complete."""
        return services.corpus_reindex(**request.acting, corpus_id=corpus_id, **data)


class ChunkingPreviewApi(ManagersApi):
    scopes = {"post": TokenScope.CORPORA_READ}
    in_scope = False

    @extend_schema_serializer(component_name="NewChunkingPreview")
    class InputSerializer(serializers.Serializer[Any]):
        chunker = serializers.DictField(required=False, default=dict)
        context = context_field()
        document_id = serializers.UUIDField(required=False, allow_null=True, default=None)

    @extend_schema_serializer(component_name="ChunkingPreview")
    class OutputSerializer(serializers.Serializer[Any]):
        class ChunkSerializer(serializers.Serializer[Any]):
            number = serializers.IntegerField()
            heading = serializers.CharField()
            text = serializers.CharField()
            n_tokens = serializers.IntegerField()
            n_parents = serializers.IntegerField()

        document_id = serializers.UUIDField(source="document.id")
        is_partial = serializers.BooleanField()
        n_paragraphs = serializers.IntegerField()
        median_tokens = serializers.FloatField(allow_null=True)
        n_larger = serializers.IntegerField()
        n_live = serializers.IntegerField()
        live_median_tokens = serializers.FloatField(allow_null=True)
        n_vectors = serializers.IntegerField()
        n_known = serializers.IntegerField(
            allow_null=True,
            help_text="Vectors that are there already; null where a language model writes part of the text or chooses "
            "the splits.",
        )
        chunks = ChunkSerializer(many=True)

    @operation("corpora_chunking_preview", OutputSerializer, 404, 409, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """What a chunker would make of one document, or of its beginning; nothing is changed."""
        preview = services.chunking_preview(**request.acting, corpus_id=corpus_id, **data)
        if preview is None:
            raise Conflict("The corpus has no document to try this on. Upload one first.", code="corpus_empty")
        return preview


class VersionSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    state = serializers.CharField()
    reason = serializers.CharField()
    pages = serializers.IntegerField(source="n_pages")
    paragraphs = serializers.IntegerField(source="n_paragraphs")
    effective_date = serializers.DateField(allow_null=True)
    created_at = serializers.DateTimeField()


class DatedVersionSerializer(VersionSerializer):
    warning = serializers.SerializerMethodField(help_text="That the dates of two versions contradict their order.")

    def get_warning(self, version: DocumentVersion) -> str:
        return versions.date_check(version=version)


class VersionListApi(DocumentApi):
    @operation("documents_versions", VersionSerializer(many=True), 404, is_paged=True)
    def get(self, request: MemberRequest, document_id: UUID) -> object:
        """Every version of a document, newest first."""
        document = selectors.document_get(organization=request.organization, document_id=document_id)
        return selectors.version_list(document=document)


class EffectiveDateApi(DocumentApi):
    roles = {"post": MANAGERS}

    @extend_schema_serializer(component_name="EffectiveDate")
    class InputSerializer(serializers.Serializer[Any]):
        number = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
        effective_date = DayField(allow_null=True)

    @operation("documents_effective_date", DatedVersionSerializer, 404, takes=InputSerializer)
    def post(self, request: MemberRequest, document_id: UUID, data: dict[str, Any]) -> object:
        """Say from which day a version is in effect; filters by date use it at once, searches read it from that day."""
        return services.version_date_set(**request.acting, document_id=document_id, **data)


class ChangesApi(DocumentApi):
    in_scope = False

    @extend_schema_serializer(component_name="Change")
    class OutputSerializer(serializers.Serializer[Any]):
        class WordsSerializer(serializers.Serializer[Any]):
            mark = serializers.ChoiceField(choices=["kept", "added", "removed"])
            text = serializers.CharField()

        origin = serializers.ChoiceField(choices=["moved", "changed", "added", "removed"])
        old_ordinal = serializers.IntegerField(source="old.ordinal", default=None, allow_null=True)
        new_ordinal = serializers.IntegerField(source="new.ordinal", default=None, allow_null=True)
        old_text = serializers.CharField(source="old.text", default="")
        new_text = serializers.CharField(source="new.text", default="")
        words = WordsSerializer(many=True)

    @operation(
        "documents_changes",
        OutputSerializer(many=True),
        404,
        parameters=[OpenApiParameter("old", int), OpenApiParameter("new", int)],
        is_paged=True,
    )
    def get(self, request: MemberRequest, document_id: UUID) -> object:
        """Paragraphs that differ between two versions, by default the two newest, in reading order."""
        comparison = versions.version_comparison(
            **request.acting,
            document_id=document_id,
            old=request.query_params.get("old", ""),
            new=request.query_params.get("new", ""),
        )
        return [difference for difference in comparison.differences if difference.origin != "same"]
