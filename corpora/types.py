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
        confidence: How sure text recognition was of the page's words, 0 to 1; None where the file itself has the text.
    """

    number: int
    label: str
    start: int
    end: int
    width: float
    height: float
    boxes: bytes
    confidence: float | None = None


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
    """A document as text with its structure.

    Attributes:
        text: All of it.
        pages: They partition the text.
        paragraphs: They tile the text.
        title: As the file says, or its first heading, or its name.
        warnings: Codes of `corpora.parsers.reasons`, some with ":count" or ":pages".
        scanned: Numbers of pages that show words only as a picture and were not recognised yet.
    """

    text: str
    pages: tuple[PageSpan, ...]
    paragraphs: tuple[ParagraphSpan, ...]
    title: str
    warnings: tuple[str, ...]
    scanned: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RecognisedPage:
    """What text recognition read on one page.

    Attributes:
        number: Of the page, from 1.
        text: Words with a blank between them, lines with a line end.
        boxes: zlib of a little-endian uint16 array [words, 4]: x0, y0, x1, y1 in tenths of a point, origin at the top
            left of the page as shown.
        confidence: Mean over the characters, 0 to 1; 1 for an empty page, 0 for one that could not be read.
    """

    number: int
    text: str
    boxes: bytes
    confidence: float
