"""Which clauses a contract has: passages, the best of them, and the sentence that is quoted."""

from collections.abc import Sequence

import numpy as np
import pytest

from legalqa.answering.clauses.library import examples, library, own_clause, weights
from legalqa.answering.clauses.reading import (
    PASSAGE_CHARS,
    QUOTE_CHARS,
    Clause,
    Paragraph,
    Weights,
    clauses_find,
    passage_around,
    stretches_of,
)
from legalqa.encoder.reading import Read

LAW = "This Agreement is governed by the laws of Ohio. Each party waives a jury."
PAY = "The Client pays within ten days."
PLAIN = Weights(bias=0.0, answers=1.0, cosine=0.0)


def clause(key: str, question: str) -> Clause:
    return Clause(key, key, question, question, present=0.7, absent=0.3)


def encode(texts: Sequence[str]) -> np.ndarray:
    """Texts about law point one way, all others another."""
    return np.array([[1.0, 0.0] if "law" in text.lower() else [0.0, 1.0] for text in texts], np.float32)


def reads(pairs: Sequence[tuple[str, str]]) -> list[Read]:
    """A passage answers a question about the law where it says "governed", which is marked."""
    found = []
    for question, passage in pairs:
        at = passage.find("governed")
        is_answer = at >= 0 and "law" in question
        found.append(Read(0.9 if is_answer else 0.1, (at, at + 8) if is_answer else (0, 1), 0.0, (0, 0, 1)))
    return found


def find(paragraphs: Sequence[Paragraph], *clauses: Clause) -> list[tuple[str, str]]:
    texts = {one.ordinal: one.text for one in paragraphs}
    found = clauses_find(paragraphs, clauses, weights=PLAIN, examples={}, encode=encode, reader=reads)
    return [
        (one.verdict, texts[one.quote.ordinal][one.quote.start : one.quote.end] if one.quote else "") for one in found
    ]


def test_a_clause_that_is_there_is_quoted_by_its_sentence_and_one_that_is_not_is_absent() -> None:
    paragraphs = [Paragraph(0, PAY), Paragraph(1, LAW)]

    found = find(paragraphs, clause("law", "Which law governs?"), clause("insurance", "Is there insurance?"))

    assert found == [("present", "This Agreement is governed by the laws of Ohio."), ("absent", "")]


def test_examples_of_a_clause_lead_to_passages_that_its_question_alone_does_not_find() -> None:
    paragraphs = [Paragraph(place, f"{PAY} ({place})", f"Payment {place}") for place in range(3)]
    paragraphs.append(Paragraph(3, LAW, "Miscellaneous"))
    asked = clause("law", "In which state would one sue?")  # nearer to payment, for this encoder; no word of law

    def found(**examples: np.ndarray) -> str:
        return str(
            clauses_find(
                paragraphs, [asked], weights=PLAIN, examples=examples, encode=encode,
                reader=lambda pairs: reads([("law", text) for _, text in pairs]),
            )[0].verdict
        )  # fmt: skip

    assert (found(), found(law=np.array([2.0, 0.0], np.float32))) == ("absent", "present")


def test_a_sentence_that_denies_the_clause_is_not_quoted_for_it() -> None:
    denial = "Nothing here grants a right that is governed by the law of licences."
    grant = Clause("licence", "Licence", "", "Is a licence granted under law?", 0.7, 0.3, sense="grants")

    assert find([Paragraph(0, denial)], grant) == [("absent", "")]
    assert find([Paragraph(0, denial, "One"), Paragraph(1, LAW, "Two")], grant)[0][0] == "present"


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("Fees governed by law rise with each user above fifty.", "present"),
        ("The fees are governed by the law.", "unsure"),
        ("No liability governed by law exceeds the fees.", "absent"),
    ],
)
def test_another_clause_is_none_and_one_without_the_words_that_it_needs_is_not_sure(
    sentence: str, verdict: str
) -> None:
    found = find([Paragraph(0, sentence)], clause("volume-restriction", "Do fees rise under the law?"))

    assert found == [(verdict, "" if verdict == "absent" else sentence)]


def test_the_first_page_is_read_by_rule_and_quoted_in_the_contracts_own_words() -> None:
    opening = "This Agreement is dated as of May 3, 2019 between Acme Corp., a Utah corporation (“Acme”), and Bee Ltd."
    paragraphs = [Paragraph(0, "SUPPLY AGREEMENT", is_heading=True), Paragraph(1, opening), Paragraph(2, PAY)]

    found = find(paragraphs, *(clause(key, "?") for key in ("document-name", "agreement-date", "parties")))

    assert found == [("present", "SUPPLY AGREEMENT"), ("present", opening), ("present", opening)]


def test_a_probability_between_the_two_thresholds_is_not_sure_and_still_quoted() -> None:
    doubtful = Clause("law", "Law", "", "Which law governs?", present=0.95, absent=0.3)

    assert find([Paragraph(0, LAW)], doubtful) == [("unsure", "This Agreement is governed by the laws of Ohio.")]


def test_a_document_without_text_has_none_of_the_clauses() -> None:
    assert find([Paragraph(0, "Law", is_heading=True)], clause("law", "Which law governs?")) == [("absent", "")]


def test_short_sentences_are_joined_to_the_next_of_their_paragraph_and_headings_are_no_text() -> None:
    paragraphs = [Paragraph(0, "Payment", is_heading=True), Paragraph(1, f"5. Law. {LAW}"), Paragraph(2, "Three.")]

    texts = [one.text.strip() for one in stretches_of(paragraphs)]

    assert texts == ["5. Law. This Agreement is governed by the laws of Ohio.", "Each party waives a jury.", "Three."]


def test_a_passage_grows_around_its_sentence_under_one_heading_until_it_is_full() -> None:
    sentence = "The Supplier delivers all of the goods to the Client. "
    paragraphs = [
        Paragraph(1, "Not under this heading, and long enough to stand alone.", "Payment"),
        *(Paragraph(place, sentence, "Delivery") for place in range(2, 22)),
    ]

    passage = passage_around(stretches_of(paragraphs), 1)

    assert [one.paragraph.ordinal for one in passage.stretches] == list(range(2, 2 + PASSAGE_CHARS // len(sentence)))
    assert passage.text == "Delivery\n" + sentence * len(passage.stretches)


def test_words_marked_in_a_heading_are_quoted_from_the_paragraph_under_it() -> None:
    found = find([Paragraph(0, PAY, "Law governed")], clause("law", "Which law governs?"))

    assert found == [("present", PAY)]


def test_of_an_endless_sentence_the_words_around_the_marked_ones_are_quoted() -> None:
    text = "goods and " * 100 + "this is governed by the law " + "and services " * 100

    ((_, quote),) = find([Paragraph(0, text)], clause("law", "Which law governs?"))

    assert "governed" in quote and len(quote) <= QUOTE_CHARS + 20
    assert text[text.index(quote) - 1] == " "


@pytest.mark.parametrize(("answers", "cosine", "expected"), [(0.5, 0.0, 0.2689), (0.9, 0.0, 0.7680), (0.5, 0.5, 0.5)])
def test_the_probability_is_a_logistic_function_of_the_reader_and_the_cosine(
    answers: float, cosine: float, expected: float
) -> None:
    weighted = Weights(bias=-1.0, answers=1.0, cosine=2.0)

    assert weighted.probability(Read(answers, None, 0.0, (0, 0, 1)), cosine) == pytest.approx(expected, abs=1e-4)


def test_the_library_has_the_41_clauses_of_cuad_with_a_question_and_ordered_thresholds() -> None:
    clauses = library()

    assert len({one.key for one in clauses}) == len({one.name for one in clauses}) == 41
    assert all(one.question.endswith("?") and one.wording for one in clauses)
    assert all(0 < one.absent < one.present < 1 for one in (*clauses, own_clause(key="own-1", name="A", question="B?")))
    assert weights().answers > 0
    assert examples().keys() == {one.key for one in clauses} - {"document-name", "parties"}
    assert all(np.linalg.norm(vector) == pytest.approx(1, abs=1e-3) for vector in examples().values())
