"""Vectors of passages as answers read them: made in the background for large corpora, read when a question is asked.

An answer compares up to a hundred passages with the question, each with its heading and the stem of its list. Encoding
them takes most of the time that a person waits, and is the same for every question.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from hashlib import blake2b
from uuid import UUID

import numpy as np
from django.db.models import BinaryField, Exists, Func, OuterRef, QuerySet
from pgvector.django import MaxInnerProduct

from corpora.in_force import positions_live
from corpora.models import Chunk, Corpus, PassageVector, Position
from corpora.provisions.around import text_read
from corpora.services.provisions import provisions_around
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.common.faults import crash_point
from legalqa.encoder import client as encoder
from legalqa.encoder.client import FloatMatrix
from legalqa.jobs.models import Lane
from legalqa.jobs.services import JobRefused, Lease, job_ensure
from legalqa.jobs.sliced import job_task

TASK = "corpora.tasks.passages_encode"
LOOKED_THROUGH = 20  # ours: times as many are looked through where filters leave some out
LARGE = 240  # paragraphs: what one question opens at most; a smaller corpus is known after the first
BATCH = 64  # about a second of work


def passage_digest(*, text: str) -> str:
    """The key of a text's vector by the encoder of passages."""
    return blake2b(f"{encoder.PASSAGES}\n{text}".encode(), digest_size=16).hexdigest()


def passage_vectors(*, positions: Iterable[Position]) -> dict[str, FloatMatrix]:
    """The stored vectors of paragraphs by `passage_digest` of the text that was read."""
    stored = PassageVector.objects.filter(position__in=[position.pk for position in positions])
    return _by_digest(stored)


def passages_nearest(
    *, corpus: Corpus, vector: FloatMatrix, most: int, chunk_ids: Collection[int] | None = None
) -> list[int]:
    """Rows of the paragraphs in force whose stored vectors are nearest to that of a question, nearest first.

    A search by pieces of text misses a paragraph whose neighbours speak of other things. Every vector is compared:
    an index over all corpora would return too few rows to a small one.

    Args:
        corpus: As read in this transaction.
        vector: The unit vector of the question by the encoder of passages, [d].
        most: How many.
        chunk_ids: Those that a paragraph must be in one of; None for any.
    """
    live = PassageVector.objects.filter(corpus=corpus, position__in=positions_live(corpus=corpus))
    nearest = live.annotate(negative=MaxInnerProduct("vector", vector.tolist())).order_by("negative", "pk")
    rows = nearest.values_list("position__paragraph", "position__version", "position__ordinal")
    if chunk_ids is None:
        return [paragraph for paragraph, _, _ in rows[:most]]
    chunks = Chunk.objects.filter(pk__in=chunk_ids).values_list("version", "first_paragraph", "last_paragraph")
    within: dict[UUID, list[range]] = defaultdict(list)
    for version, first, last in chunks:
        within[version].append(range(first, last + 1))
    near = rows[: most * LOOKED_THROUGH]
    return [at for at, version, ordinal in near if any(ordinal in one for one in within.get(version, ()))][:most]


def passages_ensure(*, corpus: Corpus) -> None:
    """See to it that a large corpus gets the vectors that it lacks; the job does nothing twice."""
    if positions_live(corpus=corpus)[LARGE - 1 : LARGE].exists() and _lacking(corpus).exists():
        job_ensure(
            organization=corpus.organization_id, task=TASK, subject_id=corpus.pk, corpus_id=corpus.pk, lane=Lane.SPARE
        )


def passages_sweep() -> None:
    """The same for every corpus: those of an earlier version of the program have no vectors yet."""
    for organization in Organization.objects.all():
        with organization_scope(organization, user=None):
            for corpus in Corpus.objects.filter(removal_begun_at=None):
                passages_ensure(corpus=corpus)


@job_task
def passages_encode(*, lease: Lease) -> bool:
    """Make the vectors that a corpus lacks, until none is lacking or the slice is over."""
    while not lease.is_over:
        with organization_scope(lease.organization_id, user=None):
            corpus = _corpus(lease)
            batch = list(_lacking(corpus).select_related("paragraph").order_by("pk")[:BATCH])
            if not batch:
                lease.finish()  # under the corpus's lock: what is published after it begins another job
                return True
            provisions = provisions_around(positions=batch)
            texts = {p.pk: text_read(provisions[p.version_id, p.ordinal], p.ordinal, p.paragraph.text) for p in batch}
            stored = _known(corpus, texts.values())
        crash_point("passages.before")
        _store(
            lease,
            texts,
            stored | _encoded([text for text in texts.values() if passage_digest(text=text) not in stored]),
        )
    return False


def _store(lease: Lease, texts: dict[int, str], vectors: dict[str, FloatMatrix]) -> None:
    """Store the vectors of paragraphs that are still searched."""
    with organization_scope(lease.organization_id, user=None):
        corpus = _corpus(lease)
        rows = [
            PassageVector(
                organization_id=lease.organization_id,
                corpus=corpus,
                position_id=pk,
                digest=passage_digest(text=texts[pk]),
                vector=vectors[passage_digest(text=texts[pk])],
            )
            for pk in _lacking(corpus).filter(pk__in=texts).values_list("pk", flat=True)
        ]
        PassageVector.objects.bulk_create(rows, batch_size=BATCH)
        n_made = PassageVector.objects.filter(corpus=corpus).count()
        lease.advance(stage="indexing", cursor=n_made, total=n_made + _lacking(corpus).count())
    crash_point("passages.stored")


def _known(corpus: Corpus, texts: Iterable[str]) -> dict[str, FloatMatrix]:
    """The vectors of texts that another paragraph of the corpus, or an earlier version, has; by digest."""
    stored = PassageVector.objects.filter(corpus=corpus, digest__in={passage_digest(text=text) for text in texts})
    return _by_digest(stored)


def _by_digest(stored: QuerySet[PassageVector]) -> dict[str, FloatMatrix]:
    # As the server sends it in binary, after two short numbers: as text, reading the vectors of one question is a
    # large part of its answer's time.
    sent = Func("vector", function="halfvec_send", output_field=BinaryField())
    rows = stored.annotate(sent=sent).values_list("digest", "sent")
    return {digest: np.frombuffer(vector, ">f2", offset=4).astype(np.float32) for digest, vector in rows}


def _encoded(texts: Sequence[str]) -> dict[str, FloatMatrix]:
    vectors = encoder.encoder(encoder.PASSAGES).encode(texts) if texts else ()
    return dict(zip((passage_digest(text=text) for text in texts), vectors, strict=True))


def _corpus(lease: Lease) -> Corpus:
    """The corpus, locked against publishing and removal until the transaction ends.

    Raises:
        JobRefused: it was removed.
    """
    corpus = Corpus.objects.select_for_update().filter(pk=lease.subject_id, removal_begun_at=None).first()
    if corpus is None:
        raise JobRefused("corpus_gone")
    return corpus


def _lacking(corpus: Corpus) -> QuerySet[Position]:
    has_vector = Exists(PassageVector.objects.filter(position=OuterRef("pk")))
    return positions_live(corpus=corpus).exclude(kind="heading").filter(~has_vector)
