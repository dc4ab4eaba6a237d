"""A worker that tests can kill: does each order in a fork of its own, so that a kill costs no new start of Python.

Orders come as JSON lines on standard input, answers leave on standard output: `{"status": exit status, "answer": …}`.
This process itself never opens a connection to the database; its children do.
"""

import hashlib
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import IO, Any
from uuid import UUID

import django

from tests.faults.encoding import encoder_trained, encoder_training_begin, passages_write
from tests.faults.experimenting import experiment_begin, experiment_stored
from tests.faults.questioning import questions_begin, questions_stored
from tests.faults.removing import corpus_remove, left_over
from tests.faults.switching import encoder_switch, searched_by
from tests.faults.training import training_begin, training_go_on, trainings_begin

PART_BYTES = 1 << 16
_killed: set[str] = set()  # organisations for which an order ended by a kill


def setup(slug: str, size_tokens: int = 80) -> dict[str, str]:
    """An organisation with a manager, a corpus with small chunks, and a token for the API."""
    from corpora.services import corpus_create
    from legalqa.accounts.models import Membership, Organization, Role, User
    from legalqa.accounts.scopes import ALL_SCOPES
    from legalqa.accounts.scoping import organization_scope
    from legalqa.accounts.services.tokens import token_create

    organization = Organization.objects.create(slug=slug, name=slug)
    user = User.objects.create_user(f"manager@{slug}.example", name="A manager")
    with organization_scope(organization, user=user):
        Membership.objects.create(organization=organization, user=user, role=Role.CORPUS_MANAGER)
        chunker = {"kind": "sentence.v1", "size_tokens": size_tokens, "overlap_tokens": 0}
        corpus = corpus_create(organization=organization, user=user, name="Law", chunker=chunker)
        _, token = token_create(organization=organization, user=user, name="test", valid_days=1, scopes=ALL_SCOPES)
    return {"organization": str(organization.pk), "corpus": str(corpus.pk), "token": token}


def upload(organization: str, corpus: str, path: str) -> None:
    from corpora.services import document_upload
    from legalqa.accounts.models import Organization

    with Path(path).open("rb") as handle:
        document_upload(
            organization=Organization.objects.get(pk=organization),
            user=None,
            corpus_id=UUID(corpus),
            name=Path(path).name,
            parts=iter(lambda: handle.read(PART_BYTES), b""),
        )


def session(organization: str, corpus: str) -> dict[str, str]:
    """The cookie of a person who has signed in, and the address of the page of the corpus."""
    from django.conf import settings
    from django.urls import reverse

    from legalqa.accounts.models import Membership
    from legalqa.accounts.scoping import organization_scope
    from tests.people import signed_in

    with organization_scope(UUID(organization), user=None):
        membership = Membership.objects.select_related("user", "organization").get()
    cookie = signed_in(membership.user).cookies[settings.SESSION_COOKIE_NAME]
    page = reverse("corpus_detail", args=[membership.organization.slug, corpus])
    return {"cookie": f"{cookie.key}={cookie.value}", "page": page}


def reindex(organization: str, corpus: str, chunker: dict[str, Any]) -> None:
    from corpora.services import corpus_reindex
    from legalqa.accounts.models import Organization
    from legalqa.accounts.scoping import organization_scope

    with organization_scope(UUID(organization), user=None):
        corpus_reindex(
            organization=Organization.objects.get(pk=organization), user=None, corpus_id=UUID(corpus), chunker=chunker
        )


def ask(organization: str, corpus: str, text: str) -> None:
    """Ask as a caller does who waits for the answer."""
    from legalqa.accounts.models import Organization
    from legalqa.answering.services import question_ask
    from legalqa.answering.types import Question
    from retrieval.pipelines.presets import preset_get

    question_ask(
        question=Question(
            organization=Organization.objects.get(pk=organization),
            user=None,
            corpus_id=UUID(corpus),
            text=text,
            preset=preset_get("fixed-5"),
        )
    )


def answers(organization: str) -> list[dict[str, Any]]:
    from legalqa.accounts.scoping import organization_scope
    from legalqa.answering.models import Answer
    from legalqa.answering.pages.answer import answer_document

    with organization_scope(UUID(organization), user=None):
        return [answer_document(answer=answer) for answer in Answer.objects.select_related("question")]


def work(organization: str, seconds: float, exact_max: int | None = None) -> None:
    """Take deliveries as the queue's worker does, and sweep as the supervisor does, until no job is open.

    Where an order of this organisation was killed, nobody else holds its leases, and their time counts as over. That
    a lease runs out by itself is seen where workers of a running product are killed. A corpus with more vectors than
    `exact_max` is searched by an index.
    """
    from django.conf import settings
    from django.utils import timezone
    from django.utils.module_loading import import_string
    from django_q.brokers import get_broker
    from django_q.signing import SignedPackage

    from legalqa.jobs.models import OPEN_STATES, Job, JobState
    from legalqa.jobs.turns import job_sweep
    from legalqa.settings_queue import JobKind

    settings.JOB_TASKS = settings.JOB_TASKS | {"tests.faults.driver.take_poison": JobKind("Take poison")}
    settings.EXACT_SEARCH_MAX = settings.EXACT_SEARCH_MAX if exact_max is None else exact_max
    broker, deadline = get_broker(), monotonic() + seconds
    if organization in _killed:
        Job.objects.filter(organization_id=organization, state=JobState.RUNNING).update(lease_until=timezone.now())
    while Job.objects.filter(organization_id=organization, state__in=OPEN_STATES).exists():
        job_sweep()
        for delivery, package in broker.dequeue() or ():
            task = SignedPackage.loads(package)
            import_string(task["func"])(*task["args"])
            broker.acknowledge(delivery)
        if monotonic() > deadline:
            raise TimeoutError(f"A job was still open after {seconds} s.")


def poison(organization: str) -> str:
    """A job that kills the process that works on it."""
    from uuid import uuid4

    from django.db import transaction

    from legalqa.jobs.services import job_create

    with transaction.atomic():
        job = job_create(
            organization=UUID(organization), task="tests.faults.driver.take_poison", subject_id=uuid4(), user=None
        )
    return str(job.pk)


def take_poison(job_id: str) -> None:
    from legalqa.jobs.services import job_run

    job_run(job_id=UUID(job_id), work=_die)


def _die(lease: Any) -> bool:
    os.kill(os.getpid(), signal.SIGKILL)
    return True


def ring(task: str, argument: str) -> None:
    from django_q.tasks import async_task

    async_task(task, argument)


def tell_pid(path: str) -> None:
    """Run by the queue's worker: says which process that is."""
    Path(path).write_text(str(os.getpid()))


def sweep_files() -> int:
    from corpora.services import files_sweep

    return files_sweep()


def jobs(organization: str) -> list[dict[str, Any]]:
    from legalqa.jobs.models import Job

    rows = Job.objects.filter(organization_id=organization).order_by("created_at")
    return [dict(row) for row in rows.values("state", "stage", "cursor", "attempts", "reason")]


def snapshot(organization: str) -> dict[str, Any]:
    """Everything that ingestion stored, without ids and times: equal for equal work."""
    from django.conf import settings

    from corpora.models import Chunk, Corpus, Document, DocumentVersion, Embedding, Page, Paragraph, Position
    from legalqa.accounts.scoping import organization_scope

    folder = Path(settings.FILES_ROOT) / organization
    with organization_scope(UUID(organization), user=None):
        positions = Position.objects.order_by("version__number", "ordinal")
        chunks = Chunk.objects.order_by("version__number", "ordinal")
        embeddings = Embedding.objects.order_by("chunk__version__number", "chunk__ordinal", "window")
        return {
            "documents": list(Document.objects.values_list("name", "title")),
            "versions": list(DocumentVersion.objects.values_list("number", "state", "reason", "n_pages", "n_chunks")),
            "corpus_versions": list(Corpus.objects.values_list("version", flat=True)),
            "pages": list(Page.objects.order_by("number").values_list("number", "label", "start", "end")),
            "n_paragraphs": Paragraph.objects.count(),
            "positions": list(positions.values_list("ordinal", "page", "paragraph__hash", "kind", "start", "end")),
            "chunks": [
                (c.ordinal, c.start, c.end, _digest(c.terms), _digest(c.counts), c.length, c.is_live) for c in chunks
            ],
            "embeddings": list(embeddings.values_list("chunk__ordinal", "encoder", "window", "text_hash", "is_live")),
            "n_files": len(list(folder.iterdir())) if folder.is_dir() else 0,
        }


def tell(organization: str, url: str) -> None:
    """Make a webhook for an address and send it a test event."""
    from legalqa.accounts.models import Membership, Organization
    from legalqa.accounts.scoping import organization_scope
    from legalqa.webhooks.services import webhook_create, webhook_test

    firm = Organization.objects.get(pk=organization)
    with organization_scope(firm, user=None):
        manager = Membership.objects.select_related("user").get().user
    webhook, _ = webhook_create(organization=firm, user=manager, url=url, events=["document.ready"])
    with organization_scope(firm, user=manager):
        webhook_test(organization=firm, user=manager, webhook_id=webhook.pk)


def deliveries(organization: str) -> list[dict[str, Any]]:
    from legalqa.accounts.scoping import organization_scope
    from legalqa.webhooks.models import Delivery

    with organization_scope(UUID(organization), user=None):
        rows = Delivery.objects.order_by("created_at").values("event_id", "kind", "state", "attempts")
        return [row | {"event_id": str(row["event_id"])} for row in rows]


def _digest(data: bytes | memoryview) -> str:
    return hashlib.sha256(bytes(data)).hexdigest()


ORDERS: dict[str, Callable[..., Any]] = {
    order.__name__: order
    for order in (
        setup,
        session,
        upload,
        reindex,
        ask,
        answers,
        work,
        poison,
        ring,
        sweep_files,
        jobs,
        snapshot,
        tell,
        deliveries,
        corpus_remove,
        left_over,
        encoder_switch,
        encoder_trained,
        experiment_begin,
        experiment_stored,
        encoder_training_begin,
        passages_write,
        questions_begin,
        questions_stored,
        searched_by,
        training_begin,
        training_go_on,
        trainings_begin,
    )
}


def _obey(order: dict[str, Any]) -> dict[str, Any]:
    """Run one order in a fork, and say how the fork ended and what it answered."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as pipe:
            status = _do(pipe, **order)
        os._exit(status)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == -signal.SIGKILL:
        _killed.add(order["organization"])
    return {"status": status, "answer": json.loads(text) if text else None}


def _do(pipe: IO[str], *, order: str, crash: str, **arguments: Any) -> int:
    if crash:
        os.environ["LEGALQA_CRASH"] = crash
    try:
        json.dump(ORDERS[order](**arguments), pipe)
    except Exception:  # noqa: BLE001 - the test sees the status, a person the trace
        traceback.print_exc()
        return 1
    return 0


def main() -> None:
    django.setup()
    from corpora import tasks  # noqa: F401 - loaded once, before the forks
    from legalqa.encoder.client import tokenizer

    tokenizer()
    for module in sys.argv[1:]:
        import_module(module)
    for line in sys.stdin:
        sys.stdout.write(json.dumps(_obey(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
