"""Endpoints of runs: one set, made for each kind."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar
from uuid import UUID

from django.urls import URLPattern, path
from rest_framework import serializers

from corpora.models import CorpusRow
from corpora.runs.services import Runs
from corpora.selectors import corpus_get
from legalqa.accounts.api import ManagersApi, MemberRequest
from legalqa.common.drf import operation
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import with_jobs

Found = tuple[Any, Job | None]  # a run with its newest job
Endpoint = tuple[Callable[..., object], str, Callable[..., Any]]  # a method, what the schema says, its `operation`


def run_document(run: CorpusRow, job: Job | None) -> dict[str, Any]:
    """The columns of a run, with how far its job is; a job that the ledger has forgotten was done."""
    at = {"state": "done", "done": 0, "total": 0, "job_id": None}
    if job is not None:
        at = {"state": job.state, "done": job.cursor, "total": job.total, "job_id": job.pk}
    return vars(run) | at


class RunApi(ManagersApi):
    """The behaviour of the endpoints of a kind of run; a subclass names the kind and adds its own.

    The address of a run names it, and the corpus before it where that is in the address, too.

    Attributes:
        runs: The kind.
        unlisted: Columns that a list does not show.
    """

    runs: ClassVar[Runs[Any]]
    unlisted: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def start(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> CorpusRow:
        """Start a run as a program asked for it."""

    def documents(self, found: Sequence[Found]) -> list[dict[str, Any]]:
        """What a list shows of some runs."""
        return [run_document(run, job) for run, job in found]

    def document(self, run: Any, job: Job | None) -> dict[str, Any]:
        """What is shown of one run."""
        return self.documents([(run, job)])[0]

    def found(self, request: MemberRequest, corpus_id: UUID | None = None, **ids: UUID) -> Found:
        (run_id,) = ids.values()
        if corpus_id is not None:
            corpus_get(organization=request.organization, corpus_id=corpus_id)
        return self.runs.get(organization=request.organization, run_id=run_id, corpus_id=corpus_id)

    def listed(self, request: MemberRequest, corpus_id: UUID) -> object:
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        runs = self.runs.of_corpus(corpus).defer(*self.unlisted)
        return self.documents(with_jobs(organization=request.organization, rows=runs))

    def started(self, request: MemberRequest, corpus_id: UUID, data: dict[str, Any]) -> object:
        run = self.start(request, corpus_id, data)
        return self.document(*self.found(request, id=run.pk))

    def shown(self, request: MemberRequest, **ids: UUID) -> object:
        return self.document(*self.found(request, **ids))

    def cancelled(self, request: MemberRequest, **ids: UUID) -> object:
        run, _ = self.found(request, **ids)
        return self.document(run, self.runs.cancel(run))

    def resumed(self, request: MemberRequest, **ids: UUID) -> object:
        run, _ = self.found(request, **ids)
        return self.document(run, self.runs.resume(run))


def route(address: str, name: str, base: type[ManagersApi], **endpoints: Endpoint) -> URLPattern:
    """An address of the API whose methods are made of these, by HTTP method."""
    methods = {}
    for method, (answer, words, described) in endpoints.items():
        methods[method] = described(answer)
        methods[method].__doc__ = words  # from which the schema makes summary and description
    view: type[ManagersApi] = type(f"{name.title().replace('_', '')}Api", (base,), methods)
    return path(address, view.as_view(), name=f"api_{name}")


def run_routes(
    api: type[RunApi],
    *,
    name: str,
    operations: str,
    addresses: tuple[str, str],
    says: Mapping[str, str],
    gives: type[serializers.Serializer[Any]],
    takes: type[serializers.Serializer[Any]],
    in_list: type[serializers.Serializer[Any]] | None = None,
    start_errors: tuple[int, ...] = (409,),
    detail: type[RunApi] | None = None,
    removed: Callable[..., None] | None = None,
) -> list[URLPattern]:
    """The endpoints of a kind of run.

    Args:
        api: What they do.
        name: The start of the names of their addresses.
        operations: The start of their operation ids.
        addresses: Of the list and of a run.
        says: What the schema says of each, by its step.
        gives: What is shown of a run; `in_list` in a list, where that is less.
        takes: What starts one.
        start_errors: Statuses of refusals to start one, beside those of every endpoint.
        detail: What the address of a run does, where it has more methods.
        removed: Removes the run that an address names, where a run of this kind can be removed.
    """

    def endpoint(
        answer: Callable[..., object], step: str, *errors: int, gives: Any = gives, **options: Any
    ) -> Endpoint:
        return answer, says[step], operation(f"{operations}_{step}", gives, 404, *errors, **options)

    of_corpus, one = addresses
    delete = {"delete": endpoint(removed, "delete", 409, gives=None)} if removed else {}
    return [
        route(
            of_corpus,
            f"{name}_list",
            api,
            get=endpoint(api.listed, "list", gives=(in_list or gives)(many=True)),
            post=endpoint(api.started, "create", *start_errors, takes=takes, status=202),
        ),
        route(one, f"{name}_detail", detail or api, get=endpoint(api.shown, "get"), **delete),
        route(f"{one}cancel/", f"{name}_cancel", api, post=endpoint(api.cancelled, "cancel", 409)),
        route(f"{one}resume/", f"{name}_resume", api, post=endpoint(api.resumed, "resume", 409)),
    ]
