"""The cases of a corpus: added, reviewed, removed; every case waits for a reviewer before it is used."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.utils import timezone

from corpora.models import Corpus, Paragraph
from corpora.selectors import corpus_get
from corpora.services.corpus import corpus_lock
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.common.transitions import sources
from retrieval.cases.entities import entities_of
from retrieval.cases.files import CaseFileError, CaseRow, CaseSpan
from retrieval.cases.indexing import case_indexes_refresh
from retrieval.cases.quoting import rows_placed
from retrieval.cases.selectors import case_get, case_supports
from retrieval.models import CASE_TRANSITIONS, CaseEntry, CaseOrigin, CaseState, CaseSupport, EntitiesBy

BATCH = 500
MAX_NOTE = 1000
REVIEWS = {"approve": CaseState.APPROVED, "reject": CaseState.REJECTED}


@dataclass(frozen=True, slots=True)
class Added:
    """The result of adding cases: how many are new, and how many were there already (`known`).

    `n_unplaced` of the new ones name no paragraph and quote none, so that they do not expire when the law changes.
    """

    cases: tuple[CaseEntry, ...]
    n_known: int
    n_unplaced: int = 0
    known: tuple[CaseEntry, ...] = ()

    @property
    def warning(self) -> str:
        """A note for the person on the new cases; "" for none."""
        rest = "of the new cases not found in the documents: will not expire when the law changes."
        return f"{self.n_unplaced} {rest}" if self.n_unplaced else ""


def cases_add(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    rows: Sequence[CaseRow],
    origin: CaseOrigin = CaseOrigin.IMPORT,
    origin_ids: Sequence[UUID] = (),
    state: CaseState = CaseState.WAITING,
) -> Added:
    """Put cases into the base of a corpus; one with the same question, support and answer is not kept twice.

    A case that names no paragraph rests on those that hold its support word for word, if any do.

    Args:
        rows: The cases.
        origin: Where they come from; `origin_ids` says of each which gold question or answer.
        state: WAITING, unless a person has approved each of them already.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        CaseFileError: a case names a paragraph that the corpus does not have.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    rows = rows_placed(corpus=corpus, rows=rows)
    paragraphs = _paragraphs(corpus, rows)
    by_digest: dict[str, tuple[CaseEntry, list[CaseSupport]]] = {}
    n_known = 0
    for place, row in enumerate(rows):
        case, supports = _case(organization, corpus, row, paragraphs)
        case.origin, case.state, case.created_by = origin, state, user
        case.origin_id = origin_ids[place] if origin_ids else None
        n_known += case.digest in by_digest
        by_digest.setdefault(case.digest, (case, supports))
    corpus_lock(
        organization=organization, corpus_id=corpus_id
    )  # if two imports run at once, the second sees the first one's cases
    known = tuple(CaseEntry.objects.filter(corpus=corpus, digest__in=by_digest).only("digest"))
    digests = {case.digest for case in known}
    new = [pair for digest, pair in by_digest.items() if digest not in digests]
    CaseEntry.objects.bulk_create([case for case, _ in new], batch_size=BATCH)
    CaseSupport.objects.bulk_create([support for _, supports in new for support in supports], batch_size=BATCH)
    audit(organization=organization, actor=user, action="cases.added", subject_id=corpus.pk, cases=len(new))
    if new:
        case_indexes_refresh(organization=organization, corpus=corpus, user=user)
    n_unplaced = sum(not supports for _, supports in new)
    return Added(tuple(case for case, _ in new), n_known + len(known), n_unplaced, known)


def case_review(
    *, organization: Organization, user: User | None, case_id: UUID, decision: str, note: str = ""
) -> CaseEntry:
    """Approve or reject a case; approving one whose law has changed says that it holds as it is.

    Raises:
        NotFound: no such case, or you have no access to its corpus.
        Conflict: somebody else has reviewed it at the same time.
        ApplicationError: another decision, or a note that is too long.
    """
    if decision not in REVIEWS or len(note) > MAX_NOTE:
        rule = (
            f"Decide {' or '.join(REVIEWS)}" if decision not in REVIEWS else f"Keep the note to {MAX_NOTE} characters"
        )
        raise ApplicationError(f"{rule}.", code="bad_review")
    case = case_get(organization=organization, case_id=case_id)
    state = REVIEWS[decision]
    as_read = CaseEntry.objects.filter(
        organization=organization,
        pk=case.pk,
        state__in=sources(CASE_TRANSITIONS, state),
        reviewed_at=case.reviewed_at,  # every review moves it
    )
    if not as_read.update(state=state, note=note.strip(), reviewed_by=user, reviewed_at=timezone.now()):
        raise Conflict("Somebody else has just reviewed this case. Look at their review, then decide.", code="reviewed")
    if state == CaseState.APPROVED:
        gone = [support.pk for support in case_supports(cases=[case]) if not support.is_current]  # type: ignore[attr-defined]  # annotated
        CaseSupport.objects.filter(organization=organization, pk__in=gone).update(is_confirmed=True)
    audit(organization=organization, actor=user, action="case.reviewed", subject_id=case.corpus_id, state=state)
    return case_get(organization=organization, case_id=case_id)


def cases_approve_waiting(*, organization: Organization, user: User | None, corpus_id: UUID) -> int:
    """Approve every case of a corpus that waits; returns how many.

    Raises:
        NotFound: no such corpus, or you have no access to it.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    waiting = CaseEntry.objects.filter(organization=organization, corpus=corpus, state=CaseState.WAITING)
    n = waiting.update(state=CaseState.APPROVED, reviewed_by=user, reviewed_at=timezone.now())
    audit(organization=organization, actor=user, action="cases.approved", subject_id=corpus.pk, cases=n)
    return n


def case_remove(*, organization: Organization, user: User | None, case_id: UUID) -> Corpus:
    """Take a case out of the base for good. Returns its corpus; raises NotFound as `case_get`."""
    case = case_get(organization=organization, case_id=case_id)
    corpus = case.corpus
    case.delete()
    audit(organization=organization, actor=user, action="case.removed", subject_id=corpus.pk)
    return corpus


def _paragraphs(corpus: Corpus, rows: Sequence[CaseRow]) -> dict[str, Paragraph]:
    """The paragraphs that rows name, by either kind of id; our own takes precedence over a file's."""
    ids = {span.paragraph_id for row in rows for span in row.spans}
    mine = Paragraph.objects.filter(document__corpus=corpus, document__removed_at=None)
    paragraphs = {p.external_id: p for p in mine.filter(external_id__in=ids - {""})}
    return paragraphs | {p.public_id: p for p in mine.filter(public_id__in=ids)}


def _case(
    organization: Organization, corpus: Corpus, row: CaseRow, paragraphs: dict[str, Paragraph]
) -> tuple[CaseEntry, list[CaseSupport]]:
    spans: dict[int, tuple[Paragraph, CaseSpan]] = {}
    for span in row.spans:
        if span.paragraph_id not in paragraphs:
            problem = (
                f"the corpus has no paragraph {span.paragraph_id[:60]!r}. Use the id shown by the reader or the API."
            )
            raise CaseFileError(row.line, problem)
        spans.setdefault(paragraphs[span.paragraph_id].pk, (paragraphs[span.paragraph_id], span))
    texts = (paragraph.text[span.start or 0 : span.end].strip() for paragraph, span in spans.values())
    support = row.support or "\n".join(texts)
    case = CaseEntry(
        organization=organization,
        corpus=corpus,
        name=row.name,
        question=row.question,
        support=support,
        entities=entities_of(support) if row.entities is None else row.entities,
        entities_by=EntitiesBy.RULES if row.entities is None else EntitiesBy.FILE,
        answer=row.answer,
        external_id=row.id,
        digest=replace(row, support=support).digest,
    )
    case.name = case.name or next(iter(case.entities.get("case_name", ())), "")
    of: dict[str, Any] = {"organization": organization, "case": case}
    supports = [CaseSupport(**of, paragraph=p, start=span.start, end=span.end) for p, span in spans.values()]
    return case, supports
