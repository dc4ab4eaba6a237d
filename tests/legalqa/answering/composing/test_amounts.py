"""The amount below "Penalties" answers "How high is the penalty?", one for any breach what its document asks for."""

import pytest

from corpora.provisions.around import context_of
from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from legalqa.answering.composing.amounts import told_plainly
from legalqa.answering.composing.kinds import kind_of
from legalqa.answering.composing.types import PassageFound

NOTICE = (
    "In the city, any employer that uses an automated employment decision tool shall notify each candidate who resides "
    "in the city."
)
PENALTY = (
    "Any person that violates any provision of this subchapter is liable for a civil penalty of not more than $500 for "
    "a first violation."
)
TRIBUNAL = "A proceeding to recover any civil penalty is returnable to any tribunal of the city."
PARTS = [
    Part(n, text, "paragraph", "", (heading,))
    for n, (text, heading) in enumerate(
        [
            (NOTICE, "§ 20-871 Requirements for automated employment decision tools"),
            (PENALTY, "§ 20-872 Penalties"),
            (TRIBUNAL, "§ 20-872 Penalties"),
        ]
    )
]
PASSAGES = [PassageFound("v1", "d1", n, n, part.text, provision_at(PARTS, n)) for n, part in enumerate(PARTS)]
CONTEXTS = [context_of(passage.provision, passage.ordinal) for passage in PASSAGES]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How high is the penalty?", [PENALTY]),
        ("What is the penalty for not notifying a candidate?", [PENALTY]),
        ("What is the fine for speeding on a motorway?", []),
        ("Who imposes the penalty?", []),
        ("How high is the rent?", []),
    ],
)
def test_an_amount_is_answered_by_its_heading_or_for_any_breach_that_the_document_knows(
    question: str, told: list[str]
) -> None:
    places = told_plainly(question, kind_of(question), PASSAGES, CONTEXTS)

    assert [PASSAGES[place].text for place in sorted(places)] == told


def test_a_penalty_in_another_document_says_nothing_of_a_breach_of_this_one() -> None:
    elsewhere = [PassageFound("v2", "d2", 1, 1, PENALTY, PASSAGES[1].provision)]
    question = "What is the penalty for not notifying a candidate?"

    assert not told_plainly(question, kind_of(question), [PASSAGES[0], *elsewhere], [CONTEXTS[0], CONTEXTS[1]])


def test_of_two_amounts_below_one_heading_neither_is_plainly_the_one() -> None:
    second = "Each day is a separate violation, for which the penalty is $1,500."
    parts = [*PARTS, Part(3, second, "paragraph", "", ("§ 20-872 Penalties",))]
    passages = [PassageFound("v1", "d1", n, n, part.text, provision_at(parts, n)) for n, part in enumerate(parts)]
    question = "How high is the penalty?"

    assert not told_plainly(question, kind_of(question), passages, [*CONTEXTS, ""])
