"""Settings of the chunkers: how a document is split before it is indexed."""

from typing import Annotated, Literal, Self, get_args

from pydantic import Field, field_validator, model_validator

from corpora.delimiters import MAX_PATTERN_CHARS, Delimiter
from legalqa.common.config import Config


class SentenceChunking(Config):
    """Whole sentences up to a number of tokens (HyPA-RAG section 6: 512 tokens, overlap 200).

    Attributes:
        size_tokens: Tokens of a chunk at most, 1 or more; a longer sentence is a chunk of its own.
        overlap_tokens: Tokens that a chunk repeats of the previous one at most, 0 or more and below `size_tokens`.
    """

    kind: Literal["sentence.v1"] = "sentence.v1"
    size_tokens: int = Field(default=512, ge=1)
    overlap_tokens: int = Field(default=200, ge=0)

    @model_validator(mode="after")
    def _overlap_is_smaller(self) -> Self:
        _check_overlap(size=self.size_tokens, overlap=self.overlap_tokens, unit="tokens")
        return self


class RecursiveChunking(Config):
    """Pieces up to a number of characters, split at the coarsest separator (PathLex: 500, overlap 50).

    Attributes:
        size_chars: Characters of a chunk at most, 1 or more.
        overlap_chars: Characters that a chunk repeats of the previous one at most, 0 or more and below `size_chars`.
        separators: The coarsest first; behind the last one single characters are the pieces.
    """

    kind: Literal["recursive.v1"] = "recursive.v1"
    size_chars: int = Field(default=500, ge=1)
    overlap_chars: int = Field(default=50, ge=0)
    separators: tuple[str, ...] = ("\n\n", "\n", ". ", "; ", ", ", " ")

    @model_validator(mode="after")
    def _overlap_is_smaller(self) -> Self:
        _check_overlap(size=self.size_chars, overlap=self.overlap_chars, unit="characters")
        if "" in self.separators:
            raise ValueError("A separator is empty; leave it out; single characters are the last resort anyway.")
        return self


class SemanticChunking(Config):
    """Sentences that belong together: a chunk ends where the next sentence is far enough from the last one.

    Attributes:
        threshold: 1 - cosine of two neighbouring sentences, 0 to 2; a chunk may end above it.
        buffer_sentences: Sentences that a chunk has before it may end so, 1 to 50.
        size_tokens: Tokens of a chunk at most, 16 to 4,096; a longer sentence is a chunk of its own.
    """

    kind: Literal["semantic.v1"] = "semantic.v1"
    threshold: float = Field(default=0.6, ge=0, le=2)
    buffer_sentences: int = Field(default=3, ge=1, le=50)
    size_tokens: int = Field(default=512, ge=16, le=4096)


class PatternChunking(Config):
    """Pieces between the matches of a corpus's own delimiter, such as "Article 5" at the start of a line.

    Attributes:
        pattern: The delimiter, as RE2 reads it.
        cut: Whether a piece begins with its delimiter or ends with it.
        min_tokens: Tokens below which a piece is joined with the next, 0 to 4,096 and at most `size_tokens`.
        size_tokens: Tokens above which a piece is cut between sentences, 16 to 4,096.
    """

    kind: Literal["pattern.v1"] = "pattern.v1"
    pattern: str = Field(
        default=r"^[ \t]*(?:ARTICLE|Article|SECTION|Section|Sec\.|§+) ?[0-9]+", max_length=MAX_PATTERN_CHARS
    )
    cut: Literal["before", "after"] = "before"
    min_tokens: int = Field(default=0, ge=0, le=4096)
    size_tokens: int = Field(default=512, ge=16, le=4096)

    @field_validator("pattern")
    @classmethod
    def _can_delimit(cls, pattern: str) -> str:
        Delimiter(pattern).check()
        return pattern

    @model_validator(mode="after")
    def _smallest_is_smaller(self) -> Self:
        _check_smallest(smallest=self.min_tokens, size=self.size_tokens)
        return self


class HierarchicalChunking(Config):
    """Small chunks that are searched, inside larger pieces that are opened.

    Attributes:
        child_tokens: Tokens of a chunk at most, 16 to 1,024; a longer sentence is a chunk of its own.
        min_tokens: Tokens from which a chunk may end with its paragraph, 0 to 1,024 and at most `child_tokens`.
        parent_tokens: Tokens of the smallest pieces around chunks at most, 32 to 4,096, `child_tokens` or more.
    """

    kind: Literal["hierarchical.v1"] = "hierarchical.v1"
    child_tokens: int = Field(default=128, ge=16, le=1024)
    min_tokens: int = Field(default=32, ge=0, le=1024)
    parent_tokens: int = Field(default=512, ge=32, le=4096)

    @model_validator(mode="after")
    def _sizes_rise(self) -> Self:
        _check_smallest(smallest=self.min_tokens, size=self.child_tokens)
        if self.parent_tokens < self.child_tokens:
            raise ValueError(
                f"The larger chunks have up to {self.parent_tokens} tokens and the smaller ones up to"
                f" {self.child_tokens}; the larger number must not be below the smaller."
            )
        return self


class MarginChunking(Config):
    """Sentences split where a language model would rather split them, joined up to a target length.

    Attributes:
        threshold: P(split) - P(keep) by the model, -1 to 1; a boundary is a split above it.
        size_tokens: Tokens of a chunk at most, 16 to 4,096; a longer sentence is a chunk of its own.
    """

    kind: Literal["margin.v1"] = "margin.v1"
    threshold: float = Field(default=0.0, ge=-1, le=1)
    size_tokens: int = Field(default=256, ge=16, le=4096)


class PerplexityChunking(Config):
    """Sentences split behind one that a language model expected more than its neighbours, joined up to a length.

    Attributes:
        threshold: How much lower than a neighbour's a sentence's perplexity must be, as a difference of perplexities,
            0 to 100.
        size_tokens: Tokens of a chunk at most, 16 to 4,096; a longer sentence is a chunk of its own.
    """

    kind: Literal["perplexity.v1"] = "perplexity.v1"
    threshold: float = Field(default=0.0, ge=0, le=100)
    size_tokens: int = Field(default=256, ge=16, le=4096)


class LumberChunking(Config):
    """Paragraphs cut where a language model sees the content change (LumberChunker: groups of 550 tokens).

    Attributes:
        size_tokens: Tokens that the model is shown at once, and of a chunk at most, 16 to 4,096; a longer sentence is a
            chunk of its own.
    """

    kind: Literal["lumber.v1"] = "lumber.v1"
    size_tokens: int = Field(default=550, ge=16, le=4096)


CONTEXTS = ("heading", "path", "summary")  # what is before a chunk's text when it is embedded
MODEL_KINDS = ("margin.v1", "lumber.v1", "perplexity.v1")  # a language model is asked where a chunk ends

ChunkerConfig = Annotated[
    SentenceChunking
    | RecursiveChunking
    | SemanticChunking
    | PatternChunking
    | HierarchicalChunking
    | MarginChunking
    | LumberChunking
    | PerplexityChunking,
    Field(discriminator="kind"),
]


def _check_smallest(*, smallest: int, size: int) -> None:
    if smallest > size:
        raise ValueError(f"The smallest size is {smallest} tokens and the largest {size}; lower the smallest.")


def _check_overlap(*, size: int, overlap: int, unit: str) -> None:
    if overlap >= size:
        raise ValueError(
            f"The overlap is {overlap} {unit} and the size {size}; the overlap must be smaller, so lower it."
        )


CHUNKER_KINDS: dict[str, type[Config]] = {
    each.model_fields["kind"].default: each for each in get_args(get_args(ChunkerConfig)[0])
}
