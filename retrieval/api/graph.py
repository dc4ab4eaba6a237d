"""Endpoints of the knowledge graph of a corpus."""

from functools import partial
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from corpora.selectors import corpus_get
from legalqa.accounts.access import MANAGERS, REVIEWERS
from legalqa.accounts.api import CorpusApi, MemberRequest, ReviewersApi
from legalqa.accounts.scopes import TokenScope
from legalqa.common.downloads import download
from legalqa.common.drf import ChosenField, error_responses, operation, paged
from legalqa.common.errors import ApplicationError
from legalqa.jobs.api import JobSerializer
from retrieval.graph import selectors
from retrieval.graph.building import graph_start
from retrieval.graph.exporting import FORMATS, graph_text, triplet_row
from retrieval.graph.model import path_search
from retrieval.graph.reviewing import ACTIONS, graph_decide
from retrieval.kinds import KIND_CHOICES, KIND_WORDS
from retrieval.models import GraphTriplet
from retrieval.models.graph import SHOWN_KINDS, EntityKind

READ, WRITE = TokenScope.CORPORA_READ, TokenScope.CORPORA_WRITE


class TripletSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=KIND_CHOICES)
    subject = serializers.CharField()
    predicate = serializers.CharField()
    object = serializers.CharField()
    section = serializers.CharField()
    document = serializers.CharField()
    document_id = serializers.UUIDField()
    paragraph_id = serializers.CharField()
    start = serializers.IntegerField(help_text="Offset of the sentence in the paragraph's text.")
    end = serializers.IntegerField(help_text="Offset, exclusive.")
    by = serializers.CharField(help_text="rules, parser or model.")
    is_rejected = serializers.BooleanField()


class EntitySerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=EntityKind.choices)
    name = serializers.CharField()
    aliases = serializers.ListField(child=serializers.CharField())
    n_triplets = serializers.IntegerField()
    is_rejected = serializers.BooleanField()


class DecisionSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=SHOWN_KINDS)
    words = serializers.CharField()
    created_at = serializers.DateTimeField()


class TextFilterSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(
        default="", allow_blank=True, trim_whitespace=False, help_text="Words that must occur."
    )


def triplet_document(row: GraphTriplet) -> dict[str, Any]:
    return triplet_row(row) | {"id": row.pk, "document_id": row.document_id, "is_rejected": row.is_rejected}


class GraphApi(CorpusApi):
    roles = {"get": REVIEWERS, "post": MANAGERS}

    @extend_schema_serializer(component_name="GraphBuild")
    class InputSerializer(serializers.Serializer[Any]):
        uses_parser = serializers.BooleanField(default=False)
        uses_model = serializers.BooleanField(default=False)

    @extend_schema_serializer(component_name="Graph")
    class OutputSerializer(serializers.Serializer[Any]):
        exists = serializers.BooleanField()
        is_current = serializers.BooleanField(help_text="Whether it matches the current documents.")
        n_triplets = serializers.IntegerField()
        n_entities = serializers.IntegerField()
        n_refused = serializers.IntegerField(help_text="Triplets of a model that were not in their paragraph.")
        n_unread = serializers.IntegerField(help_text="Paragraphs for which the model gave no answer.")
        job = JobSerializer(allow_null=True)

    @operation("graph_get", OutputSerializer, 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> object:
        """The state of the knowledge graph of a corpus."""
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        graph = selectors.graph_of(corpus=corpus)
        return {
            "exists": graph is not None,
            "is_current": graph is not None and graph.built_version == corpus.version,
            "n_triplets": selectors.triplet_list(corpus=corpus).count(),
            "n_entities": selectors.entity_list(corpus=corpus).count(),
            "n_refused": graph.n_refused if graph else 0,
            "n_unread": selectors.paragraphs_unread_count(corpus=corpus),
            "job": selectors.graph_job(organization=request.organization, corpus=corpus),
        }

    @operation("graph_build", JobSerializer, 404, 409, status=202, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """Build the knowledge graph of a corpus in the background, or bring it up to date."""
        return graph_start(**request.acting, corpus_id=corpus_id, **data)


class TripletListApi(ReviewersApi):
    class FilterSerializer(TextFilterSerializer):
        kind = ChosenField(KIND_WORDS)

    @operation("graph_triplets_list", TripletSerializer(many=True), 404, filters=FilterSerializer, is_paged=True)
    def get(self, request: MemberRequest, corpus_id: UUID, filters: dict[str, Any]) -> Response:
        """What the paragraphs of a corpus state, in reading order, each with its provenance."""
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        rows = selectors.triplet_list(corpus=corpus, **filters)
        return paged(rows, request, TripletSerializer, shown=partial(map, triplet_document))


class EntityListApi(ReviewersApi):
    class FilterSerializer(TextFilterSerializer):
        kind = ChosenField(EntityKind.values)

    @operation("graph_entities_list", EntitySerializer(many=True), 404, filters=FilterSerializer, is_paged=True)
    def get(self, request: MemberRequest, corpus_id: UUID, filters: dict[str, Any]) -> object:
        """The entities of a corpus's graph, those in the most statements first."""
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        return selectors.entity_list(corpus=corpus, **filters)


class EntityApi(ReviewersApi):
    @extend_schema_serializer(component_name="EntityWhole")
    class OutputSerializer(EntitySerializer):
        statements = TripletSerializer(many=True)

    @operation("graph_entities_get", OutputSerializer, 404)
    def get(self, request: MemberRequest, corpus_id: UUID, entity_id: UUID) -> object:
        """An entity with its first 200 statements."""
        entity = selectors.entity_get(organization=request.organization, corpus_id=corpus_id, entity_id=entity_id)
        rows = list(dict.fromkeys(link.triplet for link in selectors.entity_links(entity=entity)[:200]))
        return EntitySerializer(entity).data | {"statements": [triplet_document(row) for row in rows]}


class DecisionListApi(ReviewersApi):
    @extend_schema_serializer(component_name="GraphDecisionNew")
    class InputSerializer(serializers.Serializer[Any]):
        action = serializers.ChoiceField(choices=ACTIONS)
        entity_id = serializers.UUIDField(required=False, help_text="merge, split, reject: the entity.")
        into_id = serializers.UUIDField(required=False, help_text="merge: the entity that it becomes.")
        alias = serializers.CharField(required=False, max_length=300, help_text="split: one of its other names.")
        triplet_id = serializers.UUIDField(required=False, help_text="reject: the statement.")
        decision_id = serializers.UUIDField(
            required=False, help_text="accept, decline: the proposal; undo: the decision."
        )

    @operation("graph_decisions_list", DecisionSerializer(many=True), 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> object:
        """What a model proposes to merge and nobody has decided about (`proposed`), then what reviewers decided, newest
        first; it is kept whenever the graph is built.
        """
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        return [*selectors.proposal_list(corpus=corpus), *selectors.decision_list(corpus=corpus)]

    @operation("graph_decisions_create", DecisionSerializer(many=True), 404, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> Response:
        """Merge, split or reject, accept or decline what a model proposes, or undo a decision; answers as the list."""
        graph_decide(**request.acting, corpus_id=corpus_id, **data)
        return self.get(request, corpus_id)


class PathApi(ReviewersApi):
    scopes = {"post": READ}
    in_scope = False

    @extend_schema_serializer(component_name="PathQuery")
    class InputSerializer(serializers.Serializer[Any]):
        start = serializers.CharField(default="", allow_blank=True, max_length=300, help_text="Names the first entity.")
        start_kind = serializers.ChoiceField(choices=EntityKind.choices, allow_blank=True, default="")
        predicates = serializers.ListField(child=serializers.ChoiceField(choices=KIND_CHOICES), default=list)
        hops = serializers.IntegerField(default=1, min_value=1, max_value=3)
        end_kind = serializers.ChoiceField(choices=EntityKind.choices, allow_blank=True, default="")
        limit = serializers.IntegerField(default=50, min_value=1, max_value=200)
        question = serializers.CharField(
            default="",
            allow_blank=True,
            max_length=2000,
            help_text="In place of the other fields: the language model for extraction fills them in.",
        )

    @extend_schema_serializer(component_name="GraphPath")
    class OutputSerializer(serializers.Serializer[Any]):
        entities = EntitySerializer(many=True)
        statements = TripletSerializer(many=True)

    @operation("graph_paths", OutputSerializer(many=True), 404, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """The paths of a graph that fit a typed query, the shortest first."""
        _, paths = path_search(**request.acting, corpus_id=corpus_id, **data)
        return [
            {"entities": path.entities, "statements": [triplet_document(row) for row in path.triplets]}
            for path in paths
        ]


class GraphExportApi(ReviewersApi):
    @extend_schema(
        operation_id="graph_export",
        parameters=[OpenApiParameter("shape", str, enum=list(FORMATS))],
        responses={
            (200, "text/csv"): OpenApiTypes.STR,
            (200, "application/ld+json"): OpenApiTypes.OBJECT,
            **error_responses(400, 401, 403, 404),
        },
    )
    def get(self, request: MemberRequest, corpus_id: UUID) -> HttpResponse:
        """All statements that nobody has rejected, as CSV or JSON-LD."""
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        kind = request.query_params.get("shape", "csv")
        if kind not in FORMATS:
            raise ApplicationError(f"shape: give one of: {', '.join(FORMATS)}.", code="unknown_shape")
        return download(graph_text(corpus=corpus, kind=kind), name=f"graph.{kind}", kind=FORMATS[kind])
