"""Endpoints of the contradictions of a corpus."""

from functools import partial
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from corpora.selectors import corpus_get
from legalqa.accounts.api import MemberRequest, ReviewersApi
from legalqa.answering.filters import ContradictionFilter
from legalqa.answering.models import ReviewState
from legalqa.answering.pages.conflicts import HEADINGS
from legalqa.answering.pages.contradictions import contradiction_document
from legalqa.answering.services import contradictions
from legalqa.common.drf import PAGING, operation, paged
from legalqa.jobs.api import JobSerializer
from legalqa.jobs.models import Job


class ContradictionSideSerializer(serializers.Serializer[Any]):
    paragraph_id = serializers.CharField()
    document_id = serializers.UUIDField()
    document = serializers.CharField()
    text = serializers.CharField(help_text="The sentence.")
    start = serializers.IntegerField(help_text="Offset of the sentence in the paragraph's text.")
    end = serializers.IntegerField(help_text="Offset in the paragraph's text, exclusive.")
    words_start = serializers.IntegerField(help_text="Offset of the words that differ in the paragraph's text.")
    words_end = serializers.IntegerField(help_text="Offset in the paragraph's text, exclusive.")


class ContradictionSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    corpus_id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=[(kind, kind) for kind in HEADINGS])
    score = serializers.FloatField(help_text="0 to 1: how certain it is that both are about the same.")
    state = serializers.ChoiceField(choices=ReviewState.choices)
    resolution = serializers.CharField(help_text="Which of the two gives way and why; empty where nothing says so.")
    reviewed_by = serializers.IntegerField(allow_null=True)
    reviewed_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    sides = ContradictionSideSerializer(many=True)


class ContradictionListApi(ReviewersApi):
    @operation(
        "contradictions_list",
        ContradictionSerializer(many=True),
        404,
        parameters=[*PAGING, *ContradictionFilter.parameters()],
    )
    def get(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """The contradictions between the documents of a corpus, the surest first."""
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        rows = contradictions.contradiction_list(organization=request.organization, corpus=corpus)
        selection = ContradictionFilter(request.query_params, rows).rows
        return paged(selection, request, ContradictionSerializer, shown=partial(map, contradiction_document))

    @operation("contradictions_create", JobSerializer, 404, 409, status=202)
    def post(self, request: MemberRequest, corpus_id: UUID) -> Job:
        """Search the corpus for contradictions, in the background."""
        return contradictions.contradictions_start(**request.acting, corpus_id=corpus_id)


class ContradictionDetailApi(ReviewersApi):
    @extend_schema_serializer(component_name="ContradictionReview")
    class InputSerializer(serializers.Serializer[Any]):
        state = serializers.ChoiceField(choices=ReviewState.choices)

    @operation("contradictions_review", ContradictionSerializer, 404, takes=InputSerializer)
    def patch(self, request: MemberRequest, contradiction_id: UUID, data: dict[str, Any]) -> dict[str, Any]:
        """Say what became of a contradiction; it is kept with your name and the time."""
        row = contradictions.contradiction_review(**request.acting, contradiction_id=contradiction_id, **data)
        return contradiction_document(row)
