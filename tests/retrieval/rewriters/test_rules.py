"""Rewriting by rules, on the words of Local Law 144."""

from dataclasses import replace

import numpy as np
import pytest

from corpora.tokens import tokens
from retrieval.indexes.glossary import Glossary, GlossaryRow, aliases_of
from retrieval.rewriters.clauses import clauses, is_elliptical, pointers
from retrieval.rewriters.followups import case_named, is_about_the_answer, subject_of
from retrieval.rewriters.rules import CorpusView, parts_apart, question_read, rewrites_made
from retrieval.types import Queries

LAW = (
    "“Automated employment decision tool” or “AEDT” means “Automated employment decision tool” as defined by § 20-870.",
    "“Bias audit” means “Bias audit” as defined by § 20-870 of the Code.",
    "An employer may not use an AEDT if more than one year has passed since the most recent bias audit of the AEDT.",
    "Any person that violates any provision of this subchapter is liable for a civil penalty of not more than $500.",
    "A summary of results must be posted before the use of the AEDT and for at least 6 months after its latest use.",
)
PENALTY = "What civil penalty is a person liable for?"
POSTED = "How long must a summary of results be posted after the latest use?"
BEFORE = "How long must a summary of results be posted?"
FIRST = "What is the civil penalty for a first violation?"
SMALL_TALK = "Hope your holiday in Rome was sunny!"


def view() -> CorpusView:
    terms = [set(tokens(text)) for text in LAW]

    def spread(text: str) -> int:
        return sum(set(tokens(text)) <= held for held in terms)

    def weigh(text: str) -> dict[str, float]:
        return {term: 1.0 if any(term in held for held in terms) else 0.0 for term in tokens(text)}

    glossary = Glossary.build([GlossaryRow(place, text) for place, text in enumerate(LAW)])
    return CorpusView(glossary, weigh, spread, "english")


def rewritten(text: str, *history: str, q: int = 5) -> Queries:
    known = view()
    return rewrites_made(question_read(text, history=history, view=known), nearness={}, view=known, q=q)


def rules_of(queries: Queries) -> list[str]:
    return [rewrite.rule for rewrite in queries.rewrites]


@pytest.mark.parametrize("text", [PENALTY, POSTED, "bias audit penalty", "Who must post a summary of results?"])
def test_plain_question_stays_as_it_is(text: str) -> None:
    queries = rewritten(text)

    assert (queries.text, queries.rewrites, queries.reasons) == (text, (), ())


@pytest.mark.parametrize("text", [PENALTY, POSTED, "If an employer fails to post it, what penalty does the law set?"])
def test_plain_question_after_an_unrelated_one_stays_as_it_is(text: str) -> None:
    assert rewritten(text, "Who has an independent auditor?").text == text


@pytest.mark.parametrize("text", [f"{PENALTY} {POSTED}", f"{PENALTY[:-1]} and {POSTED[0].lower()}{POSTED[1:]}"])
def test_two_questions_are_searched_apart(text: str) -> None:
    queries = rewritten(text)

    assert [rewrite.text.rstrip("?") for rewrite in queries.rewrites] == [PENALTY[:-1], POSTED[:-1]]
    assert all(rewrite.is_part for rewrite in queries.rewrites)
    assert queries.rewrites[0].reason == "The first of 2 questions asked at once."
    assert queries.text == text


def test_a_second_half_that_leans_on_the_first_is_no_question_of_its_own() -> None:
    assert not rewritten("What civil penalty is a person liable for, and when must they pay it?").rewrites


def test_parts_about_the_same_thing_are_searched_as_one() -> None:
    queries = rewritten(f"{PENALTY} {POSTED}")
    alike, apart = np.eye(4, dtype=np.float32)[[0, 1, 1]], np.eye(4, dtype=np.float32)[:3]

    assert parts_apart(queries, list(alike))[0].rewrites == ()
    assert parts_apart(queries, list(apart))[0] == queries


def test_parts_that_are_searched_as_one_keep_what_a_model_was_asked_for_them() -> None:
    queries = replace(rewritten(f"{PENALTY} {POSTED}"), call={"outcome": "done", "cost": "0.01"})
    alike = np.eye(4, dtype=np.float32)[[0, 1, 1]]

    assert parts_apart(queries, list(alike))[0].call == queries.call


def test_two_parts_about_the_same_thing_stay_together_beside_a_third() -> None:
    queries = rewritten(f"{PENALTY} What civil penalty follows a second violation? {POSTED}")
    kept, vectors = parts_apart(queries, list(np.eye(4, dtype=np.float32)[[0, 1, 1, 2]]))

    assert [rewrite.text for rewrite in kept.rewrites] == [
        f"{PENALTY} What civil penalty follows a second violation?",
        POSTED,
    ]
    assert np.array_equal(vectors[1:], np.eye(4, dtype=np.float32)[[1, 2]])


def test_a_question_that_begins_with_its_condition_asks() -> None:
    found = clauses("If a tool is changed, which audit counts and for how long must its summary be posted?")

    assert [clause.asks for clause in found] == [True, True]


def test_documents_decide_whether_a_question_leans_on_the_one_before() -> None:
    asked, known = "What penalty follows if an employer that uses a tool posts no summary of it?", view()
    reading = question_read(asked, history=["I would like to know about the bias audit."], view=known)
    resolved = asked.replace("of it", "of bias audit")

    assert (reading.text, reading.measured) == (asked, (asked, resolved))
    for nearness, text in (({asked: 0.5, resolved: 0.6}, resolved), ({asked: 0.6, resolved: 0.6}, asked), ({}, asked)):
        assert rewrites_made(reading, nearness=nearness, view=known, q=3).text == text


@pytest.mark.parametrize("text", [f"{SMALL_TALK} {PENALTY}", f"Rome was lovely, but {PENALTY[0].lower()}{PENALTY[1:]}"])
def test_small_talk_is_left_out_and_said(text: str) -> None:
    queries = rewritten(text)

    assert queries.text == PENALTY
    assert rules_of(queries) == ["asked"]
    assert queries.rewrites[0].text == text
    assert "no document is about it" in queries.reasons[0]


def test_what_is_about_the_documents_is_kept() -> None:
    asked = "An agency has used an AEDT without a bias audit. What civil penalty is it liable for?"
    known = view()
    reading = question_read(asked, history=(), view=known)

    assert rewrites_made(reading, nearness={reading.told[0]: 0.6}, view=known, q=3).text == asked


@pytest.mark.parametrize(
    ("text", "before", "whole"),
    [
        ("How old may it be?", "I would like to know about the bias audit.", "How old may bias audit be?"),
        (
            "What about after the latest use?",
            BEFORE,
            "How long must a summary of results be posted, and after the latest use?",
        ),
        ("And the notice?", BEFORE, "How long must a summary of results be posted, and the notice?"),
        ("And New York?", BEFORE, "How long must a summary of results be posted, and New York?"),
        ("Why?", BEFORE, "How long must a summary of results be posted, and why?"),
        ("And for later ones?", FIRST, "What is the civil penalty for a first violation, and for later ones?"),
        ("And civil penalty?", "What does bias audit mean?", "What does civil penalty mean?"),
        ("What about the civil penalty?", "Define bias audit.", "Define civil penalty."),
        ("And for whom?", "What does bias audit mean?", "What does bias audit mean, and for whom?"),
        (
            "Are there any exceptions to that?",
            FIRST,
            "What is the civil penalty for a first violation, and are there any exceptions?",
        ),
    ],
)
def test_follow_up_is_made_whole(text: str, before: str, whole: str) -> None:
    queries = rewritten(text, before)

    assert queries.text == whole
    assert "previous question" in queries.reasons[0]


@pytest.mark.parametrize(
    "text",
    [
        "Summarise that for my client",
        "Thanks! Could you summarize this in two short sentences, please?",
        "Now put it in plain words.",
        "Sum it up.",
        "Translate your answer into German",
        "A short summary for the board, please",
        "Explain that to me again",
    ],
)
def test_who_wants_the_answer_in_other_words_gets_its_question_again(text: str) -> None:
    queries = rewritten(text, POSTED, PENALTY)

    assert (queries.text, queries.rewrites) == (PENALTY, ())
    assert queries.asked == text
    assert "not rewritten for a reader" in queries.reasons[0]


def test_the_question_that_is_asked_again_is_the_last_one_made_whole() -> None:
    queries = rewritten("Summarise that", FIRST, "And for later ones?", "Shorten it, please")

    assert queries.text == "What is the civil penalty for a first violation, and for later ones?"


@pytest.mark.parametrize(
    "text",
    [
        "Summarise this subchapter",
        "Explain this exemption to me",
        "Summarise it for employment agencies",
        "Must an employer summarise that for the candidate?",
        "Explain that.",
        "Repeat violations: what is the penalty?",
    ],
)
def test_who_asks_for_something_else_than_the_answer_asks_the_documents(text: str) -> None:
    assert not is_about_the_answer(text)


def test_nothing_is_asked_again_where_nothing_was_asked_before() -> None:
    assert rewritten("Summarise that for my client").text == "Summarise that for my client"


def test_words_are_put_as_the_documents_mostly_say_them() -> None:
    (alias,) = rewritten("When may an automated employment decision tool be used?").rewrites

    assert (alias.rule, alias.text) == ("alias", "When may an AEDT be used?")
    assert alias.reason == "“automated employment decision tool” is “AEDT” in the documents."


def test_no_more_rewrites_than_asked_for() -> None:
    assert len(rewritten(f"{SMALL_TALK} {PENALTY} {POSTED}", q=1).rewrites) == 1


def test_short_forms_are_read_from_brackets() -> None:
    assert aliases_of("The Department of Consumer and Worker Protection (“DCWP” or “Department”) and (ABC)") == ()
    assert aliases_of("rules of the Equal Employment Opportunity Commission (“EEOC”) apply") == (
        ("EEOC", "Equal Employment Opportunity Commission"),
    )


def test_glossary_follows_the_corpus() -> None:
    before = Glossary.build([GlossaryRow(1, LAW[0]), GlossaryRow(2, LAW[1])])
    later = "the Equal Employment Opportunity Commission (“EEOC”)"
    after = before.refreshed(np.array([2, 3]), lambda ids: [GlossaryRow(int(i), later) for i in ids])

    assert before.aliases == {1: (("AEDT", "Automated employment decision tool"),)}
    assert after.aliases == {3: (("EEOC", "Equal Employment Opportunity Commission"),)}
    assert after.seen.tolist() == [2, 3]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("What is it?", "it"),
        ("Does that apply to agencies?", "that"),
        ("Is it possible to appeal?", None),
        ("If a tool is bought, must its results be posted?", None),
        ("Which IT systems count?", None),
    ],
)
def test_a_pronoun_is_read_inside_its_sentence_first(text: str, word: str | None) -> None:
    found = [text[start:end] for start, end, is_own in pointers(text, language="english") if not is_own]

    assert found == ([word] if word else [])


def test_unfinished_questions_are_known() -> None:
    assert is_elliptical("And for employment agencies?")
    assert not is_elliptical("And which agencies are meant?")


def test_subject_is_the_weightiest_run_of_words() -> None:
    assert subject_of("Please tell me about the civil penalty here.", weigh=view().weigh, language="english") == (
        "civil penalty"
    )


@pytest.mark.parametrize(
    ("text", "case"),
    [
        ("And for deepfakes?", "deepfakes"),
        ("What about in the marketing department?", "the marketing department"),
        ("And for how long?", ""),
        ("And the keys?", ""),
        ("For what reason is the lease void?", ""),
    ],
)
def test_a_follow_up_may_ask_the_same_for_a_case(text: str, case: str) -> None:
    assert case_named(text) == case


@pytest.mark.parametrize(
    "text",
    [
        "What is the difference between an AEDT and a bias audit?",
        "How does an AEDT differ from a bias audit?",
        "How do an AEDT and a bias audit differ?",
        "What is an AEDT, and what is a bias audit?",
        "Define AEDT and bias audit.",
        "AEDT vs bias audit?",
        "What distinguishes a tool with a score (AEDT) from a bias audit?",
    ],
)
def test_terms_that_are_asked_for_together_are_searched_one_by_one(text: str) -> None:
    parts = [rewrite for rewrite in rewritten(text).rewrites if rewrite.rule == "term"]

    assert [part.text for part in parts] == ["What does AEDT mean?", "What does bias audit mean?"]
    assert all(part.is_part for part in parts)


def test_terms_stay_apart_though_they_are_about_the_same_thing() -> None:
    queries = rewritten("Define AEDT and bias audit.")
    vectors = [np.ones(1, np.float32)] * (1 + len(queries.rewrites))

    assert parts_apart(queries, vectors)[0] == queries


@pytest.mark.parametrize(
    "text",
    [
        "What is the difference between the two reports that we send to the city and the board?",
        "What do employers and agencies have to post?",
        "How is the audit kept from the employer?",
        PENALTY,
    ],
)
def test_a_question_on_no_terms_is_not_taken_apart_by_terms(text: str) -> None:
    assert "term" not in rules_of(rewritten(text))
