"""A paragraph that says what it replaces is shown beside what it replaces; the texts are those of Policy Copilot."""

import pytest

from legalqa.answering.conflicts.finding import evidence_conflicts
from legalqa.answering.conflicts.replacing import replacement_of
from legalqa.answering.conflicts.resolving import Provision

REMOTE = "2. Remote Work Policy Employees are permitted to work remotely up to 3 days per week, subject to approval."
PASSWORDS = "4. Password Policy Passwords must be at least 8 characters. Passwords must be changed every 90 days."
STICKS = "USB storage devices may be used only with prior approval from IT Security and must be encrypted."
TRAINING = "7. Training All employees must complete mandatory security awareness training annually."
OFFICE = (
    "9. Staff Attendance All employees are expected to maintain a minimum of 5 days per week in-office presence. This "
    "supersedes the remote work provisions in Section 2 of the handbook."
)
LONGER = (
    "2. Enhanced Password Requirements The following enhanced password requirements supersede Section 4 of the "
    "Internal Policy Handbook. Privileged accounts must rotate passwords every 14 days."
)
BANNED = (
    "4. Removable Media USB storage devices are prohibited on all company endpoints. This supersedes the previous "
    "policy permitting encrypted USB devices with IT Security approval."
)
QUARTERLY = (
    "6. Training Frequency Security awareness training must be completed quarterly by all employees, superseding the "
    "annual requirement in the handbook."
)


def handbook(text: str) -> Provision:
    return Provision(text[:9], text, "handbook", "Internal policy handbook v2")


def addendum(text: str) -> Provision:
    return Provision(text[:9], text, "addendum", "IT security addendum 2025")


@pytest.mark.parametrize(
    ("old", "new"), [(REMOTE, OFFICE), (PASSWORDS, LONGER), (STICKS, BANNED), (TRAINING, QUARTERLY)]
)
def test_the_rule_that_a_notice_names_gives_way_to_the_one_that_it_is_in(old: str, new: str) -> None:
    (finding,) = evidence_conflicts([handbook(old), addendum(new)])

    assert finding.conflict.kind == "replaced"
    assert finding.resolution is not None
    assert (finding.resolution.rule, finding.resolution.holds) == ("supersedes", "b")
    assert finding.conflict.sentence_b.words == new
    assert "supersed" in finding.conflict.b.words


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (STICKS, OFFICE),
        (TRAINING, LONGER),
        (REMOTE, BANNED),
        (PASSWORDS, QUARTERLY),
        (TRAINING, OFFICE),
        (REMOTE, QUARTERLY),
        ("Access to systems from public networks is secured. Employees complete a form.", QUARTERLY),
    ],
)
def test_a_notice_replaces_nothing_that_it_does_not_name(old: str, new: str) -> None:
    assert replacement_of(handbook(old), addendum(new)) is None


def test_a_rule_of_another_document_than_the_one_that_is_named_stays() -> None:
    manual = Provision("m", REMOTE, "manual", "HR procedures manual")

    assert replacement_of(manual, addendum(OFFICE)) is None


def test_a_notice_that_something_was_replaced_by_another_rule_replaces_nothing() -> None:
    past = addendum("The remote work provisions in Section 2 of the handbook are superseded by the board's resolution.")

    assert replacement_of(handbook(REMOTE), past) is None


def test_of_a_long_provision_the_sentences_around_the_notice_are_shown() -> None:
    filler = " ".join(f"Sentence {n} is about the use of desks in the office." for n in range(20))
    found = replacement_of(handbook(REMOTE), addendum(f"{filler} {OFFICE}"))

    assert found is not None
    assert found[0].sentence_b.words.endswith(OFFICE.partition("Attendance ")[2])
    assert len(found[0].sentence_b.words) < 300
