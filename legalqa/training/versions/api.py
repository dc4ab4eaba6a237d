"""Endpoints of trained versions: one set, made for each kind from its face."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar
from uuid import UUID

from django.urls import URLPattern, path
from rest_framework.response import Response

from corpora.models import Corpus
from corpora.selectors import corpus_get
from legalqa.accounts.api import ManagersApi, MemberRequest
from legalqa.common.drf import operation
from legalqa.jobs.api import JobSerializer
from legalqa.jobs.selectors import job_latest_by_subject
from legalqa.training.versions.pages import AnyFace

RESUME = "Resume a training that failed or was cancelled, from where it stopped."


class VersionApi(ManagersApi):
    """What all endpoints of a kind share; the id of a version in an address is named after the kind."""

    face: ClassVar[AnyFace]
    step: ClassVar[str]

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

    def post(self, request: MemberRequest, corpus_id: UUID, data: Mapping[str, Any]) -> Response:
        corpus = self.corpus(corpus_id)
        choices = self.face.choices_sent(organization=request.organization, corpus=corpus, data=data)
        version, _ = self.face.trainer.start(**request.acting, corpus_id=corpus_id, choices=choices)
        return self.one(corpus_id, version.pk, status=202)


class DetailApi(VersionApi):
    def get(self, request: MemberRequest, corpus_id: UUID, **ids: UUID) -> Response:
        return self.one(corpus_id, *ids.values())

    def delete(self, request: MemberRequest, corpus_id: UUID, **ids: UUID) -> None:
        (version_id,) = ids.values()
        self.face.trainer.remove(**request.acting, corpus_id=corpus_id, version_id=version_id)


class StepApi(VersionApi):
    def post(self, request: MemberRequest, corpus_id: UUID, **ids: UUID) -> Response:
        (version_id,) = ids.values()
        getattr(self.face.trainer, self.step)(**request.acting, corpus_id=corpus_id, version_id=version_id)
        return self.one(corpus_id, version_id)


class UseApi(VersionApi):
    """An activation or a rollback, which answers with the job of a switch, what is in use now, or nothing."""

    def told(self, corpus_id: UUID) -> dict[str, Any] | None:
        if self.face.used is None:
            return None
        corpus = self.corpus(corpus_id)
        version_id = self.face.trainer.in_use(corpus=corpus).get(self.face.trainer.slot_now(corpus))
        return self.face.document_in_use(corpus=corpus, version_id=version_id)

    def post(self, request: MemberRequest, corpus_id: UUID, data: Mapping[str, Any]) -> object:
        of = {"version_id": data[f"{self.face.trainer.name}_id"], "slot": self.face.slot(data)}
        return self.face.trainer.use(**request.acting, corpus_id=corpus_id, **of) or self.told(corpus_id)


class InUseApi(UseApi):
    def get(self, request: MemberRequest, corpus_id: UUID) -> object:
        return self.told(corpus_id)


class RollBackApi(UseApi):
    def post(self, request: MemberRequest, corpus_id: UUID, data: Mapping[str, Any] | None = None) -> object:
        slot = self.face.slot(data or {})
        return self.face.trainer.roll_back(**request.acting, corpus_id=corpus_id, slot=slot) or self.told(corpus_id)


def api_routes(face: AnyFace) -> list[URLPattern]:
    """The endpoints of a kind, with their schema."""
    name, page = face.trainer.name, f"corpora/<uuid:corpus_id>/{face.addresses.endpoints}"
    says = face.words.endpoints
    one, kind, version = f"{page}<uuid:{name}_id>/", f"{name}s", face.version
    used: dict[str, Any] = {"gives": JobSerializer, "status": 202} if face.is_switched else {"gives": face.used}

    def endpoint(of: str, words: str, *errors: int, gives: Any = version, **options: Any) -> tuple[str, Any]:
        return words, operation(f"{kind}_{of}", gives, 404, *errors, **options)

    def route(address: str, step: str, base: type[VersionApi], **endpoints: tuple[str, Any]) -> URLPattern:
        methods = {method: described(getattr(base, method)) for method, (_, described) in endpoints.items()}
        for method, (words, _) in endpoints.items():
            methods[method].__doc__ = words  # from which the schema makes summary and description
        title = f"{name}_{step}".title().replace("_", "")
        view: type[VersionApi] = type(f"{title}Api", (base,), {"face": face, "step": step, **methods})
        return path(address, view.as_view(), name=f"api_{name}_{step}")

    listed = endpoint("list", f"The {kind} that a corpus has trained, newest first.", gives=version(many=True))
    created = endpoint("create", says["create"], 409, takes=face.new, status=202)
    in_use = {"get": endpoint("in_use", says["in_use"], gives=face.used)} if face.used else {}
    use = endpoint("use", says["use"], 409, takes=face.to_use, **used)
    back = endpoint("roll_back", says["roll_back"], 409, takes=face.to_roll_back, **used)
    detail = endpoint("get", f"One {name} with its report.")
    removed = endpoint("delete", says["delete"], 409, gives=None)
    cancelled = endpoint("cancel", "Ask a training to stop; what it has done is kept.", 409)
    return [
        route(page, "list", ListApi, get=listed, post=created),
        route(f"{page}in-use/", "in_use", InUseApi if in_use else UseApi, post=use, **in_use),
        route(f"{page}roll-back/", "roll_back", RollBackApi, post=back),
        route(one, "detail", DetailApi, get=detail, delete=removed),
        route(f"{one}cancel/", "cancel", StepApi, post=cancelled),
        route(f"{one}resume/", "resume", StepApi, post=endpoint("resume", RESUME, 409)),
    ]
