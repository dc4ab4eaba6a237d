"""Sentences of statutes, citations and lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legalqa.common.sentences import LONG_SENTENCE_CHARS, sentence_spans


def sentences(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "text",
    [
        "These rules follow 29 C.F.R. § 1607.4 and 42 U.S.C. § 2000e-8.",
        "See Griggs v. Duke Power Co., No. 124, at Sec. 4.",
        "Acme Inc. Holdings paid a fine, e.g. $1.5 million.",
        "The tool is defined in Art. 5(1)(a) of the regulation.",
        "J. K. Rowling is represented by Mr. Smith of the U.S. District Court.",
        "§ 20-871. Requirements for automated employment decision tools",
        "(a). Notices required",
        "as specified by 6 RCNY § 5-\n249 of the rules",
        "such notice under paragraph\n(b) of this section shall be posted",
        "The employer shall (a) publish; (b) notify; and (c) retain the records.",
    ],
)
def test_these_texts_are_one_sentence(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See 29 C.F.R. § 1607.4. These rules apply.", ["See 29 C.F.R. § 1607.4.", "These rules apply."]),
        ("It sued Acme Inc. The court agreed.", ["It sued Acme Inc.", "The court agreed."]),
        ("The answer is no. We agree.", ["The answer is no.", "We agree."]),
        ("Is it lawful? Yes! “It is.” Next.", ["Is it lawful?", "Yes!", "“It is.”", "Next."]),
        ("Definitions\n\nThe term means x.", ["Definitions", "The term means x."]),
        (
            "It is unlawful unless:\n 1. Such tool was audited; and\n 2. A summary is public.",
            ["It is unlawful unless:", "1. Such tool was audited; and", "2. A summary is public."],
        ),
        ("第一条规定。第二条规定。", ["第一条规定。", "第二条规定。"]),
    ],
)
def test_sentences_end_where_a_lawyer_would_end_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_very_long_semicolon_list_is_read_item_by_item() -> None:
    item = "the name and address of every employment agency that used the tool; "
    text = item * (LONG_SENTENCE_CHARS // len(item) + 1)

    assert set(sentences(text)) == {item.strip()}


def test_empty_text_has_no_sentences() -> None:
    assert sentence_spans("") == ()


@given(st.text(alphabet=st.sampled_from("aB1.;!?()§-–•'\"。 \n\f\tvNo")) | st.text())
def test_sentences_tile_the_text(text: str) -> None:
    spans = sentence_spans(text)

    assert "".join(text[start:end] for start, end in spans) == text
    assert all(start < end for start, end in spans)
