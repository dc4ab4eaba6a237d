"""What the pages of answers show."""

from typing import Any

from legalqa.answering.pages.history import NEAREST_SHOWN, nearest
from legalqa.answering.pages.trace import reading_words, steps_words


def passage(text: str, document: str) -> dict[str, Any]:
    return {"text": text, "document_title": document, "page_label": "1", "url": f"/{document}/", "also_in": []}


def test_the_same_rule_in_two_files_is_one_nearest_passage_that_names_the_other() -> None:
    shown = nearest([passage("The term “bias audit” means…", "bill"), passage('The term "bias audit" means…', "code")])

    assert [p["document_title"] for p in shown] == ["bill"]
    assert [other["document_title"] for other in shown[0]["also_in"]] == ["code"]


def test_only_the_nearest_few_are_shown_in_their_order() -> None:
    shown = nearest([passage(f"rule {n}", "code") for n in range(12)])

    assert [p["text"] for p in shown] == [f"rule {n}" for n in range(NEAREST_SHOWN)]


def test_a_question_read_otherwise_than_it_was_typed_says_so() -> None:
    step = {"step": "rewrite", "asked": "And for agencies?", "question": "What must agencies publish?"}
    parts = [
        {"rule": "part", "text": "What is owed?"},
        {"rule": "part", "text": "When?"},
        {"rule": "alias", "text": ""},
    ]

    assert reading_words([step | {"reasons": ["It follows up the question before"], "rewrites": parts}]) == (
        "Read as “What must agencies publish?”. It follows up the question before. "
        "Searched as 2 questions: “What is owed?”, “When?”."
    )
    assert reading_words([step | {"question": step["asked"], "reasons": [], "rewrites": parts[2:]}]) == ""
    assert reading_words([]) == ""


def test_what_was_left_out_of_the_search_alone_is_not_said_to_be_unread() -> None:
    reason = "Left out, as no document is about it: “We bought a tool.”."
    step = {"step": "rewrite", "asked": "We bought a tool. May we use it?", "question": "May we use it?"}

    assert reading_words([step | {"reasons": [reason], "rewrites": []}]) == f"Searched as “May we use it?”. {reason}"


def test_a_search_made_for_each_rewrite_is_once_among_the_steps_with_all_that_it_found() -> None:
    trace = [
        {"step": "bm25.v1", "milliseconds": 0.4, "hits": 44},
        {"step": "bm25.v1", "milliseconds": 0.2, "hits": 14},
        {"step": "gate", "open": True},
    ]

    assert steps_words(trace) == [
        {"name": "Searched by words", "detail": "44 + 14 found", "milliseconds": 0.6},
        {"name": "Enough evidence?", "detail": "yes", "milliseconds": None},
    ]
