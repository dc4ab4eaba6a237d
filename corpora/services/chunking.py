"""From a version's paragraphs to the rows of a chunk set, not yet stored."""

from collections.abc import Sequence

from corpora.chunkers import ChunkSpan, Decide, ParagraphText, ParentSpan, chunker_build
from corpora.configs import ChunkerConfig
from corpora.models import Chunk, ChunkSet, DocumentVersion, Position
from corpora.services.asking import decider_make, summary_line
from corpora.services.contexts import context_line
from corpora.services.corpus import chunker_check
from corpora.tokens import terms_and_counts
from legalqa.encoder import client as encoder
from legalqa.encoder.sentences import sentences_encode


def version_paragraphs(*, version: DocumentVersion) -> tuple[str, list[ParagraphText]]:
    """A version's text, and its paragraphs as chunkers take them."""
    text: str = DocumentVersion.objects.values_list("text", flat=True).get(pk=version.pk)
    positions = Position.objects.filter(version=version).order_by("ordinal")
    return text, [
        ParagraphText(p.ordinal, p.start, p.end, text[p.start : p.end], tuple(p.heading_path), p.kind)
        for p in positions.only("ordinal", "start", "end", "heading_path", "kind")
    ]


def chunk_spans(
    *, paragraphs: Sequence[ParagraphText], chunker: ChunkerConfig, decide: Decide | None = None
) -> tuple[ChunkSpan, ...]:
    """Cut paragraphs with our encoder's tokens and vectors, and with what `decide` says; opens no transaction."""
    return chunker_build(chunker, decide=decide).chunk(
        paragraphs, count_tokens=encoder.count_tokens, encode=sentences_encode
    )


def chunk_rows(
    *, version: DocumentVersion, chunk_set: ChunkSet, text: str, paragraphs: Sequence[ParagraphText]
) -> list[Chunk]:
    """Cut a version into rows with what BM25 needs: searched chunks first, then the larger pieces around them.

    The nearest heading is indexed with the text under it (for both kinds of search), but is not part of the chunk.
    No transaction may be open: a language model may be asked. The version comes with its corpus and its document.

    Raises:
        ModelAway: one has to be asked, and none answers.
    """
    config = chunker_check(settings=chunk_set.chunker)
    of = {"organization_id": version.organization_id, "corpus_id": version.corpus_id}
    spans = chunk_spans(paragraphs=paragraphs, chunker=config, decide=decider_make(**of, kind=config.kind))
    parents = _parent_ordinals(spans)
    rows = [_row(version, chunk_set, ordinal, span) for ordinal, span in enumerate(spans)]
    for row, span in zip(rows, spans, strict=True):
        row.text = text[span.start : span.end]
        row.context = _context(chunk_set, version, span, row.text)
        indexed = terms_and_counts(f"{row.heading}\n{row.text}", language=version.corpus.language)
        row.terms, row.counts, row.length = indexed.ids_bytes(), indexed.counts_bytes(), indexed.length
        row.parent_ordinal = parents[span.parents[0]] if span.parents else None
    above = {inner: outer for span in spans for inner, outer in zip(span.parents, span.parents[1:], strict=False)}
    for parent, ordinal in parents.items():
        row = _row(version, chunk_set, ordinal, parent)
        row.is_parent, row.parent_ordinal = True, parents[above[parent]] if parent in above else None
        rows.append(row)
    return rows


def _context(chunk_set: ChunkSet, version: DocumentVersion, span: ChunkSpan, text: str) -> str:
    if chunk_set.context == "heading":
        return ""
    line = context_line(title=version.document.title, path=span.heading_path)
    if chunk_set.context == "path":
        return line
    summary = summary_line(
        organization_id=version.organization_id, corpus_id=version.corpus_id, context=line, text=text
    )
    return f"{line}\n{summary}" if summary else line


def _parent_ordinals(spans: Sequence[ChunkSpan]) -> dict[ParentSpan, int]:
    """Every larger piece once, numbered after the chunks."""
    parents = dict.fromkeys(parent for span in spans for parent in span.parents)
    return {parent: ordinal for ordinal, parent in enumerate(parents, len(spans))}


def _row(version: DocumentVersion, chunk_set: ChunkSet, ordinal: int, span: ChunkSpan | ParentSpan) -> Chunk:
    return Chunk(
        organization_id=version.organization_id,
        corpus_id=version.corpus_id,
        chunk_set=chunk_set,
        document_id=version.document_id,
        version=version,
        ordinal=ordinal,
        start=span.start,
        end=span.end,
        first_paragraph=span.first_paragraph,
        last_paragraph=span.last_paragraph,
        heading=span.heading_path[-1] if span.heading_path else "",
        text="",
        terms=b"",
        counts=b"",
        length=0,
    )
