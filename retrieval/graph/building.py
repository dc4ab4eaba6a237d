"""Building the graph of a corpus: paragraph by paragraph, only what has changed, resumed where it was stopped."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db.models import F, Q
from django.utils import timezone

from corpora.models import Corpus, Position
from corpora.provisions.types import Part
from corpora.selectors import corpus_get
from corpora.services.provisions import part_of
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.common.faults import crash_point
from legalqa.common.followers import followers_call
from legalqa.jobs.models import Job
from legalqa.jobs.services import Lease, job_create, job_ensure
from legalqa.jobs.sliced import job_task
from legalqa.llm.gateway import role_is_configured
from legalqa.llm.types import Role
from retrieval.graph.extracting import Reader, reader_of
from retrieval.graph.linking import graph_link, graph_lock
from retrieval.graph.parser import parser_is_installed
from retrieval.graph.proposing import MAX_PAIRS, names_compare
from retrieval.graph.rules.reading import units_of
from retrieval.graph.selectors import BUILD, documents_current, graph_job
from retrieval.graph.types import Triplet
from retrieval.models import Graph, GraphDocument, GraphTriplet


@dataclass(frozen=True, slots=True)
class Source:
    """A version as it is read: its paragraphs, as rows and as the rules take them."""

    document_id: UUID
    version_id: UUID
    positions: Sequence[Position]
    parts: Sequence[Part]


def graph_start(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    uses_parser: bool = False,
    uses_model: bool = False,
) -> Job:
    """Build the graph of a corpus in the background, or bring it up to date.

    Paragraphs for which the model gave no answer before are read again. If a model is used, it is asked about near
    names at the end; pairs that it calls one entity are proposed to reviewers.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        Conflict: it is being built already.
        ApplicationError: there is no parser, or no model.
    """
    if uses_parser and not parser_is_installed():
        raise ApplicationError(
            "The dependency parser is not installed. Ask your operator to install it, or build without it.",
            code="no_parser",
        )
    if uses_model and not role_is_configured(organization=organization, role=Role.EXTRACT):
        raise ApplicationError(
            "No language model is set up for extraction. Set one up, or build without it.", code="no_model"
        )
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    corpus = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    job = graph_job(organization=organization, corpus=corpus)
    if job is not None and job.is_open:
        raise Conflict("The graph is already being built. Wait for it, or cancel it first.", code="graph_open")
    choices = {"uses_parser": uses_parser, "uses_model": uses_model, "pairs_left": MAX_PAIRS if uses_model else 0}
    Graph.objects.update_or_create(
        organization=organization, corpus=corpus, defaults=choices, create_defaults={**choices, "created_by": user}
    )
    GraphDocument.objects.filter(corpus=corpus, n_unread__gt=0).update(version_id=None)
    audit(organization=organization, actor=user, action="graph.built", subject_id=corpus.pk)
    return job_create(organization=organization, task=BUILD, subject_id=corpus.pk, user=user, corpus_id=corpus.pk)


def graph_follow(*, corpus: Corpus) -> None:
    """Bring the graph of a corpus up to date, where it has one.

    Follows `corpus_changed` (settings.FOLLOWERS), in the transaction that raises the corpus's version.
    """
    if corpus.removal_begun_at is None and Graph.objects.filter(corpus=corpus).exists():
        job_ensure(organization=corpus.organization_id, task=BUILD, subject_id=corpus.pk, corpus_id=corpus.pk)


def graph_slice(*, lease: Lease) -> bool:
    """Read changed documents until the lease's time is over; True once the graph is that of the corpus as it is."""
    with organization_scope(lease.organization_id, user=None):
        corpus = Corpus.objects.filter(pk=lease.subject_id, removal_begun_at=None).first()
        graph = Graph.objects.select_related("organization").filter(corpus=corpus).first()
        if corpus is None or graph is None:
            return True
        reader = reader_of(graph)
        current = documents_current(corpus=corpus)
        _forget_others(corpus, [document for document, _ in current])
        documents = GraphDocument.objects.filter(corpus=corpus, reader=reader.name)
        is_read = set(documents.values_list("document_id", "version_id"))
    for number, (document_id, version_id) in enumerate(current):
        if (document_id, version_id) in is_read:
            continue
        progress = {"cursor": number, "total": len(current) + 1}
        if not _read_document(corpus, _source(lease, document_id, version_id), reader, lease, progress):
            return False
    connection_give_back()
    with organization_scope(lease.organization_id, user=None):
        lease.advance(stage="linking", cursor=len(current), total=len(current) + 1)
        graph_link(corpus=corpus)
    crash_point("graph.linked")
    if reader.uses_model and not names_compare(organization=graph.organization, corpus=corpus, lease=lease):
        return False
    return _finish(corpus, graph, lease)


graph_work = job_task(graph_slice)


def _finish(corpus: Corpus, graph: Graph, lease: Lease) -> bool:
    """Note the corpus's version that the graph is for; False if documents have changed meanwhile.

    For documents that change later, `graph_follow` finds no open job and makes one.
    """
    with organization_scope(lease.organization_id, user=None):
        now = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
        Graph.objects.filter(pk=graph.pk).update(built_version=corpus.version, built_at=timezone.now())
        if now.version == corpus.version:
            lease.finish()
            followers_call("graph_built", corpus=now)
        return now.version == corpus.version


def _forget_others(corpus: Corpus, document_ids: Sequence[UUID]) -> None:
    """Remove what was read in documents that are gone."""
    graph_lock(corpus=corpus)
    for model in (GraphTriplet, GraphDocument):
        model.objects.filter(corpus=corpus).exclude(document_id__in=document_ids).delete()


def _source(lease: Lease, document_id: UUID, version_id: UUID) -> Source:
    with organization_scope(lease.organization_id, user=None):
        positions = list(Position.objects.filter(version_id=version_id).select_related("paragraph").order_by("ordinal"))
    connection_give_back()
    return Source(document_id, version_id, positions, [part_of(position=position) for position in positions])


def _read_document(corpus: Corpus, source: Source, reader: Reader, lease: Lease, progress: dict[str, int]) -> bool:
    """Read the paragraphs of a version whose digest is not known yet; False where the slice is over before the end.

    In place of its digest, a paragraph for which the model gave no answer has this job's mark: the job does not ask
    again, a later one does.
    """
    of: Any = {"organization_id": lease.organization_id, "corpus": corpus, "document_id": source.document_id}
    with organization_scope(lease.organization_id, user=None):
        document = GraphDocument.objects.filter(**of).first() or GraphDocument(**of)
        old = dict(document.digests) if document.reader == reader.name else {}
    units = {source.positions[unit.places[0]].paragraph_id: unit for unit in units_of(source.parts)}
    digests = {str(paragraph): unit.digest(source.parts) for paragraph, unit in units.items()}
    unread = f"unread by {lease.job_id}"
    stored = {key: old[key] for key, digest in digests.items() if old.get(key) in (digest, unread)}
    changed = [paragraph for paragraph in units if str(paragraph) not in stored]
    for start in range(0, len(changed), reader.batch):
        batch = changed[start : start + reader.batch]
        connection_give_back()
        readings = {paragraph: reader.read(source.parts, units[paragraph]) for paragraph in batch}
        stored |= {str(pk): digests[str(pk)] if reading.is_whole else unread for pk, reading in readings.items()}
        with organization_scope(lease.organization_id, user=None):
            graph_lock(corpus=corpus)
            _store(corpus, source, {paragraph: reading.triplets for paragraph, reading in readings.items()})
            _note_read(document, None, reader, stored)
            n_refused = sum(reading.n_refused for reading in readings.values())
            Graph.objects.filter(corpus=corpus).update(n_refused=F("n_refused") + n_refused)
            lease.advance(stage="reading", **progress)
        crash_point("graph.stored")
        if lease.is_over and start + reader.batch < len(changed):
            return False
    with organization_scope(lease.organization_id, user=None):
        graph_lock(corpus=corpus)
        lease.advance(stage="reading", **progress)
        rows = GraphTriplet.objects.filter(corpus=corpus, document_id=source.document_id)
        rows.exclude(unit_id__in=list(units)).delete()
        _note_read(document, source.version_id, reader, stored)
    return not lease.is_over


def _note_read(document: GraphDocument, version_id: UUID | None, reader: Reader, digests: dict[str, str]) -> None:
    document.version_id, document.reader, document.digests = version_id, reader.name, digests
    document.n_unread = sum(digest.startswith("unread") for digest in digests.values())
    document.save()


def _store(corpus: Corpus, source: Source, by_unit: dict[int, list[Triplet]]) -> None:
    """Replace what was read of these paragraphs."""
    paragraphs = {position.ordinal: position.paragraph for position in source.positions}
    of: Any = {"organization_id": corpus.organization_id, "corpus": corpus, "document_id": source.document_id}
    rows: dict[str, GraphTriplet] = {}
    for unit_id, triplets in by_unit.items():
        for one in triplets:
            columns = asdict(one) | {"section": one.section[:120]}
            paragraph = paragraphs[columns.pop("ordinal")]
            row = GraphTriplet(**of, **columns, paragraph=paragraph, unit_id=unit_id)
            row.fingerprint = fingerprint_of(paragraph.public_id, one)
            rows.setdefault(row.fingerprint, row)
    is_replaced = Q(unit_id__in=list(by_unit), document_id=source.document_id) | Q(fingerprint__in=list(rows))
    GraphTriplet.objects.filter(is_replaced, corpus=corpus).delete()
    GraphTriplet.objects.bulk_create(rows.values(), batch_size=500)


def fingerprint_of(public_id: str, one: Triplet) -> str:
    """A fingerprint: the same for the same statement of the same paragraph, whatever found it."""
    identity = "\x1f".join((public_id, str(one.start), one.kind, one.subject, one.predicate, one.object))
    return sha256(identity.encode()).hexdigest()
