"""Chunkers by name.

To add one: write its file, add its settings to `corpora.configs`, register it here; the contract
test in `tests/contracts/test_chunkers.py` then runs for it. Add its row to the README's table.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from corpora.chunkers.base import Chunker, ChunkSpan, Decide, ParagraphText, ParentSpan
from corpora.chunkers.hierarchical import HierarchicalChunker
from corpora.chunkers.lumber import LumberChunker
from corpora.chunkers.margin import MarginChunker
from corpora.chunkers.pattern import PatternChunker
from corpora.chunkers.perplexity import PerplexityChunker
from corpora.chunkers.recursive import RecursiveChunker
from corpora.chunkers.semantic import SemanticChunker
from corpora.chunkers.sentence import SentenceChunker
from corpora.chunkers.windows import token_windows
from corpora.configs import ChunkerConfig
from legalqa.common.registry import Registry

CHUNKERS: Registry[Callable[[Any], Chunker]] = Registry("chunker")
CHUNKERS.register("sentence.v1", SentenceChunker)
CHUNKERS.register("recursive.v1", RecursiveChunker)
CHUNKERS.register("semantic.v1", SemanticChunker)
CHUNKERS.register("pattern.v1", PatternChunker)
CHUNKERS.register("hierarchical.v1", HierarchicalChunker)
CHUNKERS.register("margin.v1", MarginChunker)
CHUNKERS.register("lumber.v1", LumberChunker)
CHUNKERS.register("perplexity.v1", PerplexityChunker)


def chunker_build(config: ChunkerConfig, *, decide: Decide | None = None) -> Chunker:
    """Return the chunker that a config describes; `decide` is for those that ask a model."""
    built = CHUNKERS.get(config.kind)(config)
    return replace(built, decide=decide) if decide and isinstance(built, MarginChunker | LumberChunker) else built
