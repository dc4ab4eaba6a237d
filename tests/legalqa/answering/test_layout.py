"""How an answer is laid out and read as text: whole provisions, lists, exceptions, parts."""

from typing import Any

import pytest

from legalqa.answering.models import Answer
from legalqa.answering.pages.layout import UNANSWERED, answer_text, flat, layout_of, segments
from legalqa.answering.pages.promises import promises, reader_word


def said(text: str, part: str = "answer", provision: int = 0, **more: Any) -> dict[str, Any]:
    return {"text": text, "part": part, "provision": provision, **more}


LIST = [
    said("The following AI practices shall be prohibited:", "stem", 1),
    said("(a) social scoring;", "item", 1),
    said("emotion recognition at work.", "item", 1),
    said("This shall not apply for medical reasons.", "exception", 1),
]
TWO = [{"text": "What is prohibited?", "provisions": [1]}, {"text": "Who pays?", "provisions": []}]


def test_a_list_reads_as_a_list_with_its_labels_and_its_exception() -> None:
    assert answer_text(LIST, {"kind": "list"}) == (
        "The following AI practices shall be prohibited:\n(a) social scoring;\n– emotion recognition at work.\n"
        "Exception: This shall not apply for medical reasons."
    )


def test_an_item_that_answers_stays_in_the_list_that_its_stem_opens() -> None:
    claims = [said("Fines are:", "stem", 1), said("(b) 7 %;", "answer", 1), said("(c) 3 %.", "item", 1)]

    (block,) = layout_of(claims, {"kind": "amount"})[0].blocks
    assert [(kind, [claim["text"] for claim in line]) for kind, line in block.lines] == [
        ("text", ["Fines are:"]),
        ("items", ["(b) 7 %;", "(c) 3 %."]),
    ]


def test_an_item_that_opens_a_list_has_a_line_of_its_own() -> None:
    claims = [said("High-risk are:", "stem", 1), said("4. Employment:", "stem", 1), said("(a) hiring.", "answer", 1)]

    assert answer_text(claims, {"kind": "list"}) == "High-risk are:\n4. Employment:\n(a) hiring."


def test_sentences_of_one_paragraph_keep_its_order_with_the_one_that_answers_in_its_place() -> None:
    def at(start: int) -> list[dict[str, Any]]:
        return [{"paragraph_id": "p7", "start": start}]

    claims = [
        said("It ends at once on a breach:", "answer", 1, citations=at(40)),
        said("(a) of secrecy.", "item", 1, citations=[{"paragraph_id": "p8", "start": 0}]),
        said("This Agreement runs for a year.", "rule", 1, citations=at(0)),
    ]

    (block,) = layout_of(claims, {})[0].blocks
    assert [(kind, [claim["text"] for claim in line]) for kind, line in block.lines] == [
        ("text", ["This Agreement runs for a year."]),
        ("lead", ["It ends at once on a breach:"]),
        ("items", ["(a) of secrecy."]),
    ]


def test_parts_that_were_told_before_are_left_out_of_the_text() -> None:
    claims = [said("Scoring is prohibited.", provision=1)]

    assert answer_text(claims, {"parts": TWO}, without=UNANSWERED) == "What is prohibited?\n\nScoring is prohibited."


def test_each_part_of_a_question_is_above_its_provisions_and_one_without_an_answer_says_so() -> None:
    assert answer_text([said("Scoring is prohibited.", provision=1)], {"parts": TWO}) == (
        "What is prohibited?\n\nScoring is prohibited.\n\nWho pays?\n\nNo answer to this was found in your documents."
    )


def test_a_document_that_is_compared_is_named_above_what_it_says_or_that_it_says_nothing() -> None:
    parts = [
        {"text": "Who pays?", "provisions": [0], "document": "Lease"},
        {"text": "Who pays?", "provisions": [], "document": "Licence"},
    ]
    words = answer_text([said("The tenant pays.")], {"parts": parts})

    assert words == (
        "Lease: Who pays?\n\nThe tenant pays.\n\n"
        "Licence: Who pays?\n\nNo passage here was found likely enough to answer this."
    )


def test_a_provision_that_answers_two_parts_is_shown_once() -> None:
    parts = [{"text": "Who?", "provisions": [1]}, {"text": "When?", "provisions": [1]}]

    assert answer_text([said("The tenant pays on Monday.", provision=1)], {"parts": parts}) == (
        "Who?\n\nThe tenant pays on Monday.\n\nWhen?\n\nNothing further was found for this part."
    )


def test_a_part_that_is_told_above_says_no_more_than_that() -> None:
    parts: list[dict[str, object]] = [{"text": "Who?", "provisions": [1]}]
    parts.append({"text": "When?", "provisions": [1], "is_told": True})

    assert answer_text([said("The tenant pays on Monday.", provision=1)], {"parts": parts}).endswith("\n\nSee above.")


def test_no_provision_is_lost_that_no_part_names() -> None:
    claims = [said("One.", provision=1), said("Two.", provision=2)]

    assert answer_text(claims, {"parts": TWO}).endswith("No answer to this was found in your documents.\n\nTwo.")


def test_an_answer_from_before_says_each_sentence_for_itself() -> None:
    assert answer_text([said("One."), said("Two.", marks=[1, 2])], {}) == "One.\n\nTwo. [1][2]"


def test_an_answer_of_which_more_exists_says_how_much_and_a_silence_says_nothing() -> None:
    assert answer_text([said("One.", provision=1)], {"n_more": 2}).endswith(
        "2 more provisions may answer this and are not quoted here."
    )
    assert answer_text([said("One.", provision=1)], {"n_more": 1}).endswith(
        "1 more provision may answer this and is not quoted here."
    )
    assert answer_text([], {"parts": TWO, "n_more": 3}) == ""


@pytest.mark.parametrize(
    ("n_more", "words"),
    [
        (2, "There is more: a model wrote 2 more statements than the 40 that one answer may have."),
        (1, "There is more: a model wrote 1 more statement than the 40 that one answer may have."),
        (0, "There may be more: this answer stops at 40 statements, the most that one answer may have."),
    ],
)
def test_a_written_answer_that_reached_its_limit_says_so(n_more: int, words: str) -> None:
    assert answer_text([said("One.")], {"n_more": n_more, "limit": 40}).endswith(words)


@pytest.mark.parametrize(("start", "end"), [(0, 0), (3, 3), (5, 2), (4, 99)])
def test_offsets_that_mark_no_words_mark_nothing(start: int, end: int) -> None:
    assert segments("ten days", start, end) == [("ten days", False)]


def test_the_words_that_answer_are_marked_in_their_place() -> None:
    assert segments("At least ten days before.", 9, 17) == [
        ("At least ", False),
        ("ten days", True),
        (" before.", False),
    ]


def test_a_quotation_and_a_judgment_are_two_statements() -> None:
    answer = Answer(state="answered", mode="extractive", confidence=0.84)

    fresh, stale = promises(answer, is_outdated=False), promises(answer, is_outdated=True)
    assert (fresh["fact"], fresh["judgment"]) == ("Quoted word for word", "Answers the question: likely, 84 %")
    assert stale["fact"] == "The document has changed since"
    assert "none of them yours" in fresh["help"]


def test_nothing_is_said_of_how_likely_a_written_text_answers_because_nothing_judged_it() -> None:
    answer = Answer(state="answered", mode="written", confidence=0.84)

    told = promises(answer, is_outdated=False)
    assert (told["fact"], told["judgment"]) == ("Written by a model, each statement checked", "")


def test_an_answer_to_a_part_of_the_question_is_not_said_to_answer_all_of_it() -> None:
    partial = Answer(state="partial", mode="extractive", confidence=0.88)

    assert promises(partial, is_outdated=False)["judgment"] == "Answers part of the question: likely, 88 %"


def test_of_several_parts_the_least_likely_one_says_how_likely_all_is_answered() -> None:
    parts = [
        {"text": "What does Article 5 say?", "provisions": [0], "is_told": True},
        {"text": "Who pays?", "provisions": [1], "is_told": True, "chance": 0.6},
        {"text": "When?", "provisions": []},
    ]
    answer = Answer(state="partial", mode="extractive", confidence=1.0, composition={"parts": parts})

    told = promises(answer, is_outdated=False)
    assert (told["judgment"], told["judgment_tone"]) == (
        "Answers part of the question: rather likely, 60 %",
        "partly",
    )


def test_a_chance_that_nobody_judged_is_not_told_and_none_is_certain() -> None:
    unjudged, sure = (Answer(state="answered", mode="extractive", confidence=chance) for chance in (None, 0.999))

    assert promises(unjudged, is_outdated=False)["judgment"] == ""
    assert promises(sure, is_outdated=False)["judgment"] == "Answers the question: likely, 99 %"


@pytest.mark.parametrize(
    ("row", "word"),
    [
        ({}, ""),
        ({"cosine": 0.9}, ""),
        ({"reader": 0.8}, "Answers"),
        ({"reader": 0.4}, "May answer"),
        ({"reader": 0.1}, "On the subject"),
    ],
)
def test_only_a_reader_says_what_a_passage_does(row: dict[str, Any], word: str) -> None:
    assert reader_word(row) == word


def test_the_cells_of_a_row_are_shown_apart() -> None:
    assert segments("Tax\t7\tFinance", 4, 5) == [("Tax | ", False), ("7", True), (" | Finance", False)]
    assert flat("Tax\t7\n\tFinance") == "Tax | 7 | Finance"
