"""Small chunks with the larger pieces around them."""

from itertools import pairwise

from hypothesis import given

from corpora.chunkers.hierarchical import HierarchicalChunker
from corpora.configs import HierarchicalChunking
from tests.corpora.chunkers.documents import LL144, Part, count_words, document, encode_words, parts, text_of

CONFIG = HierarchicalChunking(child_tokens=20, min_tokens=6, parent_tokens=40)


def test_a_chunk_is_in_its_run_its_section_and_the_sections_around() -> None:
    paragraphs, text = document(LL144), text_of(document(LL144))
    chunks = HierarchicalChunker(CONFIG).chunk(paragraphs, count_tokens=count_words, encode=encode_words)
    last = chunks[-1]

    assert [parent.heading_path for parent in last.parents][-1] == ("Subchapter 25",)
    whole = last.parents[-1]
    assert (whole.start, whole.end) == (0, len(text.rstrip()))
    section = next(parent for parent in last.parents if parent.heading_path == ("Subchapter 25", "§ 20-871"))
    assert text[section.start : section.end].startswith("§ 20-871 Requirements.")


def test_a_chunk_ends_with_its_paragraph_once_it_is_large_enough() -> None:
    made: list[Part] = [
        ("text", "Rent is due on the first day.\n", ()),
        ("text", "Late.\n", ()),
        ("text", "The roof is repaired by the landlord.\n", ()),
    ]
    paragraphs, text = document(made), text_of(document(made))
    chunks = HierarchicalChunker(CONFIG).chunk(paragraphs, count_tokens=count_words, encode=encode_words)

    assert [text[c.start : c.end] for c in chunks] == [
        "Rent is due on the first day.",
        "Late.\nThe roof is repaired by the landlord.",
    ]
    assert {parent for chunk in chunks for parent in chunk.parents} == {chunks[0].parents[0]}


@given(made=parts)
def test_chunks_do_not_overlap(made: list[Part]) -> None:
    chunks = HierarchicalChunker(CONFIG).chunk(document(made), count_tokens=count_words, encode=encode_words)

    assert all(a.end <= b.start for a, b in pairwise(chunks))
