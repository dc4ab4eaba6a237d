"""Corpora, their documents in versions, and the chunks that are searched."""

from corpora.models.chunk import Chunk, ChunkSet, Embedding
from corpora.models.corpus import Corpus, CorpusMember
from corpora.models.document import Document, DocumentVersion, Page, VersionState
from corpora.models.paragraph import Paragraph, Position

__all__ = [
    "Chunk",
    "ChunkSet",
    "Corpus",
    "CorpusMember",
    "Document",
    "DocumentVersion",
    "Embedding",
    "Page",
    "Paragraph",
    "Position",
    "VersionState",
]
