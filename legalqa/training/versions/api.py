"""Endpoints of trained versions: those of runs, and those that put one to use, made for each kind from its face."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar
from uuid import UUID

from django.urls import URLPattern

from corpora.models import TrainedVersion
from corpora.runs.api import Endpoint, Found, RunApi, route, run_routes
from corpora.selectors import corpus_get
from legalqa.accounts.api import MemberRequest
from legalqa.common.drf import operation
from legalqa.jobs.api import JobSerializer
from legalqa.training.versions.pages import AnyFace


class VersionApi(RunApi):
    """What the endpoints of a kind do; the id of a version in an address is named after the kind."""

    face: ClassVar[AnyFace]

    def start(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> TrainedVersion:
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        choices = self.face.choices_sent(organization=request.organization, corpus=corpus, data=data)
        version: TrainedVersion
        version, _ = self.face.trainer.start(**request.acting, corpus_id=corpus_id, choices=choices)
        return version

    def documents(self, found: Sequence[Found]) -> list[dict[str, Any]]:
        if not found:
            return []
        trainer, corpus = self.face.trainer, found[0][0].corpus
        in_use = trainer.in_use(corpus=corpus)
        return [
            {
                "id": version.pk,
                "number": version.number,
                "state": version.state,
                "job_id": job.pk if job is not None else None,
                "is_in_use": trainer.is_in_use(version, corpus=corpus, in_use=in_use),
                "learned_from": version.source,
                "fingerprint": version.fingerprint,
                "report": version.report,
                "created_at": version.created_at,
                **self.face.document(organization=self.request.organization, version=version),
            }
            for version, job in found
        ]

    def removed(self, request: MemberRequest, **ids: UUID) -> None:
        corpus_id, version_id = ids.values()
        self.face.trainer.remove(**request.acting, corpus_id=corpus_id, version_id=version_id)

    # An activation or a rollback answers with the job of a switch, what is in use now, or nothing.

    def used(self, request: MemberRequest, corpus_id: UUID) -> dict[str, Any] | None:
        if self.face.used is None:
            return None
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        version_id = self.face.trainer.in_use(corpus=corpus).get(self.face.trainer.slot_now(corpus))
        return self.face.document_in_use(corpus=corpus, version_id=version_id)

    def activated(self, request: MemberRequest, corpus_id: UUID, data: Mapping[str, Any]) -> object:
        of = {"version_id": data[f"{self.face.trainer.name}_id"], "slot": self.face.slot(data)}
        return self.face.trainer.use(**request.acting, corpus_id=corpus_id, **of) or self.used(request, corpus_id)

    def rolled_back(self, request: MemberRequest, corpus_id: UUID, data: Mapping[str, Any] | None = None) -> object:
        slot = self.face.slot(data or {})
        job = self.face.trainer.roll_back(**request.acting, corpus_id=corpus_id, slot=slot)
        return job or self.used(request, corpus_id)


def api_routes(face: AnyFace) -> list[URLPattern]:
    """The endpoints of a kind, with their schema."""
    name, page = face.trainer.name, f"corpora/<uuid:corpus_id>/{face.addresses.endpoints}"
    kind, says = f"{name}s", face.words.endpoints
    switched: dict[str, Any] = {"gives": JobSerializer, "status": 202} if face.is_switched else {"gives": face.used}
    api: type[VersionApi] = type("VersionApi", (VersionApi,), {"face": face, "runs": face.trainer})

    def endpoint(answer: Callable[..., object], step: str, *errors: int, gives: Any, **options: Any) -> Endpoint:
        return answer, says[step], operation(f"{kind}_{step}", gives, 404, *errors, **options)

    used = {"get": endpoint(api.used, "in_use", gives=face.used)} if face.used else {}
    use = endpoint(api.activated, "use", 409, takes=face.to_use, **switched)
    back = endpoint(api.rolled_back, "roll_back", 409, takes=face.to_roll_back, **switched)
    return [
        *run_routes(
            api,
            name=name,
            operations=kind,
            addresses=(page, f"{page}<uuid:{name}_id>/"),
            says={
                **says,
                "list": f"The {kind} that a corpus has trained, newest first.",
                "get": f"One {name} with its report.",
                "cancel": "Ask a training to stop; what it has done is kept.",
                "resume": "Resume a training that failed or was cancelled, from where it stopped.",
            },
            gives=face.version,
            takes=face.new,
            removed=api.removed,
        ),
        route(f"{page}in-use/", f"{name}_in_use", api, post=use, **used),
        route(f"{page}roll-back/", f"{name}_roll_back", api, post=back),
    ]
