"""Questions that templates make of sentences, and sentences that are made whole first."""

import pytest

from corpora.provisions.types import Part
from retrieval.questions.sentences import QuestionBasis, paragraphs_asked
from retrieval.questions.templates import Stretch, questions_searched, rule_of
from tests.corpora.provisions.documents import AI_ACT, CODE, parts_of


def asked(text: str, heading: str = "") -> dict[str, str]:
    """The questions on one sentence, by what they ask for."""
    rule = rule_of(Stretch(1, text, "operative", heading), 0, len(text), text)
    return {} if rule is None else {written.text: written.kind for written in questions_searched(rule)}


@pytest.mark.parametrize(
    ("text", "question", "kind"),
    [
        (
            "The provider shall keep the technical documentation at the disposal of the authorities.",
            "Must the provider keep the technical documentation at the disposal of the authorities?",
            "duty",
        ),
        (
            "If a candidate asks, an employer must provide the retention policy.",
            "Must an employer provide the retention policy if a candidate asks?",
            "duty",
        ),
        (
            "Each firm must hold capital of at least $2 million at all times.",
            "What minimum applies when each firm has to hold capital?",
            "threshold",
        ),
        (
            "A controller must notify the person concerned, unless the data were encrypted beforehand.",
            "Must a controller notify the person concerned if the data were encrypted beforehand?",
            "exception",
        ),
        (
            "This obligation shall not apply to AI systems authorised by law to detect criminal offences.",
            "Do the rules on transparency apply to AI systems authorised by law to detect criminal offences?",
            "exception",
        ),
        (
            "Member States shall designate the authorities in accordance with Article 70 without delay.",
            "How does Article 70 bear on transparency?",
            "cross-reference",
        ),
        ("‘deployer’ means a natural or legal person using an AI system.", "What is meant by “deployer”?", "simple"),
    ],
)
def test_what_a_sentence_lays_down_is_asked_for(text: str, question: str, kind: str) -> None:
    assert asked(text, heading="Article 50 Transparency").get(question) == kind


@pytest.mark.parametrize(
    "text",
    [
        "Although the insurer covers its liabilities, it must still report them to the regulator.",
        "Before the tool is used it must be audited by somebody who is independent.",
        "They shall be kept for the period that the other rules of this part lay down.",
        "The following shall apply to the providers that are named in this part:",
    ],
)
def test_a_sentence_whose_subject_is_no_noun_phrase_asks_no_duty(text: str) -> None:
    assert "duty" not in asked(text).values()


def test_a_name_of_several_words_keeps_its_capital() -> None:
    text = "Member States shall lay down the rules on penalties and other enforcement measures."

    assert "Must Member States lay down the rules on penalties and other enforcement measures?" in asked(text)


def whole(*texts: str) -> list[str]:
    """The sentences of paragraphs as they are asked about."""
    parts = [Part(n, text, "list" if text[0] == "(" else "text", role="operative") for n, text in enumerate(texts)]
    parts = [Part(p.ordinal, p.text, p.kind, p.text[:3] if p.kind == "list" else "", role="operative") for p in parts]
    return [rule.whole for one in paragraphs_asked(parts) for rule in one.rules(1)]


def test_an_item_is_asked_about_after_the_words_that_open_its_list() -> None:
    found = whole(
        "Providers of high-risk AI systems shall:",
        "(a) keep the logs that their systems generate on their own;",
        "(b) take the corrective action that the law asks for.",
    )

    assert found == [
        "Providers of high-risk AI systems shall keep the logs that their systems generate on their own.",
        "Providers of high-risk AI systems shall take the corrective action that the law asks for.",
    ]


def test_a_list_inside_a_paragraph_is_taken_apart_with_its_inner_list() -> None:
    text = (
        "A Fund Manager must:\n(a) keep a register of all unitholders of the Fund;\n"
        "(b) notify the Regulator of:\n(i) any change of its auditor or its board; and\n"
        "(ii) any breach of these rules by its staff."
    )
    one = QuestionBasis(0, text, "operative", "", "", "")
    rules = list(one.rules(7))

    assert [rule.whole for rule in rules] == [
        "A Fund Manager must keep a register of all unitholders of the Fund.",
        "A Fund Manager must notify the Regulator of any change of its auditor or its board.",
        "A Fund Manager must notify the Regulator of any breach of these rules by its staff.",
    ]
    assert text[rules[1].start : rules[1].end].startswith("(i) any change")
    assert rules[1].reference[0] == 7


def test_the_stem_and_the_heading_are_part_of_what_questions_are_made_of() -> None:
    one = QuestionBasis(0, "(a) keep the logs of the system for a year.", "operative", "Providers shall", "Logs", "(a)")
    other = QuestionBasis(
        0, "(a) keep the logs of the system for a year.", "operative", "Deployers shall", "Logs", "(a)"
    )

    assert one.basis != other.basis
    assert next(written.text for written in one.questions(1)).startswith("For how long must providers keep the logs")


def test_real_laws_give_questions_that_their_readers_would_type() -> None:
    questions = {
        written.text
        for name in (AI_ACT, CODE)
        for one in paragraphs_asked(parts_of(name))
        for written in one.questions(1)
    }

    assert {
        "What is meant by “serious incident”?",
        "What is meant by “automated employment decision tool”?",
        "Must the notified body notify the provider of its decision?",
        "For how long must an employer or employment agency keep the summary of results and distribution date posted?",
    } <= questions
    assert not [text for text in questions if not text.endswith("?") or text.count("?") > 1]


@pytest.mark.parametrize(
    "text",
    [
        "The annual marketing plan shall be devised solely by MA and MA shall not be required to follow the manual.",
        "The arbitration shall be conducted in the English language, and all documents shall be submitted in English.",
        "MA agrees that any and all warranties made to the client shall be made only by MA to its own customers.",
        "Should Licensee be the vendor for a Title, Licensor and Licensee will and shall negotiate in good faith.",
        "SALES PERSONS - MA shall at all times have certified sales persons trained by the company on its staff.",
        "Company shall settle any claim that a permitted use of the Technology infringes any U.S. patent of others.",
    ],
)
def test_a_statement_of_two_clauses_or_without_one_subject_gives_no_question(text: str) -> None:
    assert asked(text, heading="Rights granted") == {}


def test_a_section_that_is_not_of_a_law_makes_no_cross_reference() -> None:
    text = "Licensee may show the titles on its sites and services in accordance with Section 2 of its own accord."

    assert "cross-reference" not in asked(text, heading="Rights granted").values()


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (
            "If any action is brought by a party, the prevailing party shall be entitled to recover its costs.",
            "Is the prevailing party entitled to recover its costs if any action is brought by a party?",
        ),
        (
            "Downstream providers shall have the right to lodge a complaint with the authority.",
            "Do downstream providers have the right to lodge a complaint with the authority?",
        ),
    ],
)
def test_an_entitlement_is_no_duty(text: str, question: str) -> None:
    assert asked(text) == {question: "simple"}


@pytest.mark.parametrize(
    "text",
    [
        "If the discloser elects not to seek, or is unsuccessful in seeking, an order, it shall be free of blame.",
        "Where its designation has been suspended or withdrawn, the body concerned is told of that at once.",
        "When issuing such guidelines, the Commission shall pay attention to the needs of small companies.",
        "Where appropriate, the Commission shall pay attention to the needs of small companies.",
    ],
)
def test_a_condition_that_is_cut_or_points_back_is_not_asked_about(text: str) -> None:
    assert not {"specific conditions", "complex"} & set(asked(text).values())


def test_a_party_keeps_its_capital_and_takes_no_article() -> None:
    may, must = "Company may inspect the books of MA once a year.", "Company shall train the staff of MA twice a year."

    assert "May Company inspect the books of MA once a year?" in asked(may)
    assert "Must Company train the staff of MA twice a year?" in asked(must)
    assert "May codes of conduct cover one or more systems?" in asked("Codes of conduct may cover one or more systems.")
