"""Whether a text has what an answer of a kind must hold, by its words."""

import pytest

from legalqa.answering.composing.fitting import (
    fits,
    points_elsewhere,
    says_contents_of_another,
    says_from_when,
    says_how_often,
    says_who_becomes,
)
from legalqa.answering.composing.kinds import Kind, kind_of

AUDITED = "Who may carry out the bias audit?"


@pytest.mark.parametrize(
    "text",
    [
        "The term “bias audit” means an impartial evaluation by an independent auditor.",
        "“Independent auditor” means a person or group that is capable of exercising objective judgment.",
        "The employer shall commission the bias audit.",
        "Send the bias audit to the head of security within 24 hours.",
        "The bias audit is left to persons who have no interest in the vendor.",
    ],
)
def test_a_question_for_a_person_is_met_by_a_text_that_names_one(text: str) -> None:
    assert fits(Kind.WHO, text, question=AUDITED)


def test_who_somebody_is_is_said_by_a_name() -> None:
    question = "Who is the privacy officer?"

    assert fits(Kind.WHO, "The current Privacy Officer is Ada Lovelace.", question=question)
    assert not fits(Kind.WHO, "The Privacy Officer is notified of each breach.", question=question)


@pytest.mark.parametrize(
    "text",
    [
        "A bias audit must, at a minimum, calculate the selection rate for each category.",
        "The bias audit is done annually.",
    ],
)
def test_and_not_by_one_whose_only_subject_is_in_the_question(text: str) -> None:
    assert not fits(Kind.WHO, text, question=AUDITED)


@pytest.mark.parametrize(
    "question",
    [
        "Who may not inspect a crane?",
        "And who can't inspect a crane?",
        "Which persons are barred from inspecting a crane?",
        "Which operators need not inspect a crane?",
        "Which inspectors of the firm must not inspect a crane?",
    ],
)
def test_who_may_not_is_answered_by_a_text_that_excludes_somebody(question: str) -> None:
    kind = kind_of(question)
    assert fits(kind, "A person who has repaired a crane is not independent.", question=question)
    assert not fits(kind, "The operator shall have cranes inspected yearly by an expert.", question=question)


def test_a_prohibition_of_another_act_excludes_nobody_from_the_one_that_is_asked_about() -> None:
    question = "Who may not inspect a crane?"
    assert not fits(Kind.WHO, "The operator may not use it for more than a year.", question=question)
    assert not fits(Kind.WHO, "Inspection includes, but is not limited to, the brakes.", question=question)
    assert not fits(Kind.WHO, "The owner tells the board of a crane that is no longer used.", question=question)
    assert fits(Kind.WHO, "The operator may not inspect it.", question=question)
    assert fits(Kind.WHO, "The owner shall not conduct the test.", question="Who must not carry out the test?")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who is exempt from this section?", "This section shall not apply to small platforms."),
        ("Who may not be a director?", "A person who is bankrupt may not hold office as director."),
        ("Who is ineligible to be auditor?", "A person under 18 cannot serve as auditor."),
        ("Who may not inspect a crane?", "A person under 18 may not act as inspector."),
    ],
)
def test_who_is_exempt_or_may_not_be_something_is_said_with_other_verbs(question: str, text: str) -> None:
    assert fits(Kind.WHO, text, question=question)
    assert not fits(Kind.WHO, "Small platforms include, but are not limited to, hosts.", question=question)


def test_who_need_not_be_excluded_where_it_is_asked_who_may() -> None:
    text = "A crane is inspected by an inspector."
    assert fits(Kind.WHO, text, question="Who may inspect a crane if the owner does not?")


def test_when_is_said_by_a_time_or_by_a_case() -> None:
    question = "When does the contract end?"

    assert fits(Kind.DEADLINE, "The contract ends on 31 December 2030.", question=question)
    assert fits(Kind.DEADLINE, "The contract ends if either party becomes insolvent.", question=question)
    assert not fits(Kind.DEADLINE, "The contract has two parties, which are named where they sign.", question=question)


def test_how_long_an_agreement_lasts_is_not_said_by_a_day_that_is_left_blank() -> None:
    question = "How long does this Agreement last?"

    assert fits(Kind.DEADLINE, "It shall commence on the Effective Date and continue for two years.", question=question)
    assert not fits(Kind.DEADLINE, "It shall commence on the Effective Date and end on ________.", question=question)


def test_what_may_be_done_is_said_in_plain_words_too() -> None:
    question = "May I accept gifts?"

    assert fits(Kind.YES_NO, "If a vendor sends you something “of value”, don’t accept it.", question=question)
    assert not fits(Kind.YES_NO, "“Of value” means anything from tickets to tours.", question=question)


def test_an_amount_needs_a_number_that_is_no_reference() -> None:
    question = "What is the fine?"

    assert fits(Kind.AMOUNT, "Up to $500 for a first violation.", question=question)
    assert not fits(Kind.AMOUNT, "The fine is set under Article 99.", question=question)


@pytest.mark.parametrize(("asked", "fitting"), [("first", 0), ("second", 1), ("subsequent", 1)])
def test_a_question_for_the_first_time_is_not_met_by_a_text_on_the_next(asked: str, fitting: int) -> None:
    texts = ("Up to $375 for a first violation.", "At least $500 for each subsequent violation.")
    found = [fits(Kind.AMOUNT, text, question=f"What is the penalty for a {asked} violation?") for text in texts]

    assert found == [fitting == 0, fitting == 1]


@pytest.mark.parametrize(
    ("question", "definition", "rule"),
    [
        (
            "Must deep fakes be labelled?",
            "‘deep fake’ means manipulated content that would falsely appear to be authentic.",
            "Deployers of a deep fake shall disclose that it was generated.",
        ),
        (
            "Which obligations does an authorised representative have?",
            "‘authorised representative’ means a person with a mandate to carry out the provider's obligations.",
            "The authorised representative shall keep the documentation.",
        ),
    ],
)
def test_what_must_be_done_is_said_by_a_rule_and_by_no_definition(question: str, definition: str, rule: str) -> None:
    assert not fits(kind_of(question), definition, question=question)
    assert fits(kind_of(question), rule, question=question)


def test_a_question_for_a_number_of_days_needs_one() -> None:
    question = "How many days do we have to report an incident?"

    assert fits(
        Kind.DEADLINE, "It shall be reported not later than 15 days after the provider hears of it.", question=question
    )
    assert not fits(Kind.DEADLINE, "It shall be reported immediately.", question=question)


def test_a_question_for_a_language_is_met_by_a_text_that_names_one() -> None:
    question = "In which language must the instructions be?"

    assert fits(Kind.OPEN, "Instructions shall be in a language that users understand.", question=question)
    assert fits(Kind.OPEN, "Instructions shall be presented in English.", question=question)
    assert not fits(Kind.OPEN, "‘instructions for use’ means the information by the provider.", question=question)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("An employer may not use a tool if more than one year has passed since its most recent bias audit.", True),
        ("The bias audit shall be repeated every two years.", True),
        ("A summary of the bias audit shall be published.", False),
        ("The fire extinguishers shall be tested every year.", False),
    ],
)
def test_how_often_is_said_by_a_period_for_what_is_named(text: str, says: bool) -> None:
    assert says_how_often(text, question="How often must a bias audit be repeated?") == says
    assert not says_how_often(text, question="Must a bias audit be repeated?")


UNLAWFUL = "It shall be unlawful for an employer to use such a tool unless it has been the subject of a bias audit."


def test_what_is_allowed_is_not_said_by_a_prohibition() -> None:
    assert not fits(Kind.OPEN, UNLAWFUL, question="What is allowed?")
    assert not fits(Kind.OPEN, UNLAWFUL, question="What may employers do?")
    assert fits(Kind.OPEN, UNLAWFUL, question="What may employers not do?")
    assert fits(Kind.OPEN, "An employer may provide the notice by mail.", question="What is allowed?")


def test_what_somebody_must_do_is_not_said_by_what_they_are() -> None:
    means = "‘importer’ means a natural or legal person located or established in the Union."

    assert not fits(Kind.PROCEDURE, means, question="What must an importer do?")


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("(g) transparency obligations for providers and deployers pursuant to Article 50.", True),
        ("“Bias audit” means a bias audit as defined by § 20-870 of the Code.", True),
        ("Deployers of an emotion recognition system shall inform the persons exposed to it.", False),
        (
            "The obligations laid down in Article 16 apply to importers who put their name on a system, too, and " * 2,
            False,
        ),
    ],
)
def test_a_text_that_says_where_a_duty_is_told_only_points_to_it(text: str, points: bool) -> None:
    assert points_elsewhere(text) == points


@pytest.mark.parametrize(
    ("question", "text", "says"),
    [
        ("Since when does this Regulation apply?", "It shall apply from 25 May 2018.", True),
        ("From when do the rules on fines apply?", "Chapter XII shall apply as from 2 August 2025.", True),
        ("Since when does this Regulation apply?", "It shall enter into force on the twentieth day.", False),
        ("When did the Act enter into force?", "It shall enter into force on the twentieth day.", True),
        ("When does the policy take effect?", "This policy takes effect on 1 March.", True),
        ("When did the Act enter into force?", "It shall apply from 25 May 2018.", False),
        ("When must the notice be given?", "It shall apply from 25 May 2018.", False),
    ],
)
def test_from_when_something_applies_is_not_the_day_on_which_it_is_in_force(
    question: str, text: str, says: bool
) -> None:
    assert says_from_when(text, question=question) == says


def test_when_somebody_becomes_something_is_said_by_who_is_considered_it() -> None:
    rule = "Any distributor shall be considered to be a provider where it puts its name on a system."
    asked = "When does a distributor become a provider?"

    assert says_who_becomes(rule, question=asked)
    assert not says_who_becomes("‘distributor’ means a person other than the provider.", question=asked)
    assert not says_who_becomes(rule, question="When does an importer become a provider?")
    assert not says_who_becomes(rule, question="What must a distributor tell a provider?")


@pytest.mark.parametrize(
    ("question", "told", "not_told"),
    [
        ("In which currency do we pay?", "Fees are paid in USD.", "Fees are paid at once."),
        (
            "For which customers need the owners not be identified?",
            "A firm is not required to identify the owners of a listed company.",
            "A firm must identify the owners of a company that has not been listed.",
        ),
        (
            "When is an audit not required?",
            "An audit is required only where the tool decides.",
            "An audit is necessary even though the tool is used but only to screen.",
        ),
        ("When does the duty not apply?", "It does not apply to small shops.", "It applies to large shops."),
        (
            "May we promote a private fund?",
            "A private fund may be promoted to professional clients.",
            "A Public Fund may be promoted to retail clients.",
        ),
    ],
)
def test_a_text_that_lacks_the_currency_the_relief_or_the_right_one_of_two_opposites_does_not_fit(
    question: str, told: str, not_told: str
) -> None:
    assert fits(Kind.OPEN, told, question=question)
    assert not fits(Kind.OPEN, not_told, question=question)


@pytest.mark.parametrize(
    ("question", "is_other"),
    [
        ("What must the monitoring plan contain?", True),
        ("What must the quality system include?", False),
        ("Who draws up the monitoring plan?", False),
    ],
)
def test_what_a_text_says_that_another_thing_contains_is_no_content_of_the_one_asked_for(
    question: str, is_other: bool
) -> None:
    text = "The quality system shall include at least: (a) a monitoring plan;"

    assert says_contents_of_another(text, question=question) == is_other


@pytest.mark.parametrize(
    ("text", "is_fit"),
    [
        ("The AI Office may invite all providers to adhere to the codes of practice.", False),
        ("Acme and Initech have signed the code of practice.", True),
        ("The code was signed by Acme in Brussels.", True),
    ],
)
def test_who_has_done_something_is_answered_by_what_happened_and_not_by_what_may(text: str, is_fit: bool) -> None:
    asked = "Which companies have signed the code of practice so far?"

    assert fits(kind_of(asked), text, question=asked) == is_fit


@pytest.mark.parametrize(
    "asked", ["Which logs have to be kept?", "What have providers to do?", "What does she have to have done?"]
)
def test_a_duty_is_no_event(asked: str) -> None:
    assert fits(Kind.OPEN, "Providers shall keep the logs.", question=asked)


@pytest.mark.parametrize(
    ("text", "is_met"),
    [
        ("A system shall be considered to be high-risk where it is a safety component.", True),
        ("High-risk AI systems are the AI systems listed in any of the following areas: lifts.", True),
        ("A system shall not be considered high-risk if it does not pose a risk.", True),
        ("The risk management system of high-risk AI systems shall be kept up to date.", False),
        ("Lifts must be inspected each year.", True),  # says nothing of the class, and may be what is meant
    ],
)
def test_whether_something_is_of_a_class_is_answered_by_what_puts_it_there(text: str, is_met: bool) -> None:
    for asked in ("Is the control software of a lift high-risk?", "Is a lift's software a high-risk AI system?"):
        assert fits(kind_of(asked), text, question=asked) is is_met


def test_another_word_with_a_hyphen_is_no_class() -> None:
    asked = "Is the licence non-exclusive?"

    assert fits(kind_of(asked), "grants the Licensee a limited, non-exclusive licence", question=asked)
