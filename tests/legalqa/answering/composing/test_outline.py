"""The outline of an overview: the headed provisions on its subject, in the order of the document."""

from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from legalqa.answering.composing import PassageFound, compose
from tests.legalqa.answering.composing.readers import sure_of
from tests.legalqa.answering.composing.test_composing import alike

OVERVIEW = "What does the regulation say about logs?"
LAW = [
    ("Article 12 Record-keeping", "High-risk systems shall allow for the recording of logs."),
    ("Article 19 Logs of providers", "Providers shall keep the logs for six months."),
    ("Article 19 Logs of providers", "The logs are those of Article 12."),
    ("Article 113 Entry into force", "This Regulation enters into force on 1 August 2024."),
    ("Article 26 Obligations of deployers", "Deployers shall keep the logs."),
]
PARTS = [
    *(Part(n, text, "text", path=(heading,), role="operative") for n, (heading, text) in enumerate(LAW)),
    Part(len(LAW), "Logs matter for tracing faults.", "text", path=("Recitals",), role="recital"),
]
PASSAGES = [
    PassageFound("v1", "d1", part.ordinal, hit, part.text, provision_at(PARTS, part.ordinal))
    for hit, part in enumerate(reversed(PARTS))
]


def headings(question: str) -> list[str]:
    composed = compose(question, (question,), PASSAGES, reader=sure_of("ogs"), likeness=alike)
    return [PASSAGES[place].provision.heading for place in composed.outline]


def test_an_overview_names_every_provision_on_the_subject_once_and_in_the_order_of_the_document() -> None:
    assert headings(OVERVIEW) == [
        "Article 12 Record-keeping",
        "Article 19 Logs of providers",
        "Article 26 Obligations of deployers",
    ]


def test_a_question_with_one_answer_has_no_outline() -> None:
    assert headings("How long must providers keep logs?") == []
