"""Chunks and their vectors: made from one version, reused where the text has not changed."""

import hashlib
from collections.abc import Sequence

from corpora.chunkers import ParagraphText, chunker_build, token_windows
from corpora.models import Chunk, ChunkSet, Corpus, DocumentVersion, Embedding, Position, VersionState
from corpora.services.corpus import chunker_check
from corpora.services.reading import version_move
from corpora.tokens import terms_and_counts
from legalqa.accounts.scoping import organization_scope
from legalqa.common.faults import crash_point
from legalqa.jobs.services import Lease
from legalqa.llm import encoder

BATCH = 500
CHUNKS_A_STEP = 32
WINDOW_OVERLAP_TOKENS = 32  # ours: a sentence cut by a window's edge stands whole in one of the two


def chunk_set_live(*, corpus: Corpus) -> ChunkSet:
    """The chunk set that searches of the corpus use; made from the corpus's chunker at first use."""
    existing = ChunkSet.objects.filter(corpus=corpus, is_live=True).first()
    if existing is not None:
        return existing
    config = chunker_check(corpus.chunker)
    made, _ = ChunkSet.objects.get_or_create(
        organization_id=corpus.organization_id,
        corpus=corpus,
        is_live=True,
        defaults={"chunker": config.model_dump(mode="json"), "fingerprint": config.fingerprint()},
    )
    return made


def version_chunk(*, version: DocumentVersion, lease: Lease) -> None:
    """Cut a version into chunks with their BM25 rows and store them, not yet visible to searches.

    The nearest heading is indexed with the text under it (for both kinds of search), but is no part of the chunk.
    """
    with organization_scope(lease.organization_id, user=None):
        chunk_set = chunk_set_live(corpus=version.corpus)
        text: str = DocumentVersion.objects.values_list("text", flat=True).get(pk=version.pk)
        positions = list(Position.objects.filter(version=version).order_by("ordinal"))
    paragraphs = [
        ParagraphText(p.ordinal, p.start, p.end, text[p.start : p.end], tuple(p.heading_path), p.kind)
        for p in positions
    ]
    spans = chunker_build(chunker_check(chunk_set.chunker)).chunk(paragraphs, count_tokens=encoder.count_tokens)
    rows = []
    for ordinal, span in enumerate(spans):
        heading = span.heading_path[-1] if span.heading_path else ""
        body = text[span.start : span.end]
        row = terms_and_counts(f"{heading}\n{body}", language=version.corpus.language)
        rows.append(
            Chunk(
                organization_id=lease.organization_id,
                corpus_id=version.corpus_id,
                chunk_set=chunk_set,
                document_id=version.document_id,
                version=version,
                ordinal=ordinal,
                start=span.start,
                end=span.end,
                first_paragraph=span.first_paragraph,
                last_paragraph=span.last_paragraph,
                heading=heading,
                text=body,
                terms=row.ids_bytes(),
                counts=row.counts_bytes(),
                length=row.length,
            )
        )
    with organization_scope(lease.organization_id, user=None):
        lease.advance(stage="indexing", cursor=0, total=len(rows))
        Chunk.objects.filter(version=version).delete()
        Chunk.objects.bulk_create(rows, batch_size=BATCH)
        version_move(version, VersionState.PARSED, state=VersionState.CHUNKED, n_chunks=len(rows))


def version_embed(*, version: DocumentVersion, lease: Lease) -> bool:
    """Embed the next chunks of a version that have no vector; True once none is left.

    A text that the organisation has embedded before, in whatever document, is not encoded again.
    """
    with organization_scope(lease.organization_id, user=None):
        mine = Chunk.objects.filter(version=version)
        done = Embedding.objects.filter(chunk__version=version, encoder=encoder.NAME).values("chunk_id").distinct()
        n_done = done.count()
        batch = list(mine.exclude(pk__in=done).order_by("ordinal").only("pk", "heading", "text")[:CHUNKS_A_STEP])
    if not batch:
        return True
    windows = [(chunk.pk, w, text) for chunk in batch for w, text in enumerate(window_texts(chunk.heading, chunk.text))]
    vectors = _vectors(lease, [text for _, _, text in windows])
    with organization_scope(lease.organization_id, user=None):
        lease.advance(stage="indexing", cursor=n_done + len(batch), total=version.n_chunks)
        Embedding.objects.bulk_create(
            (
                Embedding(
                    organization_id=lease.organization_id,
                    corpus_id=version.corpus_id,
                    chunk_id=chunk_id,
                    encoder=encoder.NAME,
                    window=w,
                    text_hash=text_hash(text),
                    vector=vectors[text_hash(text)],
                )
                for chunk_id, w, text in windows
            ),
            ignore_conflicts=True,
            batch_size=BATCH,
        )
    crash_point("embed.stored")
    return False


def window_texts(heading: str, text: str) -> list[str]:
    """The texts that are embedded for a chunk: it, or windows over it, each with its heading in front.

    The encoder reads 256 tokens and would drop the rest in silence; a longer chunk is embedded window by window.
    """
    prefix = f"{heading}\n" if heading else ""
    room = encoder.WINDOW_TOKENS - encoder.count_tokens([prefix])[0] if prefix else encoder.WINDOW_TOKENS
    if room < encoder.WINDOW_TOKENS // 2:  # a heading that long says little more than its text
        prefix, room = "", encoder.WINDOW_TOKENS
    offsets = encoder.token_offsets([text])[0]
    if len(offsets) <= room:
        return [prefix + text]
    spans = token_windows(offsets, window_tokens=room, overlap_tokens=WINDOW_OVERLAP_TOKENS)
    return [prefix + text[start:end] for start, end in spans]


def text_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _vectors(lease: Lease, texts: Sequence[str]) -> dict[str, Sequence[float]]:
    """The vector of every text by its hash: found in the organisation, or encoded now."""
    by_hash = {text_hash(text): text for text in texts}
    with organization_scope(lease.organization_id, user=None):
        known = Embedding.objects.filter(encoder=encoder.NAME, text_hash__in=list(by_hash))
        found = dict(known.values_list("text_hash", "vector"))
    missing = [hash_ for hash_ in by_hash if hash_ not in found]
    crash_point("embed.before")
    encoded = encoder.encoder().encode([by_hash[hash_] for hash_ in missing])
    crash_point("embed.encoded")
    return found | dict(zip(missing, encoded, strict=True))
