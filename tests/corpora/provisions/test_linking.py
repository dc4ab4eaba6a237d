"""Rules and the paragraphs that are exceptions to them, tied to each other."""

from corpora.provisions.types import Provision
from tests.corpora.provisions.documents import AI_ACT, RULE, parts_of, piece, provision, shown, text_file

# GitHub, Secret Scanning Partner Program Agreement, section 8 (CC0).
SHARING = (
    "## 8. No Onward Sharing",
    "8.1 Partner shall not disclose, forward, or otherwise make available Match Data to any third party.",
    "8.2 Section 8.1 does not prohibit Partner from disclosing Match Data if required by applicable law, if Partner:",
    "(a) notifies GitHub in advance of the required disclosure to the extent permitted by law; and",
    "(b) discloses only the minimum information legally required.",
)
# New York City Department of Health, data use agreement, I.D (public).
RETURN = (
    "2. The confidentiality provisions shall continue to apply. Except as provided in paragraph (3) of this subsection,"
    " upon termination of this Agreement Data Recipient shall return or destroy the Data. Data Recipient will confirm"
    " the destruction or return within 60 days."
)
INFEASIBLE = (
    "3. In the event that destroying all copies is infeasible, Data Recipient shall notify DOHMH of the conditions."
    " Upon receipt of such notification, Data Recipient shall extend the protections of this Agreement to such Data."
)


def labels(found: Provision, words: str) -> list[str]:
    return [found.pieces[n].label for n in found.completed([piece(found, words)])]


def test_a_section_that_another_does_not_let_forbid_something_comes_with_it() -> None:
    found = provision(text_file(*SHARING), "8.1 Partner")

    assert labels(found, "8.1 Partner") == ["8.1", "8.2", "(a)", "(b)"]
    assert found.pieces[piece(found, "8.2 Section")].part == "exception"


def test_a_list_of_exceptions_comes_with_the_rule_that_it_names() -> None:
    found = provision(text_file(*SHARING), "8.2 Section 8.1")

    assert labels(found, "8.2 Section") == ["8.1", "8.2", "(a)", "(b)"]


def test_an_item_of_a_list_of_exceptions_does_not_bring_the_others() -> None:
    clause = (
        "# Remote work",
        "16. After three months an employee may apply for remote work.",
        "17. Paragraph 16 shall not apply to:",
        "(a) production staff;",
        "(b) reception staff.",
    )
    found = provision(text_file(*clause), "17. Paragraph 16")

    assert labels(found, "(a) production") == ["16.", "17.", "(a)"]


def test_a_paragraph_to_which_a_rule_points_for_its_exceptions_comes_with_it_whole() -> None:
    found = provision(text_file("# D. Effect of Termination", "1. No damages are due.", RETURN, INFEASIBLE), "2. The")

    assert [words.split()[0] for words in shown(found, piece(found, "Except as provided"))] == ["Except", "3.", "Upon"]
    assert [one.part for one in found.pieces] == ["rule", "rule", "rule", "exception", "exception"]


def test_the_paragraph_pointed_to_is_the_one_beside_and_comes_with_its_list() -> None:
    parts = text_file(
        "# Permits",
        "1. Except as provided in paragraph 3, a permit is needed.",
        "2. The fee is $10.",
        "3. No permit is needed for:",
        "(a) repairs; and",
        "(b) painting.",
    )

    assert labels(provision(parts, "1. Except"), "1. Except") == ["1.", "3.", "(a)", "(b)"]


def test_an_item_to_which_another_item_points_comes_with_it() -> None:
    parts = text_file(
        "# Copies",
        "The recipient shall:",
        "(a) except as provided in point (c), return all copies;",
        "(b) pay all invoices; and",
        "(c) keep one copy for its files.",
    )

    assert labels(provision(parts, "(a) except"), "(a) except") == ["", "(a)", "(c)"]


def test_a_sentence_on_another_paragraph_is_no_exception_to_the_sentence_before_it() -> None:
    # From a regulation on batteries that was written for our own questions.
    parts = text_file(
        "# Article 9",
        "3. A home device shall give a warning which can be heard and seen.",
        "4. The user shall not be able to switch it off. Paragraph 3 shall not require a sound for the deaf.",
    )
    found = provision(parts, "4. The user")

    assert shown(found, piece(found, "4. The user")) == ["4. The user shall"]
    assert shown(found, piece(found, "Paragraph 3 shall")) == ["3. A home device", "Paragraph 3 shall not"]


def test_a_sentence_that_says_itself_what_holds_does_not_bring_the_lists_that_it_sets_aside() -> None:
    found = provision(parts_of(RULE), "(d) Notwithstanding the requirements", under="§ 5-301")

    assert shown(found, piece(found, "(d) Notwithstanding")) == [
        "(d) Notwithstanding the requirements",
        "Where such a category",
    ]


def test_one_point_that_is_set_aside_is_shown() -> None:
    parts = text_file(
        "# Hosts",
        "a. A host shall:",
        "1. be present overnight;",
        "2. keep a register.",
        "b. Notwithstanding paragraph 1 of subdivision a, a host may be away for 14 nights.",
    )

    assert labels(provision(parts, "b. Notwithstanding"), "b. Notwithstanding") == ["a.", "1.", "b."]


def test_what_lifts_requirements_is_no_exception_to_what_is_allowed() -> None:
    found = provision(parts_of(RULE), "(a) Historical Data", under="§ 5-302")

    assert "(b) Test Data. Notwithstanding" in shown(found, piece(found, "must use historical data"))
    assert len(shown(found, piece(found, "However, an individual employer"))) == 2


def test_a_rule_comes_with_the_exception_and_the_terms_on_which_it_may_be_used() -> None:
    found = provision(parts_of(RULE), "(2) Calculate the impact ratio", under="§ 5-301")

    assert shown(found, piece(found, "(2) Calculate the impact"))[-2:] == [
        "(d) Notwithstanding the requirements",
        "Where such a category",
    ]


def test_a_point_is_not_limited_where_its_number_is_named_in_another_paragraph() -> None:
    parts = parts_of(RULE)  # "paragraphs (2) and (3) of subdivision (b) and paragraphs (3) and (4) of subdivision (c)"
    of_groups = provision(parts, "(4) Ensure that the calculations in paragraphs (1), (2), and (3)", under="§ 5-301")
    of_rates = provision(parts, "(2) Calculate the scoring rate", under="§ 5-301")

    assert "(d) Notwithstanding the requirements" in shown(of_groups, piece(of_groups, "(2) Calculate the impact"))
    assert "(d) Notwithstanding the requirements" not in shown(of_groups, piece(of_groups, "(4) Ensure that"))
    assert "(d) Notwithstanding the requirements" not in shown(of_rates, piece(of_rates, "(2) Calculate the scoring"))


def test_a_permission_comes_with_what_those_who_use_it_must_do() -> None:
    found = provision(parts_of(RULE), "(b) Test Data", under="§ 5-302")

    assert "If a bias audit" in shown(found, piece(found, "(b) Test Data"))


def test_what_may_be_begun_without_leave_comes_with_what_follows_where_it_is_refused() -> None:
    found = provision(
        parts_of(AI_ACT), "3. For the purposes of paragraph 1, first subparagraph, point (h)", under="Article 5"
    )

    assert "If such authorisation is" in shown(found, piece(found, "However, in a duly justified situation of urgency"))
