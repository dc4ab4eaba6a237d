"""Which term's meaning is asked for, and what a text says that defines it."""

import pytest

from legalqa.answering.composing.terms import (
    asks_of_class,
    defines,
    defines_another,
    term_asked,
    terms_asked,
    terms_compared,
)


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("deployer", "(4) ‘deployer’ means a natural or legal person using an AI system."),
        (
            "automated employment decision tool",
            "The term “automated employment decision tool” (“AEDT”) means any process.",
        ),
        ("employee", "An employee is a person who works for wages."),
    ],
)
def test_a_definition_opens_with_its_term_and_a_verb_of_meaning(term: str, text: str) -> None:
    assert defines(term, text)


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("harmonised standards", "(27) ‘harmonised standard’ means a standard as defined in Article 2;"),
        ("notified bodies", "(22) ‘notified body’ means a conformity assessment body;"),
        ("loss", "“Losses” means all damages and costs."),
    ],
)
def test_a_term_is_defined_in_whichever_number_it_is_asked_for(term: str, text: str) -> None:
    assert defines(term, text)


def test_a_rule_about_some_of_a_kind_defines_nothing() -> None:
    assert not defines("deployer", "Deployers that are financial institutions shall maintain the logs.")


@pytest.mark.parametrize(
    ("term", "text", "another"),
    [
        ("bias", "Bias audit. The term “bias audit” means an impartial evaluation.", True),
        ("audit", "Bias audit. The term “bias audit” means an impartial evaluation.", False),
        ("bias audit", "Bias audit. The term “bias audit” means an impartial evaluation.", False),
        ("threshold for systemic risk", "(65) ‘systemic risk’ means a risk that is specific to large models;", True),
        ("sandbox", "(55) ‘regulatory sandbox’ means a controlled framework set up by an authority;", False),
        ("data subject", "‘personal data’ means information on a natural person (‘data subject’);", False),
        ("personal data breach", "“breach of personal data” means a loss of data;", False),
        ("safety component", "“safety component of a product” means a part that keeps it safe;", False),
        ("IT", "“software” means programs and their documents;", False),
        ("sandbox", "A sandbox plan is drawn up for each “regulatory sandbox” that is set up.", False),
    ],
)
def test_a_definition_of_a_term_that_ends_otherwise_is_of_another_term(term: str, text: str, another: bool) -> None:
    assert defines_another(term, text) == another


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("What is meant by a bias audit?", "bias audit"),
        ("What does the law mean by “bias audit”?", "bias audit"),
        ("How does the AI Act define a general-purpose AI model?", "general-purpose AI model"),
        ("How is the impact ratio defined?", "impact ratio"),
        ("What is the penalty for a first violation?", ""),
    ],
)
def test_the_term_whose_meaning_is_asked_is_told_in_any_of_the_usual_ways(question: str, term: str) -> None:
    assert term_asked(question) == term


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What is the difference between a provider and a deployer?", ("provider", "deployer")),
        ("How does test data differ from historical data?", ("test data", "historical data")),
        ("What is a deployer?", ("deployer",)),
        ("Who pays the fine?", ()),
    ],
)
def test_the_terms_that_are_compared_are_asked_for(question: str, terms: tuple[str, ...]) -> None:
    assert terms_asked(question) == terms


def test_a_notice_that_is_deemed_given_is_of_no_class() -> None:
    assert term_asked("When is notice deemed given?") == ""
    assert term_asked("When is a device considered to be essential equipment?") == "essential equipment"


@pytest.mark.parametrize("question", ["What is not covered?", "What is excluded?", "What is exempt from the fee?"])
def test_what_is_left_out_is_no_term(question: str) -> None:
    assert term_asked(question) == ""


def test_what_counts_as_something_may_be_said_by_a_definition() -> None:
    assert asks_of_class("When does a machine count as one that keeps somebody alive?")
    assert asks_of_class("When does a distributor become a provider?")
    assert not asks_of_class("How many days count?")


RECALL = "(16) ‘recall of an AI system’ means any measure aiming to achieve the return to the provider;"
WITHDRAWAL = "(17) ‘withdrawal of an AI system’ means any measure aiming to prevent an AI system being made available;"
PROVIDER = "(3) ‘provider’ means a natural or legal person that develops an AI system;"
RECALLS = ("recall of an AI system", "withdrawal of an AI system")
DEPLOYER = "(4) ‘deployer’ means a natural or legal person using an AI system under its authority;"


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What is the difference between recall and withdrawal?", RECALLS),
        ("What's the difference between taking it back (recall) and withdrawing it?", RECALLS),
        ("How do a provider and a deployer differ?", ("provider", "deployer")),
        ("provider vs deployer - what's the difference?", ("provider", "deployer")),
        ("How does a deployer differ from a provider?", ("deployer", "provider")),
        ("Compare the provider with the deployer.", ("provider", "deployer")),
        ("How do the importer and the provider differ?", ()),
        ("How do the fines for providers and deployers differ?", ()),
    ],
)
def test_the_terms_that_are_compared_are_those_that_the_documents_define(question: str, terms: tuple[str, ...]) -> None:
    assert terms_compared(question, [RECALL, WITHDRAWAL, PROVIDER, DEPLOYER]) == terms


def test_the_definition_of_a_term_of_something_defines_the_term() -> None:
    text = "(17) ‘withdrawal of a crane’ means any measure that keeps a crane from being used;"

    assert defines("withdrawal", text)
    assert defines("withdrawing", text)
    assert not defines("crane", text)
