"""Vectors of sentences are kept by corpus, and those of a question are not."""

from collections.abc import Iterator, Sequence
from uuid import uuid4

import numpy as np
import pytest
from cachetools import LRUCache

from corpora import term_memory
from corpora.tokens import tokens
from legalqa.answering import memory
from legalqa.answering.memory import SentenceEncoder
from legalqa.encoder import client as encoder
from legalqa.encoder.client import FloatMatrix

QUESTION = "When is the rent due?"
SENTENCES = ["The rent is due on the first day of each month.", "The landlord repairs the roof."]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The texts that really were encoded, by the packaged encoder."""
    memory._vectors.clear()
    texts: list[str] = []
    real = encoder.encoder()

    class Watched:
        def encode(self, wanted: Sequence[str], *, is_urgent: bool = False) -> FloatMatrix:
            texts.extend(wanted)
            return real.encode(wanted, is_urgent=is_urgent)

        def encode_tokens(self, wanted: Sequence[str], *, is_urgent: bool = False) -> list[FloatMatrix]:
            texts.extend(wanted)
            return real.encode_tokens(wanted, is_urgent=is_urgent)

    monkeypatch.setattr(encoder, "encoder", Watched)
    yield texts
    memory._vectors.clear()


def test_a_sentence_is_encoded_once_and_a_question_each_time(read: list[str]) -> None:
    sentences = SentenceEncoder(corpus_id=uuid4(), language="english", question=(QUESTION,))
    first = sentences.encode([QUESTION, *SENTENCES])
    words = sentences.encode_tokens([QUESTION, SENTENCES[0]])
    read.clear()

    again = sentences.encode([QUESTION, *reversed(SENTENCES)])
    words_again = sentences.encode_tokens([QUESTION, SENTENCES[0]])

    assert read == [QUESTION, QUESTION]
    np.testing.assert_array_equal(again[[2, 1]], first[1:])
    np.testing.assert_array_equal(words_again[1], words[1])
    assert float(again[0] @ first[0]) > 0.999  # encoded again, in another company


def test_another_corpus_reads_the_same_sentence_for_itself(read: list[str]) -> None:
    SentenceEncoder(corpus_id=uuid4(), language="english", question=()).encode(SENTENCES)
    read.clear()

    SentenceEncoder(corpus_id=uuid4(), language="english", question=()).encode(SENTENCES)

    assert read == SENTENCES


def test_what_was_read_longest_ago_makes_room(read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = SentenceEncoder(corpus_id=uuid4(), language="english", question=())
    one = sentences.encode(SENTENCES[:1]).nbytes
    monkeypatch.setattr(memory, "_vectors", LRUCache(one, getsizeof=lambda vectors: int(vectors.nbytes)))
    sentences.encode(SENTENCES[:1])
    sentences.encode(SENTENCES[1:])
    read.clear()

    sentences.encode(SENTENCES)

    assert read == SENTENCES[:1]


def test_neither_a_question_nor_a_word_of_it_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: LRUCache[object, tuple[str, ...]] = LRUCache(1000, getsizeof=len)
    monkeypatch.setattr(term_memory, "_terms", kept)
    sentences = SentenceEncoder(corpus_id=uuid4(), language="english", question=(QUESTION,))

    for text in (QUESTION, "rent", SENTENCES[0]):
        assert sentences.terms(text) == tuple(tokens(text))

    assert list(kept.values()) == [tuple(tokens(SENTENCES[0]))]
