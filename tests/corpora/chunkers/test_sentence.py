"""Sentence chunks: sizes, overlaps and sentences that fit nowhere."""

import pytest
from hypothesis import given
from pydantic import ValidationError

from corpora.chunkers.base import Unit, pack
from corpora.chunkers.sentence import SentenceChunker
from corpora.configs import SentenceChunking
from tests.corpora.chunkers.documents import LL144, Part, count_words, document, encode_words, parts, text_of


def chunk_texts(made: list[Part], *, size: int, overlap: int) -> list[str]:
    paragraphs = document(made)
    chunker = SentenceChunker(SentenceChunking(size_tokens=size, overlap_tokens=overlap))
    text = text_of(paragraphs)
    return [text[c.start : c.end] for c in chunker.chunk(paragraphs, count_tokens=count_words, encode=encode_words)]


def test_default_is_that_of_hypa_rag() -> None:
    assert (SentenceChunking().size_tokens, SentenceChunking().overlap_tokens) == (512, 200)


def test_windows_repeat_whole_units_up_to_the_overlap() -> None:
    units = [Unit(i, i + 1, size) for i, size in enumerate([3, 3, 2, 4, 1, 9, 2])]

    # 3+3+2 = 8; repeat 2; 2+4+1 = 7; 9 has no room for a repetition and is alone, then 2.
    assert pack(units, size=8, overlap=3) == ((0, 3), (2, 5), (5, 6), (6, 7))


def test_chunks_repeat_sentences_that_fit_the_overlap() -> None:
    made: list[Part] = [("text", "One two three. Four five. Six seven eight nine. Ten.", ())]

    assert chunk_texts(made, size=6, overlap=2) == [
        "One two three. Four five.",
        "Four five. Six seven eight nine.",
        "Ten.",
    ]


def test_sections_of_the_bias_audit_law_fit_one_chunk_each() -> None:
    texts = chunk_texts(list(LL144), size=512, overlap=200)

    assert [text.split("\n")[0] for text in texts] == [
        "Subchapter 25: Automated Employment Decision Tools",
        "§ 20-871 Requirements.",
    ]


def test_sentence_over_the_size_is_a_chunk_of_its_own() -> None:
    long = "Word" + " word" * 29 + "."

    assert chunk_texts([("text", f"Short one. {long} Short two.", ())], size=10, overlap=5) == [
        "Short one.",
        long,
        "Short two.",
    ]


def test_monster_sentence_is_cut_at_blanks() -> None:
    texts = chunk_texts([("table", "word " * 100, ())], size=10, overlap=0)

    assert texts == ["word word word word word word word word word word"] * 10


def test_monster_word_is_cut_into_even_parts() -> None:
    paragraphs = document([("text", "x" * 1000, ())])
    chunker = SentenceChunker(SentenceChunking(size_tokens=10, overlap_tokens=0))

    chunks = chunker.chunk(
        paragraphs, count_tokens=lambda texts: [len(text) // 10 for text in texts], encode=encode_words
    )

    assert [chunk.end - chunk.start for chunk in chunks] == [100] * 10


@given(made=parts)
def test_chunks_hold_the_size_unless_they_are_one_sentence(made: list[Part]) -> None:
    paragraphs = document(made)
    small = SentenceChunker(SentenceChunking(size_tokens=8, overlap_tokens=3))
    alone = SentenceChunker(SentenceChunking(size_tokens=1, overlap_tokens=0))
    text = text_of(paragraphs)
    sentences = {
        (c.start, c.end)
        for c in alone.chunk(paragraphs, count_tokens=lambda texts: [1] * len(texts), encode=encode_words)
    }

    for chunk in small.chunk(paragraphs, count_tokens=count_words, encode=encode_words):
        within = count_words([text[chunk.start : chunk.end]])[0] <= 8
        assert within or (chunk.start, chunk.end) in sentences


@pytest.mark.parametrize("values", [{"size_tokens": 100, "overlap_tokens": 100}, {"size_tokens": 0}])
def test_settings_that_make_no_progress_are_refused(values: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        SentenceChunking.model_validate(values)
