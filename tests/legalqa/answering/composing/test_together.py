"""The parts of a question are answered together: what one part shows may answer another."""

from collections.abc import Sequence

import pytest

from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from legalqa.answering.composing import PassageFound, compose
from legalqa.encoder.client import Read
from tests.legalqa.answering.composing.readers import sure_of


@pytest.mark.parametrize(
    ("rule", "has"), [("The fee is due in May, unless the city waives it.", True), ("The fee is due in May.", False)]
)
def test_whether_there_are_exceptions_is_answered_by_the_rule_that_is_shown(rule: str, has: bool) -> None:
    first, second = "When is the fee due", "are there any exceptions?"
    found = [PassageFound("v1", "d1", 0, 0, rule, provision_at([Part(0, rule, "text")], 0))]
    reader = sure_of(rule, asked=f"{first}?")
    composed = compose(
        f"{first}, and {second}",
        (f"{first}, and {second}", f"{first}?", second),
        found,
        reader=reader,
        likeness=lambda _, texts: [0.6] * len(texts),
    )

    assert [part.provisions for part in composed.parts] == [(0,), (0,)]
    assert composed.parts[1].is_above != has  # else nothing further was found


@pytest.mark.parametrize(
    ("rule", "part", "is_told"),
    [
        ("Providers shall keep the logs for at least six months.", "by whom?", True),
        ("The logs shall be kept for at least six months.", "by whom?", False),
    ],
)
def test_by_whom_is_answered_by_the_rule_that_is_shown_if_it_obliges_somebody(
    rule: str, part: str, is_told: bool
) -> None:
    first = "For how long do logs have to be kept"
    found = [PassageFound("v1", "d1", 0, 0, rule, provision_at([Part(0, rule, "text")], 0))]
    composed = compose(
        f"{first}, and {part}",
        (f"{first}, and {part}", f"{first}?", part),
        found,
        reader=sure_of(rule, asked=f"{first}?"),
        likeness=lambda _, texts: [0.6] * len(texts),
    )

    assert [one.provisions for one in composed.parts] == [(0,), (0,)]
    assert composed.parts[1].is_above != is_told


IMPACT, BODIES = ("Article 27 Impact assessment",), ("Annex VII Notified bodies",)
ASSESSED = [
    Part(0, "Deployers shall perform an assessment of the impact.", "text", path=IMPACT),
    Part(1, "The decision of the body shall be notified to the provider.", "text", path=BODIES),
    Part(2, "The deployer shall notify the authority of the results.", "text", path=IMPACT),
]
FOUND = [PassageFound("v1", "d1", n, n, one.text, provision_at(ASSESSED, n)) for n, one in enumerate(ASSESSED)]


def shown(first: str, second: str, *, likely: dict[str, float]) -> list[list[int]]:
    """The paragraphs that are shown for each of two parts, where the reader finds these texts likely."""

    def chance(question: str, text: str) -> float:
        for words, probability in likely.items():
            in_question, in_text = words.split(" | ")
            if in_question in question and in_text in text:
                return probability
        return 0.02

    def reader(pairs: Sequence[tuple[str, str]]) -> list[Read]:
        return [Read(chance(*pair), None, 0.0, (0.0, 0.0, 1.0)) for pair in pairs]

    asked = f"{first}, and {second}"
    composed = compose(
        asked, (asked, first, second), FOUND, reader=reader, likeness=lambda _, texts: [0.6] * len(texts)
    )
    return [[composed.provisions[n].passage for n in part.provisions] for part in composed.parts]


def test_a_later_part_is_answered_out_of_the_article_that_answers_the_first_where_it_may_be() -> None:
    likely = {"perform | impact": 0.95, "told | decision": 0.85, "told | results": 0.7}
    asked = "Who must perform an assessment of the impact", "who must be told of the results?"

    assert shown(*asked, likely=likely) == [[0], [2]]
    assert shown(*asked, likely=likely | {"told | results": 0.1}) == [[0], [1]]


def test_a_short_part_is_answered_by_what_is_shown_if_that_is_about_as_likely() -> None:
    asked = "When must an assessment be performed", "by whom?"
    likely = {"When | impact": 0.95, "whom | impact": 0.7, "whom | results": 0.8}

    assert shown(*asked, likely=likely) == [[0], [0]]
    assert shown(*asked, likely=likely | {"whom | impact": 0.2}) == [[0], [2]]


@pytest.mark.parametrize(
    ("beside", "is_shown"),
    [
        ("Machines that cannot be serviced in time need a written waiver.", True),
        ("Machines that cannot be sold are scrapped.", False),
        ("Machines are serviced by the workshop.", False),
    ],
)
def test_a_way_round_a_rule_is_answered_by_the_sentence_beside_it_that_lets_somebody_off(
    beside: str, *, is_shown: bool
) -> None:
    rules = [
        Part(0, "A machine must be serviced within a year.", "text", path=("Service",)),
        Part(1, beside, "text", path=("Waivers",)),
    ]
    found = [PassageFound("v1", "d1", n, n, one.text, provision_at(rules, n)) for n, one in enumerate(rules)]
    first, second = "How soon must a machine be serviced?", "is there any way round it?"
    composed = compose(
        f"{first} {second}",
        (f"{first} {second}", first, second),
        found,
        reader=sure_of("within a year", asked=first),
        likeness=lambda _, texts: [0.6] * len(texts),
    )

    assert [one.passage for one in composed.provisions] == ([0, 1] if is_shown else [0])
    assert composed.parts[1].is_above != is_shown
