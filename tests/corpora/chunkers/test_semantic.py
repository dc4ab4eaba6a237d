"""Chunks end where neighbouring sentences say different things."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from hypothesis import given
from numpy.typing import NDArray

from corpora.chunkers.semantic import SemanticChunker
from corpora.configs import SemanticChunking
from legalqa.encoder import client as encoder
from legalqa.encoder.sentences import sentences_encode
from tests.corpora.chunkers.documents import Part, count_words, document, encode_words, parts, text_of

RENT = "The tenant pays rent. The rent is due monthly. Late rent bears interest."
CATS = "Cats sleep all day. Cats hunt at night."


def pieces(text: str, **settings: float) -> list[str]:
    paragraphs = document([("text", text, ())])
    chunker = SemanticChunker(SemanticChunking.model_validate(settings))
    chunks = chunker.chunk(paragraphs, count_tokens=count_words, encode=by_topic)
    return [text[chunk.start : chunk.end] for chunk in chunks]


def by_topic(texts: Sequence[str]) -> NDArray[np.float32]:
    """Sentences about cats at a right angle to all others."""
    return np.array([[1.0, 0.0] if "Cats" in text else [0.0, 1.0] for text in texts], np.float32)


def test_a_chunk_ends_where_the_topic_changes() -> None:
    assert pieces(f"{RENT} {CATS}", threshold=0.5, buffer_sentences=1) == [RENT, CATS]


def test_a_higher_threshold_keeps_them_together() -> None:
    assert pieces(f"{RENT} {CATS}", threshold=1.5, buffer_sentences=1) == [f"{RENT} {CATS}"]


def test_a_chunk_takes_its_fewest_sentences_before_it_ends() -> None:
    first, *rest = pieces(f"Cats. Rent. {CATS}", threshold=0.5, buffer_sentences=2)

    assert first == "Cats. Rent."
    assert rest == [CATS]


def test_a_chunk_never_grows_beyond_its_size() -> None:
    assert pieces("Rent is due. " * 12, threshold=2, size_tokens=16) == ["Rent is due. " * 4 + "Rent is due."] * 2 + [
        "Rent is due. Rent is due."
    ]


@given(made=parts)
def test_chunks_do_not_overlap_and_hold_the_size_unless_they_are_one_sentence(made: list[Part]) -> None:
    paragraphs, text = document(made), text_of(document(made))
    chunker = SemanticChunker(SemanticChunking(threshold=0.5, buffer_sentences=1, size_tokens=16))
    chunks = chunker.chunk(paragraphs, count_tokens=count_words, encode=encode_words)

    assert all(a.end <= b.start for a, b in pairwise(chunks))
    assert all(len(text[c.start : c.end].split()) <= 64 for c in chunks), "four times the size, where no full stop is"


def test_the_real_encoder_parts_the_roof_from_the_penalty() -> None:
    text = (
        "The landlord repairs the roof. Leaks in the roof are repaired within a week. "
        "A first violation carries a civil penalty of 500 dollars. Later violations carry a higher civil penalty."
    )
    paragraphs = document([("text", text, ())])
    chunker = SemanticChunker(SemanticChunking(threshold=0.7, buffer_sentences=2))
    first, second = chunker.chunk(paragraphs, count_tokens=encoder.count_tokens, encode=sentences_encode)

    assert text[first.start : first.end].endswith("within a week.")
    assert text[second.start : second.end].startswith("A first violation")
