"""Endpoints of the chunk sets and the encoders of a corpus, side by side."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from corpora import services
from corpora.api.indexing import context_field
from corpora.indexed import chunk_set_rows, encoder_rows
from corpora.selectors import corpus_get
from corpora.services.added_encoders import WINDOW_MAX, WINDOW_MIN, EndpointSettings
from legalqa.accounts.api import ManagersApi, MemberRequest
from legalqa.accounts.scoping import organization_scope
from legalqa.common.drf import operation
from legalqa.common.errors import ApplicationError
from legalqa.jobs.api import JobSerializer


class ChunkSetSerializer(serializers.Serializer[Any]):
    """A chunk set; `name` is what the setting `chunk_set` of a search calls it. One that is behind is not searched."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    chunker = serializers.DictField()
    is_live = serializers.BooleanField()
    n_chunks = serializers.IntegerField()
    mean_chars = serializers.FloatField()
    n_vectors = serializers.IntegerField()
    n_bytes = serializers.IntegerField()
    n_behind = serializers.IntegerField()
    job_id = serializers.UUIDField(source="job.id", default=None, allow_null=True)


class IndexEncoderSerializer(serializers.Serializer[Any]):
    """An encoder; `id` is null for the packaged one, `name` is what the setting `encoder` of a search calls it."""

    id = serializers.UUIDField(allow_null=True)
    name = serializers.CharField()
    title = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # the base class has an attribute of that name
    dimensions = serializers.IntegerField()
    window_tokens = serializers.IntegerField()
    pooling = serializers.CharField()
    cue_query = serializers.CharField()
    cue_passage = serializers.CharField()
    licence = serializers.CharField()
    n_bytes = serializers.IntegerField()
    n_vectors = serializers.IntegerField()
    vector_bytes = serializers.IntegerField()
    n_lacking = serializers.IntegerField()
    is_in_use = serializers.BooleanField()
    job_id = serializers.UUIDField(source="job.id", default=None, allow_null=True)


class ChunkSetListApi(ManagersApi):
    @extend_schema_serializer(component_name="NewChunkSet")
    class InputSerializer(serializers.Serializer[Any]):
        chunker = serializers.DictField()
        context = context_field()

    @operation("chunk_sets_list", ChunkSetSerializer(many=True), 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> object:
        """The live chunk set and those that are kept to be compared."""
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        return chunk_set_rows(corpus=corpus)

    @operation("chunk_sets_create", JobSerializer, 404, 409, status=202, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """Split the corpus by another chunker beside the live chunk set; searches do not change."""
        return services.chunk_set_keep(**request.acting, corpus_id=corpus_id, **data)


class ChunkSetDetailApi(ManagersApi):
    @operation("chunk_sets_destroy", None, 404, 409)
    def delete(self, request: MemberRequest, corpus_id: UUID, chunk_set_id: UUID) -> None:
        """Remove a kept chunk set with its vectors."""
        services.chunk_set_remove(**request.acting, corpus_id=corpus_id, chunk_set_id=chunk_set_id)


class ChunkSetUseApi(ManagersApi):
    @operation("chunk_sets_use", JobSerializer, 404, 409, status=202)
    def post(self, request: MemberRequest, corpus_id: UUID, chunk_set_id: UUID) -> object:
        """Make a kept chunk set the live one once it is complete; the live one is kept."""
        return services.chunk_set_use(**request.acting, corpus_id=corpus_id, chunk_set_id=chunk_set_id)


class ChunkSetUpdateApi(ManagersApi):
    @operation("chunk_sets_update", JobSerializer, 404, 409, status=202)
    def post(self, request: MemberRequest, corpus_id: UUID, chunk_set_id: UUID) -> object:
        """Bring a kept chunk set up to date: only what it lacks is built."""
        return services.chunk_set_update(**request.acting, corpus_id=corpus_id, chunk_set_id=chunk_set_id)


class IndexEncoderListApi(ManagersApi):
    in_scope = False

    @extend_schema_serializer(component_name="NewIndexEncoder")
    class InputSerializer(serializers.Serializer[Any]):
        """A folder on the server, or an embedding model by its "provider/model": then texts are sent to it."""

        folder = serializers.CharField(required=False, default="", max_length=40)
        model = serializers.CharField(required=False, default="", max_length=240)
        window_tokens = serializers.IntegerField(
            required=False, default=254, min_value=WINDOW_MIN, max_value=WINDOW_MAX
        )
        cue_query = serializers.CharField(
            required=False, default="", max_length=300, allow_blank=True, trim_whitespace=False
        )
        cue_passage = serializers.CharField(
            required=False, default="", max_length=300, allow_blank=True, trim_whitespace=False
        )
        licence = serializers.CharField(required=False, default="", max_length=60, allow_blank=True)

    @operation("index_encoders_list", IndexEncoderSerializer(many=True), 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """The encoders whose vectors a corpus keeps, and what each of them is."""
        with organization_scope(request.organization, user=request.user):
            corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
            return Response(IndexEncoderSerializer(encoder_rows(corpus=corpus), many=True).data)

    @operation("index_encoders_create", JobSerializer, 404, 409, 503, status=202, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """Add an encoder and compute its vectors beside those in use; searches do not change."""
        folder, fields = data["folder"], {**data}
        del fields["folder"]
        if bool(folder) == bool(fields["model"]):
            raise ApplicationError("Name a folder or a model, and not both.", code="no_encoder")
        source: dict[str, Any] = {"folder": folder} if folder else {"endpoint": EndpointSettings(**fields)}
        _, job = services.encoder_add(**request.acting, corpus_id=corpus_id, **source)
        return job


class IndexEncoderDetailApi(ManagersApi):
    @operation("index_encoders_destroy", None, 404, 409)
    def delete(self, request: MemberRequest, corpus_id: UUID, added_id: UUID) -> None:
        """Remove an added encoder that is not in use, with its vectors."""
        services.encoder_remove(**request.acting, corpus_id=corpus_id, encoder_id=added_id)


class IndexEncoderFillApi(ManagersApi):
    @operation("index_encoders_fill", JobSerializer, 404, 409, status=202)
    def post(self, request: MemberRequest, corpus_id: UUID, added_id: UUID) -> object:
        """Compute the vectors that an added encoder lacks; the corpus does not switch."""
        return services.encoder_fill_start(**request.acting, corpus_id=corpus_id, encoder_id=added_id)
