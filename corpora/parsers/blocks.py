"""A block: one paragraph on its way from a reader to the document, before headings and numbers are set in order."""

from dataclasses import dataclass

from corpora.parsers.cleaning import Cleaned


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Clean text with what its reader knows about it.

    Attributes:
        content: Text and origins; formats without a raw text have INSERTED throughout.
        kind: "heading", "text", "list", "table" or "passage".
        rank: Depth of a heading: smaller is further out; any scale that grows inwards. 0.0 for what is not a heading.
        page: Page number, where the reader knows it better than the origins do; 0 otherwise.
        path: Headings above a passage, where its file names them.
        external_id: Id in a passages file.
        label: Legal number, where the reader knows it and the text does not show it.
        heads: Heads of a table's columns, for the parts of it without its first row.
        is_words: Whether the file says that this is not a heading, whatever it reads like.
    """

    content: Cleaned
    kind: str = "text"
    rank: float = 0.0
    page: int = 0
    path: tuple[str, ...] = ()
    external_id: str = ""
    label: str = ""
    heads: str = ""
    is_words: bool = False
