"""Text files with one line a page, whose line ends are runs of blanks: EDGAR and CUAD."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora.parsers.lost_breaks import lost_breaks
from corpora.types import ParsedDocument
from tests.corpora.parsers.builders import all_words, parse, words_of

# EuroMedia Holdings Corp., 10SB12G, 15 February 2007, exhibit 10.B(01), shortened.
LICENCE = (
    "  4. LICENSE PERIOD.   During the Term, Rogers shall have the non-exclusive right to distribute and "
    'exhibit each Licensed Program for the period specified by Licensor (the "License Period").     6. LICENSE '
    "FEES.     (a) Rogers shall pay to Licensor a fee, which shall be equal to fifty (50)% of Retail Revenues.     "
    "(b) Notwithstanding Section 6(a) above,      (i) Prior to calculating License Fees, Rogers shall be "
    'entitled to deduct from Retail Revenues the following costs ("Rogers Costs"):     (A) the value of '
    "programming credits;   -2-"
)
# Go-Page Corp., 10-K, 21 February 2014, shortened.
TERMS = (
    "WHEREAS, Licensee owns, operates and controls the Licensee Site (as defined below);     NOW, THEREFORE, "
    "the parties agree as follows:     1. Definitions. Capitalized terms in this Agreement shall have the "
    'meanings so given.   "End User" means each natural person that has access to Licensed Content on the '
    'Licensee Site.   "Law" means any statute, rule, code, order or constitution of any court or tribunal of '
    "competent jurisdiction.   Governing Law. This Agreement is governed by the laws of Ontario."
)
# Cubic Corporation, agreement and plan of merger of 2021, shortened.
MERGER = (
    "The Company shall be the surviving corporation (the “Surviving Corporation”).   Section 1.02         "
    "Closing. The closing of the Merger (the “Closing”) shall take place at 10:00 a.m. on the third Business "
    "Day after the conditions set forth in Article VI are satisfied.   ARTICLE II EFFECT OF THE MERGER ON "
    "CAPITAL STOCK   Section 2.01         Conversion of Securities.   (a)          Each share shall be "
    "converted into the right to receive the consideration in cash, as set forth in Section 2.02;   (b)          "
    "is cancelled if it is held by the Company."
)
# The index of defined terms of the merger of Tiffany & Co. and LVMH, shortened.
TABLE = "Acquisition Proposal    1.1  Affiliate    1.1  Agreement    Preamble  " + "".join(
    f"{name}    {place}  "
    for name, place in (
        ("Alternative Acquisition Agreement", "7.2(a)(iv)"), ("Antitrust Law", "1.1"), ("Applicable Date", "1.1"),
        ("Bankruptcy and Equity Exception", "5.3(a)"), ("Book-Entry Share", "4.1(a)"), ("Business Day", "1.1"),
        ("Cancelled Shares", "4.1(b)"), ("Capitalization Date", "5.2(a)"), ("Certificate of Merger", "2.3"),
        ("Change of Recommendation", "7.2(e)"), ("Closing Date", "2.2"), ("Company Benefit Plan", "5.12(a)"),
    )
)  # fmt: skip
PRICES = "   ".join(f"{row}   Service number {row}   {row},000   ({row})   5.{row}   Fee   (a)" for row in range(1, 12))
JUSTIFIED = (
    "The   Licensee   shall   pay   the   fees   set   out   in   Section   (a)   of   the   Schedule.   The   "
) * 5
CAPITALS = "NO   EVENT   SHALL   THE   LICENSOR   BE   LIABLE   FOR   ANY   LOSS.   LICENSEE   ACCEPTS   THIS. " * 5
ADDRESSES = (
    "The notice is sent to the address of the party for which it is intended, which is the following and no "
    "other.   To Rogers:   Rogers Cable Communications Inc.   333 Bloor Street East   Toronto, Ontario   M4W "
    "1G9   Attention:   David Purdy   Vice-President   General Manager   Television   FAX: (416) 935-4600   "
    "with a copy to:   The Secretary   Suite 800,   Miami, FL 33131   FAX: 305-529-6201   Telephone:   "
    "305-529-6220   and to nobody else than these."
)


def paragraphs(line: str) -> list[str]:
    return all_words(parse(("Title\n" + line + "\n").encode(), "contract.txt"))[1:]


def test_numbers_and_labels_behind_runs_of_blanks_start_paragraphs() -> None:
    assert [words[:24] for words in paragraphs(LICENCE)] == [
        "4. LICENSE PERIOD. Durin",
        "6. LICENSE FEES.",
        "(a) Rogers shall pay to ",
        "(b) Notwithstanding Sect",
        "(i) Prior to calculating",
        "(A) the value of program",
    ]


def test_recitals_quoted_terms_and_headings_start_paragraphs() -> None:
    assert [words[:14] for words in paragraphs(TERMS)] == [
        "WHEREAS, Licen", "NOW, THEREFORE", "1. Definitions", '"End User" mea', '"Law" means an', "Governing Law.",
    ]  # fmt: skip


def test_sections_and_items_apart_from_their_label_start_paragraphs() -> None:
    document = parse(MERGER.encode(), "merger.txt")
    assert [words[:32] for words in all_words(document)] == [
        "The Company shall be the survivi",
        "Section 1.02 Closing. The closin",
        "ARTICLE II EFFECT OF THE MERGER ",
        "Section 2.01 Conversion of Secur",
        "(a) Each share shall be converte",
        "(b) is cancelled if it is held b",
    ]
    assert document.paragraphs[-1].heading_path[-1] == "Section 2.01 Conversion of Securities"


@pytest.mark.parametrize("line", [TABLE, PRICES, JUSTIFIED, CAPITALS, ADDRESSES, "   ".join(["(a)"] * 200)])
def test_tables_justified_text_and_addresses_keep_together(line: str) -> None:
    assert len(line) > 400
    assert lost_breaks(line) == []


@pytest.mark.parametrize("before", ["as set forth in Section", "under clause", "the costs of", "each of paragraphs"])
def test_a_reference_is_no_label(before: str) -> None:
    line = MERGER + f" The rest follows, {before}   (b) Second item of the list."
    assert len(lost_breaks(line)) == len(lost_breaks(MERGER))


def test_short_lines_and_lines_without_runs_are_left_alone() -> None:
    assert lost_breaks(LICENCE[:400]) == []
    assert lost_breaks(" ".join(LICENCE.split())) == []


def test_a_file_of_one_line_has_its_paragraphs_too() -> None:
    assert len(parse(LICENCE.encode(), "contract.txt").paragraphs) == 6


def test_pages_stay_and_no_character_is_lost() -> None:
    document: ParsedDocument = parse("\f".join([LICENCE, TERMS, MERGER]).encode(), "contract.txt")
    assert [page.number for page in document.pages] == [1, 2, 3]
    assert {words_of(document, span)[:3]: span.page for span in document.paragraphs}["WHE"] == 2
    assert document.text.split() == " ".join([LICENCE, TERMS, MERGER]).split()


PIECES = ("(a)", "   ", "1.", "Term", '"Term"', "4.1", "the", "SECTION 2", ".", ";", " ", "\t\t\t", "WHEREAS,")


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=20), max_size=40))
def test_paragraphs_start_in_order_behind_blanks_and_in_front_of_words(pieces: list[str]) -> None:
    line = "".join(pieces) + " word" * 80
    places = lost_breaks(line)
    assert places == sorted(set(places))
    assert all(line[place - 3 : place].isspace() and not line[place].isspace() for place in places)


@pytest.mark.parametrize("unit", ["   ", "x   ", "(a)   ", "A" * 3 + "   ", '"', "1.1.", "Section 1.   "])
def test_time_grows_with_the_length_only(unit: str) -> None:
    started = time.monotonic()
    lost_breaks("x" + unit * (400_000 // len(unit)) + "x")
    assert time.monotonic() - started < 10
