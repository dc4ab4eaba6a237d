"""Choosing the sentences of an answer: which say the same, and in which order they stand."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from legalqa.answering.extraction import is_same, score_sentences, select_claims
from legalqa.answering.types import QuestionTerms, Sentence

PENALTY = "Such person is liable for a civil penalty of not more than $500 for a first violation of this section."
NOTICE = "(b) Such notice shall be made no less than ten business days before such use of the tool."


@pytest.mark.parametrize(
    "second",
    [
        "Such person is liable for a civil penalty of not more than $1,500 for a first violation of this section.",
        "Such person is liable for a civil penalty of more than $500 for a first violation of this section.",
    ],
)
def test_another_number_or_a_denial_is_another_statement(second: str) -> None:
    assert not is_same(PENALTY, second)


def test_a_number_in_words_and_another_label_are_the_same_statement() -> None:
    assert is_same(NOTICE, "2. Such notice shall be made no less than 10 business days before such use of the tool.")


def sentence(text: str, *, hit: int, ordinal: int, score: float, stands_out: bool = False) -> Sentence:
    terms = frozenset(text.lower().split())
    return Sentence(hit, 0, len(text), text, terms, score=score, hit=hit, ordinal=ordinal, stands_out=stands_out)


def chosen(*sentences: Sentence, most: int = 5) -> list[str]:
    ranked = sorted(sentences, key=lambda s: -s.score)
    return [claim.text for claim, _ in select_claims(ranked, question=QuestionTerms({}), max_claims=most)]


def test_statements_of_one_chunk_stand_in_the_order_of_the_document() -> None:
    third = sentence("(3) Keep the summary posted.", hit=0, ordinal=9, score=1.0)
    first = sentence("(1) Publish the audit first.", hit=0, ordinal=7, score=0.9)
    other = sentence("Another place says it too.", hit=1, ordinal=1, score=0.95)

    assert chosen(third, first, other) == [first.text, third.text, other.text]


def test_what_stands_out_for_a_part_of_the_question_comes_before_what_is_merely_good() -> None:
    best = sentence("The audit was done within a year.", hit=0, ordinal=1, score=1.0)
    good = sentence("The summary names the auditor also.", hit=1, ordinal=1, score=0.95)
    of_a_part = sentence("Each day is a separate violation.", hit=2, ordinal=1, score=0.6, stands_out=True)

    assert chosen(best, good, of_a_part, most=2) == [best.text, of_a_part.text]


def test_the_sentence_that_says_most_of_the_words_stands_out_however_far_its_meaning() -> None:
    near = replace(sentence("The audit was done within a year.", hit=0, ordinal=1, score=0.0), coverage=0.2)
    wordy = replace(sentence("Each day is a separate violation.", hit=0, ordinal=2, score=0.0), coverage=0.3)
    vectors = {"How many violations?": (1.0, 0.0), near.text: (0.9, 0.1), wordy.text: (0.1, 0.9)}

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([vectors[text] for text in texts], np.float32)

    found = score_sentences([near, wordy], parts=("How many violations?",), encode=encode)

    assert [(s.text, s.stands_out) for s in found] == [(near.text, False), (wordy.text, True)]
