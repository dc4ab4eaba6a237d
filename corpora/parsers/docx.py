"""DOCX: paragraphs with their styles and numbers, tables, footnotes."""

import io
import re
import zipfile
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

import docx
from docx.opc.exceptions import PackageNotFoundError
from docx.oxml.ns import qn
from lxml import etree

from corpora.parsers.assemble import document_assemble
from corpora.parsers.blocks import Block
from corpora.parsers.cleaning import clean_paragraph, unmapped
from corpora.parsers.docx_numbering import Numbering
from corpora.parsers.formulas import formula_text, formulas_warning
from corpora.parsers.limits import Limits
from corpora.parsers.reasons import FileRefused
from corpora.parsers.rows import rows_heads, rows_text
from corpora.types import ParsedDocument
from legalqa.common.numbers import whole_number

_HEADING_STYLE = re.compile(r"heading\s*([1-9])$", re.IGNORECASE)
_TITLE_RANK = 0.5  # rank of a title: before the first level of headings
_GONE = frozenset({qn("w:moveFrom"), qn("w:del")})
_CHANGES = (qn("w:ins"), qn("w:del"), qn("w:moveFrom"), qn("w:moveTo"))
_MAX_SPAN = 50
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_FORMULA = qn("m:oMath")
_FORMULAS = frozenset({_FORMULA, qn("m:oMathPara")})
_EDGES = ("/header", "/footer")
_ATTACHMENTS = ("/oleObject", "/package")
_MAX_DEPTH = 100


def docx_parse(data: bytes, *, name: str, limits: Limits) -> ParsedDocument:
    """Read a DOCX file.

    Rule: the body in order; headings by style or outline level; numbers that Word computes are worked out and put in
    front; tables become rows that repeat their heads, a table in a cell follows its table; footnotes and endnotes
    are behind the paragraph that refers to them; headers and footers come once, at the end. Tracked changes are read
    as if accepted, hidden text is read, comments are not; each is said in a warning. Formulas are written in one line,
    with the warning formulas_to_check where one has none.

    Args:
        data: The file.
        name: Its name.
        limits: Cap on characters.

    Returns:
        The document.

    Raises:
        FileRefused: damaged, no_text, too_many_characters.
    """
    try:
        document = docx.Document(io.BytesIO(data))
        reader = _Reader(document)
        blocks = [*reader.container(document.element.body, 0), *reader.notes_left(), *_edges(document)]
    except (PackageNotFoundError, zipfile.BadZipFile, etree.LxmlError, KeyError, ValueError, AttributeError) as error:
        raise FileRefused("damaged") from error
    if sum(len(block.content.text) for block in blocks) > limits.characters:
        raise FileRefused("too_many_characters")
    contents = [block for block in blocks if block.content.text]
    title = document.core_properties.title or ""
    return document_assemble(None, contents, title=title, name=name, warnings=_warnings(document))


def _warnings(document: Any) -> tuple[str, ...]:
    body = document.element.body
    warnings = []
    changes = sum(1 for _ in body.iter(*_CHANGES))
    if changes:
        warnings.append(f"tracked_changes:{changes}")
    comments = sum(1 for _ in body.iter(qn("w:commentReference")))
    if comments:
        warnings.append(f"comments:{comments}")
    if any(_is_on(mark) for mark in body.iter(qn("w:vanish"))):
        warnings.append("hidden_text")
    if any(relation.reltype.endswith(_ATTACHMENTS) for relation in document.part.rels.values()):
        warnings.append("attachment_ignored")
    n_odd = sum(not formula_text(formula)[1] for formula in body.iter(_FORMULA))
    return (*warnings, *formulas_warning(n_odd))


def _is_on(element: Any) -> bool:
    return element.get(qn("w:val"), "true") not in {"0", "false", "off"}


def _edges(document: Any) -> Iterator[Block]:
    """Headers and footers, each wording once; page numbers say nothing."""
    seen: set[str] = set()
    for root in _parts(document.part, _EDGES):
        for paragraph in root.iter(qn("w:p")):
            words = clean_paragraph(_text(paragraph)).text
            if words not in seen and any(character.isalpha() for character in words):
                seen.add(words)
                yield Block(unmapped(words))


class _Reader:
    """Reads paragraphs in order; the numbers of lists depend on what came before."""

    def __init__(self, document: Any) -> None:
        self._part = document.part
        self._numbering = Numbering(document.part)
        self._styles = {style.style_id: style for style in document.styles if style.style_id}
        self._notes = {kind: self._notes_of(kind) for kind in ("footnote", "endnote")}
        self._n_notes = 0
        self._carried = ""

    def container(self, element: Any, depth: int) -> Iterator[Block]:
        """Yield the blocks of the body, a cell or a text box."""
        if depth > _MAX_DEPTH:
            return
        for child in element:
            if child.tag == qn("w:p"):
                yield self._paragraph(child)
                yield from self._notes_at(child)
                for box in child.iter(qn("w:txbxContent")):
                    if not any(parent.tag == _FALLBACK for parent in box.iterancestors()):
                        yield from self.container(box, depth + 1)
            elif child.tag == qn("w:tbl"):
                yield self._table(child)
                yield from self._notes_at(child)
                for inner in _own(child, "w:tbl", "w:tbl"):
                    yield from self.container([inner], depth + 1)
            elif child.tag in _FORMULAS:
                yield Block(unmapped(clean_paragraph(_text(child)).text))
            elif child.tag in {qn("w:sdt"), qn("w:sdtContent"), qn("w:ins"), qn("w:smartTag"), qn("w:customXml")}:
                yield from self.container(child, depth + 1)

    def _paragraph(self, element: Any) -> Block:
        words = clean_paragraph(self._carried + _text(element)).text
        mark = _found(element, "w:pPr", "w:rPr")
        is_joined = mark is not None and any(child.tag in _GONE for child in mark)
        self._carried = f"{words} " if is_joined and words else ""
        if self._carried:  # the change that takes the paragraph's end away joins it with the next
            return Block(unmapped(""))
        rank = self._rank(element)
        number = self._numbering.number(element, self._style_chain(element)) if words else ""
        text = unmapped(f"{number} {words}" if number else words)
        if rank:
            return Block(text, kind="heading", rank=rank)
        return Block(text, kind="list" if number else "text")

    def _style_chain(self, element: Any) -> list[Any]:
        """Return the paragraph's style and those it is based on."""
        reference = _found(element, "w:pPr", "w:pStyle")
        style = self._styles.get(reference.get(qn("w:val"))) if reference is not None else None
        chain: list[Any] = []
        while style is not None and style not in chain and len(chain) < _MAX_DEPTH:
            chain.append(style)
            style = getattr(style, "base_style", None)
        return chain

    def _rank(self, element: Any) -> float:
        styles = self._style_chain(element)
        for style in styles:
            match = _HEADING_STYLE.match(style.name or "")
            if match:
                return float(match.group(1))
            if (style.name or "").lower() == "title":
                return _TITLE_RANK
        for holder in (element, *(style.element for style in styles)):
            level = _found(holder, "w:pPr", "w:outlineLvl")
            value = level.get(qn("w:val"), "") if level is not None else ""
            rank = whole_number(value)
            if rank is not None and rank < 9:
                return float(rank + 1)
        return 0.0

    def _table(self, element: Any) -> Block:
        """Set a table as rows; a merged cell is repeated in each row and column that it covers."""
        rows: list[list[str]] = []
        head = 0
        for line in _own(element, "w:tr", "w:tbl"):
            if _found(line, "w:trPr", "w:del") is not None:
                continue
            mark = _found(line, "w:trPr", "w:tblHeader")
            head += mark is not None and _is_on(mark) and head == len(rows)
            row: list[str] = []
            for cell in _own(line, "w:tc", "w:tr"):
                words, across = self._cell(cell, rows[-1] if rows else [], len(row))
                row += [words, *[""] * (across - 1)]
            rows.append(row)
        return Block(unmapped(rows_text(rows)), kind="table", heads=rows_heads(rows, head=head or None))

    def _cell(self, cell: Any, above: list[str], place: int) -> tuple[str, int]:
        """Words of a cell and how many columns it covers; a cell merged with the one above has that one's words."""
        span, merge = _found(cell, "w:tcPr", "w:gridSpan"), _found(cell, "w:tcPr", "w:vMerge")
        raw = span.get(qn("w:val"), "1") if span is not None else "1"
        across = max(1, min(whole_number(raw, digits=3) or 1, _MAX_SPAN))
        if merge is not None and merge.get(qn("w:val"), "continue") == "continue":
            return (above[place] if place < len(above) else ""), across
        lines = (_text(line) for line in cell.iter(qn("w:p")) if _table_around(line) is _table_around(cell))
        return clean_paragraph("\n".join(lines)).text, across

    def _notes_at(self, element: Any) -> Iterator[Block]:
        """Yield the notes that a paragraph or a table refers to, numbered in their order."""
        for reference in element.iter(qn("w:footnoteReference"), qn("w:endnoteReference")):
            kind = "footnote" if reference.tag == qn("w:footnoteReference") else "endnote"
            words = self._notes[kind].pop(reference.get(qn("w:id"), ""), "")
            if words:
                self._n_notes += 1
                yield Block(unmapped(f"{self._n_notes} {words}"))

    def notes_left(self) -> Iterator[Block]:
        """Yield what is left: words of a paragraph whose end was taken away, and notes that nothing refers to."""
        if self._carried:
            yield Block(unmapped(self._carried.strip()))
        for words in (*self._notes["footnote"].values(), *self._notes["endnote"].values()):
            self._n_notes += 1
            yield Block(unmapped(f"{self._n_notes} {words}"))

    def _notes_of(self, kind: str) -> dict[str, str]:
        """Words of footnotes or endnotes by their ids."""
        notes: dict[str, str] = {}
        for root in _parts(self._part, f"/{kind}s"):
            for note in root.iter(qn(f"w:{kind}")):
                words = clean_paragraph("\n".join(_text(line) for line in note.iter(qn("w:p")))).text
                if words and note.get(qn("w:type"), "normal") == "normal":
                    notes[note.get(qn("w:id"), "")] = words
        return notes


def _own(outer: Any, tag: str, around: str) -> Iterator[Any]:
    """Rows of a table, cells of a row or tables in a table: those of the tables in its cells are left to them."""
    for inner in outer.iter(qn(tag)):
        if inner is not outer and next(inner.iterancestors(qn(around)), None) is outer:
            yield inner


def _table_around(element: Any) -> Any:
    return next(element.iterancestors(qn("w:tbl")), None)


def _found(element: Any, properties: str, name: str) -> Any:
    """A property of a row, a cell or a paragraph; None where it has none of that name."""
    return element.find(f"{qn(properties)}/{qn(name)}")


def _parts(part: Any, endings: str | tuple[str, ...]) -> Iterator[Any]:
    """The roots of the parts of the file that a part refers to by a kind of relation that ends so."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    for relation in part.rels.values():
        if not relation.is_external and relation.reltype.endswith(endings):
            yield etree.fromstring(relation.target_part.blob, parser)


def _text(paragraph: Any) -> str:
    """Return the words of one paragraph, without those of text boxes in it."""
    parts: list[str] = []
    tags = (qn("w:t"), qn("w:tab"), qn("w:br"), qn("w:cr"), qn("w:noBreakHyphen"), *_FORMULAS)
    for element in paragraph.iter(*tags):
        if element.tag == qn("w:tab") and element.getparent().tag == qn("w:tabs"):
            continue
        above = () if element is paragraph else takewhile(lambda one: one is not paragraph, element.iterancestors())
        if any(parent.tag in {qn("w:txbxContent"), _FALLBACK, _FORMULA, *_GONE} for parent in above):
            continue
        if element.tag == qn("w:t"):
            parts.append(element.text or "")
        elif element.tag == qn("w:noBreakHyphen"):
            parts.append("-")
        elif element.tag == _FORMULA:
            parts.append(formula_text(element)[0])
        else:  # a formula on a line of its own, too, begins a line
            parts.append("\t" if element.tag == qn("w:tab") else "\n")
    return "".join(parts)
