"""Vectors of passages are kept by corpus, and those of a question are not."""

from collections.abc import Iterator, Sequence
from uuid import uuid4

import numpy as np
import pytest
from cachetools import LRUCache

from legalqa.answering import memory
from legalqa.answering.memory import PassageEncoder
from legalqa.encoder import client as encoder
from legalqa.encoder.client import FloatMatrix

QUESTION = "When is the rent due?"
SENTENCES = ["The rent is due on the first day of each month.", "The landlord repairs the roof."]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The texts that really were encoded, by the encoder of passages."""
    memory._vectors.clear()
    texts: list[str] = []
    real = encoder.encoder(encoder.PASSAGES)

    class Watched:
        def encode(self, wanted: Sequence[str], *, is_urgent: bool = False) -> FloatMatrix:
            texts.extend(wanted)
            return real.encode(wanted, is_urgent=is_urgent)

    monkeypatch.setattr(encoder, "encoder", lambda _: Watched())
    yield texts
    memory._vectors.clear()


def test_a_sentence_is_encoded_once_and_a_question_each_time(read: list[str]) -> None:
    passages = PassageEncoder(corpus_id=uuid4(), question=(QUESTION,))
    first = passages.encode([QUESTION, *SENTENCES])
    read.clear()

    again = passages.encode([QUESTION, *reversed(SENTENCES)])

    assert read == [QUESTION]
    np.testing.assert_array_equal(again[[2, 1]], first[1:])
    assert float(again[0] @ first[0]) > 0.999  # encoded again, in another company


def test_another_corpus_reads_the_same_sentence_for_itself(read: list[str]) -> None:
    PassageEncoder(corpus_id=uuid4(), question=()).encode(SENTENCES)
    read.clear()

    PassageEncoder(corpus_id=uuid4(), question=()).encode(SENTENCES)

    assert read == SENTENCES


def test_what_was_read_longest_ago_makes_room(read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    passages = PassageEncoder(corpus_id=uuid4(), question=())
    one = passages.encode(SENTENCES[:1]).nbytes
    monkeypatch.setattr(memory, "_vectors", LRUCache(one, getsizeof=lambda vectors: int(vectors.nbytes)))
    passages.encode(SENTENCES[:1])
    passages.encode(SENTENCES[1:])
    read.clear()

    passages.encode(SENTENCES)

    assert read == SENTENCES[:1]


def test_no_question_is_kept(read: list[str]) -> None:
    PassageEncoder(corpus_id=uuid4(), question=(QUESTION,)).encode([QUESTION, SENTENCES[0]])

    assert len(memory._vectors) == 1
