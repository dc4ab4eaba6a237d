"""A question that names one of several documents, by its title or by a party, is read as that document says it."""

import pytest

from legalqa.answering.composing.documents import Identity, documents_named, identity_of

LEASE = """LEASE AGREEMENT

between Old Mill Properties Ltd, a company with its office at 5 Oak Lane, Bath (the "Landlord"),
and ANNA MEYER BOOKS LLC and/or its assigns (referred to as "Tenant" or "Bookshop").

WHEREAS the Landlord owns the building ("Building") …
1. The Tenant shall pay rent under this Agreement."""
LICENCE = """SOFTWARE LICENSE

This Software License is entered into by and between Corvid Systems Inc. ("Licensor") and the
Ministry of Public Works ("MPW"). This License is governed by the law of Ohio."""
NDA = """Mutual Non-Disclosure Agreement

THIS AGREEMENT is made between Corvid Systems Inc. (the “Discloser”) and
Birch Harbour GmbH (hereinafter "Recipient")."""
OPENINGS = {"lease": ("lease_old_mill", LEASE), "licence": ("2021 license", LICENCE), "nda": ("corvid nda", NDA)}


def identities_of(openings: dict[str, tuple[str, str]]) -> dict[str, Identity]:
    return {version: identity_of(title, opening) for version, (title, opening) in openings.items()}


IDENTITIES = identities_of(OPENINGS)


def parties(name: str) -> dict[str, str]:
    return {party.role: " ".join(party.words) for party in IDENTITIES[name].parties}


def test_parties_are_read_from_the_opening_with_what_the_document_calls_them() -> None:
    assert parties("lease") == {"Landlord": "old mill propertie", "Tenant": "anna meyer book"}
    assert parties("licence") == {"Licensor": "corvid system", "MPW": "ministry public work"}
    assert parties("nda") == {"Discloser": "corvid system", "Recipient": "birch harbour"}


@pytest.mark.parametrize(
    ("question", "read", "versions"),
    [
        ("When is rent due under the lease agreement?", "When is rent due?", {"lease"}),
        ("Under our contract with Old Mill, who repairs the roof?", "Who repairs the roof?", {"lease"}),
        ("Who pays for repairs in the Meyer lease?", "Who pays for repairs?", {"lease"}),
        ("What law governs the software licence?", "What law governs this License?", {"licence"}),
        ("How long does the NDA last?", "How long does the NDA last?", {"nda"}),
        ("May Anna Meyer sublet?", "May the Tenant sublet?", {"lease"}),
        ("Is Old Mill's consent needed?", "Is the Landlord’s consent needed?", {"lease"}),
        ("What may the Ministry of Public Works copy?", "What may MPW copy?", {"licence"}),
        ("What may the ministry of public works copy?", "What may MPW copy?", {"licence"}),
        ("Does MPW own the code?", "Does MPW own the code?", {"licence"}),
        ("Is the licence exclusive?", "Is the licence exclusive?", {"licence"}),
    ],
)
def test_a_document_is_known_by_its_title_or_its_party(question: str, read: str, versions: set[str]) -> None:
    named = documents_named(question, identities=IDENTITIES)

    assert (named.question, set(named.versions)) == (read, versions)


def test_a_party_of_two_documents_leaves_both_and_the_question_as_it_is() -> None:
    named = documents_named("Must Corvid Systems keep secrets?", identities=IDENTITIES)

    assert named.question == "Must Corvid Systems keep secrets?"
    assert named.versions == {"licence", "nda"}


def test_two_documents_that_are_compared_are_both_meant() -> None:
    named = documents_named("Compare notice in the lease agreement and in the software licence.", identities=IDENTITIES)

    assert named.versions == {"lease", "licence"}


@pytest.mark.parametrize(
    "question",
    [
        "Which law applies?",
        "What does the agreement say about notice?",
        "Which policy covers travel?",
        "How long is the notice period?",
        "Who works in the mill?",
    ],
)
def test_a_question_that_names_no_document_is_left_alone(question: str) -> None:
    named = documents_named(question, identities=IDENTITIES)

    assert (named.question, named.versions) == (question, frozenset())


def test_a_law_and_a_policy_leave_what_carries_them_out_and_what_replaces_them() -> None:
    openings = {"law": ("local law 144", "Local Law 144"), "rule": ("final rule", "Rule under Local Law 144")}

    assert documents_named("What does local law 144 require?", identities=identities_of(openings)).versions == set()


@pytest.mark.parametrize(
    ("question", "read", "versions"),
    [
        ("What is the cap on damages under the Corvid Corporate Terms?", "What is the cap on damages?", {"corporate"}),
        ("What do the terms of service say?", "What do the terms of service say?", set()),
        ("How long is the initial term?", "How long is the initial term?", set()),
        ("What do the license terms say about fees?", "What do the license terms say about fees?", {"license"}),
    ],
)
def test_terms_are_known_by_their_title_like_contracts(question: str, read: str, versions: set[str]) -> None:
    titles = {
        "corporate": "Corvid corporate terms of service",
        "usual": "Corvid terms of service",
        "license": "license",
    }
    named = documents_named(question, identities={key: identity_of(title, "") for key, title in titles.items()})

    assert (named.question, set(named.versions)) == (read, versions)


def test_where_all_documents_mention_a_name_it_tells_none_of_them_apart() -> None:
    openings = {name: ("", f'Policy of Datica Health Inc. ("Datica"), part {name}.') for name in "abc"}

    named = documents_named("When does Datica Health tell customers?", identities=identities_of(openings))

    assert (named.question, named.versions) == ("When does Datica Health tell customers?", frozenset())


def test_a_document_that_mentions_somebody_who_is_no_party_to_it_is_asked_by_the_name() -> None:
    openings = {
        "deed": ("deed", 'Deed of Corvid Systems ("Corvid").'),
        "memo": ("memo", "A memo on what Corvid Systems did."),
        "note": ("note", "A note on parking."),
    }

    named = documents_named("What did Corvid Systems do?", identities=identities_of(openings))

    assert named.question == "What did Corvid Systems do?"
    assert named.versions == {"memo", "deed"}


LONG_TITLE = (
    'WEBSITE CONTENT LICENSE AGREEMENT between Sun Stars Inc. ("Sun") and Corvid Holdings Corp. ("Licensor"), '
    'made as of 4 May 2020\n\n  1. RIGHTS. Licensor grants in Canada (the "Territory") Video on Demand ("VOD").\n'
)
LETTER = """PRIVATE
4 May 2020
Birch Partners, L.L.C.
9 Oak Street
Dear Ms. Birch:
CONFIDENTIALITY AGREEMENT
This Agreement is made between Birch Partners (the “Receiving Party”) and The Tallow Shops, Inc., an Ohio corporation
(together with its subsidiaries, the “Company”).
1. Information. A possible combination with the Company (the “Transaction”) is considered.
"""
PRODUCER = """NON-DISCLOSURE AGREEMENT

This Agreement (the "NDA") is made between Sun Stars Inc. ("Sun") and Heron Productions Ltd. (the producer, agent, or
owner of the rights, any and all referred to herein as the "Producer"), jointly the "Parties". The letter of Sun Stars
on Heron Film (the "Film") is old."""


@pytest.mark.parametrize(
    ("opening", "roles"),
    [
        (LONG_TITLE, {"Sun": "sun star", "Licensor": "corvid holding"}),
        (LETTER, {"Receiving Party": "birch partner", "Company": "tallow shop"}),
        (PRODUCER, {"Sun": "sun star", "Producer": "heron production"}),
    ],
)
def test_a_party_with_its_subsidiaries_is_one_and_what_a_clause_defines_is_none(
    opening: str, roles: dict[str, str]
) -> None:
    assert {one.role: " ".join(one.words) for one in identity_of("nda", opening).parties} == roles


NAMED = {
    "web": ("Corvidstars", LONG_TITLE),
    "letter": ("4 May", LETTER),
    "deep": (
        "Go page",
        "ACME CORP   GAME CONTENT LICENSE     This Content License is made by and for us all in the end",
    ),
}


@pytest.mark.parametrize(
    ("question", "read", "version"),
    [
        ("What does the website content licence cost?", "What does this document cost?", "web"),
        ("Which law governs the Corvid-Stars licence?", "Which law governs this document?", "web"),
        ("How long does the Tallow agreement last?", "How long does this Agreement last?", "letter"),
        ("Which law governs the game content licence?", "Which law governs this document?", "deep"),
        ("Must Sun Stars pay?", "Must Sun pay?", "web"),
    ],
)
def test_a_long_title_line_names_its_document_as_a_party_and_a_file_do(question: str, read: str, version: str) -> None:
    named = documents_named(question, identities=identities_of(NAMED))

    assert (named.question, set(named.versions)) == (read, {version})
