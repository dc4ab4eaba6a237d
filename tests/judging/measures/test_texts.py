"""Silly baselines of texts, computed by hand."""

import random
import time

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


def test_rouge_l_is_that_of_the_table_of_common_subsequences() -> None:
    chance = random.Random(3)
    for _ in range(50):
        one, other = ([chance.choice("abcde") for _ in range(chance.randint(1, 40))] for _ in range(2))
        row = [0] * (len(other) + 1)
        for word in one:
            before = 0
            for at, match in enumerate(other, start=1):
                before, row[at] = row[at], before + 1 if word == match else max(row[at], row[at - 1])

        assert rouge_l(" ".join(one), " ".join(other)) == 2 * row[-1] / (len(one) + len(other))


def test_rouge_l_of_the_longest_texts_takes_seconds_at_most() -> None:
    start = time.process_time()
    rouge_l("a b " * 25_000, "b a c " * 16_000)

    assert time.process_time() - start < 5


def test_without_a_text_there_is_no_score() -> None:
    assert bleu("", "the cat") == rouge_l("", "the cat") == Undefined("there is no answer")
    assert bleu("the cat", " ") == rouge_l("", "") == Undefined("there is no reference answer")
