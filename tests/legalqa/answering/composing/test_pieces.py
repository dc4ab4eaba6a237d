"""Of a provision that answers, what makes it whole is shown with it."""

from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from legalqa.answering.composing import PassageFound, compose
from legalqa.answering.composing.pieces import in_order_read, piece_shown
from tests.legalqa.answering.composing.readers import sure_of


def test_a_list_that_a_rule_leaves_open_is_shown_with_it() -> None:
    rule = "The representative shall perform the tasks specified in the mandate."
    stem = "The mandate shall empower the representative to carry out the following tasks:"
    law = [Part(0, f"{rule} {stem}", "text"), *(Part(n, f"({n}) task {n};", "list", f"({n})") for n in (1, 2))]
    found = [PassageFound("v1", "d1", n, n, one.text, provision_at(law, n)) for n, one in enumerate(law)]
    asked = "What must a representative do?"
    composed = compose(asked, (asked,), found, reader=sure_of(rule), likeness=lambda _, texts: [0.6] * len(texts))
    pieces = found[composed.provisions[0].passage].provision.pieces

    assert [pieces[piece.place].text for piece in composed.provisions[0].pieces] == [
        rule,
        stem,
        "(1) task 1;",
        "(2) task 2;",
    ]


def test_one_item_does_not_pass_for_all_where_the_line_above_says_who_must_act() -> None:
    stem = "Deployers shall perform an assessment consisting of:"
    items = ("(a) the systems that are used;", "(b) the persons who are affected;", "(c) the measures to be taken.")
    law = [Part(0, stem, "text"), *(Part(n, text, "list", text[:3]) for n, text in enumerate(items, 1))]
    found = [PassageFound("v1", "d1", n, n, one.text, provision_at(law, n)) for n, one in enumerate(law)]
    asked = "Who has to carry out an assessment?"
    composed = compose(asked, (asked,), found, reader=sure_of(items[2]), likeness=lambda _, texts: [0.6] * len(texts))

    assert [piece.place for piece in composed.provisions[0].pieces] == [0, 1, 2, 3]


def shown_of(law: list[Part], question: str, answer: str) -> list[str]:
    """The first words of the pieces that are shown where the reader is sure of one sentence."""
    found = [PassageFound("v1", "d1", n, n, one.text, provision_at(law, n)) for n, one in enumerate(law)]
    composed = compose(
        question, (question,), found, reader=sure_of(answer), likeness=lambda _, texts: [0.6] * len(texts)
    )
    pieces = found[composed.provisions[0].passage].provision.pieces
    return [" ".join(pieces[piece.place].text.split()[:3]) for piece in composed.provisions[0].pieces]


def test_a_list_of_which_little_is_missing_is_shown_whole() -> None:
    # 6 RCNY § 5-303(a), public.
    stem = (
        "(a) Before the use of an AEDT, an employer or employment agency in the city must make the following publicly "
        "available on the employment section of their website in a clear and conspicuous manner:"
    )
    long = (
        "(1) The date of the most recent bias audit of the AEDT and a summary of the results, which shall include the "
        "source and explanation of the data used to conduct the bias audit, the number of individuals the AEDT "
        "assessed that fall within an unknown category, and the number of applicants or candidates, the selection or "
        "scoring rates, as applicable, and the impact ratios for all categories; and,"
    )
    law = [
        Part(0, stem, "list", "(a)"),
        Part(1, long, "list", "(1)"),
        Part(2, "(2) The distribution date of the AEDT.", "list", "(2)"),
    ]

    asked = "What exactly has to be shown on our website about the audit?"
    assert shown_of(law, asked, long) == ["(a) Before the", "(1) The date", "(2) The distribution"]


def test_what_sets_a_paragraph_aside_is_shown_with_all_that_it_sets_aside() -> None:
    # Regulation (EU) 2024/1689, Article 25(2).
    law = (
        "2. Where the circumstances referred to in paragraph 1 occur, the provider that initially placed the AI "
        "system on the market or put it into service shall no longer be considered to be a provider of that specific "
        "AI system for the purposes of this Regulation. That initial provider shall closely cooperate with new "
        "providers and shall make available the necessary information and provide the reasonably expected technical "
        "access and other assistance that are required for the fulfilment of the obligations set out in this "
        "Regulation. This paragraph shall not apply in cases where the initial provider has clearly specified that "
        "its AI system is not to be changed into a high-risk AI system and therefore does not fall under the "
        "obligation to hand over the documentation."
    )
    asked = "When does the original maker not have to help the company that changed its system?"

    assert shown_of([Part(0, law, "list", "2.")], asked, "This paragraph shall not apply") == [
        "2. Where the",
        "That initial provider",
        "This paragraph shall",
    ]


def test_a_list_of_exceptions_is_read_before_the_rule_that_it_sets_aside() -> None:
    law = [
        Part(0, "29. The Tenant shall not sublet without consent.", "list", "29."),
        Part(1, "30. Paragraph 29 does not apply to:", "list", "30."),
        Part(2, "(a) an affiliate;", "list", "(a)"),
        Part(3, "(b) a purchaser of all assets.", "list", "(b)"),
    ]

    assert in_order_read(provision_at(law, 1), {0, 1, 2, 3}) == [1, 2, 3, 0]
    assert in_order_read(provision_at(law, 0), {0, 1, 2, 3}) == [0, 1, 2, 3]


def test_an_exception_to_another_paragraph_does_not_fill_up_the_one_that_it_is_in() -> None:
    law = [
        Part(0, "3. A device shall give a warning that can be heard.", "list", "3."),
        Part(1, "4. No user shall switch it off. Paragraph 3 shall not require a sound for the deaf.", "list", "4."),
    ]

    assert shown_of(law, "Can the user switch the beeping off?", "No user shall switch") == ["4. No user"]


# Of a data use agreement of New York City's health department (CUAD, CC BY 4.0), shortened.
MEASURES = [
    Part(0, "The following measures shall apply:", "text"),
    # Longer than what is read of a list with the line that opens it.
    Part(
        1, f"1. Passwords. The recipient shall protect {'each and every computer, ' * 30} by passwords.", "list", "1."
    ),
    Part(2, "2. Staff. The recipient shall train its staff.", "list", "2."),
    Part(
        3,
        "3. Accounting. The recipient shall keep a record of each disclosure. The record shall include:",
        "list",
        "3.",
    ),
    Part(4, "a. The date of the disclosure;", "list", "a."),
    Part(5, "b. The name of the person.", "list", "b."),
]


def test_of_a_list_inside_an_item_that_is_asked_for_the_other_items_are_not_shown() -> None:
    keeps = "shall keep a record of each disclosure"

    shown = shown_of(MEASURES, "What must the record of a disclosure include?", keeps)
    assert shown == ["The record shall", "a. The date", "b. The name", "The following measures", "3. Accounting. The"]


def test_items_in_one_paragraph_are_not_taken_for_the_rest_of_each_other() -> None:
    duties = "3. The supplier shall: (a) keep records in the office; (b) pay fees; (c) train staff; (d) report."
    provision = provision_at([Part(0, duties, "list", "3.")], 0)
    records = next(n for n, piece in enumerate(provision.pieces) if piece.text.startswith("(a)"))
    pieces, _ = piece_shown(provision, records)

    assert [provision.pieces[one.place].part for one in pieces] == ["stem", "item"]


def test_a_list_that_is_shown_whole_has_the_lists_inside_it() -> None:
    asked = "Which measures shall apply?"

    assert {"a. The date", "b. The name"} <= set(shown_of(MEASURES, asked, "The following measures"))


def test_the_sentence_of_the_paragraph_that_names_the_case_is_shown() -> None:
    # Article 50(4) of the AI Act as adopted, shortened.
    rule = (
        "4. Deployers of a system that generates deep fakes shall disclose that the content has been manipulated, in a "
        "clear manner and at the time of the first exposure at the latest, to all persons who are exposed to it. "
        "The disclosure shall conform to the applicable accessibility requirements and to the codes of practice. "
        "Where the content is part of a satirical work, the duty is limited to disclosing that it exists."
    )
    law = [Part(0, rule, "list", "4.")]

    assert "Where the content" in shown_of(law, "Must we label a deep fake in a satire?", "Deployers of a system")
    assert "Where the content" not in shown_of(law, "Must we label a deep fake?", "Deployers of a system")
