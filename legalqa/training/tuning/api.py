"""Endpoints of tunings on gold sets."""

from typing import Any
from uuid import UUID

from rest_framework import serializers

from corpora.runs.api import RunApi, run_routes
from judging.models import TuningRun
from legalqa.accounts.api import ManagersApi, MemberRequest
from legalqa.common.drf import operation
from legalqa.training.tuning.services import TUNINGS, tuning_options, tuning_start, tuning_use
from retrieval.api.mappings import MappingVersionSerializer


class TuningSerializer(serializers.Serializer[Any]):
    """`report` is empty until the tuning has come to its end; `job` is None once the ledger has forgotten it."""

    id = serializers.UUIDField()
    corpus_id = serializers.UUIDField()
    gold_set_id = serializers.UUIDField()
    options = serializers.DictField()
    state = serializers.CharField()
    job_id = serializers.UUIDField(allow_null=True)
    report = serializers.DictField()
    created_at = serializers.DateTimeField()


class NewTuningSerializer(serializers.Serializer[Any]):
    gold_set_id = serializers.UUIDField()
    n_classes = serializers.IntegerField(min_value=2, max_value=5, required=False, default=3)
    is_reranked = serializers.BooleanField(required=False, default=True)
    rewrites = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=10), max_length=4, required=False, default=list
    )
    price = serializers.FloatField(min_value=0.001, max_value=10, required=False, default=0.05)


class TuningApi(RunApi):
    runs = TUNINGS

    def start(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> TuningRun:
        gold_set_id = data.pop("gold_set_id")
        options = tuning_options(**data)
        return tuning_start(**request.acting, gold_set_id=gold_set_id, options=options, corpus_id=corpus_id)


class TuningUseApi(ManagersApi):
    @operation("tunings_use", MappingVersionSerializer, 404, 409, status=201)
    def post(self, request: MemberRequest, tuning_id: UUID) -> object:
        """Use the mapping that a tuning found, as a new version of the corpus's own."""
        return tuning_use(**request.acting, tuning_id=tuning_id)


tuning_routes = run_routes(
    TuningApi,
    name="tuning",
    operations="tunings",
    addresses=("corpora/<uuid:corpus_id>/tunings/", "tunings/<uuid:tuning_id>/"),
    says={
        "list": "The tunings of a corpus, newest first.",
        "create": "Tune the parameter mapping of a corpus on one of its gold sets, in the background.",
        "get": "The progress of a tuning, or its report.",
        "cancel": "Stop a tuning; what it has searched is kept.",
        "resume": "Resume a tuning that was cancelled or failed, from where it stopped.",
    },
    gives=TuningSerializer,
    takes=NewTuningSerializer,
)
