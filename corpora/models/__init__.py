"""Corpora, their documents in versions, and the chunks that are searched."""

from corpora.models.chunk import Chunk, ChunkSet, Embedding
from corpora.models.corpus import Corpus, CorpusMember
from corpora.models.document import Document, DocumentVersion, Member, Page, Recognition, VersionState
from corpora.models.encoder import EncoderActivation, TrainedEncoder, TrainedState
from corpora.models.paragraph import Paragraph, Position
from corpora.models.watching import WatchedFile, WatchedFolder, WatchedState

__all__ = [
    "Chunk",
    "ChunkSet",
    "Corpus",
    "CorpusMember",
    "Document",
    "DocumentVersion",
    "Embedding",
    "EncoderActivation",
    "Member",
    "Page",
    "Paragraph",
    "Position",
    "Recognition",
    "TrainedEncoder",
    "TrainedState",
    "VersionState",
    "WatchedFile",
    "WatchedFolder",
    "WatchedState",
]
