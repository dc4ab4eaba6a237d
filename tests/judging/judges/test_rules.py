"""Judges that ask no model."""

import pytest
from pytest_django import Settings

from judging.judges.kinds.citations import CitationsJudge
from judging.judges.kinds.length import LengthJudge
from judging.judges.kinds.reader import ReaderJudge
from judging.judges.kinds.words import WordsJudge
from judging.judges.types import JudgedAnswer, Judgment, Status
from tests.judging.judges.items import PASSAGE, REFERENCE, item


def numbers(found: list[Judgment]) -> dict[str, float | None]:
    return {each.measure: each.value for each in found}


def test_words_shared_with_the_reference_count_once_each_and_in_order() -> None:
    """Three words against four, "cat sat down" and "cat down sat here": three shared, F1 6/7; two in order, 4/7.

    BLEU: 3/3, then (0+1)/(2+1) and (0+1)/(1+1), (0+1)/(0+1); brevity exp(1 - 4/3): (1/6)^(1/4) · 0.7165 = 0.4578.
    """
    found = WordsJudge("words").judge(item("Cat sat down.", reference_answer="Cat down sat here."))

    values = {"token F1": 6 / 7, "ROUGE-L": 4 / 7, "BLEU": 0.4578}
    assert numbers(list(found)) == pytest.approx(values, abs=1e-4)


def test_passages_are_compared_with_gold_passages() -> None:
    """Of three passages one is gold; of two gold passages one is reached."""
    gold = (PASSAGE, "A summary must be published.")
    answer = JudgedAnswer("Yes.", (PASSAGE.upper(), "The fee is ten dollars.", "Other."))

    found = CitationsJudge("citations").judge(item(answer, gold_passages=gold))

    assert numbers(list(found)) == pytest.approx({"citation precision": 1 / 3, "citation recall": 1 / 2})


def test_length_is_a_number_of_words() -> None:
    assert numbers(list(LengthJudge("length").judge(item("Four words are here.")))) == {"length": 4.0}


@pytest.mark.parametrize("judge", [WordsJudge("words"), CitationsJudge("citations"), LengthJudge("length")])
def test_a_silence_is_not_judged(judge: WordsJudge) -> None:
    found = judge.judge(item(JudgedAnswer("", is_silent=True)))

    assert {each.status for each in found} == {Status.NOT_APPLICABLE}


def test_what_an_answer_is_compared_with_must_be_there() -> None:
    bare = item("Yes.", reference_answer="")

    found = [*WordsJudge("words").judge(bare), *CitationsJudge("citations").judge(bare)]

    assert {each.status for each in found} == {Status.NOT_APPLICABLE}


def test_the_reader_says_which_sentences_the_passages_do_not_support() -> None:
    """One of two sentences is a quotation; the other names a sum that is nowhere."""
    answer = JudgedAnswer(f"{PASSAGE} The fine is 5,000 euros.", (PASSAGE,))

    found = {each.measure: each for each in ReaderJudge("reader").judge(item(answer, reference_answer=REFERENCE))}

    assert found["ungrounded"].value == 0.5
    assert found["ungrounded"].reason == "Not supported: The fine is 5,000 euros."
    assert found["answers the question"].value is not None


def test_without_the_reader_its_judge_fails_and_says_why(settings: Settings) -> None:
    settings.READER = "off"

    assert {each.status for each in ReaderJudge("reader").judge(item("Yes."))} == {Status.FAILED}
