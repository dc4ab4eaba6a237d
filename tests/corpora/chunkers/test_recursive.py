"""Recursive chunks: the coarsest separator that fits."""

import pytest
from hypothesis import given
from pydantic import ValidationError

from corpora.chunkers.recursive import RecursiveChunker
from corpora.configs import RecursiveChunking
from tests.corpora.chunkers.documents import Part, count_words, document, encode_words, parts, text_of


def chunk_texts(made: list[Part], *, size: int, overlap: int) -> list[str]:
    paragraphs = document(made)
    chunker = RecursiveChunker(RecursiveChunking(size_chars=size, overlap_chars=overlap))
    text = text_of(paragraphs)
    return [text[c.start : c.end] for c in chunker.chunk(paragraphs, count_tokens=count_words, encode=encode_words)]


def test_default_is_that_of_pathlex() -> None:
    assert (RecursiveChunking().size_chars, RecursiveChunking().overlap_chars) == (500, 50)


def test_blank_lines_are_tried_before_sentences_and_words() -> None:
    made: list[Part] = [("text", "First part.\n\nSecond part. Third part is long.", ())]

    assert chunk_texts(made, size=22, overlap=0) == ["First part.", "Second part.", "Third part is long."]


def test_overlap_repeats_whole_pieces() -> None:
    assert chunk_texts([("text", "aa bb cc dd ee", ())], size=6, overlap=3) == ["aa bb", "bb cc", "cc dd", "dd ee"]


def test_text_without_separators_is_cut_by_characters() -> None:
    assert chunk_texts([("text", "abcdefghij", ())], size=4, overlap=1) == ["abcd", "defg", "ghij"]


@given(made=parts)
def test_no_chunk_is_longer_than_the_size(made: list[Part]) -> None:
    assert all(len(text) <= 40 for text in chunk_texts(made, size=40, overlap=10))


@pytest.mark.parametrize("values", [{"size_chars": 50}, {"separators": ["\n", ""]}])
def test_settings_that_cannot_work_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        RecursiveChunking.model_validate(values)
