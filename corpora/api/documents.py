"""Endpoints of corpora, documents and paragraphs."""

from typing import Any
from uuid import UUID

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from corpora import selectors, services
from corpora.describing import DOCUMENT_KINDS
from corpora.downloads import FILE_TYPES, file_download
from corpora.filters import DocumentFilter
from corpora.models import VersionState
from corpora.pages import documents as presentation
from corpora.versions import date_check
from legalqa.accounts.access import MANAGERS
from legalqa.accounts.api import CorpusApi, DocumentApi, MemberRequest
from legalqa.accounts.scoping import organization_scope
from legalqa.common.drf import PAGING, DayField, Pages, error_responses, operation
from legalqa.jobs.api import JobSerializer


class CorpusListApi(CorpusApi):
    roles = {"post": MANAGERS}

    @extend_schema_serializer(component_name="NewCorpus")
    class InputSerializer(serializers.Serializer[Any]):
        name = serializers.CharField(max_length=120)
        description = serializers.CharField(max_length=300, required=False, allow_blank=True, default="")
        is_walled = serializers.BooleanField(required=False, default=False)
        chunker = serializers.DictField(required=False, default=dict)

    @extend_schema_serializer(component_name="Corpus")
    class OutputSerializer(serializers.Serializer[Any]):
        id = serializers.UUIDField()
        name = serializers.CharField()
        slug = serializers.CharField()
        description = serializers.CharField()
        is_walled = serializers.BooleanField()
        chunker = serializers.DictField()
        n_documents = serializers.IntegerField(default=0)
        n_ready = serializers.IntegerField(default=0)
        created_at = serializers.DateTimeField()

    @operation("corpora_list", OutputSerializer(many=True), is_paged=True)
    def get(self, request: MemberRequest) -> object:
        """Corpora that you may see, by name."""
        return selectors.corpus_list(organization=request.organization)

    @operation("corpora_create", OutputSerializer, 409, status=201, takes=InputSerializer)
    def post(self, request: MemberRequest, data: dict[str, Any]) -> object:
        """Create an empty corpus."""
        return services.corpus_create(**request.acting, **data)


class CorpusDetailApi(CorpusApi):
    roles = {"post": MANAGERS}

    @extend_schema_serializer(component_name="CorpusChange")
    class InputSerializer(serializers.Serializer[Any]):
        name = serializers.CharField(max_length=120, required=False)
        description = serializers.CharField(max_length=300, required=False, allow_blank=True)
        is_walled = serializers.BooleanField(required=False)

    @operation("corpora_retrieve", CorpusListApi.OutputSerializer, 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> object:
        """One corpus."""
        selectors.corpus_get(organization=request.organization, corpus_id=corpus_id)
        return selectors.corpus_list(organization=request.organization).get(pk=corpus_id)

    @operation("corpora_update", CorpusListApi.OutputSerializer, 404, 409, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> Response:
        """Rename a corpus, describe it, set up or remove its wall; what is left out does not change."""
        services.corpus_update(**request.acting, corpus_id=corpus_id, **data)
        return self.get(request, corpus_id)


class DocumentSerializer(serializers.Serializer[Any]):
    """A document with its newest version and that version's last job."""

    id = serializers.UUIDField(source="document.id")
    name = serializers.CharField(source="document.name")
    title = serializers.CharField(source="document.title")
    version = serializers.IntegerField(source="version.number")
    kind = serializers.CharField(source="version.kind", help_text="Format of the file.")
    document_kind = serializers.ChoiceField(source="document.kind", choices=["", *DOCUMENT_KINDS])
    jurisdiction = serializers.CharField(source="document.jurisdiction")
    authority = serializers.CharField(source="document.authority", help_text="Who issued it, or its parties.")
    effective_date = serializers.DateField(
        source="version.effective_date", allow_null=True, help_text="From which day this version is in effect."
    )
    guessed = serializers.SerializerMethodField(help_text="Fields that were guessed, each with the reason.")
    state = serializers.SerializerMethodField()
    reason = serializers.CharField(source="version.reason")
    detail = serializers.CharField(source="version.detail")
    warnings = serializers.ListField(source="version.warnings", child=serializers.CharField())
    pages = serializers.IntegerField(source="version.n_pages")
    paragraphs = serializers.IntegerField(source="version.n_paragraphs")
    chunks = serializers.IntegerField(source="version.n_chunks")
    sha256 = serializers.CharField(source="version.sha256")
    container_id = serializers.UUIDField(source="document.container_id", allow_null=True)
    job = JobSerializer(allow_null=True)

    def get_guessed(self, row: selectors.DocumentRow) -> dict[str, str]:
        return presentation.guessed(row.document, row.version)

    def get_state(self, row: selectors.DocumentRow) -> str:
        return presentation.row_state(row)[0]


class DescribedDocumentSerializer(DocumentSerializer):
    date_warning = serializers.SerializerMethodField(help_text="That the dates of two versions contradict their order.")

    def get_date_warning(self, row: selectors.DocumentRow) -> str:
        return date_check(version=row.version)


class DocumentListApi(DocumentApi):
    rates = {"post": "upload"}
    idempotent = ("post",)
    roles = {"post": MANAGERS}
    in_scope = False
    parser_classes = (MultiPartParser,)

    @extend_schema_serializer(component_name="NewDocument")
    class InputSerializer(serializers.Serializer[Any]):
        file = serializers.FileField(allow_empty_file=True)
        password = serializers.CharField(required=False, default="", allow_blank=True, trim_whitespace=False)

    @operation("documents_list", DocumentSerializer(many=True), 404, parameters=[*PAGING, *DocumentFilter.parameters()])
    def get(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Documents of a corpus with the state of their newest version, by name unless `order` says otherwise."""
        with organization_scope(request.organization, user=request.user):
            corpus = selectors.corpus_get(organization=request.organization, corpus_id=corpus_id)
            documents = selectors.documents_in_groups(organization=request.organization).filter(corpus=corpus)
            matches = DocumentFilter(request.query_params, documents).rows
            pages = Pages()
            page = pages.paginate_queryset(matches.values_list("pk", flat=True), request, view=self)
            rows = selectors.document_rows(organization=request.organization, corpus=corpus, document_ids=page)
            return pages.get_paginated_response(DocumentSerializer(rows, many=True).data)

    @operation(
        "documents_create",
        DocumentSerializer,
        404,
        409,
        422,
        status=202,
        takes=InputSerializer,
        request={"multipart/form-data": InputSerializer},
    )
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """Upload one file. It is read in the background: follow `job` until the document is ready or refused."""
        file = data["file"]
        return services.document_upload(
            **request.acting,
            corpus_id=corpus_id,
            name=file.name or "",
            parts=file.chunks(),
            password=data["password"],
        )

    def idempotent_reply(self, request: MemberRequest, subject_id: UUID) -> Response:
        row = selectors.upload_row(organization=request.organization, version_id=subject_id)
        return Response(DocumentSerializer(row).data, status=202)


class DocumentDetailApi(DocumentApi):
    roles = {"post": MANAGERS, "patch": MANAGERS, "delete": MANAGERS}

    @extend_schema_serializer(component_name="DocumentFields")
    class FieldsSerializer(serializers.Serializer[Any]):
        document_kind = serializers.CharField(source="kind", required=False, allow_blank=True)
        jurisdiction = serializers.CharField(required=False, allow_blank=True)
        authority = serializers.CharField(required=False, allow_blank=True)
        effective_date = DayField(
            required=False, allow_null=True, help_text="From which day the newest version is in effect."
        )

    @extend_schema_serializer(component_name="DocumentTitle")
    class InputSerializer(serializers.Serializer[Any]):
        title = serializers.CharField(allow_blank=True)

    @operation("documents_retrieve", DocumentSerializer, 404)
    def get(self, request: MemberRequest, document_id: UUID) -> object:
        """One document."""
        return _row(request, document_id)

    @operation("documents_update", DocumentSerializer, 404, takes=InputSerializer)
    def post(self, request: MemberRequest, document_id: UUID, data: dict[str, Any]) -> Response:
        """Give a document a title; every citation shows it at once, and new versions keep it."""
        services.document_rename(**request.acting, document_id=document_id, **data)
        return self.get(request, document_id)

    @operation("documents_describe", DescribedDocumentSerializer, 404, takes=FieldsSerializer)
    def patch(self, request: MemberRequest, document_id: UUID, data: dict[str, Any]) -> object:
        """Say what a document is; what is left out stays, and no guess overwrites what you said."""
        services.document_describe(**request.acting, document_id=document_id, changes=data)
        return _row(request, document_id)

    @operation("documents_delete", None, 404)
    def delete(self, request: MemberRequest, document_id: UUID) -> None:
        """Take a document out of search; uploading its file again brings it back."""
        services.document_remove(**request.acting, document_id=document_id)


def _row(request: MemberRequest, document_id: UUID) -> selectors.DocumentRow:
    document = selectors.document_get(organization=request.organization, document_id=document_id)
    (row,) = selectors.document_rows(
        organization=request.organization, corpus=document.corpus, document_ids=[document.pk]
    )
    return row


class DocumentFileApi(DocumentApi):
    @extend_schema(
        operation_id="documents_file",
        responses={(200, kind): OpenApiTypes.BINARY for kind in FILE_TYPES} | error_responses(401, 404),
    )
    def get(self, request: MemberRequest, document_id: UUID) -> StreamingHttpResponse:
        """The file of the current version, as it was uploaded."""
        document = selectors.document_get(organization=request.organization, document_id=document_id)
        version = selectors.version_get(organization=request.organization, document=document, number=None)
        file = services.version_download(**request.acting, version=version)
        return file_download(request._request, file=file, name=document.name, kind=version.kind)


class DocumentPasswordApi(DocumentApi):
    roles = {"post": MANAGERS}
    in_scope = False

    @extend_schema_serializer(component_name="Password")
    class InputSerializer(serializers.Serializer[Any]):
        password = serializers.CharField(max_length=200, trim_whitespace=False)

    @operation("documents_password", JobSerializer, 404, 409, status=202, takes=InputSerializer)
    def post(self, request: MemberRequest, document_id: UUID, data: dict[str, Any]) -> object:
        """Open an encrypted file. The password is used once and stored nowhere."""
        return services.version_unlock(**request.acting, document_id=document_id, **data)


class ParagraphListApi(DocumentApi):
    @extend_schema_serializer(component_name="Paragraph")
    class OutputSerializer(serializers.Serializer[Any]):
        paragraph_id = serializers.CharField(source="paragraph.public_id")
        external_id = serializers.CharField(source="paragraph.external_id")
        ordinal = serializers.IntegerField()
        page = serializers.IntegerField()
        page_label = serializers.CharField()
        kind = serializers.CharField()
        heading_path = serializers.ListField(child=serializers.CharField())
        number = serializers.CharField(source="label")
        text = serializers.CharField(source="paragraph.text")

    @operation("paragraphs_list", OutputSerializer(many=True), 404, is_paged=True)
    def get(self, request: MemberRequest, document_id: UUID) -> object:
        """Paragraphs of the current version in reading order; their ids stay when the document is uploaded again."""
        version = services.document_view(**request.acting, document_id=document_id)
        is_read = version.state in (VersionState.READY, VersionState.SUPERSEDED)
        return selectors.position_list(version=version, ordinals=None if is_read else [])


class MemberFileListApi(DocumentApi):
    @extend_schema_serializer(component_name="ContainedFile")
    class OutputSerializer(serializers.Serializer[Any]):
        name = serializers.CharField()
        document_id = serializers.UUIDField(allow_null=True)
        reason = serializers.CharField()
        detail = serializers.CharField()

    @operation("documents_files", OutputSerializer(many=True), 404, is_paged=True)
    def get(self, request: MemberRequest, document_id: UUID) -> object:
        """Files in an archive or e-mail, with the documents that they became or the reason why they became none."""
        document = selectors.document_get(organization=request.organization, document_id=document_id)
        version = selectors.version_get(organization=request.organization, document=document, number=None)
        return selectors.member_list(version=version)
