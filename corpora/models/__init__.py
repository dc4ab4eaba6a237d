"""Corpora, their documents in versions, and the chunks that are searched."""

from corpora.models.chunk import Chunk, ChunkAdvice, ChunkSet, Embedding
from corpora.models.corpus import Corpus, CorpusMember
from corpora.models.document import (
    VERSION_TRANSITIONS,
    Document,
    DocumentVersion,
    Member,
    Page,
    Recognition,
    VersionState,
)
from corpora.models.encoder import AddedEncoder, EncoderActivation, EncoderSource, TrainedEncoder
from corpora.models.paragraph import Paragraph, PassageVector, Position
from corpora.models.trained import (
    TRAINED_TRANSITIONS,
    CorpusRow,
    TrainedState,
    TrainedVersion,
    TrainedWeights,
    weights_whole,
)
from corpora.models.watching import WATCHED_TRANSITIONS, WatchedFile, WatchedFolder, WatchedState
