"""Why nothing is said: a passage that may answer is not called silence of the documents."""

import pytest

from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from legalqa.answering.composing.silence import silence_of
from legalqa.answering.composing.types import PassageFound
from legalqa.answering.types import SILENT, UNSURE, Composition, silence_title

TEXT = "An employer must make the summary of results publicly available on its website."
QUESTION = "What has to be published on the website?"


def silence(chance: float) -> tuple[str, str, str]:
    part = Part(0, TEXT, "text", path=("§ 5-303 Published Results",))
    found = PassageFound("v1", "d1", 0, 0, TEXT, provision_at([part], 0))
    return silence_of(QUESTION, [found], subject=["website"], unknown=[], chance=chance, threshold=0.4)


def test_a_passage_that_may_well_answer_is_named_with_its_chance() -> None:
    code, words, suggestion = silence(0.33)

    assert code == "unsure"
    assert "§ 5-303 Published Results" in words
    assert "a 33 % chance" in words
    assert words.endswith("from 40 %.")  # true on the page, in a memo, over the API and on the command line
    assert suggestion == ""


def test_one_that_hardly_does_is_only_on_the_subject() -> None:
    code, words, _ = silence(0.1)

    assert code == "not_said"
    assert words.startswith("No passage seems to say")
    assert "only a 10 % chance" in words


@pytest.mark.parametrize(("code", "title"), [("unsure", UNSURE), ("not_said", SILENT), ("", SILENT)])
def test_the_page_says_that_the_documents_are_silent_only_where_nothing_is_near(code: str, title: str) -> None:
    assert silence_title(Composition(silence=code)) == title
