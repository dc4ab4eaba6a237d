"""Endpoints of the rankers of a corpus."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.response import Response

from corpora.models import Corpus, TrainedState
from corpora.selectors import corpus_get
from legalqa.accounts.access import MANAGERS
from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.models import Organization
from legalqa.accounts.scopes import TokenScope
from legalqa.common.drf import error_responses
from legalqa.jobs.selectors import job_latest_by_subject
from legalqa.training.comparisons import NO_GOLD_SET, report_shown
from legalqa.training.ranker import services
from retrieval.models import TrainedRanker
from retrieval.rerankers.versions import ranker_get, ranker_in_use, ranker_list


class TrainedRankerSerializer(serializers.Serializer[Any]):
    """A version; `report` holds before and after once it is ready, `encoder` is the one that it was trained over."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    encoder = serializers.CharField()
    state = serializers.ChoiceField(choices=TrainedState.choices)
    job_id = serializers.UUIDField(allow_null=True)
    is_in_use = serializers.BooleanField()
    learned_from = serializers.CharField()
    fingerprint = serializers.CharField()
    report = serializers.DictField()
    created_at = serializers.DateTimeField()


class RankerInUseSerializer(serializers.Serializer[Any]):
    """What searches use over the encoder in use; null is the packaged ranker."""

    encoder = serializers.CharField()
    ranker_id = serializers.UUIDField(allow_null=True)


class RankerListApi(MemberApi):
    scopes = {"get": TokenScope.CORPORA_READ, "post": TokenScope.CORPORA_WRITE}
    roles = {"get": MANAGERS, "post": MANAGERS}

    @extend_schema_serializer(component_name="NewRanker")
    class InputSerializer(serializers.Serializer[Any]):
        gold_set_ids = serializers.ListField(
            child=serializers.UUIDField(), min_length=1, max_length=50, error_messages={"min_length": NO_GOLD_SET}
        )

    @extend_schema(
        operation_id="rankers_list",
        responses={200: TrainedRankerSerializer(many=True), **error_responses(401, 403, 404)},
    )
    def get(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """The rankers that a corpus has trained, newest first."""
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        return Response(_shown(request.organization, corpus, list(ranker_list(corpus=corpus))))

    @extend_schema(
        operation_id="rankers_create",
        request=InputSerializer,
        responses={202: TrainedRankerSerializer, **error_responses(400, 401, 403, 404, 409)},
    )
    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Train a ranker over the encoder in use, on gold sets, in the background; searches do not change."""
        data = self.InputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        version, _ = services.ranker_train_start(
            organization=request.organization,
            user=request.user,
            corpus_id=corpus_id,
            gold_set_ids=data.validated_data["gold_set_ids"],
        )
        return Response(_one(request.organization, corpus_id, version.pk), status=202)


class RankerDetailApi(MemberApi):
    scopes = {"get": TokenScope.CORPORA_READ, "delete": TokenScope.CORPORA_WRITE}
    roles = {"get": MANAGERS, "delete": MANAGERS}

    @extend_schema(
        operation_id="rankers_get", responses={200: TrainedRankerSerializer, **error_responses(401, 403, 404)}
    )
    def get(self, request: MemberRequest, corpus_id: UUID, ranker_id: UUID) -> Response:
        """One ranker with its report."""
        return Response(_one(request.organization, corpus_id, ranker_id))

    @extend_schema(operation_id="rankers_delete", responses={204: None, **error_responses(401, 403, 404, 409)})
    def delete(self, request: MemberRequest, corpus_id: UUID, ranker_id: UUID) -> Response:
        """Remove a ranker that is not in use."""
        services.ranker_remove(
            organization=request.organization, user=request.user, corpus_id=corpus_id, ranker_id=ranker_id
        )
        return Response(status=204)


class RankerCancelApi(MemberApi):
    scopes = {"post": TokenScope.CORPORA_WRITE}
    roles = {"post": MANAGERS}

    @extend_schema(
        operation_id="rankers_cancel",
        request=None,
        responses={200: TrainedRankerSerializer, **error_responses(401, 403, 404, 409)},
    )
    def post(self, request: MemberRequest, corpus_id: UUID, ranker_id: UUID) -> Response:
        """Ask a training to stop; what it has done is kept."""
        services.ranker_cancel(organization=request.organization, corpus_id=corpus_id, ranker_id=ranker_id)
        return Response(_one(request.organization, corpus_id, ranker_id))


class RankerResumeApi(MemberApi):
    scopes = {"post": TokenScope.CORPORA_WRITE}
    roles = {"post": MANAGERS}

    @extend_schema(
        operation_id="rankers_resume",
        request=None,
        responses={200: TrainedRankerSerializer, **error_responses(401, 403, 404, 409)},
    )
    def post(self, request: MemberRequest, corpus_id: UUID, ranker_id: UUID) -> Response:
        """Go on with a training that failed or was cancelled, from where it stopped."""
        services.ranker_resume(organization=request.organization, corpus_id=corpus_id, ranker_id=ranker_id)
        return Response(_one(request.organization, corpus_id, ranker_id))


class RankerInUseApi(MemberApi):
    scopes = {"get": TokenScope.CORPORA_READ, "post": TokenScope.CORPORA_WRITE}
    roles = {"get": MANAGERS, "post": MANAGERS}

    @extend_schema_serializer(component_name="RankerToUse")
    class InputSerializer(serializers.Serializer[Any]):
        ranker_id = serializers.UUIDField(allow_null=True)

    @extend_schema(
        operation_id="rankers_in_use", responses={200: RankerInUseSerializer, **error_responses(401, 403, 404)}
    )
    def get(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Which ranker searches use."""
        return Response(_in_use(request.organization, corpus_id))

    @extend_schema(
        operation_id="rankers_use",
        request=InputSerializer,
        responses={200: RankerInUseSerializer, **error_responses(400, 401, 403, 404, 409)},
    )
    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Use a ranker from now on; null is the packaged one."""
        data = self.InputSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        services.ranker_use(
            organization=request.organization,
            user=request.user,
            corpus_id=corpus_id,
            ranker_id=data.validated_data["ranker_id"],
        )
        return Response(_in_use(request.organization, corpus_id))


class RankerRollBackApi(MemberApi):
    scopes = {"post": TokenScope.CORPORA_WRITE}
    roles = {"post": MANAGERS}

    @extend_schema(
        operation_id="rankers_roll_back",
        request=None,
        responses={200: RankerInUseSerializer, **error_responses(401, 403, 404, 409)},
    )
    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        """Use again what was used before."""
        services.ranker_roll_back(organization=request.organization, user=request.user, corpus_id=corpus_id)
        return Response(_in_use(request.organization, corpus_id))


def _in_use(organization: Organization, corpus_id: UUID) -> dict[str, Any]:
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    used = ranker_in_use(corpus=corpus)
    return {"encoder": corpus.encoder, "ranker_id": used.pk if used is not None else None}


def _one(organization: Organization, corpus_id: UUID, ranker_id: UUID) -> dict[str, Any]:
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    return _shown(organization, corpus, [ranker_get(corpus=corpus, ranker_id=ranker_id)])[0]


def _shown(organization: Organization, corpus: Corpus, versions: list[TrainedRanker]) -> list[dict[str, Any]]:
    jobs = job_latest_by_subject(organization=organization, subject_ids=[version.pk for version in versions])
    used = ranker_in_use(corpus=corpus)
    return [
        {
            "id": version.pk,
            "number": version.number,
            "encoder": version.encoder,
            "state": version.state,
            "job_id": jobs[version.pk].pk if version.pk in jobs else None,
            "is_in_use": used is not None and used.pk == version.pk,
            "learned_from": version.source,
            "fingerprint": version.fingerprint,
            "report": report_shown(organization=organization, report=version.report),
            "created_at": version.created_at,
        }
        for version in versions
    ]
