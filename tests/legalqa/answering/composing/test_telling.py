"""A later part of a question is told by a sentence beside the answer to the first, or by none."""

from collections.abc import Sequence

import pytest

from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from legalqa.answering.composing import PassageFound, compose
from legalqa.answering.composing.telling import told_beside
from legalqa.answering.composing.types import ChosenPiece, ChosenProvision, ReadPairs
from legalqa.encoder.client import Read

FEE = "The member shall pay a yearly fee of $50, with the first payment due in May."
LEAVE = "A parent may take 12 weeks of paid leave."
STORED = "Data is stored for $25 a month."
REMOVED = "The data is removed where the customer is silent."
HOW_MUCH, WHEN = "How much is the yearly fee?", "when is the first instalment due?"


def reads(chances: dict[tuple[str, str], float]) -> ReadPairs:
    """A reader with this chance for a question that begins, and a text that has, these words."""

    def read(pairs: Sequence[tuple[str, str]]) -> list[Read]:
        found = (
            next((p for (asked, has), p in chances.items() if question.startswith(asked) and has in text), 0.02)
            for question, text in pairs
        )
        return [Read(answers, None, 0.0, (0.0, 0.0, 1.0)) for answers in found]

    return read


def told(
    text: str, part: str, first: str, *, chances: dict[tuple[str, str], float], shown: int = 9, mark: str = ""
) -> str:
    """The sentence of a rule that tells a later part; "" where none does. So many of its sentences are shown."""
    provision = provision_at([Part(0, text, "text")], 0)
    start = text.find(mark) if mark else 0
    pieces = tuple(
        ChosenPiece(n, "answer" if n == 0 else "rule", (start, start + len(mark)) if n == 0 else (0, 0))
        for n, _ in enumerate(provision.pieces[:shown])
    )
    found = [PassageFound("v1", "d1", 0, 0, text, provision)]
    one = told_beside(part, first, [ChosenProvision(0, pieces, 0)], found, reader=reads(chances))
    return provision.pieces[one.place].text if one else ""


def test_a_sentence_with_the_time_that_is_asked_for_tells_it_where_both_parts_together_are_likely() -> None:
    assert told(FEE, WHEN, HOW_MUCH, chances={(WHEN + " How", "fee"): 0.9, ("How", "fee"): 0.9}) == FEE
    assert told(FEE, WHEN, HOW_MUCH, chances={("How", "fee"): 0.9}) == ""


def test_the_time_that_the_first_part_asks_for_is_not_that_of_another() -> None:
    first, part = "How many weeks off do parents get", "how long do they have to come back for?"
    chances = {(part, "12 weeks"): 0.7, ("How many", "12 weeks"): 0.7}

    assert told(LEAVE, part, first, chances=chances, mark="12 weeks of paid leave") == ""
    longer = LEAVE.replace(".", ", and returns for 6 weeks.")
    assert told(longer, part, first, chances=chances, mark="12 weeks of paid leave") == longer


def test_a_month_is_no_may() -> None:
    part, first = "when do I have to repay it?", "How much may I be given?"
    chances = {(part, "advance"): 0.6, ("How", "advance"): 0.9}

    assert told("A traveller may ask for an advance of €600.", part, first, chances=chances) == ""


def test_how_often_is_answered_by_what_recurs() -> None:
    first, part = "Who inspects the lift?", "at what intervals?"
    chances = {(part, "office"): 0.9, ("Who", "office"): 0.6}

    assert told("The office inspects it within 10 days of notice.", part, first, chances=chances) == ""
    assert told("The office inspects it every 10 days.", part, first, chances=chances) != ""


@pytest.mark.parametrize(
    ("chances", "is_told"),
    [
        ({("what happens", "silent"): 0.7}, True),
        ({("what happens if", "silent"): 0.3, ("what happens", "silent"): 0.3}, False),
    ],
)
def test_another_sentence_tells_what_the_reader_finds_in_it(
    chances: dict[tuple[str, str], float], *, is_told: bool
) -> None:
    first, part = "What does it cost to store 80 GB?", "what happens if we never reply?"

    assert told(f"{STORED} {REMOVED}", part, first, chances=chances) == (REMOVED if is_told else "")


def test_a_sentence_that_is_not_shown_tells_only_what_it_is_likely_to_by_itself_and_with_the_first() -> None:
    first, part = "Who decides who may enter?", "who swaps the lock?"
    rule = "The officer decides who may enter. The porter changes the lock."

    alone = {(f"{part} ", "lock"): 0.2, (part, "lock"): 0.9}
    both = {(part, "lock"): 0.9}
    assert told(rule, part, first, chances=alone, shown=1) == ""
    assert told(rule, part, first, chances=both, shown=1) == "The porter changes the lock."


def test_who_is_answered_by_a_sentence_that_names_somebody() -> None:
    first, part = "What is a grave incident?", "who gets told?"
    chances = {(part + " ", "grave"): 0.8, ("What", "grave"): 0.9}

    assert told("A grave incident is passed on to the head of IT.", part, first, chances=chances) != ""
    assert told("A grave incident is a loss of data.", part, first, chances=chances) == ""


def test_what_is_said_of_one_thing_is_not_said_of_the_other_that_is_asked_for() -> None:
    first, part = "What happens with comp time when I leave?", "What happens with travel comp time when I leave?"
    chances = {("What happens", "comp time"): 0.9}

    assert told("Comp time is paid out when you leave.", part, first, chances=chances) == ""
    assert told("Travel comp time is lost when you leave.", part, first, chances=chances) != ""


LOCKS = [
    Part(0, "The officer decides who may enter. Visitors sign a list.", "text", path=("Access",)),
    Part(1, "The porter changes the lock.", "text", path=("Access",)),
]


def composed_of(first: str, second: str, *, chances: dict[tuple[str, str], float]) -> tuple[list[str], list[bool]]:
    """The sentences that are shown, and of each part whether it is told by them."""
    found = [PassageFound("v1", "d1", n, n, one.text, provision_at(LOCKS, n)) for n, one in enumerate(LOCKS)]
    asked = f"{first}, and {second}"
    composed = compose(
        asked, (asked, first, second), found, reader=reads(chances), likeness=lambda _, texts: [0.6] * len(texts)
    )
    shown = [
        found[one.passage].provision.pieces[piece.place].text for one in composed.provisions for piece in one.pieces
    ]
    return shown, [bool(part.provisions) and not part.is_above for part in composed.parts]


def test_the_sentence_that_tells_a_later_part_is_shown_with_the_first() -> None:
    first, second = "Who decides who may enter?", "who signs a list on entering?"

    shown, told_parts = composed_of(
        first, second, chances={("Who decides", "decides"): 0.97, (second, "Visitors"): 0.9}
    )

    assert "Visitors sign a list." in shown
    assert told_parts == [True, True]


def test_a_time_is_not_told_above_by_what_the_reader_does_not_find_it_in() -> None:
    first, second = "Who decides who may enter?", "how long does that last?"
    chances = {("Who decides", "decides"): 0.97, (f"{second} ", "decides"): 0.4}

    assert composed_of(first, second, chances=chances)[1] == [True, False]
