"""Terms of passages are kept by corpus, and are those of the tokeniser."""

from collections.abc import Iterator
from uuid import uuid4

import numpy as np
import pytest
from cachetools import LRUCache

from corpora import term_memory
from corpora.term_memory import TermMemory
from corpora.tokens import term_ids, tokens

PASSAGE = "The tenant shall pay under § 5-301 each month."


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The texts that really were cut into terms."""
    texts: list[str] = []

    def watched(text: str, *, language: str = "english") -> list[str]:
        texts.append(text)
        return tokens(text, language=language)

    monkeypatch.setattr(term_memory, "tokens", watched)  # what is read again cannot be seen from outside
    yield texts


def test_a_passage_is_cut_into_terms_once(read: list[str]) -> None:
    memory = TermMemory(corpus_id=uuid4(), language="english")

    assert memory.terms(PASSAGE) == memory.terms(PASSAGE) == tuple(tokens(PASSAGE))
    assert read == [PASSAGE]


def test_its_ids_are_those_of_its_terms(read: list[str]) -> None:
    memory = TermMemory(corpus_id=uuid4(), language="german")

    np.testing.assert_array_equal(memory.ids(PASSAGE), term_ids(tokens(PASSAGE, language="german")))
    memory.ids(PASSAGE)

    assert read == [PASSAGE]


def test_another_corpus_reads_the_same_passage_for_itself(read: list[str]) -> None:
    for _ in range(2):
        TermMemory(corpus_id=uuid4(), language="english").terms(PASSAGE)

    assert read == [PASSAGE, PASSAGE]


def test_a_passage_larger_than_the_memory_is_read_and_not_kept(
    read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(term_memory, "_terms", LRUCache(1, getsizeof=len))  # or a passage of megabytes is needed
    memory = TermMemory(corpus_id=uuid4(), language="english")

    assert [memory.terms(PASSAGE) for _ in range(2)] == [tuple(tokens(PASSAGE))] * 2
    assert len(read) == 2
