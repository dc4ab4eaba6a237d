"""Each document or house that a question compares is asked in the words of its own."""

import pytest

from legalqa.answering.composing.documents import identity_of
from legalqa.answering.composing.sources import sources_compared
from legalqa.answering.composing.types import Asked, Opening

LEASE = 'LEASE AGREEMENT\n\nbetween Old Mill Ltd (the "Landlord") and Anna Meyer (the "Tenant"). Under this Lease …'
LICENCE = 'SOFTWARE LICENSE\n\nThis License is made by Corvid Inc. ("Licensor"). This License is governed by …'
CONTRACTS = {"lease": Opening("lease_old_mill", LEASE), "licence": Opening("2021 license", LICENCE)}
RULES = {"rules": Opening("rules", "HOUSE RULES\n\nNobody may smoke in the halls.")}
POLICIES = {
    "breach": Opening("12. Breach Policy", "Datica will notify its customers. We follow the rules."),
    "access": Opening("7. Systems Access Policy", "At Datica our workforce is trained."),
    "terms": Opening("Terms of Service", "GitHub will delete your content within 90 days."),
    **{f"tts{n}": Opening(f"Part {n}", "You must report it.", f"18f__part-{n}.md") for n in range(3)},
}
DATICA, GITHUB, TTS = {"breach", "access"}, {"terms"}, {"tts0", "tts1", "tts2"}


def compared(question: str, openings: dict[str, Opening]) -> list[Asked]:
    identities = {version: identity_of(one.title, one.text) for version, one in openings.items()}
    return sources_compared(question, identities=identities, openings=openings)


def test_each_document_is_asked_in_its_own_words() -> None:
    asked = compared("What law governs the lease agreement compared with the software licence?", CONTRACTS | RULES)

    assert [(one.text, set(one.versions), one.title) for one in asked] == [
        ("What law governs this Lease?", {"lease"}, "lease_old_mill"),
        ("What law governs this License?", {"licence"}, "2021 license"),
    ]


@pytest.mark.parametrize(
    ("question", "of_lease"),
    [
        ("Which of our contracts may be assigned?", "May this Lease be assigned?"),
        ("Which contracts are governed by the law of Ohio?", "Is this Lease governed by the law of Ohio?"),
        ("Which agreement is governed by the law of Ohio?", "Is this Lease governed by the law of Ohio?"),
        ("How long do both agreements last?", "How long does this Lease last?"),
        ("How long does the lease agreement last compared with the other contract?", "How long does this Lease last?"),
    ],
)
def test_all_contracts_of_a_corpus_may_be_meant(question: str, of_lease: str) -> None:
    asked = compared(question, CONTRACTS)

    assert {one.text for one in asked if one.versions == {"lease"}} == {of_lease}
    assert len(asked) == 2


def test_a_second_contract_may_be_asked_of_in_few_words() -> None:
    asked = compared("Which law governs the lease agreement, and which the software licence?", CONTRACTS)

    assert [one.text for one in asked] == ["Which law governs this Lease?", "Which law governs this License?"]


@pytest.mark.parametrize(
    "question",
    [
        "Who signs the lease agreement, and what does the software licence cost?",
        "When is the rent due under the lease agreement, and when is the software licence terminated?",
    ],
)
def test_two_questions_about_one_contract_each_are_no_comparison(question: str) -> None:
    assert compared(question, CONTRACTS) == []


UNTITLED = 'Between Old Mill Ltd ("Owner") and Anna Meyer ("Keeper"). The Keeper keeps the mill.'
SECRETS = {
    "nda": Opening("NDA", "NON-DISCLOSURE AGREEMENT\n\nThis Agreement is governed by the law of Ohio."),
    "secret": Opening("secret", "CONFIDENTIALITY AGREEMENT\n\nThis Agreement is governed by English law."),
}


def test_a_contract_without_a_title_is_one_for_its_parties() -> None:
    asked = compared("What is the governing law of our contracts?", CONTRACTS | {"mill": Opening("scan 7", UNTITLED)})

    assert [set(one.versions) for one in asked] == [{"lease"}, {"licence"}, {"mill"}]


@pytest.mark.parametrize(
    "question",
    [
        "Which of the confidentiality agreements are governed by the law of Ohio?",
        "Which non-disclosure agreements are governed by the law of Ohio?",
        "Are all of our confidentiality agreements governed by the law of Ohio?",
    ],
)
def test_all_contracts_of_a_kind_may_be_meant(question: str) -> None:
    asked = compared(question, CONTRACTS | SECRETS)

    assert {version for one in asked for version in one.versions} == {"nda", "secret"}


@pytest.mark.parametrize("question", ["Which employees sign agreements?", "Do our vendors grant licences?"])
def test_what_is_no_kind_of_contract_means_none(question: str) -> None:
    assert compared(question, CONTRACTS | SECRETS) == []


def test_one_stands_for_the_noun_before_it() -> None:
    openings = {
        name: Opening(name, f'SUPPLY AGREEMENT\n\nThis Agreement is made between {name} Ltd ("Buyer") and us.')
        for name in ("Corvid", "Tallow")
    }
    asked = compared("How long does the Corvid agreement last compared with the Tallow one?", openings)

    assert [set(one.versions) for one in asked] == [{"Corvid"}, {"Tallow"}]


def test_a_question_of_two_parts_asks_each_part_of_each_document() -> None:
    asked = compared("What is the term of each agreement and does it renew automatically?", CONTRACTS)

    assert [one.text for one in asked] == [
        "What is the term of this Lease?",
        "What is the term of this License?",
        "Does this Lease renew automatically?",
        "Does this License renew automatically?",
    ]


def test_among_documents_that_are_no_contracts_nobody_is_asked_one_by_one() -> None:
    assert compared("Which contracts need the approval of counsel?", CONTRACTS | RULES) == []


@pytest.mark.parametrize("question", ["How long does the lease agreement last?", "How does Datica report a breach?"])
def test_a_question_of_one_source_is_asked_once(question: str) -> None:
    assert compared(question, CONTRACTS | POLICIES) == []


def test_policies_are_compared_by_their_titles() -> None:
    asked = compared("How does the breach policy differ from the systems access policy on training?", POLICIES)

    assert [(one.text, one.title) for one in asked] == [
        ("What does this policy say about training?", "12. Breach Policy"),
        ("What does this policy say about training?", "7. Systems Access Policy"),
    ]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How often do Datica and GitHub run penetration tests?", "How often do we run penetration tests?"),
        ("Compare Datica's deadline for breach notices with GitHub's.", "What is our deadline for breach notices?"),
        ("How does Datica's retention period differ from GitHub’s?", "What is our retention period?"),
        ("Is Datica's retention period longer than GitHub's?", "How long is our retention period?"),
        ("Does Datica delete data as soon as GitHub does?", "How soon do we delete data?"),
        ("Who keeps logs longer, Datica or GitHub?", "How long do we keep logs?"),
        ("Which of Datica and GitHub has the stricter password rules?", "What are the password rules?"),
        ("How soon must a breach be reported at Datica and at GitHub?", "How soon must a breach be reported?"),
    ],
)
def test_houses_are_asked_as_they_speak_of_themselves(question: str, text: str) -> None:
    assert [(one.text, set(one.versions), one.title) for one in compared(question, POLICIES)] == [
        (text, DATICA, "Datica"),
        (text, GITHUB, "GitHub"),
    ]


def test_a_house_is_known_by_the_files_that_begin_with_its_name() -> None:
    asked = compared("What do 18F and GitHub say about gifts?", POLICIES)

    assert [(one.text, set(one.versions)) for one in asked] == [
        ("What do we say about gifts?", TTS),
        ("What do we say about gifts?", GITHUB),
    ]
