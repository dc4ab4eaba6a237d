"""The whole provision around a paragraph: stem with items, exceptions, definitions, sentences over page ends."""

import pytest

from corpora.provisions.exceptions import excepts
from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from tests.corpora.provisions.documents import (
    AI_ACT,
    CODE,
    RULE,
    cites_itself,
    lettered,
    parts_of,
    piece,
    place_of,
    provision,
    read,
    shown,
    text_file,
)


def test_an_item_of_a_list_brings_the_whole_list_with_its_nested_items_and_the_text_after_it() -> None:
    found = provision(parts_of(AI_ACT), "(c) the placing on the market", under="Article 5")

    assert lettered(found) == [
        ("stem", "1."),
        ("item", "(a)"),
        ("item", "(b)"),
        ("stem", "(c)"),
        ("item", "(i)"),
        ("item", "(ii)"),
        ("item", "(d)"),
        ("item", "(e)"),
        ("item", "(f)"),
        ("item", "(g)"),
        ("stem", "(h)"),
        ("item", "(i)"),
        ("item", "(ii)"),
        ("item", "(iii)"),
        ("exception", ""),
    ]
    assert found.heading == "Article 5 Prohibited AI Practices"
    assert found.pieces[0].text == "1. The following AI practices shall be prohibited:"


def test_every_piece_is_in_its_paragraph_word_for_word() -> None:
    parts = parts_of(AI_ACT)
    places = range(place_of(parts, "Article 5 Prohibited"), place_of(parts, "Article 9 Risk"))

    assert all(cites_itself(parts, one) for place in places for one in provision_at(parts, place).pieces)


def test_a_window_of_paragraphs_gives_the_same_provision_as_the_whole_document() -> None:
    parts = parts_of(AI_ACT)
    place = place_of(parts, "(c) the placing on the market", under="Article 5")

    assert provision_at(parts[place - 60 : place + 80], 60) == provision_at(parts, place)


def test_an_item_is_shown_with_its_stems_and_not_with_its_neighbours() -> None:
    found = provision(parts_of(AI_ACT), "(c) the placing on the market", under="Article 5")
    nested = piece(found, "(ii) detrimental or unfavourable treatment")

    assert [found.pieces[i].label for i in found.completed([nested])] == ["1.", "(c)", "(ii)"]


def test_an_item_that_opens_a_list_is_shown_with_that_list() -> None:
    found = provision(parts_of(AI_ACT), "(c) the placing on the market", under="Article 5")
    inner = piece(found, "(c) the placing on the market")

    assert [found.pieces[i].label for i in found.completed([inner])] == ["1.", "(c)", "(i)", "(ii)"]


def test_a_stem_is_never_shown_alone() -> None:
    found = provision(parts_of(AI_ACT), "1. The following AI practices")

    assert found.completed([0]) == tuple(range(15))


def test_an_item_that_an_exception_names_is_shown_with_it() -> None:
    found = provision(parts_of(AI_ACT), "(c) the placing on the market", under="Article 5")
    narrowed = piece(found, "(h) the use of")

    assert shown(found, narrowed)[-1] == "Point (h) of the"
    assert all("Point (h)" not in words for words in shown(found, 1))


@pytest.mark.parametrize(
    ("fine", "amount"), [("3. Non-compliance", "35 000 000 EUR"), ("5. The supply of incorrect", "7 500 000 EUR")]
)
def test_a_fine_comes_with_the_paragraph_that_caps_it_for_small_companies(fine: str, amount: str) -> None:
    found = provision(parts_of(AI_ACT), fine, under="Article 99")

    assert amount in found.pieces[0].text
    assert shown(found, 0)[1:] == ["6. In the case"]
    assert found.pieces[1].part == "exception"


def test_a_derogation_from_another_paragraph_of_the_article_comes_with_that_paragraph() -> None:
    found = provision(parts_of(AI_ACT), "2. In addition to the high-risk", under="Article 6")

    assert lettered(found) == [("rule", "2."), ("exception", "3.")]
    assert found.completed([0]) == (0, 1)


def test_the_first_subparagraph_comes_with_its_conditions_and_the_exception_to_it() -> None:
    found = provision(parts_of(AI_ACT), "3. By derogation from paragraph 2", under="Article 6")

    assert shown(found, 0) == [
        "3. By derogation from",
        "The first subparagraph shall",
        *["(a) the AI system", "(b) the AI system", "(c) the AI system", "(d) the AI system"],
        "Notwithstanding the first subparagraph,",
    ]


def test_a_sentence_that_the_page_cuts_is_whole_and_its_halves_need_each_other() -> None:
    halves = provision(parts_of(AI_ACT), "empowered to adopt, via delegated acts").pieces[1:]

    assert halves[0].text.endswith("the list of high-risk AI systems that the Commission should be")
    assert halves[1].text.startswith("empowered to adopt, via delegated acts")
    assert (halves[0].needs, halves[1].needs) == ((2,), (1,))


def test_conditions_that_hold_together_are_shown_together() -> None:
    found = provision(parts_of(CODE), "1. Such tool has been the subject", under="§ 20-871")

    assert lettered(found) == [("stem", "a."), ("item", "1."), ("item", "2.")]
    assert found.completed([1]) == (0, 1, 2)


def test_each_notice_is_under_its_stem_with_the_sentence_about_its_time() -> None:
    found = provision(parts_of(CODE), "2. The job qualifications", under="§ 20-871")
    deadline = piece(found, "no less than 10 business days")

    assert [one.label for one in found.pieces if one.part in {"stem", "item"}] == ["b.", "1.", "2.", "3."]
    assert shown(found, deadline) == ["b. Notices required. In", "2. The job qualifications", "Such notice shall be"]


def test_a_definition_is_itself_with_its_items_and_nothing_of_its_neighbours() -> None:
    found = provision(parts_of(RULE), "ii. at any point during the bias audit", under="§ 5-300")

    assert [one.part for one in found.pieces] == ["definition", "item", "item", "item"]
    assert found.pieces[0].text.startswith("Independent Auditor. “Independent auditor” means")


def test_a_definition_of_two_sentences_is_one_piece() -> None:
    found = provision(parts_of(CODE), "Bias audit. The term", under="§ 20-870")

    assert [one.part for one in found.pieces] == ["definition"]
    assert "Such bias audit shall include" in found.pieces[0].text


def test_a_numbered_definition_of_a_long_list_is_a_provision_of_its_own() -> None:
    found = provision(parts_of(AI_ACT), "(1) ‘AI system’ means")

    assert lettered(found) == [("definition", "(1)")]


def test_the_formulas_of_a_definition_belong_to_it() -> None:
    found = provision(parts_of(RULE), "Impact Ratio = scoring rate", under="§ 5-300")

    assert [one.text.split()[0] for one in found.pieces] == ["Impact", "Impact", "OR", "Impact"]
    assert {one.part for one in found.pieces} == {"definition"}


def test_examples_and_their_tables_stay_apart_from_the_rule() -> None:
    found = provision(parts_of(RULE), "(2) Calculate the impact ratio", under="§ 5-301")

    assert not any("Example" in one.text or "\t" in one.text for one in found.pieces)


def test_however_with_a_list_limits_the_sentence_before_it() -> None:
    found = provision(parts_of(AI_ACT), "(a) Chapters I and II shall apply", under="Article 113")

    assert [words.split()[0] for words in shown(found, 0)] == ["It", "However:", "(a)", "(b)", "(c)"]


def test_a_row_of_a_table_is_shown_with_the_heads_of_its_columns() -> None:
    parts = read(b"| Year | Fee |\n| --- | --- |\n| 2024 | $5 |\n| 2025 | $6 |\n", "fees.md")
    found = provision_at(parts, len(parts) - 1)

    assert [one.part for one in found.pieces] == ["stem", "item", "item"]
    assert found.completed([2]) == (0, 2)


CLAUSE = (
    "8. Term and Termination",
    "8.1 This Agreement runs for two years.",
    "8.2 Either party may stop, provided that: (i) all invoices are paid; and (ii) no order is open. E-mail is enough.",
    "8.3 Section 8.2 shall not apply during the first six months.",
    "9. Notices",
)


def test_a_proviso_with_its_list_inside_a_clause_is_cut_into_stem_and_conditions() -> None:
    found = provision(text_file(*CLAUSE), "8.2 Either party")

    assert lettered(found) == [("stem", "8.2"), ("item", "(i)"), ("item", "(ii)"), ("rule", ""), ("exception", "8.3")]
    assert found.completed([1]) == (0, 1, 2, 4)


def test_an_exception_that_opens_a_list_comes_with_the_rule_before_it() -> None:
    clause = (
        "7. Return. All copies shall be returned. Notwithstanding the foregoing, (i) counsel may keep one copy; and"
        " (ii) backups need not be deleted."
    )
    found = provision(text_file(clause), "7. Return")

    assert "Notwithstanding the foregoing," in " ".join(found.pieces[place].text for place in found.completed([0]))


def test_what_sets_other_obligations_aside_is_no_exception_to_the_sentence_before() -> None:
    assert not excepts("Notwithstanding any obligations of the customer, the supplier keeps records.")
    assert excepts("Notwithstanding any other provision, the supplier may keep one copy.")


def test_an_exception_to_an_exception_is_shown_with_it() -> None:
    clause = (
        "## Article 4 Files",
        "1. Providers shall keep a file.",
        "2. Paragraph 1 shall not apply to free models. This exception shall not apply to models with systemic risk.",
    )
    found = provision(text_file(*clause), "1. Providers")

    assert [one.part for one in found.pieces] == ["rule", "exception", "exception"]
    assert found.completed([0]) == (0, 1, 2)


def test_references_in_brackets_are_no_list() -> None:
    parts = text_file("1. Duties", "1.1 The duties in paragraphs (1), (2) and (3) of this section last for one year.")

    assert len(provision(parts, "1.1 The duties").pieces) == 1


def test_bullets_of_a_policy_are_under_the_line_that_opens_them() -> None:
    parts = text_file("# Leave", "You must send two things:", "- a form", "- a doctor's note", "Reviews take a week.")
    found = provision(parts, "• a doctor")

    assert [one.part for one in found.pieces] == ["stem", "item", "item"]
    assert shown(found, 2) == ["You must send two", "• a doctor's note"]


def test_a_bullet_keeps_the_bullets_below_it_and_no_others() -> None:
    # JupiterOne, procedures, "Recovery", shortened.
    plan = (
        "The notification sequence is listed below:\n\n* The first responder is to notify the COO.\n"
        "* The Plan is to be activated if one or more of the\n  following criteria are met:\n\n"
        "    * We will be unavailable for more than 48 hours.\n    * The facility is damaged.\n\n"
        "* Notification can be message, email, or phone."
    )
    found = provision(text_file("# Recovery", plan), "– The facility")

    assert [one.text[:2] for one in found.pieces] == ["Th", "• ", "• ", "– ", "– ", "• "]
    assert [one.part for one in found.pieces] == ["stem", "item", "stem", "item", "item", "item"]
    assert found.completed([4]) == (0, 2, 4)
    assert set(found.completed([2])) == {0, 2, 3, 4}


def test_the_next_number_of_an_outer_list_goes_on_with_it_after_a_short_list_inside_an_item() -> None:
    # Datica, Vulnerability Scanning Policy, shortened.
    document = text_file(
        "# Vulnerability Scanning",
        "1. Nessus management is performed by the Security Officer.",
        "2. Nessus is used to monitor all internal addresses.",
        "3. Frequency of scanning is as follows:",
        "    1. on a weekly basis;",
        "    2. after every production deployment.",
        "4. All vulnerability scanning reports are retained for 6 years.",
    )
    found = provision(document, "4. All vulnerability")

    assert shown(found, piece(found, "6 years")) == ["4. All vulnerability scanning"]


def test_a_clause_that_follows_a_heading_in_capitals_is_found_under_it() -> None:
    parts = text_file(*CLAUSE[:1], "A. Fees. The client pays $500.", "B. Late Payment", "1. Interest is 1% a month.")

    assert provision(parts, "1. Interest").heading == "B. Late Payment"


def test_a_heading_is_a_provision_of_its_own() -> None:
    found = provision(parts_of(AI_ACT), "Article 5 Prohibited")

    assert (found.role, [one.text for one in found.pieces]) == ("heading", ["Article 5 Prohibited AI Practices"])


def test_a_rule_comes_with_the_whole_list_that_its_exception_opens() -> None:
    found = provision(
        text_file(
            "# Data use",
            "4. No party shall attempt to identify a patient from the Shared Data.",
            "5. Paragraph 4 shall not apply to:",
            "(a) linkage with the national mortality register, carried out by the Trust; or",
            "(b) a re-identification which is needed to warn a patient of a serious risk to health.",
        ),
        "4. No party shall attempt",
    )

    assert [words.split()[0] for words in shown(found, 0)] == ["4.", "5.", "(a)", "(b)"]


RULE_OF_FEES = "1. The fee for an assessment is EUR 28 000."


@pytest.mark.parametrize(
    "adjustment",
    [
        "2. For small enterprises the fee shall be reduced by 40 %.",
        "2. A host who receives a pension pays one half of the fee.",
        "2. In calculating the fee under paragraph 1, a branch is not counted.",
    ],
)
def test_a_rule_comes_with_the_sentence_that_changes_it_for_some(adjustment: str) -> None:
    found = provision(text_file("# Fees", RULE_OF_FEES, adjustment), "1. The fee")

    assert [found.pieces[place].text for place in found.completed([0])] == [RULE_OF_FEES, adjustment]


def test_a_neighbour_that_changes_something_else_stays_apart() -> None:
    neighbour = "2. For small enterprises the deadline shall be extended to 30 days."
    found = provision(text_file("# Fees", RULE_OF_FEES, neighbour), "1. The fee")

    assert len(shown(found, 0)) == 1


def test_an_order_comes_with_the_sentence_that_forbids_it_for_a_time() -> None:
    order = "7. The agent shall release the code on written request."
    pause = "8. While an objection is pending, the agent shall not release the code."
    found = provision(text_file("# Escrow", order, pause), "7. The agent")
    other = provision(text_file("# Escrow", order, pause.replace("release", "copy")), "7. The agent")

    assert [found.pieces[place].text for place in found.completed([0])] == [order, pause]
    assert len(shown(other, 0)) == 1


def test_what_goes_on_after_an_exception_is_at_hand() -> None:
    found = provision(
        text_file(
            "# Notices",
            "9. The officer shall notify a breach within 72 hours.",
            "10. Paragraph 9 shall not apply where no risk is likely. The officer shall then record the reasons.",
        ),
        "9. The officer",
    )

    assert lettered(found) == [("rule", "9."), ("exception", "10."), ("rule", "")]
    assert len(shown(found, 0)) == 2


@pytest.mark.parametrize(
    ("begins", "n_pieces"),
    [
        ("This supersedes the ban on visitors.", 2),
        ("Badges are blue.", 1),
        ("This Notice is governed by English law.", 1),
    ],
)
def test_a_paragraph_that_points_to_the_one_before_it_brings_that_one(begins: str, n_pieces: int) -> None:
    parts = [Part(0, "Visitors may enter with an escort.", "text"), Part(1, begins, "text")]

    assert len(provision_at(parts, 1).pieces) == n_pieces
    assert len(provision_at(parts, 1).completed([n_pieces - 1])) == n_pieces
