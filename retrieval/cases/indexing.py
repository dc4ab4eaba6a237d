"""The vectors of a case base: one set an encoder, filled by a job that takes up where it stopped.

Only parts whose text has no vector yet are encoded, so a change costs what was changed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import Count, QuerySet
from numpy.typing import NDArray

from corpora.models import Corpus
from corpora.selectors import corpus_get, encoder_names
from corpora.services.encoding import encoder_by_name, window_by_name
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from legalqa.encoder.client import PACKAGED_WINDOW, Encoder, TextWindow, WeightsMissing
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_latest_by_subject
from legalqa.jobs.services import JobRefused, Lease, job_ensure
from retrieval.cases.entities import entities_line
from retrieval.models import CaseEntry, CaseIndex, CasePart, CaseState, CaseVector

TASK = "retrieval.tasks.cases_embed"
BATCH = 32  # cases between two commits
MAX_CUE = 200
_ASKED = frozenset({str(CasePart.QUESTION), str(CasePart.QUESTION_INTER)})


@dataclass(frozen=True, slots=True)
class IndexState:
    """An index with how many cases it has vectors of, and the job that fills it."""

    index: CaseIndex
    n_cases: int
    job: Job | None

    @property
    def state(self) -> str:
        """The state of the job; done if there was none."""
        return self.job.state if self.job is not None else "done"


def case_index_list(*, organization: Organization, corpus_id: UUID) -> list[IndexState]:
    """The encoders by which the cases of a corpus are compared, oldest first; raises NotFound for an unknown corpus."""
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    indexes = list(CaseIndex.objects.filter(organization=organization, corpus=corpus).order_by("created_at"))
    jobs = job_latest_by_subject(organization=organization, subject_ids=[index.pk for index in indexes])
    vectors = CaseVector.objects.filter(index__in=indexes, part=CasePart.QUESTION).order_by().values("index")
    counts = dict(vectors.annotate(n=Count("pk")).values_list("index", "n"))
    return [IndexState(index, counts.get(index.pk, 0), jobs.get(index.pk)) for index in indexes]


def case_index_build(
    *, organization: Organization, user: User | None, corpus_id: UUID, encoder: str = "", cue: str | None = None
) -> CaseIndex:
    """Compare the cases of a corpus by an encoder too, or fill what an index lacks, as a background job.

    Args:
        encoder: Its name; "" for the one that searches of the corpus use.
        cue: What goes before a question that seeks supports or entities; another cue encodes the questions again. None
            leaves the one that the index has.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        ApplicationError: the corpus has no such encoder, or the cue is too long.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    name = encoder or corpus.encoder
    names = encoder_names(corpus=corpus)
    if name not in names:
        raise ApplicationError(
            f"The corpus has no encoder {name[:80]!r}; it has: {', '.join(names)}.", code="unknown_encoder"
        )
    if cue is not None and (len(cue) > MAX_CUE or "\0" in cue):
        raise ApplicationError(
            f"The cue has {len(cue):,} characters; write at most {MAX_CUE}, without NUL.", code="bad_cue"
        )
    index, _ = CaseIndex.objects.get_or_create(
        organization=organization, corpus=corpus, encoder=name, defaults={"created_by": user}
    )
    if cue not in (None, index.cue):
        index.cue = cue
        index.save(update_fields=["cue"])
    _job_ensure(index)
    return index


def case_index_remove(*, organization: Organization, user: User | None, corpus_id: UUID, encoder: str) -> None:
    """Compare the cases of a corpus by an encoder no more; their vectors by it go.

    Raises:
        NotFound: no such corpus, or its cases are not compared by that encoder.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    if not CaseIndex.objects.filter(organization=organization, corpus=corpus, encoder=encoder).delete()[0]:
        raise NotFound("index of cases")
    audit(organization=organization, actor=user, action="case_index.removed", subject_id=corpus.pk, encoder=encoder)


def case_index_keep(*, corpus: Corpus, name: str) -> None:
    """Follows `encoder_removing` (settings.FOLLOWERS).

    Raises:
        Conflict: the corpus compares its cases by the encoder.
    """
    if CaseIndex.objects.filter(corpus=corpus, encoder=name).exists():
        raise Conflict(
            "The solved cases are compared by this encoder. Remove it from the case base's “Compare by” first.",
            code="encoder_in_use",
        )


def case_indexes_refresh(*, organization: Organization, corpus: Corpus, user: User | None) -> None:
    """Let every index of a corpus take in what is new; the first case makes the first index."""
    indexes = list(CaseIndex.objects.filter(organization=organization, corpus=corpus))
    if not indexes:
        case_index_build(organization=organization, user=user, corpus_id=corpus.pk)
    for index in indexes:
        _job_ensure(index)


def _job_ensure(index: CaseIndex) -> None:
    job_ensure(organization=index.organization_id, task=TASK, subject_id=index.pk, corpus_id=index.corpus_id)


def vectors_of(
    texts: Sequence[str], *, encoder: Encoder, window: TextWindow = PACKAGED_WINDOW, cue: str = ""
) -> NDArray[np.float32]:
    """The unit vector of each of n texts, [n, d]; of a text longer than the window, the mean of its windows.

    The encoder's own cue goes before each window.
    """
    owners: list[int] = []
    windows: list[str] = []
    step = max(1, window.room(cue))
    for place, offsets in enumerate(window.offsets(texts)):
        for at in range(0, max(1, len(offsets)), step):
            tokens = offsets[at : at + step]
            windows.append(cue + (texts[place][tokens[0][0] : tokens[-1][1]] if tokens else texts[place]))
            owners.append(place)
    each = encoder.encode(windows)
    means = np.zeros((len(texts), each.shape[1]), np.float32)
    np.add.at(means, owners, each)
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    return np.asarray(means / np.where(lengths == 0, 1, lengths), np.float32)


def parts_of(case: CaseEntry, *, cue: str) -> dict[str, str]:
    """The texts of a case that are encoded, by part; a part without a text is left out (CBR-RAG, section 4.1)."""
    texts = {
        CasePart.QUESTION: case.question,
        CasePart.QUESTION_INTER: cue + case.question,
        CasePart.SUPPORT: case.support,
        CasePart.ENTITIES: entities_line(case.entities),
    }
    return {str(part): text for part, text in texts.items() if text.strip()}


def cases_embed_slice(*, lease: Lease) -> bool:
    """Encode some more cases of an index; True once none lacks a vector.

    Raises:
        JobRefused: the index or its encoder was removed.
    """
    while True:
        with organization_scope(lease.organization_id, user=None):
            index = CaseIndex.objects.filter(pk=lease.subject_id).first()
            if index is None:
                raise JobRefused("case_index_gone")
            batch = list(_lacking(index))
        if not batch:
            return True
        connection_give_back()
        try:
            vectors = _encoded(index, batch)
        except WeightsMissing:
            raise JobRefused("encoder_gone") from None
        with organization_scope(lease.organization_id, user=None):
            _store(index, [(case, part, text, vectors[part in _ASKED, text]) for case, part, text in batch])
            cases = _embedded(index)
            n_done = CaseVector.objects.filter(index=index, part=CasePart.QUESTION).count()
            lease.advance(stage="embedding", cursor=n_done, total=cases.count())
        if lease.is_over:
            return False


def _encoded(index: CaseIndex, batch: Sequence[tuple[UUID, str, str]]) -> dict[tuple[bool, str], NDArray[np.float32]]:
    """The vector of each text; an added encoder has one cue for questions and another one for passages."""
    of: dict[str, Any] = {
        "organization_id": index.organization_id,
        "corpus_id": index.corpus_id,
        "name": index.encoder,
    }
    encoder, window = encoder_by_name(**of), window_by_name(**of)
    vectors: dict[tuple[bool, str], NDArray[np.float32]] = {}
    for asks, cue in ((True, window.cue_query), (False, window.cue_passage)):
        texts = list(dict.fromkeys(text for _, part, text in batch if (part in _ASKED) == asks))
        if texts:
            each = vectors_of(texts, encoder=encoder, window=window, cue=cue)
            vectors |= {(asks, text): vector for text, vector in zip(texts, each, strict=True)}
    return vectors


def _embedded(index: CaseIndex) -> QuerySet[CaseEntry]:
    """The cases that are encoded: all but rejected ones, so that approving needs no waiting."""
    return CaseEntry.objects.filter(corpus_id=index.corpus_id).exclude(state=CaseState.REJECTED)


def _lacking(index: CaseIndex) -> Iterator[tuple[UUID, str, str]]:
    """(case, part, text) of the next BATCH cases of which a part has no vector of its present text."""
    hashes: dict[tuple[UUID, str], str] = {
        (case, part): digest
        for case, part, digest in CaseVector.objects.filter(index=index).values_list("case", "part", "text_hash")
    }
    n_cases = 0
    for case in _embedded(index).order_by("pk").iterator(chunk_size=500):
        texts = parts_of(case, cue=index.cue)
        missing = [(case.pk, part, text) for part, text in texts.items() if hashes.get((case.pk, part)) != _hash(text)]
        yield from missing
        n_cases += bool(missing)
        if n_cases >= BATCH:
            return


def _store(index: CaseIndex, encoded: Sequence[tuple[UUID, str, str, NDArray[np.float32]]]) -> None:
    """Store vectors; a case that was removed meanwhile has none."""
    there = set(CaseEntry.objects.filter(pk__in={case for case, *_ in encoded}).values_list("pk", flat=True))
    CaseVector.objects.bulk_create(
        [
            CaseVector(
                organization_id=index.organization_id,
                index=index,
                case_id=case,
                part=part,
                text_hash=_hash(text),
                vector=vector,
            )
            for case, part, text, vector in encoded
            if case in there
        ],
        update_conflicts=True,
        unique_fields=["organization", "index", "case", "part"],
        update_fields=["text_hash", "vector"],
    )


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
