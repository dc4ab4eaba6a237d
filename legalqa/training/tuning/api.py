"""Endpoints of tunings on gold sets."""

from functools import partial
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from judging.models import TuningRun
from legalqa.accounts.api import ManagersApi, MemberRequest
from legalqa.accounts.steps import step_api
from legalqa.common.drf import operation
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_latest_by_subject
from legalqa.training.tuning import services
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


def _document(run: TuningRun, job: Job | None) -> dict[str, Any]:
    of_job = {"state": job.state, "job_id": job.pk} if job is not None else {"state": "done", "job_id": None}
    return dict(TuningSerializer(vars(run) | of_job).data)


def _shown(request: MemberRequest, tuning_id: UUID, *, status: int = 200) -> Response:
    run, job = services.tuning_get(organization=request.organization, tuning_id=tuning_id)
    return Response(_document(run, job), status=status)


class TuningListApi(ManagersApi):
    @extend_schema_serializer(component_name="NewTuning")
    class InputSerializer(serializers.Serializer[Any]):
        gold_set_id = serializers.UUIDField()
        n_classes = serializers.IntegerField(min_value=2, max_value=5, required=False, default=3)
        is_reranked = serializers.BooleanField(required=False, default=True)
        rewrites = serializers.ListField(
            child=serializers.IntegerField(min_value=0, max_value=10), max_length=4, required=False, default=list
        )
        price = serializers.FloatField(min_value=0.001, max_value=10, required=False, default=0.05)

    @operation("tunings_list", TuningSerializer(many=True), 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """The tunings of a corpus, newest first."""
        runs = list(services.tuning_list(organization=request.organization, corpus_id=corpus_id))
        jobs = job_latest_by_subject(organization=request.organization, subject_ids=[run.pk for run in runs])
        return Response([_document(run, jobs.get(run.pk)) for run in runs])

    @operation("tunings_create", TuningSerializer, 404, 409, status=202, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> Response:
        """Tune the parameter mapping of a corpus on one of its gold sets, in the background."""
        options = dict(data)
        gold_set_id = options.pop("gold_set_id")
        run = services.tuning_start(
            **request.acting, gold_set_id=gold_set_id, options=services.tuning_options(**options), corpus_id=corpus_id
        )
        return _shown(request, run.pk, status=202)


class TuningDetailApi(ManagersApi):
    @operation("tunings_get", TuningSerializer, 404)
    def get(self, request: MemberRequest, tuning_id: UUID) -> Response:
        """The progress of a tuning, or its report."""
        return _shown(request, tuning_id)


_step = partial(step_api, answer=_shown, serializer=TuningSerializer)
TuningCancelApi = _step(
    services.tuning_cancel, name="tunings_cancel", words="Stop a tuning; what it has searched is kept."
)
TuningResumeApi = _step(
    services.tuning_resume,
    name="tunings_resume",
    words="Resume a tuning that was cancelled or failed, from where it stopped.",
)


class TuningUseApi(ManagersApi):
    @operation("tunings_use", MappingVersionSerializer, 404, 409, status=201)
    def post(self, request: MemberRequest, tuning_id: UUID) -> object:
        """Use the mapping that a tuning found, as a new version of the corpus's own."""
        return services.tuning_use(**request.acting, tuning_id=tuning_id)
