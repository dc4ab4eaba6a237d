"""How a chunker would split a document, before anything is changed."""

from dataclasses import dataclass
from statistics import median
from typing import Any
from uuid import UUID

from corpora.chunkers import ParagraphText
from corpora.configs import MODEL_KINDS, ChunkerConfig
from corpora.delimiters import Suggestion, delimiter_suggest
from corpora.models import Chunk, Document, DocumentVersion
from corpora.selectors import corpus_get, document_searchable, version_texts
from corpora.services.chunking import chunk_spans, version_paragraphs
from corpora.services.contexts import context_check, context_line
from corpora.services.corpus import chunker_check
from corpora.services.encoding import window_by_name
from corpora.services.indexing import text_hash, window_texts
from corpora.services.reindexing import embeddings_known
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.encoder import client as encoder

PREVIEW_CHARS = 40_000  # ours: characters that are chunked and encoded while a person waits
SUGGEST_DOCUMENTS = 20
SUGGEST_CHARS = 100_000


@dataclass(frozen=True, slots=True)
class PreviewChunk:
    """A chunk as it would be; `n_parents` counts the larger pieces around it."""

    number: int
    heading: str
    text: str
    n_tokens: int
    n_parents: int


@dataclass(frozen=True, slots=True)
class Preview:
    """The chunks of a document, or of its beginning, and how they compare with those that are searched now.

    Medians are in tokens of a chunk, None without chunks. `n_vectors` counts the encoder's windows over all chunks,
    `n_known` those whose text the corpus has a vector for already; None where a language model
    writes part of the text or chooses the splits.
    """

    document: Document
    chunker: ChunkerConfig
    is_partial: bool
    n_paragraphs: int
    chunks: tuple[PreviewChunk, ...]
    median_tokens: float | None
    n_larger: int
    n_live: int
    live_median_tokens: float | None
    n_vectors: int
    n_known: int | None


def chunking_preview(
    *,
    organization: Organization,
    user: User,
    corpus_id: UUID,
    chunker: dict[str, Any] | None = None,
    context: str = "",
    document_id: UUID | None = None,
) -> Preview | None:
    """Cut a document of the corpus (the first by name where none is named) and store nothing; None without documents.

    Reads at most PREVIEW_CHARS characters. Opens its own short transactions: texts are encoded outside them.

    Args:
        context: What is before a chunk's text when it is embedded, one of CONTEXTS; "" for the corpus's own.

    Raises:
        NotFound: no such corpus, or no such searchable document in it.
        ApplicationError: the chunker's settings or the context are wrong.
    """
    with organization_scope(organization, user=user):
        corpus = corpus_get(organization=organization, corpus_id=corpus_id)
        config = chunker_check(settings=chunker or corpus.chunker)
        context = context_check(context=context or corpus.context)
        document = document_searchable(corpus=corpus, document_id=document_id)
        if document is None or document.current is None:
            return None
        text, paragraphs, is_partial = _beginning(document.current)
        live = Chunk.objects.filter(version=document.current, is_live=True, start__lt=paragraphs[-1].end)
        live_texts = list(live.values_list("text", flat=True))
    connection_give_back()
    spans = chunk_spans(paragraphs=paragraphs, chunker=config)
    bodies = [text[span.start : span.end] for span in spans]
    counts = encoder.count_tokens(bodies)
    headings = [span.heading_path[-1] if span.heading_path else "" for span in spans]
    window = window_by_name(organization_id=organization.pk, corpus_id=corpus.pk, name=corpus.encoder)
    lines = [context_line(title=document.title, path=span.heading_path) for span in spans]
    before = headings if context == "heading" else lines
    texts = (window_texts(heading=h, text=body, window=window) for h, body in zip(before, bodies, strict=True))
    windows = [text_hash(text=text) for each in texts for text in each]
    n_known = None
    if context != "summary" and config.kind not in MODEL_KINDS:
        with organization_scope(organization, user=user):
            n_known = embeddings_known(corpus=corpus, text_hashes=windows)
    return Preview(
        document=document,
        chunker=config,
        is_partial=is_partial,
        n_paragraphs=len(paragraphs),
        chunks=tuple(
            PreviewChunk(i, heading, body, n_tokens, len(span.parents))
            for i, (span, heading, body, n_tokens) in enumerate(zip(spans, headings, bodies, counts, strict=True), 1)
        ),
        median_tokens=median(counts) if counts else None,
        n_larger=len({parent for span in spans for parent in span.parents}),
        n_live=len(live_texts),
        live_median_tokens=median(encoder.count_tokens(live_texts)) if live_texts else None,
        n_vectors=len(windows),
        n_known=n_known,
    )


def _beginning(version: DocumentVersion) -> tuple[str, list[ParagraphText], bool]:
    """A version's text, its first paragraphs up to PREVIEW_CHARS, and whether there are more."""
    text, paragraphs = version_paragraphs(version=version)
    beginning = [paragraph for paragraph in paragraphs if paragraph.end <= PREVIEW_CHARS] or paragraphs[:1]
    return text, beginning, len(beginning) < len(paragraphs)


def delimiters_suggested(*, organization: Organization, corpus_id: UUID) -> tuple[Suggestion, ...]:
    """Which usual delimiters the searchable documents of a corpus use, from the beginnings of a few of them.

    Raises:
        NotFound: no such corpus, or you have no access to it.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    return delimiter_suggest(version_texts(corpus=corpus, n_documents=SUGGEST_DOCUMENTS, n_chars=SUGGEST_CHARS))
