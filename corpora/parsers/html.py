"""HTML: the words of a page, its headings, lists and tables; nothing is fetched, nothing is run."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, cast

from lxml import etree
from lxml import html as lxml_html

from corpora.parsers.assemble import document_assemble
from corpora.parsers.blocks import Block
from corpora.parsers.cleaning import clean_block, clean_paragraph, unmapped
from corpora.parsers.counters import numeral
from corpora.parsers.formulas import formulas_replace, formulas_warning
from corpora.parsers.limits import Limits
from corpora.parsers.plain import text_decode
from corpora.parsers.reasons import FileRefused
from corpora.parsers.rows import rows_heads, rows_text
from corpora.types import ParsedDocument
from legalqa.common.numbers import whole_number

_DROPPED = frozenset(
    {
        "applet", "audio", "button", "canvas", "embed", "head", "iframe", "input", "nav", "noscript", "object",
        "script", "select", "style", "svg", "template", "textarea", "video",
    }
)  # fmt: skip
_BLOCKS = frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div",
        "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
        "hr", "html", "legend", "li", "main", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot",
        "th", "thead", "tr", "ul",
    }
)  # fmt: skip
_HEADING = re.compile(r"h([1-6])$")
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:px|pt|em|%|\s|;|$)|opacity\s*:\s*0(?:\.0+)?(?:\s|;|$)"
    r"|(?<![-\w])color\s*:\s*(?:#fff(?:fff)?\b|white\b)",
    re.IGNORECASE,
)
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_SNIFFED = 4_096  # first bytes in which the encoding is looked for
_MAX_SPAN = 50
_MAX_DEPTH = 200
_MAX_ATTRIBUTES = 1_000
_LONG_TAG = 2_000  # characters, fewer than that many attributes take


def html_parse(data: bytes, *, name: str, limits: Limits) -> ParsedDocument:
    """Read an HTML file.

    Rule: scripts, styles, frames, objects, drawings and navigation go; text that the page hides stays, with the warning
    hidden_text; formulas are written in one line, with the warning formulas_to_check where one has none. Character
    set: byte order mark, UTF-8 if it is that, the page's own word, Windows-1252.

    Args:
        data: The file.
        name: Its name.
        limits: Cap on characters.

    Returns:
        The document.

    Raises:
        FileRefused: binary, damaged, no_text, too_many_characters.
    """
    text = _decode(data)
    if len(text) > limits.characters:
        raise FileRefused("too_many_characters")
    _check_attributes(text)
    parser = lxml_html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = lxml_html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError) as error:
        raise FileRefused("no_text" if not text.strip() else "damaged") from error
    titles = root.xpath("string(//title)")
    reader = _Reader(root)
    blocks = [block for block in reader.blocks if block.content.text]
    warnings = (*(("hidden_text",) if reader.hidden else ()), *formulas_warning(reader.n_odd))
    return document_assemble(None, blocks, title=str(titles), name=name, warnings=warnings)


class _Attributes:
    """Sees the elements go by, without a tree, and keeps the largest number of attributes that one has."""

    most = 0

    def start(self, tag: str | bytes, attrib: Mapping[Any, Any]) -> None:  # noqa: ARG002 - lxml hands it over
        self.most = max(self.most, len(attrib))

    def end(self, tag: str | bytes) -> None:
        """Ends hold nothing to count."""

    def close(self) -> int:
        return self.most


def _check_attributes(text: str) -> None:
    """Refuse what only an attack does: the tree takes time by the square of the attributes of one element.

    Raises:
        FileRefused: damaged.
    """
    if all(len(part) < _LONG_TAG for part in text.split(">")):
        return
    try:
        counting = etree.HTMLParser(encoding="utf-8", target=cast(Any, _Attributes()))
        most = cast(int, etree.fromstring(text.encode("utf-8", "replace"), cast(Any, counting)))
    except (etree.LxmlError, ValueError):
        return  # the tree will say so
    if most > _MAX_ATTRIBUTES:
        raise FileRefused(
            "damaged",
            f"An element of the page has more than {_MAX_ATTRIBUTES:,} attributes, which no ordinary program writes: "
            f"save the page again.",
        )


def _decode(data: bytes) -> str:
    match = _META_CHARSET.search(data[:_SNIFFED])
    if match and not data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            with suppress(UnicodeDecodeError, LookupError):
                return data.decode(match.group(1).decode("ascii"))
    return text_decode(data)


def fragment_blocks(content: str) -> tuple[list[Block], int]:
    """Read a piece of HTML inside another format.

    Args:
        content: The piece; tags may be left open.

    Returns:
        Its paragraphs, none if it is nothing but tags and comments; and how many formulas had no form in one line.
    """
    parser = lxml_html.HTMLParser(no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = lxml_html.fragment_fromstring(content, create_parent="div", parser=parser)
    except (etree.LxmlError, ValueError):
        return [], 0
    reader = _Reader(root)
    return reader.blocks, reader.n_odd


class _Reader:
    """Walks the tree once and collects paragraphs: inline text gathers until a block starts or ends."""

    def __init__(self, root: Any) -> None:
        self.blocks: list[Block] = []
        self.hidden = False
        self.n_odd = formulas_replace(root)
        self._words: list[str] = []
        self._mark = ""
        self._read(root, 0)
        self._flush("text")

    def _read(self, element: etree._Element, depth: int) -> None:
        tag = element.tag.lower() if isinstance(element.tag, str) else ""
        if not tag or tag in _DROPPED or depth > _MAX_DEPTH:
            return
        if _is_hidden(element):
            self.hidden = self.hidden or bool("".join(_texts(element)).strip())
        if tag in _BLOCKS:
            self._flush("text")
        if tag == "table" and not element.xpath(".//table"):
            self.blocks.append(_table(element))
            return
        if tag == "pre":
            self.blocks.append(Block(unmapped(clean_block("".join(_texts(element))).text)))
            return
        if tag == "br":
            self._words.append("\n")
        if tag == "li":
            self._mark = _list_mark(element)
        self._inside(element, depth)
        if heading := _HEADING.match(tag):
            self._flush("heading", rank=float(heading.group(1)))
        elif tag in _BLOCKS:
            self._flush("text")

    def _inside(self, element: etree._Element, depth: int) -> None:
        self._words.append(element.text or "")
        for child in element:
            self._read(child, depth + 1)
            self._words.append(child.tail or "")

    def _flush(self, kind: str, *, rank: float = 0.0) -> None:
        words = clean_paragraph("".join(self._words)).text
        self._words = []
        if not words:
            return
        if kind == "text" and self._mark:
            words, kind = self._mark + words, "list"
        self._mark = ""
        self.blocks.append(Block(unmapped(words), kind=kind, rank=rank))


def _texts(element: etree._Element) -> Iterator[str]:
    for text in element.itertext():
        parent = text.getparent() if hasattr(text, "getparent") else None
        if parent is None or parent.tag not in {"script", "style"}:
            yield str(text)


def _is_hidden(element: etree._Element) -> bool:
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    return bool(_HIDDEN_STYLE.search(element.get("style") or ""))


def _list_mark(element: etree._Element) -> str:
    parent = element.getparent()
    if parent is None or parent.tag != "ol":
        return "• "
    place = sum(1 for sibling in element.itersiblings("li", preceding=True)) + 1
    start = whole_number(parent.get("start") or "", digits=6)
    number = place + (1 if start is None else start) - 1
    style = parent.get("type") or "1"
    return f"{numeral(number, style)}. "


def _table(element: etree._Element) -> Block:
    """Set a table as rows; cells that span several rows or columns are repeated in each of them."""
    captions = [clean_paragraph("".join(_texts(caption))).text for caption in element.iter("caption")]
    spread: dict[tuple[int, int], str] = {}
    head = depth = 0
    for line in element.iter("tr"):
        cells = [cell for cell in line if cell.tag in {"td", "th"}]
        within = line.getparent()
        is_in_head = within is not None and within.tag == "thead"
        named = bool(cells) and (all(cell.tag == "th" for cell in cells) or is_in_head)
        head += named and head == depth
        column = 0
        for cell in cells:
            while (depth, column) in spread:
                column += 1
            words = clean_paragraph("".join(_texts(cell))).text
            for down in range(_span(cell, "rowspan")):
                for across in range(_span(cell, "colspan")):
                    spread[depth + down, column + across] = "" if across else words
            column += _span(cell, "colspan")
        depth += 1
    widths = [0] * depth
    for row, column in spread:
        if row < depth:
            widths[row] = max(widths[row], column + 1)
    rows = [[spread.get((row, column), "") for column in range(width)] for row, width in enumerate(widths)]
    lines = (*captions, rows_text(rows))
    return Block(
        unmapped("\n".join(line for line in lines if line)), kind="table", heads=rows_heads(rows, head=head or None)
    )


def _span(cell: etree._Element, name: str) -> int:
    return max(1, min(whole_number(cell.get(name) or "", digits=4) or 1, _MAX_SPAN))
