"""The highest or lowest amount comes first where it is asked for, and only among passages on the same matter."""

from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from legalqa.answering.composing.extremes import extreme_first
from legalqa.answering.composing.kinds import Kind
from legalqa.answering.composing.types import PassageFound, PassageRead

TEXTS = [
    "Infringements of duties of operators are subject to fines of up to EUR 15 000 000.",
    "Infringements of the prohibitions are subject to fines of up to EUR 35 000 000.",
    "The supply of incorrect information is subject to fines of up to EUR 7 500 000.",
    "The annual fee of the register is EUR 90 000 000.",
]
LAW = [Part(n, text, "text") for n, text in enumerate(TEXTS)]
PASSAGES = [PassageFound("v1", "d1", n, n, text, provision_at(LAW, n)) for n, text in enumerate(TEXTS)]


def first(question: str, *order: int, kind: Kind = Kind.AMOUNT, chances: tuple[float, ...] = (0.9,) * 4) -> str:
    ranked = [PassageRead(place, chances[place], 2.0 - 0.5 * n, None, 0.5) for n, place in enumerate(order)]
    return TEXTS[extreme_first(question, kind, PASSAGES, ranked)[0].place]


def test_the_highest_and_the_lowest_fine_are_told_from_the_others() -> None:
    assert first("What is the highest fine?", 0, 1, 2) == TEXTS[1]
    assert first("What is the lowest fine?", 0, 1, 2) == TEXTS[2]
    assert first("What is the fine?", 0, 1, 2) == TEXTS[0]
    assert first("What is the maximum number of members?", 0, 1, 2, kind=Kind.OPEN) == TEXTS[0]


def test_an_amount_of_something_else_does_not_compete() -> None:
    assert first("What is the highest fine?", 0, 3) == TEXTS[0]
    assert first("What is the highest fine for the supply of incorrect information?", 2, 1, 0) == TEXTS[2]


def test_neither_does_a_passage_that_hardly_answers() -> None:
    assert first("What is the highest fine?", 0, 1, chances=(0.9, 0.1, 0.9, 0.9)) == TEXTS[0]


def test_of_several_amounts_in_one_passage_the_one_that_is_asked_for_is_marked() -> None:
    text = (
        "A civil penalty of not more than $500 for a first violation, and not more than $1,500 for each subsequent one."
    )
    law = [Part(0, text, "text")]
    passages = [PassageFound("v1", "d1", 0, 0, text, provision_at(law, 0))]
    ranked = [PassageRead(0, 0.9, 2.0, (19, 41), 0.5)]

    def marked(question: str) -> str:
        start, end = extreme_first(question, Kind.AMOUNT, passages, ranked)[0].span or (0, 0)
        return text[start:end]

    assert marked("What is the highest civil penalty?") == "$1,500"
    assert marked("What is the lowest civil penalty?") == "$500"
    assert marked("What is the civil penalty?") == text[19:41]


def test_of_amounts_for_different_cases_the_one_for_the_case_that_is_asked_about_is_marked() -> None:
    # § 20-872(a) of the New York City Administrative Code.
    text = (
        "Any person that violates any provision of this subchapter is liable for a civil penalty of not more than $500 "
        "for a first violation and each additional violation occurring on the same day as the first violation, and not "
        "less than $500 nor more than $1,500 for each subsequent violation."
    )
    passages = [PassageFound("v1", "d1", 0, 0, text, provision_at([Part(0, text, "text")], 0))]
    ranked = [PassageRead(0, 0.9, 2.0, None, 0.5)]

    def marked(question: str) -> tuple[int, int]:
        return extreme_first(question, Kind.AMOUNT, passages, ranked)[0].span or (0, 0)

    first, second, third = (text.index(words) for words in ("$500 for", "$500 nor", "$1,500"))
    assert marked("What is the greatest civil penalty for a first violation?") == (first, first + 4)
    assert marked("What is the lowest penalty for a subsequent violation?") == (second, second + 4)
    assert marked("What is the highest penalty for a subsequent violation?") == (third, third + 6)
    assert marked("What is the highest civil penalty?") == (third, third + 6)


def test_an_amount_is_marked_with_its_currency() -> None:
    ranked = [PassageRead(1, 0.9, 1.0, None, 0.5)]
    start, end = extreme_first("What is the highest fine?", Kind.AMOUNT, PASSAGES, ranked)[0].span or (0, 0)

    assert TEXTS[1][start:end] == "EUR 35 000 000"
