"""Settings of the chunkers: how a document is cut before it is indexed."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from legalqa.common.config import Config


class SentenceChunking(Config):
    """Whole sentences up to a number of tokens (HyPA-RAG section 6: 512 tokens, overlap 200)."""

    kind: Literal["sentence.v1"] = "sentence.v1"
    size_tokens: int = Field(default=512, ge=1)
    overlap_tokens: int = Field(default=200, ge=0)

    @model_validator(mode="after")
    def _overlap_is_smaller(self) -> Self:
        _check_overlap(size=self.size_tokens, overlap=self.overlap_tokens, unit="tokens")
        return self


class RecursiveChunking(Config):
    """Pieces up to a number of characters, cut at the coarsest separator (PathLex: 500, overlap 50)."""

    kind: Literal["recursive.v1"] = "recursive.v1"
    size_chars: int = Field(default=500, ge=1)
    overlap_chars: int = Field(default=50, ge=0)
    separators: tuple[str, ...] = ("\n\n", "\n", ". ", "; ", ", ", " ")

    @model_validator(mode="after")
    def _overlap_is_smaller(self) -> Self:
        _check_overlap(size=self.size_chars, overlap=self.overlap_chars, unit="characters")
        if "" in self.separators:
            raise ValueError("A separator is empty; leave it out, single characters are the last resort anyway.")
        return self


ChunkerConfig = Annotated[SentenceChunking | RecursiveChunking, Field(discriminator="kind")]


def _check_overlap(*, size: int, overlap: int, unit: str) -> None:
    if overlap >= size:
        raise ValueError(
            f"The overlap is {overlap} {unit} and the size {size}; the overlap must be smaller, so lower it."
        )
