"""A question about the house whose documents these are is put as they speak of themselves."""

import pytest

from legalqa.answering.composing.houses import house_named
from legalqa.answering.composing.types import Opening

OWN = {
    f"own{n}": Opening("Policy", text)
    for n, text in enumerate(
        (
            "Corvid keeps your data. Corvid will tell you of a breach. We follow the HIPAA rules.",
            "At Corvid our workforce is trained. The HIPAA rules apply. You sign in with the Falcon app.",
            "Corvid’s backups are encrypted. We test them. HIPAA is a statute. The Falcon app is yours.",
        )
    )
}
OTHER = {f"other{n}": Opening("Terms", "Birch will bill you monthly. We refund nothing.") for n in range(3)}
LAW = {"law": Opening("Regulation", "Member States shall lay down penalties. They shall notify the Board.")}


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("How long does Corvid keep logs?", "How long do we keep logs?"),
        ("Does Corvid keep my data after it is deleted?", "Do we keep my data after it is deleted?"),
        ("Has Corvid published a policy?", "Have we published a policy?"),
        ("Are Corvid's backups encrypted?", "Are our backups encrypted?"),
        ("May Corvid employees accept gifts?", "May employees accept gifts?"),
        ("Must a Corvid employee sign it?", "Must an employee sign it?"),
        ("What is the dress code at Corvid?", "What is the dress code?"),
        ("Is Corvid required to tell the police?", "Are we required to tell the police?"),
    ],
)
def test_a_house_is_asked_as_it_speaks_of_itself(question: str, read: str) -> None:
    named = house_named(question, openings=OWN | OTHER, nearest=list(OWN))

    assert (named.question, named.versions) == (read, frozenset(OWN))


@pytest.mark.parametrize(
    "question",
    [
        "What do the HIPAA rules require?",  # a statute
        "How do I sign in to my Falcon app?",  # a product
        "Can Member States adopt stricter rules?",  # who acts in a law, and speaks nowhere
        "Does Corvid bill what Birch bills?",  # two houses
        "How long are logs kept?",
    ],
)
def test_who_is_no_house_of_the_documents_keeps_his_name(question: str) -> None:
    named = house_named(question, openings=OWN | OTHER | LAW, nearest=[*OWN, *LAW])

    assert (named.question, named.versions) == (question, frozenset())


SIGNING = {
    "access": Opening("Access", "We use multi-factor authentication (MFA). MFA is required. MFA will be enforced."),
    "remote": Opening("Remote", "MFA must be used by our workforce. SSO is required. Sign in with YubiKey."),
    "keys": Opening("Keys", "You need MFA. SSO can only be turned off by us. YubiKey is required."),
}


@pytest.mark.parametrize("name", ["MFA", "SSO", "YubiKey"])
def test_what_is_required_or_used_is_no_house(name: str) -> None:
    question = f"Is {name} required for production?"

    assert house_named(question, openings=OWN | SIGNING, nearest=list(SIGNING)).question == question


def test_a_short_form_of_a_name_that_acts_is_a_house() -> None:
    text = "The General Services Agency (GSA) is here. GSA will tell you. We answer to GSA."
    openings = {f"gsa{n}": Opening("Guide", text) for n in range(3)} | OTHER

    named = house_named("Is GSA required to tell the police?", openings=openings, nearest=list(openings))

    assert named.question == "Are we required to tell the police?"


def test_a_product_of_the_house_keeps_its_name_and_the_documents_are_those_of_the_house() -> None:
    question = "How do I cancel my Corvid subscription?"
    named = house_named(question, openings=OWN | OTHER, nearest=list(OWN))

    assert (named.question, named.versions) == (question, frozenset(OWN))


def test_all_documents_may_answer_where_those_that_name_the_house_are_not_the_nearest() -> None:
    named = house_named("How long does Corvid keep logs?", openings=OWN | OTHER, nearest=[*OTHER, "own0"])

    assert (named.question, named.versions) == ("How long do we keep logs?", frozenset())


def test_documents_that_are_all_of_the_house_are_not_told_apart() -> None:
    named = house_named("How long does Corvid keep logs?", openings=OWN, nearest=list(OWN))

    assert (named.question, named.versions) == ("How long do we keep logs?", frozenset())
