"""Asking contracts for clauses, in the background; what people say of the verdicts; clauses of one's own."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import F, QuerySet
from django.utils import timezone

from corpora.models import Corpus, Document, DocumentVersion, Position
from corpora.selectors import corpus_get, position_list
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.answering.clauses.library import examples, library, own_clause, weights
from legalqa.answering.clauses.models import ClauseQuestion, ClauseReview, ClauseState, ClauseVerdict
from legalqa.answering.clauses.reading import Clause, Finding, Paragraph, clauses_find
from legalqa.common.errors import ApplicationError, NotFound, existing
from legalqa.common.faults import crash_point
from legalqa.common.nearest import nearest
from legalqa.encoder import client as encoder
from legalqa.jobs.models import OPEN_STATES, Job
from legalqa.jobs.services import Lease, job_create
from legalqa.jobs.sliced import job_task

READ = "legalqa.answering.tasks.clauses_read"
OWN = "own-"
MAX_OWN = 100
MAX_DOCUMENTS = 1000
REVIEWED = (ClauseState.PRESENT, ClauseState.ABSENT)


def clause_list(*, organization: Organization) -> list[Clause]:
    """The clauses that can be asked for: those of the library, then the organisation's own."""
    own = ClauseQuestion.objects.filter(organization=organization, removed_at=None).order_by("created_at")
    return [*library(), *(own_clause(key=f"{OWN}{row.pk}", name=row.name, question=row.question) for row in own)]


def clauses_chosen(*, organization: Organization, keys: Sequence[str]) -> list[Clause]:
    """The clauses with these keys, in the order of the library; all of them where none is named.

    Raises:
        ApplicationError: there is no such clause.
    """
    clauses = {clause.key: clause for clause in clause_list(organization=organization)}
    if unknown := [key for key in keys if key not in clauses]:
        near = nearest(unknown[0], clauses)
        raise ApplicationError(
            f"There is no clause {unknown[0][:60]!r}; the nearest of {len(clauses)} are: {near}.", code="unknown_clause"
        )
    return [clause for key, clause in clauses.items() if not keys or key in keys]


def clause_add(*, organization: Organization, user: User, name: str, question: str) -> ClauseQuestion:
    """Add a clause of the organisation's own.

    Raises:
        ApplicationError: a name or question is missing or too long, the name is taken, or there are MAX_OWN already.
    """
    name, question = " ".join(name.split()), " ".join(question.split())
    if not 1 <= len(name) <= 80 or not 1 <= len(question) <= 300:
        raise ApplicationError(
            "A clause needs a name of up to 80 characters and a question of up to 300.", code="bad_clause"
        )
    clauses = clause_list(organization=organization)
    if name.lower() in {clause.name.lower() for clause in clauses}:
        raise ApplicationError(f"There is a clause named {name!r} already. Choose another name.", code="clause_taken")
    if len(clauses) - len(library()) >= MAX_OWN:
        raise ApplicationError(f"There are {MAX_OWN} clauses of your own. Remove one first.", code="too_many_clauses")
    row = ClauseQuestion.objects.create(organization=organization, created_by=user, name=name, question=question)
    audit(organization=organization, actor=user, action="clause.added", subject_id=row.pk)
    return row


def clause_remove(*, organization: Organization, user: User, clause_id: UUID) -> None:
    """Take a clause of the organisation's own from the library; verdicts on it are kept.

    Raises:
        NotFound: there is none with this id.
    """
    rows = ClauseQuestion.objects.filter(organization=organization, pk=clause_id, removed_at=None)
    row = existing(rows.first(), "clause")
    row.removed_at = timezone.now()
    row.save(update_fields=["removed_at"])
    audit(organization=organization, actor=user, action="clause.removed", subject_id=row.pk)


def clauses_ask(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    document_ids: Sequence[UUID | str],
    clauses: Sequence[str] = (),
    again: bool = False,
) -> Job:
    """Read contracts for clauses, in the background. What was read before of the same version is not read again.

    Args:
        clauses: Keys; none for all.
        again: Read those again, too, on which no person has said anything.

    Raises:
        NotFound: no such corpus or document, or you have no access to it.
        ApplicationError: there is no reader, no document is named, or one is not ready.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    keys = [clause.key for clause in clauses_chosen(organization=organization, keys=clauses)]
    if not encoder.reader_is_on():
        raise ApplicationError(
            "Clauses are found by the reader, which is switched off here. Ask your operator to switch it on.",
            code="no_reader",
        )
    ids = _documents_check(corpus, document_ids)
    if again:
        verdict_list(corpus=corpus).filter(document__in=ids, clause__in=keys, reviewed_state="").delete()
    review = ClauseReview.objects.create(
        organization=organization, corpus=corpus, created_by=user, documents=ids, clauses=keys
    )
    audit(
        organization=organization, actor=user, action="clauses.asked", subject_id=corpus.pk,
        documents=len(ids), clauses=len(keys),
    )  # fmt: skip
    return job_create(
        organization=organization, task=READ, subject_id=review.pk, user=user, corpus_id=corpus.pk, total=len(ids)
    )


def _documents_check(corpus: Corpus, document_ids: Sequence[UUID | str]) -> list[UUID]:
    try:
        ids = list(dict.fromkeys(UUID(str(one)) for one in document_ids))
    except ValueError:
        raise NotFound("document") from None
    if not 1 <= len(ids) <= MAX_DOCUMENTS:
        raise ApplicationError(f"Choose between 1 and {MAX_DOCUMENTS} documents.", code="no_documents")
    there = Document.objects.filter(corpus=corpus, pk__in=ids, removed_at=None)
    ready = dict(there.values_list("pk", "current"))
    if any(one not in ready for one in ids):
        raise NotFound("document")
    if n_waiting := sum(version is None for version in ready.values()):
        raise ApplicationError(
            f"{n_waiting} of the documents cannot be searched yet. Wait until they are ready, or leave them out.",
            code="document_not_ready",
        )
    return ids


@job_task
def clauses_work(*, lease: Lease) -> bool:
    """Read the contracts after the one that the last slice came to; run again, a step stores the same rows."""
    with organization_scope(lease.organization_id, user=None):
        review = ClauseReview.objects.filter(organization_id=lease.organization_id, pk=lease.subject_id).first()
        if review is None:
            return True
        organization = Organization.objects.get(pk=lease.organization_id)
        clauses = [one for one in clause_list(organization=organization) if one.key in review.clauses]
    for place in range(int(lease.stage or 0), len(review.documents)):
        _document_read(lease, review, review.documents[place], clauses, place)
        crash_point("clauses.stored")
        if lease.is_over and place + 1 < len(review.documents):
            return False
    return True


def _document_read(
    lease: Lease, review: ClauseReview, document_id: UUID, clauses: Sequence[Clause], place: int
) -> None:
    """Read one contract and store its verdicts with the job's progress; one that was removed meanwhile has none."""
    with organization_scope(lease.organization_id, user=None):
        version = DocumentVersion.objects.filter(
            corpus=review.corpus_id, document=document_id, document__current=F("pk"), document__removed_at=None
        ).first()
        positions = list(position_list(version=version)) if version else []
        keys = ClauseVerdict.objects.filter(version=version).values_list("clause", flat=True) if version else []
        rest = [clause for clause in clauses if clause.key not in set(keys)]
    connection_give_back()
    readings = paragraphs_read(positions=positions, clauses=rest)
    with organization_scope(lease.organization_id, user=None):
        if version is not None:
            _store(review, version, positions, readings)
        lease.advance(stage=str(place + 1), cursor=place + 1, total=len(review.documents))


def paragraphs_read(*, positions: Sequence[Position], clauses: Sequence[Clause]) -> list[Finding]:
    """What the paragraphs of a version say on each clause; no transaction is open meanwhile."""
    paragraphs = [
        Paragraph(
            one.ordinal, one.paragraph.text, one.heading_path[-1] if one.heading_path else "", one.kind == "heading"
        )
        for one in positions
    ]
    return clauses_find(
        paragraphs,
        clauses,
        weights=weights(),
        examples=examples(),
        encode=encoder.encoder().encode,
        reader=encoder.reading,
    )


def _store(
    review: ClauseReview, version: DocumentVersion, positions: Sequence[Position], findings: Sequence[Finding]
) -> None:
    paragraphs = {one.ordinal: one.paragraph_id for one in positions}
    rows = [
        ClauseVerdict(
            organization_id=review.organization_id,
            corpus_id=review.corpus_id,
            created_by_id=review.created_by_id,
            document_id=version.document_id,
            version=version,
            clause=one.clause,
            state=one.verdict,
            probability=one.probability,
            paragraph_id=paragraphs[one.quote.ordinal] if one.quote else None,
            start=one.quote.start if one.quote else 0,
            end=one.quote.end if one.quote else 0,
        )
        for one in findings
    ]
    ClauseVerdict.objects.bulk_create(rows, ignore_conflicts=True)


def verdict_list(*, corpus: Corpus) -> QuerySet[ClauseVerdict]:
    """The verdicts on the current versions of a corpus's documents."""
    rows = ClauseVerdict.objects.filter(corpus=corpus, organization_id=corpus.organization_id)
    rows = rows.filter(version=F("document__current"), document__removed_at=None)
    return rows.select_related("document", "version", "paragraph", "reviewed_by").defer("version__text")


def verdicts_chosen(
    *, organization: Organization, corpus: Corpus, document_id: UUID | None = None, clause: str = ""
) -> QuerySet[ClauseVerdict]:
    """The verdicts on one document, or on one clause, by document and clause; without either, all of them.

    Raises:
        NotFound: the corpus has no such document.
        ApplicationError: there is no such clause; one that was removed from the library may still have verdicts.
    """
    rows = verdict_list(corpus=corpus).order_by("document_id", "clause")
    if document_id is not None:
        existing(Document.objects.filter(corpus=corpus, pk=document_id, removed_at=None).first(), "document")
    if clause and not rows.filter(clause=clause).exists():
        clauses_chosen(organization=organization, keys=[clause])
    given = {"document": document_id, "clause": clause}
    return rows.filter(**{name: value for name, value in given.items() if value})


def verdict_review(*, organization: Organization, user: User, verdict_id: UUID, state: str) -> ClauseVerdict:
    """Confirm or correct a verdict; it is kept with the person and the time, and no later reading changes it.

    Raises:
        NotFound: there is none with this id, or its corpus is closed to you.
        ApplicationError: an unknown state.
    """
    rows = ClauseVerdict.objects.filter(organization=organization, pk=verdict_id).select_related("document")
    row = existing(rows.first(), "verdict")
    if state not in REVIEWED:
        raise ApplicationError("Say that the clause is present or absent.", code="unknown_state")
    before = row.said
    row.reviewed_state, row.reviewed_by, row.reviewed_at = state, user, timezone.now()
    row.save(update_fields=["reviewed_state", "reviewed_by", "reviewed_at"])
    audit(
        organization=organization, actor=user, action="clause.reviewed", subject_id=row.document_id,
        clause=row.clause, before=before, state=state,
    )  # fmt: skip
    return row


def reviews_open(*, organization: Organization, corpus: Corpus) -> list[Job]:
    """The readings of the corpus's contracts that are under way."""
    jobs = Job.objects.filter(organization_id=organization.pk, task=READ, corpus_id=corpus.pk, state__in=OPEN_STATES)
    return list(jobs.order_by("created_at"))
