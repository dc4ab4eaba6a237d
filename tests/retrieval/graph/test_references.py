"""References to sections, by the words of a paragraph."""

import pytest

from retrieval.graph.rules.references import references_in

CITY = "title 20 of the administrative code of the city of New York"
LONG = "title 20 of the consolidated administrative regulations governing"


@pytest.mark.parametrize(
    ("text", "law"),
    [
        (f"Section 20-871 of {CITY} is amended to read as follows", CITY),
        (f"Section 5 of {LONG} undertakings elsewhere", LONG),
        ("Article 16 of the Treaty on European Union shall apply", "the Treaty on European Union"),
    ],
)
def test_the_name_of_another_law_ends_with_a_whole_word_and_before_what_is_said_of_it(text: str, law: str) -> None:
    (reference,) = references_in(text, section="")

    assert reference.law == law
    assert reference.words.endswith(law)
