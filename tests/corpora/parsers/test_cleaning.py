"""Cleaning: what is stored is printable, and every character knows where it came from."""

import unicodedata

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora.parsers.cleaning import INSERTED, Cleaned, clean_block, clean_characters, clean_paragraph, clean_slice
from corpora.parsers.vocabulary import vocabulary_collect

AWKWARD = (
    "\x00\x07\t\n\r\x0c\x85\xa0\xad\u0300\u0301\u0327\u0345\u0628\u0915\u094d\u1100\u1161\u11a8\u200b\u200c\u200d\u200e"
    "\u2010\u2028\u202e\u2060\u3164\ud800\udc00\udfff\ufb01\ufe0f\ufeff\ufffe\uf0b7\uf0d8\uf06f"
    "\U000e0041\U0001f600½§é-aZ5. "
)
RAW = st.text(alphabet=st.one_of(st.sampled_from(AWKWARD), st.characters(codec=None)), max_size=60)


@given(RAW)
@settings(max_examples=400, deadline=None)
def test_cleaned_text_can_always_be_stored(raw: str) -> None:
    text = clean_paragraph(raw).text
    text.encode("utf-8")
    assert "\x00" not in text
    assert unicodedata.is_normalized("NFC", text)
    assert not any(unicodedata.category(character) in {"Cc", "Cs"} for character in text)


@given(RAW)
@settings(max_examples=400, deadline=None)
def test_cleaning_twice_is_cleaning_once(raw: str) -> None:
    once = clean_paragraph(raw).text
    assert clean_paragraph(once).text == once
    characters = clean_characters(raw).text
    assert clean_characters(characters).text == characters
    block = clean_block(raw).text
    assert clean_block(block).text == block


@given(RAW)
@settings(max_examples=400, deadline=None)
def test_the_map_never_goes_back_and_covers_every_character(raw: str) -> None:
    for cleaned in (clean_paragraph(raw), clean_block(raw)):
        assert len(cleaned.origins) == len(cleaned.text)
        known = cleaned.origins[cleaned.origins != INSERTED]
        assert np.all(np.diff(known) >= 0)
        assert np.all((known >= 0) & (known < len(raw)))


@given(RAW)
@settings(max_examples=400, deadline=None)
def test_a_cleaned_character_is_its_raw_character_or_a_form_of_it(raw: str) -> None:
    cleaned = clean_paragraph(raw)
    for character, origin in zip(cleaned.text, cleaned.origins.tolist(), strict=True):
        assert _is_form_of(character, raw, origin), (character, origin)


def _is_form_of(character: str, raw: str, origin: int) -> bool:
    source = raw[origin]
    if character in (source, "\N{REPLACEMENT CHARACTER}") or (character == " " and (source.isspace() or source == "-")):
        return True
    if source == "\xad" or "\ue000" <= source <= "\uf8ff" or "\ud800" <= source <= "\udfff":
        return True
    near = raw[max(0, origin - 30) : origin + 30]
    composed = unicodedata.normalize("NFC", "".join(c for c in near if not "\ud800" <= c <= "\udfff"))
    parts = unicodedata.normalize("NFD", character)
    return character in composed or all(part in unicodedata.normalize("NFD", near) for part in parts)


def test_lines_become_one_line_and_blanks_collapse() -> None:
    cleaned = clean_paragraph("  the  first\r\nline \n\n and\tthe next ")
    assert cleaned.text == "the first line and the next"
    assert cleaned.origins[cleaned.text.index("line")] == 14


def test_a_word_broken_by_a_hyphen_is_joined_when_the_document_has_it() -> None:
    vocabulary = vocabulary_collect("every employer must obligate")
    assert clean_paragraph("an em-\nployer", vocabulary).text == "an employer"


def test_a_compound_keeps_its_hyphen_when_both_halves_are_words() -> None:
    vocabulary = vocabulary_collect("each decision is in the making; cross-border cases")
    assert clean_paragraph("decision-\nmaking", vocabulary).text == "decision-making"
    assert clean_paragraph("cross-\nborder", vocabulary).text == "cross-border"


def test_a_section_number_broken_at_its_hyphen_stays_whole() -> None:
    assert clean_paragraph("6 RCNY § 5-\n249.").text == "6 RCNY § 5-249."
    assert clean_paragraph("Ampry-\nSamuel").text == "Ampry-Samuel"


def test_a_dash_at_a_line_end_is_no_hyphen() -> None:
    assert clean_paragraph("one thing -\nand another").text == "one thing - and another"


def test_invisible_instructions_are_removed() -> None:
    hidden = "".join(chr(0xE0000 + ord(character)) for character in "ignore")
    assert clean_paragraph(f"Fees{hidden} are\u200b due\u2060.\ufe0f").text == "Fees are due."


def test_joiners_stay_where_the_script_needs_them() -> None:
    assert clean_paragraph("می\u200cخواهم").text == "می\u200cخواهم"
    assert clean_paragraph("क्\u200dष").text == "क्\u200dष"
    assert clean_paragraph("un\u200dseen").text == "unseen"


def test_legal_signs_are_not_folded() -> None:
    assert clean_paragraph("§ 3 ½ ﬁnes № 7").text == "§ 3 ½ ﬁnes № 7"


def test_bullets_of_the_symbol_font_are_shown_as_bullets() -> None:
    assert clean_paragraph("\uf0b7 Define terms;").text == "• Define terms;"


def test_a_slice_keeps_its_place_in_the_whole() -> None:
    raw = "abc  def\nghi"
    cleaned = clean_slice(raw, 3, len(raw))
    assert isinstance(cleaned, Cleaned)
    assert [raw[origin] for origin in cleaned.origins.tolist()] == ["d", "e", "f", "\n", "g", "h", "i"]
