"""The law by its name in a question, put as its text names itself."""

import pytest

from legalqa.answering.composing.naming import as_it_names_itself

TEXTS = [
    "This Regulation applies to providers.",
    "For the purposes of this Regulation, the following definitions apply.",
    "Any act adopted under this Regulation shall be published.",
]


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("When does the AI Act start to apply?", "When does this Regulation start to apply?"),
        ("We sell toys. Does the EU AI Act apply to us?", "We sell toys. Does this Regulation apply to us?"),
        ("the Act covers whom?", "This Regulation covers whom?"),
        ("Must providers in the EU act at once?", "Must providers in the EU act at once?"),
        ("Which duties do distributors have under the AI Act?", "Which duties do distributors have?"),
        ("Under the AI Act, who is a deployer?", "Who is a deployer?"),
        ("Which AI systems are prohibited?", "Which AI systems are prohibited?"),
    ],
)
def test_the_name_of_the_law_is_put_as_the_law_says_it(typed: str, read: str) -> None:
    assert as_it_names_itself(typed, name="EU AI Act", texts=TEXTS) == read


def test_a_small_word_of_a_long_title_is_no_beginning_of_its_name() -> None:
    title = "EU AI Act REGULATION (EU) 2024/1689 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL"

    read = [
        as_it_names_itself(typed, name=title, texts=TEXTS)
        for typed in ("What is the purpose of the AI Act?", "Who checks the logs and the Act itself?")
    ]

    assert read == ["What is the purpose of this Regulation?", "Who checks the logs and this Regulation itself?"]


def test_a_name_stays_where_the_documents_do_not_name_themselves() -> None:
    assert as_it_names_itself("Does the AI Act apply?", name="EU AI Act", texts=TEXTS[:2]) == "Does the AI Act apply?"


def test_under_the_law_is_left_out_though_the_documents_do_not_name_themselves() -> None:
    assert as_it_names_itself("what are the penalties under the AI Act?", name="EU AI Act", texts=[]) == (
        "What are the penalties?"
    )
    assert as_it_names_itself("does the AI Act apply?", name="EU AI Act", texts=[]) == "does the AI Act apply?"


def test_a_corpus_whose_name_is_no_law_is_asked_as_typed() -> None:
    assert as_it_names_itself("Does the Act apply?", name="Compliance files", texts=TEXTS) == "Does the Act apply?"


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("What does the AI Act prohibit?", "What is prohibited?"),
        ("And what else does this regulation ban in schools?", "What is prohibited in schools?"),
        ("What does the AI Act require of importers?", "What are the obligations of importers?"),
        (
            "What does the law require employers to do before using a tool?",
            "What must employers do before using a tool?",
        ),
        ("What does the Act forbid deployers from doing?", "What may deployers not do?"),
        ("What does the Act permit law enforcement to do?", "What may law enforcement do?"),
        ("What does our policy require for remote work?", "What is required for remote work?"),
        ("What does the risk manager require of importers?", "What does the risk manager require of importers?"),
        ("What does Article 5 prohibit?", "What does Article 5 prohibit?"),
    ],
)
def test_what_the_law_does_as_a_whole_is_asked_without_naming_it(typed: str, read: str) -> None:
    assert as_it_names_itself(typed, name="EU AI Act", texts=TEXTS) == read
