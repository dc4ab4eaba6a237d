"""Many pairs at once: what is encoded, and how often."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from legalqa.answering.conflicts.finding import compared, evidence_conflicts
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


LONG = "Records of customers must be kept for seven years after the contract has ended."
SHORT = "Records of customers must be kept for six years after the contract has ended."


def test_two_documents_that_both_state_both_sides_do_not_contradict_each_other() -> None:
    """A rule and the notice that adopted it, each with the same two examples."""
    rule = [Provision("r1", LONG, "rule"), Provision("r2", f"Example.\n{SHORT}", "rule")]
    notice = [Provision("n1", LONG.replace(" must ", "\nmust "), "notice"), Provision("n2", SHORT, "notice")]

    assert len(evidence_conflicts([rule[0], notice[1]])) == 1
    assert evidence_conflicts([*rule, *notice]) == ()


def test_a_document_with_both_sides_says_that_they_are_for_different_cases() -> None:
    both = [Provision("r1", LONG, "rule"), Provision("r2", SHORT, "rule")]
    assert evidence_conflicts([*both, Provision("n2", SHORT, "notice")]) == ()
