"""Chunks and their vectors: made from one version, reused where the text has not changed."""

import hashlib
from collections.abc import Sequence
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet, TextField, Value
from django.db.models.functions import Coalesce, Length, NullIf

from corpora.chunkers import token_windows
from corpora.models import Chunk, ChunkSet, Corpus, DocumentVersion, Embedding, VersionState
from corpora.services.chunking import chunk_rows, version_paragraphs
from corpora.services.corpus import chunker_check
from corpora.services.encoding import encoder_by_name, window_by_name
from corpora.services.reading import version_move
from legalqa.accounts.scoping import organization_scope
from legalqa.common.faults import crash_point
from legalqa.encoder.client import PACKAGED_WINDOW, TextWindow
from legalqa.jobs.services import Lease

BATCH = 500
CHUNKS_A_STEP = 128  # ours: a few seconds of work
WINDOW_OVERLAP_TOKENS = 32  # ours: a sentence cut by a window's edge is whole in one of the two


def chunk_set_live(*, corpus: Corpus) -> ChunkSet:
    """The chunk set that searches of the corpus use; made from the corpus's chunker at first use."""
    existing = ChunkSet.objects.filter(corpus=corpus, is_live=True).first()
    if existing is not None:
        return existing
    config = chunker_check(settings=corpus.chunker)
    chunk_set, _ = ChunkSet.objects.get_or_create(
        organization_id=corpus.organization_id,
        corpus=corpus,
        is_live=True,
        defaults={
            "chunker": config.model_dump(mode="json"),
            "fingerprint": config.fingerprint(),
            "context": corpus.context,
        },
    )
    return chunk_set


def version_chunk(*, version: DocumentVersion, lease: Lease) -> None:
    """Cut a version into chunks with their BM25 rows and store them, not yet visible to searches."""
    with organization_scope(lease.organization_id, user=None):
        chunk_set = chunk_set_live(corpus=version.corpus)
        text, paragraphs = version_paragraphs(version=version)
    rows = chunk_rows(version=version, chunk_set=chunk_set, text=text, paragraphs=paragraphs)
    n_chunks = sum(not row.is_parent for row in rows)
    with organization_scope(lease.organization_id, user=None):
        lease.advance(stage="indexing", cursor=0, total=n_chunks)
        Chunk.objects.filter(version=version).delete()
        Chunk.objects.bulk_create(rows, batch_size=BATCH)
        version_move(version=version, expected=VersionState.PARSED, state=VersionState.CHUNKED, n_chunks=n_chunks)


def version_embed(*, version: DocumentVersion, lease: Lease) -> bool:
    """Embed the next chunks of a version that have no vector by the corpus's encoder; True once none is left."""
    name = version.corpus.encoder
    with organization_scope(lease.organization_id, user=None):
        chunks = Chunk.objects.filter(version=version, is_parent=False)
        batch, n_left = chunks_to_embed(chunks=chunks, encoder_name=name)
    if not batch:
        return True
    embeddings = chunks_embed(lease=lease, corpus_id=version.corpus_id, batch=batch, encoder_name=name)
    with organization_scope(lease.organization_id, user=None):
        lease.advance(stage="indexing", cursor=version.n_chunks - n_left + len(batch), total=version.n_chunks)
        Embedding.objects.bulk_create(embeddings, ignore_conflicts=True, batch_size=BATCH)
    crash_point("embed.stored")
    return False


def chunks_lacking(*, chunks: QuerySet[Chunk], encoder_name: str) -> QuerySet[Chunk]:
    """Those of the chunks that are searched and have no vector by an encoder."""
    vectors = Embedding.objects.filter(chunk=OuterRef("pk"), encoder=encoder_name)
    return chunks.filter(~Exists(vectors), is_parent=False)


def chunks_to_embed(*, chunks: QuerySet[Chunk], encoder_name: str) -> tuple[list[Chunk], int]:
    """The longest of the chunks that have no vector by an encoder, and how many have none.

    Alike lengths are encoded together.
    """
    lacking = chunks_lacking(chunks=chunks, encoder_name=encoder_name)
    by_length = lacking.order_by(Length("text").desc(), "pk").only("pk", "heading", "context", "text")
    batch = list(by_length[:CHUNKS_A_STEP])
    return batch, lacking.count() if batch else 0


# What is embedded before a chunk's text, as `chunks_embed` does it.
BEFORE_TEXT = Coalesce(NullIf("context", Value("", output_field=TextField())), "heading")


def chunks_embed(*, lease: Lease, corpus_id: UUID, batch: Sequence[Chunk], encoder_name: str) -> list[Embedding]:
    """The vectors of chunks, window by window, not yet stored; opens its own short transaction to look for known ones.

    A text that the corpus has embedded by this encoder before, in whatever document or chunk set, is not encoded again.
    Vectors of other corpora are not used: how fast a text is ready would tell what lies behind a wall.
    """
    window = window_by_name(organization_id=lease.organization_id, corpus_id=corpus_id, name=encoder_name)
    windows = [
        (chunk.pk, w, text)
        for chunk in batch
        for w, text in enumerate(window_texts(heading=chunk.context or chunk.heading, text=chunk.text, window=window))
    ]
    vectors = _vectors(lease, corpus_id, encoder_name, [text for _, _, text in windows])
    return [
        Embedding(
            organization_id=lease.organization_id,
            corpus_id=corpus_id,
            chunk_id=chunk_id,
            encoder=encoder_name,
            window=w,
            text_hash=text_hash(text=text),
            vector=vectors[text_hash(text=text)],
        )
        for chunk_id, w, text in windows
    ]


def window_texts(*, heading: str, text: str, window: TextWindow = PACKAGED_WINDOW) -> list[str]:
    """The texts that are embedded for a chunk: it, or windows over it, each with cue and heading in front.

    The packaged encoder reads 256 tokens, others as many as `window` says, and would drop the rest in silence; a longer
    chunk is embedded window by window.
    """
    prefix = window.cue_passage + (f"{heading}\n" if heading else "")
    room = window.room(prefix)
    if room < window.tokens // 2:  # a heading that long says little more than its text
        prefix, room = window.cue_passage, window.room(window.cue_passage)
    offsets = window.offsets([text])[0]
    if len(offsets) <= room:
        return [prefix + text]
    spans = token_windows(offsets, window_tokens=room, overlap_tokens=min(WINDOW_OVERLAP_TOKENS, room // 2))
    return [prefix + text[start:end] for start, end in spans]


def text_hash(*, text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _vectors(lease: Lease, corpus_id: UUID, encoder_name: str, texts: Sequence[str]) -> dict[str, Sequence[float]]:
    """The vector of every text by its hash: found in the corpus, or encoded now."""
    by_hash = {text_hash(text=text): text for text in texts}
    with organization_scope(lease.organization_id, user=None):
        embeddings = Embedding.objects.filter(corpus=corpus_id, encoder=encoder_name, text_hash__in=list(by_hash))
        vectors = dict(embeddings.values_list("text_hash", "vector"))
    missing = [hash_ for hash_ in by_hash if hash_ not in vectors]
    crash_point("embed.before")
    encoder = encoder_by_name(organization_id=lease.organization_id, corpus_id=corpus_id, name=encoder_name)
    encoded = encoder.encode([by_hash[hash_] for hash_ in missing])
    crash_point("embed.encoded")
    return vectors | dict(zip(missing, encoded, strict=True))
