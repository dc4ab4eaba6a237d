"""Why nothing is said: a passage that may answer is not called silence of the documents."""

from collections.abc import Sequence

import pytest

from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from legalqa.answering.composing.silence import is_vague, names_unmentioned, silence_of
from legalqa.answering.composing.types import PassageFound
from legalqa.answering.types import SILENT, UNSURE, Composition, silence_title

TEXT = "An employer must make the summary of results publicly available on its website."
QUESTION = "What has to be published on the website?"


def silence(chance: float, *, question: str = QUESTION, unknown: Sequence[str] = ()) -> tuple[str, str, str]:
    part = Part(0, TEXT, "text", path=("§ 5-303 Published Results",))
    found = PassageFound("v1", "d1", 0, 0, TEXT, provision_at([part], 0))
    return silence_of(question, [found], subject=["website"], unknown=unknown, chance=chance, threshold=0.4)


def test_a_passage_that_may_well_answer_is_named_with_its_chance() -> None:
    code, words, suggestion = silence(0.33)

    assert code == "unsure"
    assert "§ 5-303 Published Results" in words
    assert "a 33 % chance" in words
    assert words.endswith("from 40 %.")  # true on the page, in a memo, over the API and on the command line
    assert suggestion == ""


def test_a_chance_just_below_what_an_answer_needs_does_not_look_like_it() -> None:
    assert "a 39 % chance" in silence(0.397)[1]


def test_a_misspelt_word_is_put_right_by_the_documents_and_a_word_of_the_language_is_not() -> None:
    misspelt = silence(0.1, question="What must be on the webbsite?", unknown=["webbsite"])
    spelt = silence(0.1, question="What is due to an employee?", unknown=["employee"])

    assert misspelt[0] == "misspelling"
    assert misspelt[2] == "What must be on the website?"
    assert spelt[0] != "misspelling"


def test_one_that_hardly_does_is_only_on_the_subject() -> None:
    code, words, _ = silence(0.1)

    assert code == "not_said"
    assert words.startswith("No passage seems to say")
    assert "only a 10 % chance" in words


@pytest.mark.parametrize(("code", "title"), [("unsure", UNSURE), ("not_said", SILENT), ("", SILENT)])
def test_the_page_says_that_the_documents_are_silent_only_where_nothing_is_near(code: str, title: str) -> None:
    assert silence_title(Composition(silence=code)) == title


@pytest.mark.parametrize(
    ("question", "unknown", "names"),
    [
        ("Must a candidate in New Jersey be told?", ["Jersey"], ["New Jersey"]),
        ("Does the GDPR apply to Germany's police?", ["GDPR", "Germany's"], ["GDPR", "Germany"]),
        ("Texan firms must do what under NYC Local Law 144?", ["Texan", "NYC"], []),
        ("Must a candidate in New York be told of snacks?", ["snacks"], []),
    ],
)
def test_names_that_no_document_has_are_told_from_words_and_from_the_name_of_the_corpus(
    question: str, unknown: Sequence[str], names: Sequence[str]
) -> None:
    assert names_unmentioned(question, unknown, corpus="NYC Local Law 144") == names


def test_a_misspelt_word_is_put_right_by_titles_and_by_passages_far_down() -> None:
    question = "Which obligations has the marketng affilate on the webbsite?"
    part = Part(0, TEXT, "text")
    far = [PassageFound("v1", "d1", n, n, f"Number {n}.", provision_at([part], 0)) for n in range(20)]
    last = PassageFound("v1", "d1", 21, 21, TEXT, provision_at([part], 0))

    code, _, suggestion = silence_of(
        question,
        [*far, last],
        subject=["obligations"],
        unknown=["marketng", "affilate", "webbsite"],
        titles=["MARKETING AFFILIATE AGREEMENT"],
        chance=0.1,
        threshold=0.4,
    )

    assert code == "misspelling"
    assert suggestion == "Which obligations has the marketing affiliate on the website?"


@pytest.mark.parametrize("question", ["Is it?", "How long?", "Why not?", "Must we do it?"])
def test_a_question_of_auxiliaries_and_pronouns_names_no_subject(question: str) -> None:
    assert is_vague(question)


@pytest.mark.parametrize("question", ["Is it legal?", "Summarise it.", "Must we tell them?", "What changed in 2024?"])
def test_a_question_with_one_word_of_its_own_names_a_subject(question: str) -> None:
    assert not is_vague(question)
