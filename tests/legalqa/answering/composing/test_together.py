"""The parts of a question are answered together: what one part shows may answer another."""

import pytest

from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from legalqa.answering.composing import PassageFound, compose
from tests.legalqa.answering.composing.readers import sure_of


@pytest.mark.parametrize(
    ("rule", "has"), [("The fee is due in May, unless the city waives it.", True), ("The fee is due in May.", False)]
)
def test_whether_there_are_exceptions_is_told_by_the_rule_that_is_shown(rule: str, has: bool) -> None:
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
