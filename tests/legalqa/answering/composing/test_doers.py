"""Who acts: a text says it where somebody is obliged to do just what is asked, in whatever words it is asked."""

import pytest

from legalqa.answering.composing.doers import acts_as_asked, names_another, obliges_another, orders_what_is_asked


def test_who_must_act_is_said_where_somebody_is_told_to_do_just_that() -> None:
    question = "Who must register a high-risk AI system in the EU database?"
    duty = "The provider shall register themselves and their high-risk AI system in the EU database."

    assert orders_what_is_asked(duty, question=question)
    assert not orders_what_is_asked(
        "The Commission shall set up an EU database of high-risk AI systems.", question=question
    )
    assert not orders_what_is_asked("Member States may register their sandboxes.", question=question)


def test_who_must_act_is_said_where_words_between_commas_part_the_duty_from_the_act() -> None:
    question = "Who has to appoint an authorised representative?"

    assert orders_what_is_asked(
        "Providers established in third countries shall, by written mandate, appoint an authorised representative.",
        question=question,
    )
    assert not orders_what_is_asked(
        "The authorised representative shall, where asked, keep the mandate.", question=question
    )


def test_who_must_do_an_assessment_is_said_where_somebody_shall_perform_it() -> None:
    question = "Who must do a fundamental rights impact assessment?"
    duty = "Deployers shall perform an assessment of the impact on fundamental rights."

    assert orders_what_is_asked(duty, question=question)
    assert not orders_what_is_asked("The impact assessment shall aim to protect fundamental rights.", question=question)


@pytest.mark.parametrize(
    ("question", "text", "orders"),
    [
        ("Who is responsible for keeping the logs?", "Deployers shall keep the logs for six months.", True),
        ("Who is responsible for keeping the logs?", "The logs shall name the persons who keep them.", False),
        ("Who appoints the authority?", "Each Member State shall designate an authority.", True),
        (
            "Who supervises the makers of cranes?",
            "The Board shall have powers to supervise the makers of cranes.",
            True,
        ),
        ("Who registers cranes?", "The file names those who are responsible for registering cranes.", False),
        ("Who pays for the repairs of the roof?", "The landlord shall pay for the repairs of the roof.", True),
        ("Who pays for the repairs of the roof?", "The tenant shall not pay for the repairs of the roof.", False),
        ("Who must register cranes?", "Nobody must register cranes.", False),
        ("Who does this law bind?", "The Board shall do this under the law.", False),
    ],
)
def test_who_acts_is_asked_in_many_words_and_said_in_others(question: str, text: str, orders: bool) -> None:
    assert orders_what_is_asked(text, question=question) == orders


def test_what_the_heading_names_is_named_too() -> None:
    question = "Who supervises the makers of cranes?"
    duty = "The Board shall monitor compliance."

    assert not orders_what_is_asked(duty, question=question)
    assert orders_what_is_asked(duty, question=question, before="Article 88 Makers of cranes. ")


def test_a_duty_is_said_where_the_time_for_it_parts_it_from_the_act() -> None:
    question = "How long do we have to notify the supervisory authority of a data breach?"
    duty = (
        "In the case of a personal data breach, the controller shall without undue delay and, where feasible, not "
        "later than 72 hours after having become aware of it, notify the personal data breach to the authority."
    )

    assert acts_as_asked(duty, question=question)
    assert not acts_as_asked(
        "The supervisory authority shall without undue delay, and within one month at the latest, decide on it.",
        question=question,
    )


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How long is parental leave?", "You can request leave without pay for up to four weeks."),
        ("How long must a password be?", "All employees must use strong passwords and change them every 90 days."),
        ("How long does the data use agreement last?", "The City may terminate this data use agreement within a year."),
    ],
)
def test_what_is_done_to_a_thing_does_not_say_how_long_the_thing_lasts(question: str, text: str) -> None:
    assert not acts_as_asked(text, question=question)


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("The office shall decide on an application within 60 days.", True),
        ("An application for renewal shall be filed 30 days before the registration expires.", False),
        ("The office shall decide on its own budget once a year.", False),
    ],
)
def test_when_something_must_be_done_is_said_where_somebody_must_do_it(text: str, acts: bool) -> None:
    assert acts_as_asked(text, question="Within what period shall the office decide on an application?") == acts


@pytest.mark.parametrize(
    ("question", "text", "is_other"),
    [
        ("Which tasks does the AI Office have?", "The scientific panel shall advise the AI Office.", True),
        ("Which tasks does the AI Office have?", "The AI Office shall provide templates.", False),
        ("Which tasks does the AI Office have?", "Standardised templates shall be provided.", False),
        ("What are the duties of the tenant?", "The landlord shall tell the tenant who repairs the roof.", True),
        (
            "What must an authorised representative do?",
            "The provider shall enable its authorised representative to perform its tasks.",
            True,
        ),
        (
            "What must an authorised representative do?",
            "The provider must pay. The authorised representative must keep a copy.",
            False,
        ),
        (
            "What must the Privacy Officer do?",
            "The Security Officer, in collaboration with the Privacy Officer, shall train staff.",
            True,
        ),
        (
            "What must the importer do?",
            "Where a distributor tells the importer of a risk, the importer shall act.",
            False,
        ),
        ("Who advises the AI Office?", "The scientific panel shall advise the AI Office.", False),
        ("Whom must the importer inform?", "The distributor shall inform the importer.", True),
        ("Whom must the importer inform?", "The importer shall inform the provider.", False),
        ("By when must the importer be informed?", "The distributor shall inform the importer at once.", False),
    ],
)
def test_what_others_must_do_for_somebody_is_no_duty_of_his(question: str, text: str, is_other: bool) -> None:
    assert obliges_another(text, question=question) == is_other


@pytest.mark.parametrize(
    "text",
    [
        "In case of a risk, the importer shall inform the provider.",
        "The Commission and any other person involved in the application of this Regulation shall, in time, be told.",
    ],
)
def test_who_is_informed_and_who_acts_of_many_words_is_somebody_whom_the_question_does_not_name(text: str) -> None:
    assert names_another(text, question="Whom must the importer inform?")


def test_by_whom_it_is_done_is_said_where_somebody_must_do_it() -> None:
    question = "By whom do logs have to be kept?"

    assert orders_what_is_asked("Providers shall keep the logs.", question=question)
    assert not orders_what_is_asked("The logs shall hold the times of use.", question=question)
