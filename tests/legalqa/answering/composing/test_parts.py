"""Parts of a question, and sentences that say the same."""

import pytest

from legalqa.answering.composing.kinds import Kind, kind_of
from legalqa.answering.composing.parts import (
    asking,
    asks_only_exceptions,
    has_subject,
    is_same,
    question_parts,
    reads_alone,
    without_fillers,
)

PENALTY = "Such person is liable for a civil penalty of not more than $500 for a first violation of this section."
NOTICE = "(b) Such notice shall be made no less than ten business days before such use of the tool."


@pytest.mark.parametrize(
    "second",
    [
        "Such person is liable for a civil penalty of not more than $1,500 for a first violation of this section.",
        "Such person is liable for a civil penalty of more than $500 for a first violation of this section.",
    ],
)
def test_another_number_or_a_denial_is_another_statement(second: str) -> None:
    assert not is_same(PENALTY, second)


def test_a_rule_for_other_persons_is_not_the_same_statement() -> None:
    rule = (
        "To comply with § 20-871 of the Code, an employer may provide notice to {} who resides in the city by any of:"
    )

    assert not is_same(rule.format("a candidate for employment"), rule.format("an employee considered for promotion"))


def test_a_number_in_words_and_another_label_are_the_same_statement() -> None:
    assert is_same(NOTICE, "2. Such notice shall be made no less than 10 business days before such use of the tool.")


@pytest.mark.parametrize(
    "question",
    [
        "Define 'provider' and 'deployer'.",
        "What do provider and deployer mean?",
        "What is meant by provider and deployer?",
    ],
)
def test_the_meaning_of_two_terms_is_asked_of_each(question: str) -> None:
    assert question_parts(question)[1:] == ("What does provider mean?", "What does deployer mean?")


def test_two_persons_with_one_duty_are_asked_about_together() -> None:
    assert question_parts("What do providers and deployers have to publish?")[1:] == ()


def test_a_clause_about_one_thing_is_read_without_the_part_before_it() -> None:
    alone = ["When do the prohibitions apply?", "and is a deposit due?"]
    leaning = ["and the roof?", "who pays?", "and when does it end?", "for how long?"]

    assert [reads_alone(part) for part in (*alone, *leaning)] == [True, True, False, False, False, False]


def test_a_question_that_asks_two_things_has_two_parts_and_one_that_asks_one_thing_has_none() -> None:
    asked = "When must candidates be notified, and what is the penalty for a first violation?"

    assert question_parts(asked) == (
        asked,
        "When must candidates be notified",
        "what is the penalty for a first violation?",
    )
    assert question_parts("Who may conduct a bias audit?") == ("Who may conduct a bias audit?",)


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("I rent my flat.", "Do I need my landlord to sign off before I send in the form?"),
        ("hotel room in zurich,", "how much can i spend per night?"),
        ("My two years are nearly up.", "When may the renewal be sent in?"),
    ],
)
def test_what_is_only_told_is_no_part_of_its_own_and_says_nothing_of_the_kind(told: str, asked: str) -> None:
    assert question_parts(f"{told} {asked}") == (f"{told} {asked}",)
    assert asking(f"{told} {asked}") == asked
    assert kind_of(f"{told} {asked}") == kind_of(asked) != Kind.OPEN


def test_what_is_told_goes_with_the_question_behind_it_or_else_before_it() -> None:
    told, fee, reply = "We are a charity.", "How much is the yearly fee?", "By when must the office reply?"

    assert question_parts(f"{told} {fee} {reply}")[1:] == (f"{told} {fee}", reply)
    assert question_parts(f"{fee} {reply} {told}")[1:] == (fee, f"{reply} {told}")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("What must be published on our website", "for how long?"),
        ("Who checks the records", "how often?"),
        ("Must the authority be told", "by whom?"),
    ],
)
def test_a_short_question_behind_another_is_a_part_that_needs_its_subject(first: str, second: str) -> None:
    assert question_parts(f"{first} and {second}")[1:] == (first, second)
    assert question_parts(f"{first}, and {second}")[1:] == (first, second)
    assert has_subject(first)
    assert not has_subject(second)


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("What do Articles 9 and 10 require?", ("What does Article 9 require?", "What does Article 10 require?")),
        (
            "Explain Recitals 5-7.",
            ("Explain Recital 5.", "Explain Recital 6.", "Explain Recital 7."),
        ),
        (
            "What is the difference between Article 16 and Annex III?",
            ("What does Article 16 say?", "What does Annex III say?"),
        ),
        (
            "What does Article 5(1), points (a) and (b), prohibit?",
            ("What does Article 5(1)(a) prohibit?", "What does Article 5(1)(b) prohibit?"),
        ),
        (
            "Explain Article 26(1) to (3).",
            ("Explain Article 26(1).", "Explain Article 26(2).", "Explain Article 26(3)."),
        ),
        (
            "What do §§ 20-870 to 20-872 say about audits?",
            tuple(f"What does § 20-87{n} say about audits?" for n in range(3)),
        ),
    ],
)
def test_provisions_that_are_named_together_are_asked_about_one_by_one(question: str, parts: tuple[str, ...]) -> None:
    assert question_parts(question)[1:] == parts


@pytest.mark.parametrize(
    "question",
    [
        "Who enforces Articles 5 and 6?",
        "What does Article 5(1) say?",
        "Explain Articles 1 to 99.",
        "Explain Annexes I to III.",
        "What does Article 5 say about parts 3 and 4 of a filing?",
    ],
)
def test_a_question_that_is_not_about_each_provision_is_one(question: str) -> None:
    assert question_parts(question) == (question,)


def test_a_part_that_points_back_needs_its_subject_unless_it_names_one() -> None:
    assert not has_subject("when must they be told?")
    assert has_subject("how long must a booking platform keep its records?")


@pytest.mark.parametrize(
    "question",
    [
        "When my subscription has ended, how long are my mails kept?",
        "When I quit the agency, what happens with my comp time?",
        "Where GitHub closes an account, what happens to its code?",
    ],
)
def test_the_case_that_is_asked_of_is_no_part_of_its_own(question: str) -> None:
    assert question_parts(question) == (question,)


def test_words_that_ask_nothing_are_left_out() -> None:
    assert without_fillers("What exactly is an incident, and must it really be reported?") == (
        "What is an incident, and must it be reported?"
    )


@pytest.mark.parametrize("part", ["is there any way round it?", "any carve-outs?", "is there a way out?"])
def test_a_way_round_a_rule_is_an_exception_to_it(part: str) -> None:
    assert asks_only_exceptions(part)


def test_a_sentence_that_is_told_asks_nothing_though_it_has_words_of_a_question() -> None:
    told, asked = "We add a clerk to the people who may see the files.", "What do we have to send the office"

    assert question_parts(f"{told} {asked} and how fast?")[1:] == (f"{told} {asked}", "how fast?")
    assert asking(f"{told} {asked}?") == f"{asked}?"
    assert question_parts("I want to know who must pay. And by when?")[1:] == (
        "I want to know who must pay",
        "And by when?",
    )


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("What exactly is a grave incident, please?", "What is a grave incident?"),
        ("Do I really have to tell them?", "Do I have to tell them?"),
        ("Must it be exactly ten days?", "Must it be exactly ten days?"),
        ("Who  pays?", "Who  pays?"),
    ],
)
def test_words_that_only_press_for_an_answer_are_left_out(typed: str, read: str) -> None:
    assert without_fillers(typed) == read
