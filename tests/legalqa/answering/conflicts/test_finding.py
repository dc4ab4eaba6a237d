"""Many pairs at once: what is encoded, and how often."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from legalqa.answering.conflicts.finding import compared
from legalqa.answering.conflicts.resolving import Provision

KEPT = Provision("a", "Audit logs are kept for six years.", "a")
DELETED = Provision("b", "Audit records are stored for 90 days.", "b")
UNLIKE = Provision("c", "Lunch is served at noon.", "c")


def test_sentences_are_encoded_in_one_call_and_words_in_another() -> None:
    calls: list[list[str]] = []

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        calls.append(list(texts))
        return np.ones((len(texts), 1), np.float32)

    found = list(compared([(KEPT, DELETED), (DELETED, KEPT)], encode=encode))

    assert [one is not None for one in found] == [True, True]
    assert calls[0] == [KEPT.text, DELETED.text]
    assert {"logs", "records"} <= set(calls[1])
    assert len(calls) == 2


def test_words_of_sentences_that_are_far_apart_are_not_encoded() -> None:
    calls: list[list[str]] = []

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        calls.append(list(texts))
        return np.eye(len(texts), dtype=np.float32)

    assert list(compared([(KEPT, DELETED)], encode=encode)) == [None]
    assert len(calls) == 1


def test_pairs_that_have_nothing_to_differ_in_are_not_encoded() -> None:
    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        raise AssertionError(texts)

    assert list(compared([(KEPT, UNLIKE)], encode=encode)) == [None]
