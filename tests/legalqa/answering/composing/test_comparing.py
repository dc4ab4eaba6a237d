"""A question that compares documents is put to each of them as one that a passage of it can answer."""

import pytest

from legalqa.answering.composing.comparing import asked_of_one
from legalqa.answering.composing.documents import Identity, documents_compared, identity_of

LEASE = 'LEASE AGREEMENT\n\nbetween Old Mill Ltd (the "Landlord") and Anna Meyer (the "Tenant"). Under this Lease …'
LICENCE = 'SOFTWARE LICENSE\n\nThis License is made by Corvid Inc. ("Licensor"). This License is governed by …'
RULES = "HOUSE RULES\n\nNobody may smoke in the halls."
TEXTS = {"lease": ("lease_old_mill", LEASE), "licence": ("2021 license", LICENCE), "rules": ("rules", RULES)}
ALL = {version: identity_of(title, text) for version, (title, text) in TEXTS.items()}
CONTRACTS = {version: ALL[version] for version in ("lease", "licence")}


@pytest.mark.parametrize(
    ("question", "single"),
    [
        ("How does the law of the lease differ from that of the licence?", "What is the law of the lease?"),
        ("Which of the lease and the licence can be assigned?", "Can the lease be assigned?"),
        ("Which of the lease and the licence has the longer term?", "What is the term of the lease?"),
        ("Which of the lease and the licence requires notice?", "Does the lease require notice?"),
        ("Do the lease and the licence both end in May?", "Does the lease end in May?"),
        ("Do both the lease and the licence end in May?", "Does the lease end in May?"),
        ("Compare how the lease and the licence treat notices.", "What does the lease say about notices?"),
        ("Compare how the lease and the licence end.", "How does the lease end?"),
        ("Compare the notice periods of the lease and the licence.", "What are the notice periods of the lease?"),
        ("Compare the lease and the licence on notices.", "What does the lease say about notices?"),
        ("What is the difference between the lease and the licence as to fees?", "What does the lease say about fees?"),
        ("How do the lease and the licence differ on fees?", "What does the lease say about fees?"),
        ("Is the term of the lease longer than that of the licence?", "What is the term of the lease?"),
        ("Do the duties outlive the lease as they do the licence?", "Do the duties outlive the lease?"),
        ("Does the lease allow sublets, as the licence does?", "Does the lease allow sublets?"),
        ("How long do the lease and the licence last?", "How long does the lease last?"),
        ("How long does the lease last compared with the licence?", "How long does the lease last?"),
    ],
)
def test_what_is_compared_is_asked_of_one(question: str, single: str) -> None:
    spans = [(at := question.index(name), at + len(name)) for name in ("lease", "licence")]
    found = asked_of_one(question, [(start, end) for start, end in spans])

    assert found is not None
    text, (start, end) = found
    assert (text, text[start:end]) == (single, "lease")


@pytest.mark.parametrize(
    "question",
    [
        "Does the lease end where the licence is terminated?",
        "Can rent of the lease be set off against fees of the licence?",
        "Does the lease supersede the licence?",
        "How do the lease and the licence relate?",
        "Compare the lease and the licence.",
    ],
)
def test_what_is_asked_of_one_alone_or_of_how_they_bear_on_each_other_is_not_put_to_each(question: str) -> None:
    starts = [question.index(name) for name in ("lease", "licence")]

    assert asked_of_one(question, [(starts[0], starts[0] + 5), (starts[1], starts[1] + 7)]) is None


def compared(question: str, identities: dict[str, Identity] = CONTRACTS) -> dict[str, str]:
    return documents_compared(question, identities=identities)


def test_each_document_is_asked_in_its_own_words() -> None:
    asked = compared("What law governs the lease agreement compared with the software licence?", ALL)

    assert asked == {"lease": "What law governs this Lease?", "licence": "What law governs this License?"}


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
    asked = compared(question)

    assert (asked["lease"], len(asked)) == (of_lease, 2)


def test_among_documents_that_are_no_contracts_nobody_is_asked_one_by_one() -> None:
    assert compared("Which contracts need the approval of counsel?", ALL) == {}


def test_a_question_of_one_document_is_asked_once() -> None:
    assert compared("How long does the lease agreement last?") == {}
