"""Endpoints of the encoders of a corpus."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from corpora.api.documents import JobSerializer
from corpora.models import Corpus, TrainedEncoder, TrainedState
from corpora.selectors import corpus_get, encoder_get, encoder_in_use, encoder_list, encoder_switch_pending
from corpora.services import encoder_remove, encoder_roll_back, encoder_use
from legalqa.accounts.access import MANAGERS
from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.models import Organization
from legalqa.accounts.scopes import TokenScope
from legalqa.common.drf import error_responses
from legalqa.jobs.selectors import job_latest_by_subject
from legalqa.training.comparisons import NO_GOLD_SET, report_shown
from legalqa.training.encoder import services
from legalqa.training.encoder.services import EncoderTraining


class TrainedEncoderSerializer(serializers.Serializer[Any]):
    """A version; `report` holds before and after once it is ready, `name` is what stands beside its vectors."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=TrainedState.choices)
    job_id = serializers.UUIDField(allow_null=True)
    is_in_use = serializers.BooleanField()
    learned_from = serializers.CharField()
    settings = serializers.DictField()
    fingerprint = serializers.CharField()
    report = serializers.DictField()
    created_at = serializers.DateTimeField()


class EncoderInUseSerializer(serializers.Serializer[Any]):
    """What searches use; null is the packaged encoder. `switch_job_id` names the switch that is at work or stopped."""

    encoder = serializers.CharField()
    encoder_id = serializers.UUIDField(allow_null=True)
    switch_job_id = serializers.UUIDField(allow_null=True)


class EncoderListApi(MemberApi):
    scopes = {"get": TokenScope.CORPORA_READ, "post": TokenScope.CORPORA_WRITE}
    roles = {"get": MANAGERS, "post": MANAGERS}

    @extend_schema_serializer(component_name="NewEncoder")
    class InputSerializer(serializers.Serializer[Any]):
        gold_set_ids = serializers.ListField(
            child=serializers.UUIDField(), min_length=1, max_length=50, error_messages={"min_length": NO_GOLD_SET}
        )
        elsewhere = serializers.ListField(child=serializers.UUIDField(), max_length=10, required=False, default=list)
        settings = serializers.DictField(
            required=False, default=dict, help_text=", ".join(EncoderTraining.model_fields)
        )

    @extend_schema(
        operation_id="encoders_list",
        responses={200: TrainedEncoderSerializer(many=True), **error_responses(401, 403, 404)},
    )
    def get(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """The encoders that a corpus has trained, newest first."""
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        return Response(_shown(request.organization, corpus, list(encoder_list(corpus=corpus))))

    @extend_schema(
        operation_id="encoders_create",
        request=InputSerializer,
        responses={202: TrainedEncoderSerializer, **error_responses(400, 401, 403, 404, 409)},
    )
    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Train an encoder on gold sets in the background; searches do not change."""
        data = self.InputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        asked = data.validated_data
        version, _ = services.encoder_train(
            organization=request.organization,
            user=request.user,
            corpus_id=corpus_id,
            gold_set_ids=asked["gold_set_ids"],
            elsewhere=asked["elsewhere"],
            settings=services.settings_checked(asked["settings"]),
        )
        return Response(_one(request.organization, corpus_id, version.pk), status=202)


class EncoderDetailApi(MemberApi):
    scopes = {"get": TokenScope.CORPORA_READ, "delete": TokenScope.CORPORA_WRITE}
    roles = {"get": MANAGERS, "delete": MANAGERS}

    @extend_schema(
        operation_id="encoders_get", responses={200: TrainedEncoderSerializer, **error_responses(401, 403, 404)}
    )
    def get(self, request: MemberRequest, corpus_id: UUID, encoder_id: UUID) -> Response:
        """One encoder with its report."""
        return Response(_one(request.organization, corpus_id, encoder_id))

    @extend_schema(operation_id="encoders_delete", responses={204: None, **error_responses(401, 403, 404, 409)})
    def delete(self, request: MemberRequest, corpus_id: UUID, encoder_id: UUID) -> Response:
        """Remove an encoder that is not in use, with its questions, its report and its vectors."""
        encoder_remove(organization=request.organization, user=request.user, corpus_id=corpus_id, encoder_id=encoder_id)
        return Response(status=204)


class EncoderCancelApi(MemberApi):
    scopes = {"post": TokenScope.CORPORA_WRITE}
    roles = {"post": MANAGERS}

    @extend_schema(
        operation_id="encoders_cancel",
        request=None,
        responses={200: TrainedEncoderSerializer, **error_responses(401, 403, 404, 409)},
    )
    def post(self, request: MemberRequest, corpus_id: UUID, encoder_id: UUID) -> Response:
        """Ask a training to stop; what it has done is kept."""
        services.encoder_cancel(organization=request.organization, corpus_id=corpus_id, encoder_id=encoder_id)
        return Response(_one(request.organization, corpus_id, encoder_id))


class EncoderResumeApi(MemberApi):
    scopes = {"post": TokenScope.CORPORA_WRITE}
    roles = {"post": MANAGERS}

    @extend_schema(
        operation_id="encoders_resume",
        request=None,
        responses={200: TrainedEncoderSerializer, **error_responses(401, 403, 404, 409)},
    )
    def post(self, request: MemberRequest, corpus_id: UUID, encoder_id: UUID) -> Response:
        """Go on with a training that failed or was cancelled, from where it stopped."""
        services.encoder_resume(organization=request.organization, corpus_id=corpus_id, encoder_id=encoder_id)
        return Response(_one(request.organization, corpus_id, encoder_id))


class EncoderInUseApi(MemberApi):
    scopes = {"get": TokenScope.CORPORA_READ, "post": TokenScope.CORPORA_WRITE}
    roles = {"get": MANAGERS, "post": MANAGERS}

    @extend_schema_serializer(component_name="EncoderToUse")
    class InputSerializer(serializers.Serializer[Any]):
        encoder_id = serializers.UUIDField(allow_null=True)

    @extend_schema(
        operation_id="encoders_in_use", responses={200: EncoderInUseSerializer, **error_responses(401, 403, 404)}
    )
    def get(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Which encoder searches use, and whether another one is about to take its place."""
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        used, pending = encoder_in_use(corpus=corpus), encoder_switch_pending(corpus=corpus)
        jobs = job_latest_by_subject(
            organization=request.organization, subject_ids=[pending.pk] if pending is not None else []
        )
        document = {
            "encoder": corpus.encoder,
            "encoder_id": used.pk if used is not None else None,
            "switch_job_id": next((job.pk for job in jobs.values()), None),
        }
        return Response(EncoderInUseSerializer(document).data)

    @extend_schema(
        operation_id="encoders_use",
        request=InputSerializer,
        responses={202: JobSerializer, **error_responses(400, 401, 403, 404, 409)},
    )
    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Switch to an encoder once every passage has its vector; null is the packaged one."""
        data = self.InputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        job = encoder_use(
            organization=request.organization,
            user=request.user,
            corpus_id=corpus_id,
            encoder_id=data.validated_data["encoder_id"],
        )
        return Response(JobSerializer(job).data, status=202)


class EncoderRollBackApi(MemberApi):
    scopes = {"post": TokenScope.CORPORA_WRITE}
    roles = {"post": MANAGERS}

    @extend_schema(
        operation_id="encoders_roll_back",
        request=None,
        responses={202: JobSerializer, **error_responses(401, 403, 404, 409)},
    )
    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Switch back to what was used before; its vectors were kept."""
        job = encoder_roll_back(organization=request.organization, user=request.user, corpus_id=corpus_id)
        return Response(JobSerializer(job).data, status=202)


def _one(organization: Organization, corpus_id: UUID, encoder_id: UUID) -> dict[str, Any]:
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    return _shown(organization, corpus, [encoder_get(corpus=corpus, encoder_id=encoder_id)])[0]


def _shown(organization: Organization, corpus: Corpus, versions: list[TrainedEncoder]) -> list[dict[str, Any]]:
    jobs = job_latest_by_subject(organization=organization, subject_ids=[version.pk for version in versions])
    return [
        {
            "id": version.pk,
            "number": version.number,
            "name": version.name,
            "state": version.state,
            "job_id": jobs[version.pk].pk if version.pk in jobs else None,
            "is_in_use": version.is_ready and version.name == corpus.encoder,
            "learned_from": version.source,
            "settings": version.training,
            "fingerprint": version.fingerprint,
            "report": report_shown(organization=organization, report=version.report),
            "created_at": version.created_at,
        }
        for version in versions
    ]
