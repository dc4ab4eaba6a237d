"""A question for one item of a list is met by that item, and one for the list by the list."""

from collections.abc import Sequence

import pytest

from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from legalqa.answering.composing import PassageFound, compose
from legalqa.answering.composing.narrowing import list_asked, narrowed_to
from legalqa.encoder.client import Read

# Annex III of the EU AI Act, shortened.
ANNEX = [
    Part(0, "High-risk AI systems pursuant to Article 6(2) are the AI systems listed in any of these areas:", "text"),
    Part(1, "3. Education and vocational training:", "list", "3."),
    Part(2, "(a) AI systems intended to be used to determine access to institutions;", "list", "(a)"),
    Part(3, "(b) AI systems intended to be used to detect prohibited behaviour during tests.", "list", "(b)"),
    Part(4, "4. Employment, workers management and access to self-employment:", "list", "4."),
    Part(5, "(a) AI systems intended to be used for the recruitment or selection of natural persons;", "list", "(a)"),
    Part(6, "(b) AI systems intended to be used to decide on promotion and termination.", "list", "(b)"),
    Part(7, "5. Access to essential private and public services and benefits.", "list", "5."),
]
PASSAGES = [
    PassageFound("v1", "d1", part.ordinal, part.ordinal, part.text, provision_at(ANNEX, n))
    for n, part in enumerate(ANNEX)
]


def shown(question: str, *, read: int) -> list[int]:
    """The paragraphs that are shown where the reader is sure of one of them, and of its neighbours nearly so."""

    def reader(pairs: Sequence[tuple[str, str]]) -> list[Read]:
        found = (0.95 if ANNEX[read].text in text else 0.8 for _, text in pairs)
        return [Read(answers, None, 0.0, (0.0, 0.0, 1.0)) for answers in found]

    composed = compose(question, (question,), PASSAGES, reader=reader, likeness=lambda _, texts: [0.6] * len(texts))
    pieces = PASSAGES[composed.provisions[0].passage].provision.pieces
    return [pieces[piece.place].ordinal for piece in composed.provisions[0].pieces]


@pytest.mark.parametrize(
    ("question", "read", "paragraphs"),
    [
        ("Which AI systems used in recruitment are high-risk?", 5, [0, 4, 5]),
        ("Which AI systems are high-risk in education?", 2, [0, 1, 2, 3]),
        ("Which AI systems are high-risk in education?", 6, [0, 1, 2, 3]),
        ("Which AI systems are high-risk?", 5, [0, 1, 2, 3, 4, 5, 6, 7]),
        ("Which high-risk areas other than education are listed?", 2, [0, 1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_the_item_that_the_question_asks_for_is_shown_with_what_is_above_and_below_it(
    question: str, read: int, paragraphs: list[int]
) -> None:
    assert shown(question, read=read) == paragraphs


@pytest.mark.parametrize(
    "question",
    [
        "Which AI systems for persons in institutions are used during tests?",  # no item has all of these words
        "Which AI systems are listed in the areas of Article 6(2)?",  # the list has them as a whole
        "Which obligations do employers have?",
    ],
)
def test_a_question_that_no_item_alone_is_about_is_for_the_list(question: str) -> None:
    assert narrowed_to(question, PASSAGES[5]) is None


def test_a_passage_in_no_list_has_no_item() -> None:
    text = "In recruitment, systems are audited."
    alone = PassageFound("v1", "d1", 0, 0, text, provision_at([Part(0, text, "text")], 0))

    assert narrowed_to("Which systems in recruitment are audited?", alone) is None


def test_without_asking_names_no_item_that_is_left_out() -> None:
    assert list_asked("Which systems may be used for education without asking?", PASSAGES[3]) is None


def test_of_a_list_of_two_no_item_is_left_out() -> None:
    law = [
        Part(0, "An employer must make the following publicly available:", "text"),
        Part(1, "(1) the date of the most recent bias audit; and", "list", "(1)"),
        Part(2, "(2) the distribution date of the tool.", "list", "(2)"),
    ]
    passage = PassageFound("v1", "d1", 0, 0, law[0].text, provision_at(law, 0))

    assert narrowed_to("What must be made available about the audit?", passage) is None
