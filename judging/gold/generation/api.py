"""Endpoints of generations of gold questions."""

from functools import partial
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from judging.gold.generation import services
from judging.gold.services.sets import MAX_NAME
from judging.models import GoldGeneration
from legalqa.accounts.access import MANAGERS
from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.steps import step_api
from legalqa.common.drf import operation
from legalqa.common.errors import ApplicationError
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_latest_by_subject


class GenerationSerializer(serializers.Serializer[Any]):
    """`report` says how many questions of each type were written, and which were left out and why."""

    id = serializers.UUIDField()
    corpus_id = serializers.UUIDField()
    gold_set_id = serializers.UUIDField()
    options = serializers.DictField()
    state = serializers.CharField()
    report = serializers.DictField()
    created_at = serializers.DateTimeField()


def _document(run: GoldGeneration, job: Job | None) -> dict[str, Any]:
    return vars(run) | {"state": job.state if job is not None else "done"}


def _shown(request: MemberRequest, generation_id: UUID) -> dict[str, Any]:
    return _document(*services.generation_get(organization=request.organization, generation_id=generation_id))


class GenerationListApi(MemberApi):
    scopes = {"get": TokenScope.CORPORA_READ, "post": TokenScope.CORPORA_WRITE}
    roles = {"get": MANAGERS, "post": MANAGERS}

    @extend_schema_serializer(component_name="NewGeneration")
    class InputSerializer(serializers.Serializer[Any]):
        name = serializers.CharField(max_length=MAX_NAME, required=False, default="", help_text="Of a new gold set.")
        gold_set_id = serializers.UUIDField(required=False, help_text="Of the gold set that is added to.")
        types = serializers.ListField(child=serializers.CharField(max_length=60), required=False, max_length=100)
        number = serializers.IntegerField(min_value=1, max_value=services.MAX_NUMBER, required=False, default=50)
        seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False, default=144)

    @operation("gold_generations_list", GenerationSerializer(many=True), 404)
    def get(self, request: MemberRequest, corpus_id: UUID) -> object:
        """The generations of a corpus, newest first."""
        runs = list(services.generation_list(organization=request.organization, corpus_id=corpus_id))
        jobs = job_latest_by_subject(organization=request.organization, subject_ids=[run.pk for run in runs])
        return [_document(run, jobs.get(run.pk)) for run in runs]

    @operation("gold_generations_create", GenerationSerializer, 404, 409, status=202, takes=InputSerializer)
    def post(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        """Generate questions for a new gold set or an existing one, in the background; they are drafts."""
        if data["name"] and "gold_set_id" in data:
            raise ApplicationError("Give a name or a gold_set_id, not both.", code="bad_generation")
        run = services.generation_start(**request.acting, corpus_id=corpus_id, **data)
        return _shown(request, run.pk)


class GenerationDetailApi(MemberApi):
    scopes = {"get": TokenScope.CORPORA_READ}
    roles = {"get": MANAGERS}

    @operation("gold_generations_get", GenerationSerializer, 404)
    def get(self, request: MemberRequest, generation_id: UUID) -> object:
        """The progress of a generation, or its report."""
        return _shown(request, generation_id)


_step = partial(step_api, answer=_shown, serializer=GenerationSerializer)
GenerationCancelApi = _step(
    services.generation_cancel, name="gold_generations_cancel", words="Stop a generation; what it has written is kept."
)
GenerationResumeApi = _step(
    services.generation_resume,
    name="gold_generations_resume",
    words="Resume a generation that was cancelled or failed, from where it stopped.",
)
