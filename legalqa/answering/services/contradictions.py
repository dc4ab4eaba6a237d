"""The contradictions of a corpus: found in the background, reviewed by people, kept from one search to the next."""

from datetime import datetime
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils import timezone

from corpora.in_force import positions_today
from corpora.models import Corpus, Position
from corpora.services.corpus import corpus_lock
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.answering.conflicts.finding import Finding, Neighbours, StatedSentences, compared, is_told
from legalqa.answering.models import CONTRADICTION_TRANSITIONS, Contradiction, ReviewState
from legalqa.answering.services.conflicts import corpus_provisions, sentences_read
from legalqa.common.errors import ApplicationError, Conflict, NotFound, existing
from legalqa.common.faults import crash_point
from legalqa.common.transitions import sources
from legalqa.encoder.sentences import sentences_encode
from legalqa.jobs.models import Job
from legalqa.jobs.services import Lease, job_create
from legalqa.jobs.sliced import job_task

FIND = "legalqa.answering.tasks.contradictions_find"
BATCH = 50  # ours: paragraphs between two commits


def contradiction_list(
    *, organization: Organization, corpus: Corpus | None = None, state: str = ""
) -> QuerySet[Contradiction]:
    """The contradictions between paragraphs that are in force, in one review state or all; the surest first.

    Of one corpus, or of all that the active person may see. A paragraph that a new version of its document leaves as it
    is stays in force, with what a person said of it.
    """
    corpora = Corpus.objects.filter(organization=organization) if corpus is None else [corpus]
    there = positions_today(corpora=corpora)
    rows = Contradiction.objects.filter(
        Exists(there.filter(paragraph=OuterRef("paragraph_a"))),
        Exists(there.filter(paragraph=OuterRef("paragraph_b"))),
        corpus__in=corpora,
        organization=organization,
    )
    rows = rows.select_related("paragraph_a__document", "paragraph_b__document", "reviewed_by")
    return (rows.filter(state=state) if state else rows).order_by("-score", "pk")


def contradictions_judged(*, corpus: Corpus) -> dict[str, int]:
    """How many contradictions people put into each state, including those that a corrected document has ended."""
    there = Contradiction.objects.filter(
        paragraph_a__document__removed_at=None, paragraph_b__document__removed_at=None, corpus=corpus
    ).exclude(state=ReviewState.OPEN)
    return dict(there.values_list("state").annotate(n=Count("pk")))


def contradiction_search(*, organization: Organization, corpus: Corpus) -> Job | None:
    """The newest search of the corpus, done or under way."""
    jobs = Job.objects.filter(organization_id=organization.pk, task=FIND, subject_id=corpus.pk)
    return jobs.order_by("-created_at").first()


def contradictions_start(*, organization: Organization, user: User | None, corpus_id: UUID) -> Job:
    """Search a corpus for contradictions, in the background.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        Conflict: it is being searched already.
    """
    corpus = corpus_lock(organization=organization, corpus_id=corpus_id)
    job = contradiction_search(organization=organization, corpus=corpus)
    if job is not None and job.is_open:
        raise Conflict(
            "The corpus is already being searched for contradictions. Wait for it, or cancel it first.",
            code="contradictions_open",
        )
    audit(organization=organization, actor=user, action="contradictions.searched", subject_id=corpus.pk)
    return job_create(organization=organization, task=FIND, subject_id=corpus.pk, user=user, corpus_id=corpus.pk)


def contradiction_review(
    *, organization: Organization, user: User, contradiction_id: UUID, state: str
) -> Contradiction:
    """Say what became of a contradiction.

    Raises:
        NotFound: there is none with this id, a search has just dropped it, or its corpus is closed to you.
        ApplicationError: an unknown state.
    """
    rows = Contradiction.objects.filter(organization=organization, pk=contradiction_id).select_related("corpus")
    row = existing(rows.first(), "contradiction")
    if state not in ReviewState.values:
        raise ApplicationError(
            f"There is no state {state!r}; choose one of: {', '.join(ReviewState.values)}.", code="unknown_state"
        )
    row.state, row.reviewed_by, row.reviewed_at = state, user, timezone.now()
    before = Contradiction.objects.filter(
        organization=organization, pk=row.pk, state__in=sources(CONTRADICTION_TRANSITIONS, ReviewState(state))
    )
    if not before.update(state=row.state, reviewed_by=row.reviewed_by, reviewed_at=row.reviewed_at):
        raise NotFound("contradiction")
    audit(
        organization=organization,
        actor=user,
        action="contradiction.reviewed",
        subject_id=row.pk,
        state=row.get_state_display(),
    )
    return row


@job_task
def contradictions_work(*, lease: Lease) -> bool:
    """Compare the paragraphs after the one that the last slice came to; run again, a step stores the same rows."""
    with organization_scope(lease.organization_id, user=None):
        corpus = Corpus.objects.filter(organization_id=lease.organization_id, pk=lease.subject_id).first()
        if corpus is None:
            return True
        placed = corpus_provisions(corpus=corpus)
    positions, provisions = [row for row, _ in placed], [provision for _, provision in placed]
    neighbours, statements, denies = Neighbours(provisions), StatedSentences(provisions), sentences_read()
    places = [place for place, row in enumerate(positions) if row.paragraph_id > int(lease.stage or 0)]
    for start in range(0, len(places), BATCH):
        batch = places[start : start + BATCH]
        connection_give_back()
        pairs = [(provisions[a], provisions[b]) for a, b in neighbours.pairs(batch)]
        findings = compared(pairs, encode=sentences_encode, denies=denies)
        differences = [one for one in findings if one is not None and is_told(one, statements)]
        with organization_scope(lease.organization_id, user=None):
            _store(corpus, positions, differences)
            lease.advance(stage=str(positions[batch[-1]].paragraph_id), cursor=batch[-1] + 1, total=len(positions))
        crash_point("contradictions.stored")
        if lease.is_over and start + BATCH < len(places):
            return False
    with organization_scope(lease.organization_id, user=None):
        _forget(corpus, began_at=Job.objects.get(pk=lease.job_id).created_at)
        lease.advance(stage="", cursor=len(positions), total=len(positions))
    return True


def _store(corpus: Corpus, positions: list[Position], findings: list[Finding]) -> None:
    paragraphs = {row.paragraph.shown_id: row.paragraph_id for row in positions}
    now = timezone.now()
    for one in findings:
        state = ReviewState.RESOLVED if one.resolution else ReviewState.OPEN
        values = _values(one) | {"seen_at": now}
        row, is_new = Contradiction.objects.get_or_create(
            organization_id=corpus.organization_id,
            corpus=corpus,
            paragraph_a_id=paragraphs[one.a.key],
            paragraph_b_id=paragraphs[one.b.key],
            defaults=values | {"state": state},
        )
        if not is_new:
            known = Contradiction.objects.filter(organization_id=corpus.organization_id, pk=row.pk)
            known.update(**values)
            unsaid = known.filter(reviewed_at=None, state__in=sources(CONTRADICTION_TRANSITIONS, state))
            unsaid.update(state=state)  # a person's decision stays, even if it came after the row was read


def _values(one: Finding) -> dict[str, object]:
    conflict = one.conflict
    return {
        "kind": conflict.kind,
        "score": conflict.score,
        "spans": [
            {"start": sentence.start, "end": sentence.end, "words_start": words.start, "words_end": words.end}
            for sentence, words in ((conflict.sentence_a, conflict.a), (conflict.sentence_b, conflict.b))
        ],
        "resolution": one.resolution.sentence if one.resolution else "",
    }


def _forget(corpus: Corpus, *, began_at: datetime) -> None:
    """Rows that this search no longer found go, unless a person has said something about them."""
    rows = Contradiction.objects.filter(organization_id=corpus.organization_id, corpus=corpus, reviewed_at=None)
    rows.filter(seen_at__lt=began_at).delete()
