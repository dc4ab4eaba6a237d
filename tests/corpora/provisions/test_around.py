"""What is read with a paragraph: its heading and stem, without the marks that a gazette prints between the words."""

from corpora.provisions.around import context_of, items_of, text_read
from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part

LAW = [
    Part(0, "1. ▌ This law applies to:", "text", "1.", ("Article 2 ▌ Scope",)),
    Part(1, "(a) ▌ makers of cranes;", "text", "(a)", ("Article 2 ▌ Scope",)),
    Part(2, "(b) those who hire them out.", "text", "(b)", ("Article 2 ▌ Scope",)),
]


def test_a_mark_of_the_print_is_read_as_a_blank_and_every_offset_stays() -> None:
    law = provision_at(LAW, 1)
    read = text_read(law, 1, LAW[1].text)

    assert read.startswith("Article 2   Scope. 1.   This law applies to: ")
    assert read.removeprefix(context_of(law, 1)) == "(a)   makers of cranes;"
    assert "▌" not in items_of(law, 0)
