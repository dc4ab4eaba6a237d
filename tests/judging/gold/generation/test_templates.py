"""Questions that rules make of paragraphs, as a lawyer would ask them."""

import pytest

from judging.gold.generation.templates import questions_on
from retrieval.questions.templates import Stretch, Written

DEFINITION = 'The term "bias audit" means an impartial evaluation by an independent auditor.'
OTHER = 'The term "candidate" means a person who has applied for a specific position.'
KEEPING = "An employer must keep the summary of results posted for at least 6 months after its latest use of the tool."
NOTICE = "If a candidate asks, an employer shall provide the retention policy within 30 days of a written request."
FORBIDDEN = "An employer may not use the tool if more than one year has passed since the most recent bias audit."
PENALTY = "Any person that violates this chapter is liable for a civil penalty of not more than $500."


def stretch(number: int, text: str, role: str = "operative", heading: str = "", label: str = "") -> Stretch:
    return Stretch(number, text, role, heading, label)


def of_kind(kind: str, *stretches: Stretch) -> list[Written]:
    return [written for written in questions_on(stretches) if written.kind == kind]


@pytest.mark.parametrize(
    ("kind", "text", "question", "answer"),
    [
        ("simple", DEFINITION, "What is meant by “bias audit”?", DEFINITION),
        ("simple", FORBIDDEN, f"May an employer {FORBIDDEN[20:-1]}?", f"No. {FORBIDDEN}"),
        ("simple", KEEPING, "For how long must an employer keep the summary of results posted?", KEEPING),
        ("simple", PENALTY, "What penalty does a person that violates this chapter face?", PENALTY),
        ("complex", NOTICE, "If a candidate asks, what must an employer do?", NOTICE),
        ("situational", NOTICE, "I advise an employer. If a candidate asks, what must an employer do?", NOTICE),
        (
            "leading",
            NOTICE,
            f"Am I right that, if a candidate asks, an employer need not {NOTICE[39:-1]}?",
            f"No. {NOTICE}",
        ),
    ],
)
def test_a_sentence_gives_a_question_with_itself_as_the_answer(
    kind: str, text: str, question: str, answer: str
) -> None:
    found = of_kind(kind, stretch(7, text, heading="§ 20-872 Penalties"))

    assert [(w.text, w.answer, w.references) for w in found] == [(question, answer, ((7, 0, len(text)),))]


def test_a_deadline_is_asked_for_without_being_said() -> None:
    texts = [written.text for written in of_kind("simple", stretch(1, NOTICE))]

    assert texts == ["Within what period of a written request must an employer provide the retention policy?"]


def test_questions_on_two_passages_refer_to_both() -> None:
    (compared,) = of_kind("comparative", stretch(1, DEFINITION, "definition"), stretch(2, OTHER, "definition"))

    assert compared.text == "What is the difference between “bias audit” and “candidate”?"
    assert [paragraph for paragraph, _, _ in compared.references] == [1, 2]


def test_a_follow_up_keeps_the_message_before_it() -> None:
    (asked,) = of_kind("conversational", stretch(1, DEFINITION, "definition"))

    assert (asked.history, asked.text) == (("I would like to know about “bias audit”.",), "How is it defined?")


@pytest.mark.parametrize(
    "text",
    [
        "For example, an employer must keep the summary of results posted for at least 6 months.",
        "Such notice shall be made no less than ten business days before such use.",
        "64.2% 37.5% 50.0% 62.5% 41.7% 62.5% 50.0%",
        "An employer must make the following publicly available:",
    ],
)
def test_examples_fragments_and_sentences_that_point_back_are_not_asked_about(text: str) -> None:
    role = "example" if text.startswith("For example") else "operative"

    assert list(questions_on([stretch(1, text, role)])) == []


def test_what_somebody_is_entitled_to_is_not_drafted_as_a_duty() -> None:
    text = "If any action is brought, the prevailing party shall be entitled to recover its costs from the other party."
    drafted = list(questions_on([stretch(1, text)]))

    assert "Is the prevailing party entitled to recover its costs" in drafted[0].text
    assert not [written for written in drafted if " must " in written.text or "need not" in written.text]
