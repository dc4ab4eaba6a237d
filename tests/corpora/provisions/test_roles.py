"""What a paragraph is: law, recital, preamble, example, note, contents, superseded text."""

import pytest

from corpora.provisions.roles import is_blank, roles_of
from corpora.provisions.types import Part, Role
from tests.corpora.provisions.documents import AI_ACT, BILL, CODE, RULE, parts_of, place_of, text_file


@pytest.mark.parametrize(
    ("document", "words", "role"),
    [
        (AI_ACT, "Having regard to the proposal", Role.PREAMBLE),
        (AI_ACT, "(44)", Role.RECITAL),
        (AI_ACT, "To inform this, the AI Office should", Role.RECITAL),
        (AI_ACT, "45 Commission Decision of 24.1.2024", Role.NOTE),
        (AI_ACT, "Article 5 Prohibited", Role.HEADING),
        (AI_ACT, "1. The following AI practices", Role.OPERATIVE),
        (AI_ACT, "(45) ‘law enforcement authority’ means", Role.DEFINITION),
        (AI_ACT, "(a) any public authority competent for the prevention", Role.DEFINITION),
        (AI_ACT, "(a) the means to ensure that", Role.OPERATIVE),
        (BILL, "By Council Members", Role.PREAMBLE),
        (BILL, "a. In the city, it shall be unlawful", Role.OPERATIVE),
        (CODE, "These rules establish that a bias audit", Role.NOTE),
        (CODE, "(L.L. 2021/144", Role.NOTE),
        (RULE, "Pursuant to the authority vested", Role.PREAMBLE),
        (RULE, "• Define terms;", Role.NOTE),
        (RULE, "Section 1. Chapter 5 of Title 6", Role.OPERATIVE),
        (RULE, "Example. If 100 Hispanic women", Role.EXAMPLE),
        (RULE, "Sex Categories # of # Selection", Role.EXAMPLE),
        (RULE, "Note: The AEDT was also used", Role.NOTE),
        (RULE, "OR", Role.DEFINITION),
    ],
)
def test_a_paragraph_of_the_law_is_what_a_reader_takes_it_for(document: str, words: str, role: Role) -> None:
    parts = parts_of(document)

    assert parts[place_of(parts, words)].role == role


def roles(*paragraphs: str, name: str = "contract.md") -> list[str]:
    return [str(part.role) for part in text_file(*paragraphs, name=name)]


def test_a_contract_has_parties_recitals_clauses_and_signatures() -> None:
    assert roles(
        "This Agreement is made between Acme Ltd and Birch LLC.",
        "WHEREAS, Acme owns certain data;",
        "NOW, THEREFORE, the parties agree as follows:",
        "1. FEES",
        "1.1 Birch shall pay $500 a month.",
        "IN WITNESS WHEREOF, the parties have signed this Agreement.",
        "By: ____________",
        "Per:",
        "- Name: Anna Meyer Title: Chairman AGREED TO this ___ day of May, 2006.",
    ) == ["preamble", "recital", "preamble", "heading", "operative", *["note"] * 4]


@pytest.mark.parametrize("text", ["[●]", "[ENTER TITLE: ____]", "[insert name of the licensor]"])
def test_a_place_that_nobody_filled_in_is_no_rule(text: str) -> None:
    assert is_blank(text)
    assert is_blank("____")
    assert roles(text) == ["note"]


@pytest.mark.parametrize("text", ["The fee is [●] % of the price.", "Title: the Film", "[Reserved]", "[1]"])
def test_words_beside_a_blank_are_more_than_a_blank(text: str) -> None:
    assert not is_blank(text)


def test_a_contents_page_is_no_rule() -> None:
    assert roles(
        "Table of Contents", "1 Scope ........ 2", "2 Payment ........ 3", "1 Scope", "This policy binds all staff."
    ) == ["contents", "contents", "contents", "heading", "operative"]


def test_an_example_and_a_note_are_known_behind_their_number_too() -> None:
    assert roles(
        "a. The fee is $160 for each application.",
        "b. Example: Ms. Ortega files two applications and pays $320.",
        "(3) Note: The fee was $145 until last year.",
        "c. Examples of proof must be filed with the application.",
    ) == ["operative", "example", "note", "operative"]


def test_a_policy_that_was_replaced_is_superseded_and_its_headings_stay_headings() -> None:
    assert roles(
        "# Travel", "This policy has been superseded by the Travel Policy 2024.", "Staff may fly first class."
    ) == ["heading", "superseded", "superseded"]


def test_an_agreement_that_supersedes_earlier_ones_is_in_force() -> None:
    assert (
        roles("12. Entire agreement. This Agreement supersedes all prior agreements of the parties.")[-1] == "operative"
    )


@pytest.mark.parametrize("text", ["3. [Repealed]", "§ 4. Reserved.", "5. Intentionally omitted."])
def test_a_number_without_a_rule_is_superseded(text: str) -> None:
    part = Part(0, text, "list", text.split(maxsplit=1)[0])

    assert roles_of([part]) == [Role.SUPERSEDED]


def test_a_summary_beside_a_clause_is_a_note() -> None:
    assert roles("Short version: you own your content.", "You retain ownership of your content.") == [
        "note",
        "operative",
    ]
