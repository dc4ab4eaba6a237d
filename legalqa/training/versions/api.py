"""Endpoints of trained versions: one set, made for each kind from its face."""

from collections.abc import Iterable
from typing import Any, ClassVar
from uuid import UUID

from django.urls import URLPattern, path
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.response import Response

from corpora.api.jobs import JobSerializer
from corpora.models import Corpus
from corpora.selectors import corpus_get
from legalqa.accounts.access import MANAGERS
from legalqa.accounts.api import MemberApi, MemberRequest
from legalqa.accounts.scopes import TokenScope
from legalqa.common.drf import error_responses
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_latest_by_subject
from legalqa.training.versions.pages import AnyFace

SCOPES = {"get": TokenScope.CORPORA_READ, "post": TokenScope.CORPORA_WRITE, "delete": TokenScope.CORPORA_WRITE}
RESUME = "Resume a training that failed or was cancelled, from where it stopped."


class VersionApi(MemberApi):
    """What all endpoints of a kind share; the id of a version in an address is named after the kind."""

    face: ClassVar[AnyFace]
    sent: ClassVar[type[serializers.Serializer[Any]] | None] = None
    roles = {"get": MANAGERS, "post": MANAGERS, "delete": MANAGERS}

    def __init_subclass__(cls, **options: Any) -> None:
        """Each endpoint names the scopes of the methods that it has."""
        super().__init_subclass__(**options)
        cls.scopes = {method: scope for method, scope in SCOPES.items() if hasattr(cls, method)}

    def given(self, corpus_id: UUID) -> dict[str, Any]:
        return {"organization": self.request.organization, "user": self.request.user, "corpus_id": corpus_id}

    def corpus(self, corpus_id: UUID) -> Corpus:
        return corpus_get(organization=self.request.organization, corpus_id=corpus_id)

    def one(self, corpus_id: UUID, version_id: UUID, *, status: int = 200) -> Response:
        corpus = self.corpus(corpus_id)
        version = self.face.trainer.get(corpus=corpus, version_id=version_id)
        return Response(self.documents(corpus, [version])[0], status=status)

    def documents(self, corpus: Corpus, versions: Iterable[Any]) -> list[dict[str, Any]]:
        trainer, organization, versions = self.face.trainer, self.request.organization, list(versions)
        jobs = job_latest_by_subject(organization=organization, subject_ids=[version.pk for version in versions])
        in_use = trainer.in_use(corpus=corpus)
        return [
            {
                "id": version.pk,
                "number": version.number,
                "state": version.state,
                "job_id": jobs[version.pk].pk if version.pk in jobs else None,
                "is_in_use": trainer.is_in_use(version, corpus=corpus, in_use=in_use),
                "learned_from": version.source,
                "fingerprint": version.fingerprint,
                "report": version.report,
                "created_at": version.created_at,
                **self.face.document(organization=organization, version=version),
            }
            for version in versions
        ]


class ListApi(VersionApi):
    def get(self, request: MemberRequest, corpus_id: UUID) -> Response:
        corpus = self.corpus(corpus_id)
        return Response(self.documents(corpus, self.face.trainer.versions(corpus=corpus)))

    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        data = self.face.new(data=request.data)
        data.is_valid(raise_exception=True)
        choices = self.face.choices_sent(
            organization=request.organization, corpus=self.corpus(corpus_id), data=data.validated_data
        )
        version, _ = self.face.trainer.start(**self.given(corpus_id), choices=choices)
        return self.one(corpus_id, version.pk, status=202)


class DetailApi(VersionApi):
    def get(self, request: MemberRequest, corpus_id: UUID, **ids: UUID) -> Response:
        return self.one(corpus_id, *ids.values())

    def delete(self, request: MemberRequest, corpus_id: UUID, **ids: UUID) -> Response:
        (version_id,) = ids.values()
        self.face.trainer.remove(**self.given(corpus_id), version_id=version_id)
        return Response(status=204)


class CancelApi(VersionApi):
    def post(self, request: MemberRequest, corpus_id: UUID, **ids: UUID) -> Response:
        (version_id,) = ids.values()
        self.face.trainer.cancel(**self.given(corpus_id), version_id=version_id)
        return self.one(corpus_id, version_id)


class ResumeApi(VersionApi):
    def post(self, request: MemberRequest, corpus_id: UUID, **ids: UUID) -> Response:
        (version_id,) = ids.values()
        self.face.trainer.resume(**self.given(corpus_id), version_id=version_id)
        return self.one(corpus_id, version_id)


class ActivationApi(VersionApi):
    """What an activation or a rollback answers: the job of a switch, what is in use now, or nothing."""

    def chosen(self, request: MemberRequest) -> dict[str, Any]:
        if self.sent is None:
            return {}
        data = self.sent(data=request.data)
        data.is_valid(raise_exception=True)
        return dict(data.validated_data)

    def reply(self, corpus_id: UUID, job: Job | None) -> Response:
        if job is not None:
            return Response(JobSerializer(job).data, status=202)
        if self.face.used is None:
            return Response(status=204)
        return self.told(corpus_id)

    def told(self, corpus_id: UUID) -> Response:
        assert self.face.used is not None  # addressed only where there is something to tell
        corpus = self.corpus(corpus_id)
        version_id = self.face.trainer.in_use(corpus=corpus).get(self.face.trainer.slot_now(corpus))
        return Response(self.face.used(self.face.document_in_use(corpus=corpus, version_id=version_id)).data)


class UseApi(ActivationApi):
    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        choices = self.chosen(request)
        version_id = choices[f"{self.face.trainer.name}_id"]
        job = self.face.trainer.use(**self.given(corpus_id), version_id=version_id, slot=self.face.slot(choices))
        return self.reply(corpus_id, job)


class InUseApi(UseApi):
    def get(self, request: MemberRequest, corpus_id: UUID) -> Response:
        return self.told(corpus_id)


class RollBackApi(ActivationApi):
    def post(self, request: MemberRequest, corpus_id: UUID) -> Response:
        job = self.face.trainer.roll_back(**self.given(corpus_id), slot=self.face.slot(self.chosen(request)))
        return self.reply(corpus_id, job)


def api_routes(face: AnyFace) -> list[URLPattern]:
    """The endpoints of a kind, with their schema."""
    name, page = face.trainer.name, f"corpora/<uuid:corpus_id>/{face.addresses.endpoints}"
    says = face.words.endpoints
    one, kind, version = f"{page}<uuid:{name}_id>/", f"{name}s", face.version
    missing, refused = error_responses(401, 403, 404), error_responses(401, 403, 404, 409)
    activated = {202: JobSerializer} if face.is_switched else {200: face.used} if face.used else {204: None}

    def endpoint(operation: str, words: str, responses: dict[int, Any], request: Any = None) -> tuple[str, Any]:
        return words, extend_schema(operation_id=f"{kind}_{operation}", responses=responses, request=request)

    def route(address: str, step: str, base: type[VersionApi], sent: Any = None, **endpoints: Any) -> URLPattern:
        view: type[VersionApi] = type(f"{name.title()}{base.__name__}", (base,), {"face": face, "sent": sent})
        view = extend_schema_view(**{method: schema for method, (_, schema) in endpoints.items()})(view)
        for method, (words, _) in endpoints.items():
            getattr(view, method).__doc__ = words  # from which the schema makes summary and description
        return path(address, view.as_view(), name=f"api_{name}_{step}")

    listed = endpoint(
        "list", f"The {kind} that a corpus has trained, newest first.", {200: version(many=True), **missing}
    )
    created = endpoint("create", says["create"], {202: version, **refused}, face.new)
    in_use = {"get": endpoint("in_use", says["in_use"], {200: face.used, **missing})} if face.used else {}
    use = endpoint("use", says["use"], {**activated, **refused}, face.to_use)
    back = endpoint("roll_back", says["roll_back"], {**activated, **refused}, face.to_roll_back)
    detail = endpoint("get", f"One {name} with its report.", {200: version, **missing})
    removed = endpoint("delete", says["delete"], {204: None, **refused})
    cancelled = endpoint("cancel", "Ask a training to stop; what it has done is kept.", {200: version, **refused})
    resumed = endpoint("resume", RESUME, {200: version, **refused})
    return [
        route(page, "list", ListApi, get=listed, post=created),
        route(f"{page}in-use/", "in_use", InUseApi if in_use else UseApi, face.to_use, post=use, **in_use),
        route(f"{page}roll-back/", "roll_back", RollBackApi, face.to_roll_back, post=back),
        route(one, "detail", DetailApi, get=detail, delete=removed),
        route(f"{one}cancel/", "cancel", CancelApi, post=cancelled),
        route(f"{one}resume/", "resume", ResumeApi, post=resumed),
    ]
