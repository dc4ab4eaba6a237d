"""The language of a question, by its most common words."""

import pytest

from corpora.languages import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wie hoch ist die Geldbuße beim ersten Verstoß?", "german"),
        ("Quelle est l'amende pour une première violation de la loi ?", "french"),
        ("What is the penalty for a first violation?", "english"),
        ("penalty first violation", None),
        ("????", None),
    ],
)
def test_the_language_of_a_question_is_told_where_it_is_clear(text: str, language: str | None) -> None:
    assert language_of(text) == language
