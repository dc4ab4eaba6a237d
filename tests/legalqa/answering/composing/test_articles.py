"""A list that a heading opens is shown whole, whichever of its items the reader likes."""

import pytest

from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from legalqa.answering.composing import PassageFound, compose
from tests.legalqa.answering.composing.readers import sure_of

ITEMS = ("1. Identify the content.", "2. Provide your contact information.", "3. Include your signature.")


@pytest.mark.parametrize(("heading", "places"), [("Your Counter Notice Must...", [0, 1, 2]), ("Your Notice", [1])])
def test_the_items_below_a_heading_that_opens_their_list_are_shown_together(heading: str, places: list[int]) -> None:
    law = [Part(n, text, "list", text[:2], path=(heading,)) for n, text in enumerate(ITEMS)]
    found = [PassageFound("v1", "d1", n, n, one.text, provision_at(law, n)) for n, one in enumerate(law)]
    asked = "What does my objection have to contain?"
    composed = compose(asked, (asked,), found, reader=sure_of("Provide"), likeness=lambda _, texts: [0.6] * len(texts))

    assert [one.passage for one in composed.provisions] == places
