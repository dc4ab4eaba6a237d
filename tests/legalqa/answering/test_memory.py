"""Vectors of passages are kept by corpus, readings by person too; the words of a question are not."""

from collections.abc import Callable, Iterator, Sequence
from uuid import uuid4

import numpy as np
import pytest
from cachetools import LRUCache

from legalqa.answering import memory
from legalqa.answering.memory import PassageEncoder, readings_kept
from legalqa.encoder import client as encoder
from legalqa.encoder.client import FloatMatrix, Read

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

    # The real one, noting its texts: no vector says whether it was made or remembered.
    monkeypatch.setattr(encoder, "encoder", lambda _: Watched())
    yield texts
    memory._vectors.clear()


def test_a_sentence_is_encoded_once_and_a_question_each_time(read: list[str]) -> None:
    passages = PassageEncoder(corpus_id=uuid4())
    first = passages.encode([QUESTION], SENTENCES)
    read.clear()

    again = passages.encode([QUESTION], SENTENCES[::-1])

    assert read == [QUESTION]
    np.testing.assert_array_equal(again[[2, 1]], first[1:])
    assert float(again[0] @ first[0]) > 0.999  # encoded again, in another company


def test_another_corpus_reads_the_same_sentence_for_itself(read: list[str]) -> None:
    PassageEncoder(corpus_id=uuid4()).encode([], SENTENCES)
    read.clear()

    PassageEncoder(corpus_id=uuid4()).encode([], SENTENCES)

    assert read == SENTENCES


def test_what_was_read_longest_ago_makes_room(read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    passages = PassageEncoder(corpus_id=uuid4())
    one = passages.encode([], SENTENCES[:1]).nbytes
    # Room for one sentence: to fill the real one takes very many.
    monkeypatch.setattr(memory, "_vectors", LRUCache(one, getsizeof=lambda vectors: int(vectors.nbytes)))
    passages.encode([], SENTENCES[:1])
    passages.encode([], SENTENCES[1:])
    read.clear()

    passages.encode([], SENTENCES)

    assert read == SENTENCES[:1]


def test_no_question_is_kept(read: list[str]) -> None:
    PassageEncoder(corpus_id=uuid4()).encode([QUESTION], SENTENCES[:1])

    assert len(memory._vectors) == 1


@pytest.fixture
def pairs_read() -> Iterator[list[tuple[str, str]]]:
    memory._readings.clear()
    yield []
    memory._readings.clear()


def reader(pairs_read: list[tuple[str, str]]) -> Callable[[Sequence[tuple[str, str]]], list[Read]]:
    def read(pairs: Sequence[tuple[str, str]]) -> list[Read]:
        pairs_read.extend(pairs)
        return encoder.reading(pairs)

    return read


def test_a_person_who_asks_again_has_no_passage_read_again(pairs_read: list[tuple[str, str]]) -> None:
    read = readings_kept(reader(pairs_read), corpus_id=uuid4(), user_id=uuid4())
    pairs = [(QUESTION, sentence) for sentence in SENTENCES]
    first = read(pairs)

    assert read([*reversed(pairs), ("Who repairs the roof?", SENTENCES[1])])[:2] == first[::-1]
    assert pairs_read == [*pairs, ("Who repairs the roof?", SENTENCES[1])]


@pytest.mark.parametrize("other", ["user_id", "corpus_id", "reader"])
def test_another_person_corpus_or_reader_has_it_read_for_itself(other: str, pairs_read: list[tuple[str, str]]) -> None:
    of, pairs = {"corpus_id": uuid4(), "user_id": uuid4(), "reader": "reader+0"}, [(QUESTION, SENTENCES[0])]
    readings_kept(reader(pairs_read), **of)(pairs)  # type: ignore[arg-type]  # a dictionary's values have one type

    changed = "reader+1" if other == "reader" else uuid4()
    readings_kept(reader(pairs_read), **of | {other: changed})(pairs)  # type: ignore[arg-type]  # as above

    assert pairs_read == pairs * 2


def test_no_words_of_a_question_are_kept(pairs_read: list[tuple[str, str]]) -> None:
    readings_kept(reader(pairs_read), corpus_id=uuid4(), user_id=None)([(QUESTION, SENTENCES[0])])

    assert "rent" not in repr(dict(memory._readings))
