"""A part that leans on the first is put as a question of its own where the words allow it."""

import pytest

from legalqa.answering.composing.leaning import completed


@pytest.mark.parametrize(
    ("first", "part", "whole"),
    [
        ("By when must an incident be reported", "to whom?", "To whom must an incident be reported?"),
        ("Must the authority be told?", "and how soon?", "How soon must the authority be told?"),
        ("How long are the logs kept", "by whom?", "By whom are the logs kept?"),
        ("Who must keep the logs", "for how long?", "for how long? Who must keep the logs"),
        (
            "How long must the deployer keep the logs",
            "how long the provider?",
            "How long must the provider keep the logs?",
        ),
        ("What must providers do then", "whom must they inform?", "whom must providers inform?"),
        ("What must the importer do then", "whom must it inform?", "whom must the importer inform?"),
        (
            "Must we tell candidates by e-mail",
            "how many days before?",
            "How many days before must we tell candidates by e-mail?",
        ),
        (
            "What counts as a serious incident",
            "to whom do we have to report it?",
            "to whom do we have to report a serious incident?",
        ),
        ("How high is the security deposit", "when is it returned?", "when is the security deposit returned?"),
        (
            "When is the annual report due",
            "to whom must it be sent?",
            "to whom must the annual report be sent?",
        ),
        ("When may the line manager refuse", "by when must he answer?", "by when must the line manager answer?"),
        ("What must the data controller do", "how long does it have?", "how long does the data controller have?"),
        ("How much is the late charge", "when does it apply?", "when does the late charge apply?"),
        (
            "How long must the chief data officer keep the logs",
            "how long the provider?",
            "How long must the provider keep the logs?",
        ),
        (
            "How much must the bank transfer cover",
            "when is it made?",
            "when is it made? How much must the bank transfer cover",
        ),
        (
            "May the employer end the contract",
            "how long does it last?",
            "how long does it last? May the employer end the contract",
        ),
        (
            "How long must the external service provider keep records",
            "how long the importer?",
            "how long the importer? How long must the external service provider keep records",
        ),
        ("When must the monthly rent be paid", "how must it be paid?", "how must the monthly rent be paid?"),
        ("When does the lease end", "who pays for repairs?", "who pays for repairs? When does the lease end"),
    ],
)
def test_a_short_part_is_read_with_the_clause_of_the_first(first: str, part: str, whole: str) -> None:
    assert completed(part, first) == whole
