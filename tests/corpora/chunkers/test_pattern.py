"""Chunks between the delimiters of a corpus, in an engine that no pattern can hang."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from corpora.chunkers.pattern import PatternChunker
from corpora.configs import PatternChunking
from corpora.delimiters import KNOWN_DELIMITERS, Delimiter, delimiter_suggest
from tests.corpora.chunkers.documents import count_words, document, encode_words

RULES = "Article 1. Rent is due.\nArticle 2. The roof is repaired by the landlord.\nArticle 3. Notice is given.\n"


def pieces(text: str, **settings: object) -> list[str]:
    paragraphs = document([("text", text, ())])
    chunker = PatternChunker(PatternChunking.model_validate({"pattern": "^Article [0-9]+", **settings}))
    chunks = chunker.chunk(paragraphs, count_tokens=count_words, encode=encode_words)
    return [text[chunk.start : chunk.end] for chunk in chunks]


def test_a_piece_begins_at_each_delimiter() -> None:
    assert pieces(RULES) == RULES.strip().split("\n")


def test_a_piece_may_end_with_its_delimiter() -> None:
    assert pieces("One; two; three", pattern="; ", cut="after") == ["One;", "two;", "three"]


def test_the_delimiter_of_local_law_144_is_a_newline_and_a_space() -> None:
    assert pieces("§ 20-870 Definitions.\n Bias audit.\nmeans an audit.\n Tool.\n", pattern=r"\n ") == [
        "§ 20-870 Definitions.",
        "Bias audit.\nmeans an audit.",
        "Tool.",
    ]


def test_small_pieces_are_joined_and_large_ones_cut_between_sentences() -> None:
    assert pieces(RULES, min_tokens=6, size_tokens=16) == [
        "Article 1. Rent is due.\nArticle 2. The roof is repaired by the landlord.",
        "Article 3. Notice is given.",
    ]
    long = "Article 1. " + "Rent is due. " * 12
    assert all(len(piece.split()) <= 16 for piece in pieces(long, size_tokens=16))


@pytest.mark.parametrize("pattern", ["(", "[a-", r"(?=a)", r"\1", "x*", "^", "$", "", "a" * 201, "(a|b)*"])
def test_a_pattern_that_cannot_delimit_is_refused_in_words(pattern: str) -> None:
    with pytest.raises(ValidationError):
        PatternChunking(pattern=pattern)


def test_a_pattern_that_hangs_other_engines_is_done_at_once() -> None:
    text = "a" * 100_000 + "!"

    assert list(Delimiter("(a+)+$").spans(text)) == []
    assert len(list(Delimiter("(a|aa)+b").spans(text))) == 0


@given(text=st.text("Article 12.\n (a)§é", max_size=300))
def test_every_known_delimiter_works_on_every_text(text: str) -> None:
    for _, pattern in KNOWN_DELIMITERS:
        Delimiter(pattern).check()
        assert all(0 <= start < end <= len(text) for start, end in Delimiter(pattern).spans(text))
    assert all(suggestion.count >= 3 for suggestion in delimiter_suggest([text]))


def test_what_the_texts_use_is_suggested_with_counts_and_the_first_line() -> None:
    first, second = delimiter_suggest(["§ 1 Rent\n§ 2 Roof\n", "§ 3 Notice\n\nA.\n\nB.\n\nC.\n\n", "No numbers."])

    assert (first.name, first.count, first.n_documents, first.example) == ("Sections", 3, 2, "§ 1 Rent")
    assert second.name == "A blank line"
