"""What is shown beside the provision that answers: the same rule for others, where the question is for both."""

import pytest

from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from legalqa.answering.composing import PassageFound, compose
from legalqa.encoder.client import Read

SYSTEMS = (
    "Prior to making their high-risk AI systems available on the Union market, providers established in third "
    "countries shall, by written mandate, appoint an authorised representative which is established in the Union."
)
MODELS = (
    "Prior to placing a general-purpose AI model on the Union market, providers established in third countries shall, "
    "by written mandate, appoint an authorised representative which is established in the Union."
)
TASKS = "The authorised representative shall perform the tasks specified in the mandate received from the provider."
LAW = [
    Part(n, text, "text", path=(f"Article {number}",))
    for n, (number, text) in enumerate(((22, SYSTEMS), (54, MODELS), (23, TASKS)))
]
FOUND = [PassageFound("v1", "d1", n, n + 1, part.text, provision_at(LAW, n)) for n, part in enumerate(LAW)]


def shown(asked: str, parts: tuple[str, ...] = ()) -> list[int]:
    chances = {SYSTEMS: 0.9, MODELS: 0.7, TASKS: 0.7}
    composed = compose(
        asked,
        (asked, *parts),
        FOUND,
        reader=lambda pairs: [
            Read(next((p for text, p in chances.items() if read.endswith(text)), 0.1), None, 0.0, (0.0, 0.0, 1.0))
            for _, read in pairs
        ],
        likeness=lambda _, texts: [0.6] * len(texts),
    )
    return [one.passage for one in composed.provisions]


@pytest.mark.parametrize(
    ("asked", "places"),
    [
        ("Must providers from outside the Union appoint a representative?", [0, 1]),
        ("Must providers of high-risk systems from outside the Union appoint a representative?", [0]),
    ],
)
def test_a_rule_for_others_is_shown_beside_the_same_rule_unless_the_question_says_for_whom(
    asked: str, places: list[int]
) -> None:
    assert shown(asked) == places


def test_one_part_of_a_question_is_answered_by_both_rules_too() -> None:
    first, second = "Must providers from outside the Union appoint a representative", "is a permit needed to fly?"

    assert shown(f"{first}, and {second}", (f"{first}?", second)) == [0, 1]


def test_the_same_list_of_another_document_is_not_shown_again_for_a_sentence_that_one_of_them_lacks() -> None:
    # § 20-871(b) of New York City's code and of the bill that added it, shortened.
    stem, told = "An employer shall notify each candidate who resides in the city of:", "1. That a tool will be used."
    more, data = "Such notice shall be made ten business days before.", "2. The qualifications that it weighs."
    bill = [Part(0, stem, "text"), Part(1, told, "list", "1."), Part(2, data, "list", "2.")]
    code = [Part(0, stem, "text"), Part(1, f"{told} {more}", "list", "1."), Part(2, data, "list", "2.")]
    documents = [("bill", bill, 0), ("code", code, 1)]
    found = [PassageFound(d, d, n, n + 1, law[n].text, provision_at(law, n)) for d, law, n in documents]
    asked = "Must candidates be told?"
    read = Read(0.9, None, 0.0, (0.0, 0.0, 1.0))
    composed = compose(
        asked, (asked,), found, reader=lambda pairs: [read for _ in pairs], likeness=lambda _, texts: [0.6] * len(texts)
    )

    assert [found[one.passage].version for one in composed.provisions] == ["bill"]
