"""The search endpoint."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.common.drf import DayField, TextField, operation
from retrieval.pages.search import search_document
from retrieval.pipelines.presets import DEFAULT_PRESET, PRESETS
from retrieval.pipelines.request import SearchRequest
from retrieval.services.presets import preset_resolve
from retrieval.services.search import corpus_search
from retrieval.types import MAX_HITS, Filters


class SettingsSerializer(serializers.Serializer[Any]):
    """How to search: a preset, single settings on top of it, and filters."""

    preset = serializers.CharField(
        max_length=60,
        required=False,
        default=DEFAULT_PRESET,
        help_text=f"One of {', '.join(PRESETS)}, or a setting that the corpus keeps.",
    )
    set = serializers.DictField(child=serializers.CharField(max_length=100), required=False, default=dict)
    filters = serializers.DictField(
        required=False,
        default=dict,
        help_text="Which documents: document_ids, kind (law, contract, …), jurisdiction, authority, date_from and "
        "date_to of the effective date, heading, excluded_paragraph_ids, as_of; kinds are formats of files.",
    )
    as_of = DayField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Search the versions that were in force on this day instead of the current ones.",
    )


class HitSerializer(serializers.Serializer[Any]):
    rank = serializers.IntegerField()
    paragraph_id = serializers.CharField()
    document_id = serializers.UUIDField()
    document = serializers.CharField()
    version = serializers.IntegerField()
    page = serializers.IntegerField()
    page_label = serializers.CharField()
    heading = serializers.CharField()
    score = serializers.FloatField()
    stages = serializers.DictField(child=serializers.FloatField())
    text = serializers.CharField()
    matched_question = serializers.CharField(
        allow_blank=True, help_text="The indexed question that led to the passage; empty where none did."
    )


class SideEvidenceSerializer(serializers.Serializer[Any]):
    """Evidence that is not a passage of a document."""

    kind = serializers.CharField(help_text="What it is, as its retriever calls it.")
    key = serializers.CharField(help_text="Which one of its kind.")
    text = serializers.CharField()
    score = serializers.FloatField()
    stage = serializers.CharField()


class NoteSerializer(serializers.Serializer[Any]):
    stage = serializers.CharField()
    note = serializers.CharField(help_text="Why the stage did not do its work, who did it instead, or what it chose.")


class SearchApi(MemberApi):
    scopes = {"post": TokenScope.SEARCH}
    rates = {"post": "search"}
    in_scope = False

    @extend_schema_serializer(component_name="SearchQuery")
    class InputSerializer(SettingsSerializer):
        corpus_id = serializers.UUIDField()
        query = TextField(max_length=100_000, allow_blank=True)  # the service says it in our words
        k = serializers.IntegerField(min_value=1, max_value=MAX_HITS, required=False, default=10)

    @extend_schema_serializer(component_name="SearchResult")
    class OutputSerializer(serializers.Serializer[Any]):
        query = serializers.CharField()
        rewriting = serializers.DictField(
            allow_null=True, help_text="What was searched, and why; null where the settings rewrite nothing."
        )
        hits = HitSerializer(many=True)
        side = SideEvidenceSerializer(many=True)
        times = serializers.DictField(child=serializers.FloatField())
        notes = NoteSerializer(many=True)
        settings = serializers.DictField()

    @operation("search", OutputSerializer, 404, takes=InputSerializer)
    def post(self, request: MemberRequest, data: dict[str, Any]) -> Response:
        """Rank the paragraphs of a corpus for a query."""
        of: Any = {**request.acting, "corpus_id": data["corpus_id"]}
        preset = preset_resolve(**of, name=data["preset"], overrides=data["set"], hits=data["k"])
        filters = Filters.sent(data["filters"], as_of=data["as_of"])
        result = corpus_search(request=SearchRequest(**of, text=data["query"], preset=preset, filters=filters))
        return Response(search_document(result=result, k=data["k"]))
