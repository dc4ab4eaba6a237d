"""Endpoints of generations of gold questions."""

from typing import Any
from uuid import UUID

from rest_framework import serializers

from corpora.runs.api import RunApi, run_routes
from judging.gold.generation.services import GENERATIONS, MAX_NUMBER, generation_start
from judging.gold.services.sets import MAX_NAME
from judging.models import GoldGeneration
from legalqa.accounts.api import MemberRequest
from legalqa.common.errors import ApplicationError


class GenerationSerializer(serializers.Serializer[Any]):
    """`report` says how many questions of each type were written, and which were left out and why."""

    id = serializers.UUIDField()
    corpus_id = serializers.UUIDField()
    gold_set_id = serializers.UUIDField()
    options = serializers.DictField()
    state = serializers.CharField()
    report = serializers.DictField()
    created_at = serializers.DateTimeField()


class NewGenerationSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=MAX_NAME, required=False, default="", help_text="Of a new gold set.")
    gold_set_id = serializers.UUIDField(required=False, help_text="Of the gold set that is added to.")
    types = serializers.ListField(child=serializers.CharField(max_length=60), required=False, max_length=100)
    number = serializers.IntegerField(min_value=1, max_value=MAX_NUMBER, required=False, default=50)
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False, default=144)


class GenerationApi(RunApi):
    runs = GENERATIONS

    def start(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> GoldGeneration:
        if data["name"] and "gold_set_id" in data:
            raise ApplicationError("Give a name or a gold_set_id, not both.", code="bad_generation")
        return generation_start(**request.acting, corpus_id=corpus_id, **data)


generation_routes = run_routes(
    GenerationApi,
    name="generation",
    operations="gold_generations",
    addresses=("corpora/<uuid:corpus_id>/gold-generations/", "gold-generations/<uuid:generation_id>/"),
    says={
        "list": "The generations of a corpus, newest first.",
        "create": "Generate questions for a new gold set or an existing one, in the background; they are drafts.",
        "get": "The progress of a generation, or its report.",
        "cancel": "Stop a generation; what it has written is kept.",
        "resume": "Resume a generation that was cancelled or failed, from where it stopped.",
    },
    gives=GenerationSerializer,
    takes=NewGenerationSerializer,
)
