"""What holds for every file, whatever is in it: invented by the thousand."""

import io
import zipfile
import zlib

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora.parsers.cleaning import INSERTED, Cleaned, clean_block, clean_paragraph
from corpora.parsers.detect import kind_detect
from corpora.parsers.limits import Limits
from corpora.parsers.mail import attachments, mail_open, mail_parse
from corpora.parsers.plain import plain_parse
from corpora.parsers.reasons import FileRefused, numbers_said, pages_to_check
from corpora.parsers.rows import rows_text
from corpora.parsers.scans import page_of_recognised
from corpora.types import ParsedDocument, RecognisedPage

# Letters and what parsers trip over: halves of surrogate pairs, NUL, joiners, soft hyphens, marks, form feeds.
AWKWARD = "aB1 .-\n\r\t\f\x00\u00ad\u200b\u200d\u0301\u2028\ud800\udc00\ufdd0\ufffe§é½ﬁ한"
texts = st.text(st.sampled_from(AWKWARD) | st.characters(), max_size=200)
words = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12)
many = settings(max_examples=150, deadline=None, derandomize=True)


def is_storable(text: str) -> bool:
    return "\x00" not in text and text.encode("utf-8").decode("utf-8") == text


@many
@given(texts)
def test_cleaning_twice_is_cleaning_once_and_the_text_can_be_stored(raw: str) -> None:
    for clean in (clean_paragraph, clean_block):
        once = clean(raw)
        assert clean(once.text).text == once.text
        assert is_storable(once.text)
        assert len(once.text) == len(once.origins)


@many
@given(texts)
def test_every_character_knows_a_character_of_the_raw_text_in_its_order(raw: str) -> None:
    known = [origin for origin in clean_paragraph(raw).origins.tolist() if origin != INSERTED]
    assert known == sorted(known)
    assert all(0 <= origin < len(raw) for origin in known)


@many
@given(
    st.lists(words, min_size=1, max_size=8), st.lists(st.sampled_from([" ", "  ", "\n", "\t \n", "\xa0"]), min_size=8)
)
def test_the_offset_map_leads_each_word_back_to_itself(said: list[str], between: list[str]) -> None:
    raw = "".join(word + gap for word, gap in zip(said, between, strict=False))
    cleaned = clean_paragraph(raw)
    at = 0
    for word in cleaned.text.split():
        at = cleaned.text.index(word, at)
        part: Cleaned = cleaned.slice(at, at + len(word))
        first, last = int(part.origins.min()), int(part.origins.max())
        assert clean_paragraph(raw[first : last + 1]).text == word
        at += len(word)


def check_whole(document: ParsedDocument) -> None:
    """Paragraphs tile the text, pages partition it, and all of it can be stored."""
    for spans in (document.paragraphs, document.pages):
        assert [span.start for span in spans] == [0, *(span.end for span in spans[:-1])]
        assert spans[-1].end == len(document.text)
    assert all(span.start < span.end for span in document.paragraphs)
    assert is_storable(document.text)
    assert is_storable(document.title)


@many
@given(texts)
def test_a_text_file_is_refused_or_read_whole(raw: str) -> None:
    try:
        document = plain_parse(raw.encode("utf-8", "surrogatepass"), name="law.txt", limits=Limits())
    except FileRefused:
        return
    check_whole(document)


@many
@given(st.binary(max_size=300), st.sampled_from(["", "Subject: a\nFrom: b@c.d\n\n", "MIME-Version: 1.0\nDate: x\n"]))
def test_an_email_is_refused_or_read_whole(rest: bytes, head: str) -> None:
    data = head.encode() + rest
    try:
        document = mail_parse(data, name="mail.eml", limits=Limits())
        list(attachments(mail_open(data)))
    except FileRefused:
        return
    check_whole(document)


@many
@given(
    st.sampled_from(
        [b"", b"%PDF-1.4\n", b"PK\x03\x04", b"<html>", b'{"id": "1", "text": ', b"From: a\nTo: b\n\n", b"MZ"]
    ),
    st.binary(max_size=200),
    st.sampled_from(["a.pdf", "a.docx", "a.zip", "a.eml", "a.html", "a.md", "a.jsonl", "a.txt", "a", "a.xyz"]),
)
def test_every_file_has_a_kind_or_a_reason(head: bytes, rest: bytes, name: str) -> None:
    try:
        kind = kind_detect(head + rest, name=name)
    except FileRefused as refused:
        assert refused.message.endswith(".")
    else:
        assert kind in {"pdf", "docx", "zip", "email", "html", "markdown", "passages", "text"}


@many
@given(st.lists(st.lists(words, min_size=1, max_size=5), min_size=1, max_size=6))
def test_a_table_keeps_its_words_and_gets_no_others(rows: list[list[str]]) -> None:
    assert rows_text(rows).split() == [word for row in rows for cell in row for word in cell.split()]


@many
@given(st.lists(st.lists(words, min_size=1, max_size=6), min_size=1, max_size=6))
def test_a_recognised_page_keeps_every_word_with_its_box(lines: list[list[str]]) -> None:
    text = "\n".join(" ".join(line) for line in lines)
    count = len(text.split())
    generator = np.random.default_rng(len(text))
    corner = generator.integers(1, 5000, size=(count, 2))
    boxes = np.concatenate((corner, corner + generator.integers(20, 400, size=(count, 2))), axis=1)
    packed = zlib.compress(boxes.astype("<u2").tobytes())
    page = page_of_recognised(RecognisedPage(1, text, packed, 0.9), 600, 800)

    shown = [place for segment in page.segments for place in segment.indices.tolist() if place >= 0]
    assert sorted(page.characters[place] for place in shown if page.characters[place] not in " \n") == sorted(
        character for character in text if character not in " \n"
    )
    assert all(page.boxes[place].any() for place in shown if page.characters[place] not in " \n")


@many
@given(st.sets(st.integers(1, 300)))
def test_page_numbers_survive_being_said(numbers: set[int]) -> None:
    said = numbers_said(sorted(numbers))
    assert pages_to_check([f"pages_to_check:{said}"] if said else []) == numbers


@many
@given(st.lists(st.tuples(st.text(min_size=1, max_size=20), st.binary(max_size=40)), max_size=5))
def test_any_archive_is_told_or_refused(members: list[tuple[str, bytes]]) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in {name.encode("utf-8", "replace").decode(): content for name, content in members}.items():
            archive.writestr(name, content)
    try:
        assert kind_detect(out.getvalue(), name="all.zip") == "zip"
    except FileRefused as refused:
        assert refused.code in {"bomb", "damaged"}
