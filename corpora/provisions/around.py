"""The context that makes a paragraph understandable: heading, stems, the rule that it excepts from, its items."""

from corpora.provisions.types import Provision

READ_CHARS = 1_200  # ours: characters of a passage and the text before it that are compared with a question
ITEMS_CHARS = 600
_MARKS = str.maketrans("▌", " ")  # where the Official Journal's texts as adopted differ from the proposal
_BEFORE = {False: {"stem"}, True: {"stem", "rule", "definition"}}  # parts read before it, by whether it is an exception


def without_marks(text: str) -> str:
    """A text with the marks of the print as blanks, so that every offset stays: "▌ providers shall" is a duty, too."""
    return text.translate(_MARKS)


def context_of(provision: Provision, ordinal: int) -> str:
    """What is read before a paragraph: its heading, the stems of the list it is in, the rule it excepts from."""
    before = {
        need
        for piece in provision.pieces
        if piece.ordinal == ordinal
        for need in piece.needs
        if provision.pieces[need].part in _BEFORE[piece.part == "exception"]
        and provision.pieces[need].ordinal < ordinal
    }
    lines = [provision.heading.rstrip(". "), *(provision.pieces[place].text for place in sorted(before))]
    shown = (f"{line[:300]}. " if place == 0 else f"{line[-300:]} " for place, line in enumerate(lines) if line)
    return without_marks("".join(shown))


def text_read(provision: Provision, ordinal: int, text: str) -> str:
    """A paragraph as it is compared with a question where no list is asked for."""
    return (context_of(provision, ordinal) + without_marks(text))[:READ_CHARS]


def items_of(provision: Provision, ordinal: int) -> str:
    """What is read after a paragraph: the items of the list that it opens, which answer with it."""
    pieces = provision.pieces
    opens = {place for place, one in enumerate(pieces) if one.ordinal == ordinal and one.part == "stem"}
    items = [one.text for one in pieces if one.ordinal > ordinal and opens & set(one.needs)]
    return without_marks("".join(f" {item}" for item in items)[:ITEMS_CHARS])
