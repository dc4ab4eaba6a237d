"""What reading a document yields; plain data between the parsing child, the chunkers and the services."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageSpan:
    """One page. Pages partition the document's text: each ends where the next starts.

    Attributes:
        number: Counted from 1.
        label: The page number as printed ("iii", "12"); `str(number)` where the file has none.
        start: Offset in the document's text.
        end: Offset in the document's text, exclusive.
        width: Points; 0.0 for formats without pages.
        height: Points; 0.0 for formats without pages.
        boxes: zlib of a little-endian uint16 array [end - start, 4]: x0, y0, x1, y1 in tenths of a point, origin at the
            top left of the page as shown; four zeros for a character without a box. Empty where the format has none.
    """

    number: int
    label: str
    start: int
    end: int
    width: float
    height: float
    boxes: bytes


@dataclass(frozen=True, slots=True)
class ParagraphSpan:
    """One paragraph. Paragraphs tile the text; blank lines belong to the paragraph before them.

    Attributes:
        start: Offset in the document's text.
        end: Offset in the document's text, exclusive.
        page: Number of the page on which it starts.
        kind: "heading", "text", "list", "table" or "passage".
        level: Level of a heading from 1; 0 otherwise.
        heading_path: Headings above it, outermost first; a heading's own path leaves itself out.
        label: Its legal number as printed ("§ 20-871", "(a)", "Article 5"), "" if none.
        external_id: Its id in a passages file, "" otherwise.
    """

    start: int
    end: int
    page: int
    kind: str
    level: int
    heading_path: tuple[str, ...]
    label: str
    external_id: str = ""


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document as text with its structure; `warnings` are codes of `corpora.parsers.reasons`, some with ":count"."""

    text: str
    pages: tuple[PageSpan, ...]
    paragraphs: tuple[ParagraphSpan, ...]
    title: str
    warnings: tuple[str, ...]
