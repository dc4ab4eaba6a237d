"""Plain text: wrapped lines, indents, numbers, pages, character sets."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora.parsers.limits import Limits
from corpora.parsers.reasons import FileRefused
from corpora.parsers.wire import document_dump, document_load
from tests.corpora.parsers.builders import all_words, find, parse, words_of

CONTRACT = """\
SUPPLY AGREEMENT

ARTICLE I
DEFINITIONS

Section 1.1 Goods. "Goods" means the things listed in the annex, as they are
changed from time to time by the parties.

Section 1.2 Notice. Notice means notice in writing to the address on the first
page. It is given when it arrives.

ARTICLE II
DELIVERY

(a) The seller delivers within ten days after the order, unless the parties
    agree otherwise in writing;

(b) the buyer inspects the goods at once.
"""


def test_a_contract_has_its_articles_sections_and_items() -> None:
    document = parse(CONTRACT.encode(), "contract.txt")
    assert document.title == "SUPPLY AGREEMENT"
    section = find(document, "Section 1.2")
    assert (section.kind, section.label) == ("heading", "Section 1.2")
    assert find(document, "Notice means").heading_path[-1] == "Section 1.2 Notice"
    item = find(document, "(a)")
    assert words_of(document, item).endswith("order, unless the parties agree otherwise in writing;")
    assert item.label == "(a)"
    assert any("ARTICLE II" in title for title in item.heading_path)
    assert not any("Section 1" in title for title in item.heading_path)


def test_the_text_version_of_the_rule_reads_like_the_rule() -> None:
    text = (
        "§ 5-303 Published Results.\n"
        "(a) Before the use of an AEDT, an employer must make the following publicly\n"
        "available on its website:\n"
        "   (1) The date of the most recent bias audit; and,\n"
        "   (2) The distribution date of the AEDT.\n"
        "(b) The requirements of this section and all requirements of subdivision\n"
        "(a) of this section may be met.\n"
    )
    assert all_words(parse(text.encode(), "rule.txt")) == [
        "§ 5-303 Published Results.",
        "(a) Before the use of an AEDT, an employer must make the following publicly available on its website:",
        "(1) The date of the most recent bias audit; and,",
        "(2) The distribution date of the AEDT.",
        "(b) The requirements of this section and all requirements of subdivision (a) of this section may be met.",
    ]


def test_a_form_feed_starts_a_page_and_page_numbers_go() -> None:
    pages = [
        f"Text of page {word} stands here.\n\n   {number}\n" for number, word in enumerate(("one", "two", "three"), 1)
    ]
    document = parse("\f".join(pages).encode(), "paged.txt")
    assert [page.number for page in document.pages] == [1, 2, 3]
    assert [span.page for span in document.paragraphs] == [1, 2, 3]
    assert all_words(document)[1] == "Text of page two stands here."


def test_a_file_with_a_paragraph_on_each_line_keeps_them_apart() -> None:
    lines = ["First paragraph " * 30, "Second paragraph " * 20, "Third"]
    assert len(parse("\n".join(lines).encode(), "long.txt").paragraphs) == 3


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_character_sets_are_recognised(encoding: str) -> None:
    assert parse("Größe – “§ 3”".encode(encoding), "german.txt").text == "Größe – “§ 3”"


def test_a_paragraph_beyond_the_limit_is_cut_between_sentences() -> None:
    sentence = "The tenant shall keep the premises in good repair. "
    document = parse((sentence * 200).encode(), "lease.txt")
    assert len(document.paragraphs) == 3
    assert all(span.end - span.start <= 4_000 for span in document.paragraphs)
    assert all(words_of(document, span).endswith(".") for span in document.paragraphs)
    assert document.text == (sentence * 200).strip()


def test_a_word_without_end_is_cut_by_force() -> None:
    document = parse(b"x" * 20_000, "endless.txt")
    assert max(span.end - span.start for span in document.paragraphs) <= 8_000


def test_text_without_words_is_refused() -> None:
    with pytest.raises(FileRefused) as caught:
        parse(b" \n\t\n ", "blank.txt")
    assert caught.value.code == "no_text"


AWKWARD = (
    "", "§ 3 Fees.", "§ 4. The fee is due.", "CHAPTER II", "Article 5", "TITLE", "(a) one;", "1. two", "ii. three",
    "• four", "\f", "    indented text goes on", "cell   cell   cell", "ends with a hy-", "phen here.",
    "Section 1. Text. a. More",
)  # fmt: skip
LINES = st.lists(st.one_of(st.sampled_from(AWKWARD), st.text(max_size=90)), max_size=25)


@given(LINES)
@settings(max_examples=300, deadline=None)
def test_whatever_the_lines_paragraphs_tile_the_text_and_pages_partition_it(lines: list[str]) -> None:
    data = "\n".join(lines).encode("utf-8", "replace")
    try:
        document = parse(data, "any.txt")
    except FileRefused as refused:
        assert refused.code in {"empty_file", "no_text", "binary", "executable", "image", "wrong_extension"}
        return
    assert document_load(document_dump(document), Limits()) == document
    for span in document.paragraphs:
        assert words_of(document, span)
        assert span.level == 0 or span.kind == "heading"
