"""Silly baselines of texts, computed by hand."""

import pytest

from judging.measures.texts import bleu, length, rouge_l
from judging.measures.values import Undefined


def test_length_counts_words() -> None:
    assert length("An audit, once a year.") == 5.0
    assert length("") == 0.0


def test_bleu_by_hand() -> None:
    """5 of 6 words; (3 + 1) of (5 + 1) pairs; (1 + 1) of (4 + 1) triples; (0 + 1) of (3 + 1) fours; no brevity."""
    by_hand = (5 / 6 * 4 / 6 * 2 / 5 * 1 / 4) ** 0.25

    assert bleu("The cat sat on the mat.", "the cat is on the mat") == pytest.approx(by_hand)


def test_bleu_clips_repeated_words_and_punishes_brevity() -> None:
    assert bleu("the the the", "the cat") == pytest.approx((1 / 3 * 1 / 3 * 1 / 2 * 1) ** 0.25)
    assert bleu("the cat", "the cat sat here") == pytest.approx(2.718281828459045 ** (1 - 4 / 2))
    assert bleu("a dog", "the cat") == 0.0
    assert bleu("The Cat", "the cat!") == pytest.approx(1.0)


def test_rouge_l_by_lin_s_own_example() -> None:
    reference = "police killed the gunman"

    assert rouge_l("police kill the gunman", reference) == 0.75
    assert rouge_l("the gunman kill police", reference) == 0.5


def test_without_a_text_there_is_no_score() -> None:
    assert bleu("", "the cat") == rouge_l("", "the cat") == Undefined("there is no answer")
    assert bleu("the cat", " ") == rouge_l("", "") == Undefined("there is no reference answer")
