"""What every registered chunker promises."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from corpora.chunkers import CHUNKERS, Chunker, ChunkSpan, ParagraphText, chunker_build
from corpora.chunkers.base import sections
from corpora.configs import ChunkerConfig
from tests.corpora.chunkers.documents import LL144, Part, count_words, document, encode_words, parts, text_of

SMALL: dict[str, dict[str, Any]] = {
    "sentence.v1": {"size_tokens": 12, "overlap_tokens": 5},
    "recursive.v1": {"size_chars": 60, "overlap_chars": 15},
    "semantic.v1": {"threshold": 0.5, "buffer_sentences": 1, "size_tokens": 16},
    "pattern.v1": {"pattern": r"[;?] |^a", "min_tokens": 2, "size_tokens": 16},
    "hierarchical.v1": {"child_tokens": 16, "min_tokens": 4, "parent_tokens": 40},
    "margin.v1": {"size_tokens": 16},
    "lumber.v1": {"size_tokens": 16},
    "perplexity.v1": {"size_tokens": 16},
}


def build(name: str) -> Chunker:
    return chunker_build(TypeAdapter(ChunkerConfig).validate_python({"kind": name, **SMALL[name]}))


def chunks_of(name: str, paragraphs: tuple[ParagraphText, ...]) -> tuple[ChunkSpan, ...]:
    return build(name).chunk(paragraphs, count_tokens=count_words, encode=encode_words)


every_chunker = pytest.mark.parametrize("name", CHUNKERS.names())


@every_chunker
@given(made=parts)
def test_chunks_cover_all_text_that_is_not_blank(name: str, made: list[Part]) -> None:
    paragraphs = document(made)
    text = text_of(paragraphs)

    covered = {place for chunk in chunks_of(name, paragraphs) for place in range(chunk.start, chunk.end)}

    assert all(text[place].isspace() for place in range(len(text)) if place not in covered)


@every_chunker
@given(made=parts)
def test_chunks_stay_inside_one_section(name: str, made: list[Part]) -> None:
    paragraphs = document(made)
    spans = [(section[0].start, section[-1].end) for section in sections(paragraphs)]

    for chunk in chunks_of(name, paragraphs):
        assert any(start <= chunk.start and chunk.end <= end for start, end in spans)


@every_chunker
@given(made=parts)
def test_chunks_move_forward_and_have_text_at_both_ends(name: str, made: list[Part]) -> None:
    paragraphs = document(made)
    text = text_of(paragraphs)
    chunks = chunks_of(name, paragraphs)

    assert all(a.start < b.start and a.end < b.end for a, b in pairwise(chunks))
    assert all(text[c.start : c.end].strip() == text[c.start : c.end] != "" for c in chunks)


@every_chunker
@given(made=parts)
def test_chunks_name_the_paragraphs_they_touch(name: str, made: list[Part]) -> None:
    paragraphs = document(made)

    for chunk in chunks_of(name, paragraphs):
        touched = [p.ordinal for p in paragraphs if p.start < chunk.end and p.end > chunk.start]
        assert (chunk.first_paragraph, chunk.last_paragraph) == (touched[0], touched[-1])


@every_chunker
@given(made=parts)
def test_larger_pieces_are_around_each_other_and_have_text_at_both_ends(name: str, made: list[Part]) -> None:
    paragraphs = document(made)
    text = text_of(paragraphs)

    for chunk in chunks_of(name, paragraphs):
        nested: list[Any] = [chunk, *chunk.parents]  # spans of two types with the same fields
        for inner, outer in pairwise(nested):
            assert outer.start <= inner.start < inner.end <= outer.end
            assert outer.end - outer.start > inner.end - inner.start
            assert text[outer.start : outer.end].strip() == text[outer.start : outer.end]
            assert outer.first_paragraph <= inner.first_paragraph <= inner.last_paragraph <= outer.last_paragraph


@every_chunker
@given(made=parts)
def test_a_larger_piece_is_in_one_and_the_same_whatever_chunk_names_it(name: str, made: list[Part]) -> None:
    around = {(inner, outer) for chunk in chunks_of(name, document(made)) for inner, outer in pairwise(chunk.parents)}

    assert len({inner for inner, _ in around}) == len(around)


@every_chunker
@given(made=parts)
def test_same_document_gives_the_same_chunks(name: str, made: list[Part]) -> None:
    assert chunks_of(name, document(made)) == chunks_of(name, document(made))


@every_chunker
@given(before=parts, after=parts, old=st.sampled_from(["One.", "Two. Three."]), new=st.text("xY. ", max_size=200))
def test_change_inside_a_section_changes_no_chunk_of_others(
    name: str, before: list[Part], after: list[Part], old: str, new: str
) -> None:
    head: Part = ("heading", "§ 9 Penalties.\n", ("Part 9",))
    tail: Part = ("heading", "§ 10 Enforcement.\n", ("Part 9",))

    def others(changed: str) -> list[str]:
        middle: list[Part] = [head, ("text", changed + "\n", ("Part 9", "§ 9")), tail]
        paragraphs = document([*before, ("text", "End.\n", ()), *middle, *after])
        text, first = text_of(paragraphs), len(before) + 1
        chunks = chunks_of(name, paragraphs)
        return [text[c.start : c.end] for c in chunks if c.last_paragraph < first or c.first_paragraph > first + 1]

    assert others(old) == others(new)


@every_chunker
def test_heading_joins_the_section_below_it(name: str) -> None:
    paragraphs = document(LL144)

    first = chunks_of(name, paragraphs)[0]

    assert first.start == 0
    assert first.heading_path == ("Subchapter 25", "§ 20-870")


@every_chunker
def test_passage_is_always_its_own_section(name: str) -> None:
    paragraphs = document([("heading", "Rules\n", ()), ("passage", "One.\n", ()), ("passage", "Two.\n", ())])

    spans = [(c.first_paragraph, c.last_paragraph) for c in chunks_of(name, paragraphs)]

    assert spans == [(0, 0), (1, 1), (2, 2)]


@every_chunker
def test_blank_document_has_no_chunks(name: str) -> None:
    assert chunks_of(name, document([("text", " \n\n", ())])) == ()
    assert chunks_of(name, ()) == ()


@every_chunker
def test_paragraphs_that_do_not_tile_are_refused(name: str) -> None:
    gap = (ParagraphText(0, 0, 4, "One.", (), "text"), ParagraphText(1, 9, 13, "Two.", (), "text"))
    short = (ParagraphText(0, 0, 9, "One.", (), "text"),)

    with pytest.raises(ValueError, match="starts at 9 and the previous one ends at 4"):
        chunks_of(name, gap)
    with pytest.raises(ValueError, match="spans 9 characters and its text has 4"):
        chunks_of(name, short)
