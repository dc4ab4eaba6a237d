"""Endpoints of background work: the jobs of a corpus, the progress of one, cancelling it and trying it again."""

from typing import Any
from uuid import UUID

from rest_framework import serializers

from legalqa.accounts.access import MANAGERS
from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.common.drf import ChosenField, operation
from legalqa.jobs import services
from legalqa.jobs.models import JobState
from legalqa.jobs.selectors import job_by_hand, job_corpus, job_list, job_seen


class JobSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=JobState.choices)
    stage = serializers.CharField()
    percent = serializers.IntegerField()
    reason = serializers.CharField()
    attempts = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class JobListApi(MemberApi):
    scopes = {"get": TokenScope.JOBS_READ}

    class FilterSerializer(serializers.Serializer[Any]):
        state = ChosenField(JobState.values)

    @operation("jobs_list", JobSerializer(many=True), 404, filters=FilterSerializer, is_paged=True)
    def get(self, request: MemberRequest, corpus_id: UUID, filters: dict[str, Any]) -> object:
        """The background work on a corpus, newest first."""
        job_corpus(organization=request.organization, corpus_id=corpus_id)
        return job_list(organization=request.organization, corpus_id=corpus_id, **filters)


class JobDetailApi(MemberApi):
    scopes = {"get": TokenScope.JOBS_READ}

    @operation("jobs_retrieve", JobSerializer, 404)
    def get(self, request: MemberRequest, job_id: UUID) -> object:
        """The progress of a job."""
        return job_seen(organization=request.organization, job_id=job_id)


class JobCancelApi(MemberApi):
    scopes = {"post": TokenScope.JOBS_WRITE}
    roles = {"post": MANAGERS}

    @operation("jobs_cancel", JobSerializer, 404, 409)
    def post(self, request: MemberRequest, job_id: UUID) -> object:
        """Ask a job to stop; a working one stops at its next step."""
        job = job_by_hand(organization=request.organization, job_id=job_id)
        return services.job_cancel(organization=request.organization, job_id=job.pk)


class JobRetryApi(MemberApi):
    scopes = {"post": TokenScope.JOBS_WRITE}
    roles = {"post": MANAGERS}

    @operation("jobs_retry", JobSerializer, 404, 409)
    def post(self, request: MemberRequest, job_id: UUID) -> object:
        """Try a failed or cancelled job again, from where it stopped."""
        job = job_by_hand(organization=request.organization, job_id=job_id)
        return services.job_retry(organization=request.organization, job_id=job.pk)
