"""DOCX: paragraphs with their styles and numbers, tables, footnotes."""

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any

import docx
from docx.opc.exceptions import PackageNotFoundError
from docx.oxml.ns import qn
from lxml import etree

from corpora.parsers.assemble import document_assemble
from corpora.parsers.blocks import Block
from corpora.parsers.cleaning import clean_paragraph, unmapped
from corpora.parsers.docx_numbering import Numbering
from corpora.parsers.limits import Limits
from corpora.parsers.reasons import FileRefused
from corpora.types import ParsedDocument

_HEADING_STYLE = re.compile(r"heading\s*([1-9])$", re.IGNORECASE)
_TITLE_RANK = 0.5
_CELL_SEPARATOR = " | "
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_ATTACHMENTS = ("/oleObject", "/package")
_MAX_DEPTH = 100


def docx_parse(data: bytes, *, name: str, limits: Limits) -> ParsedDocument:
    """Read a DOCX file.

    Rule: the body in order; headings by style or outline level; numbers that Word computes are worked out and put in
    front; tables become rows of cells; footnotes and endnotes follow the body. Insertions of tracked changes are read,
    deletions are not; hidden text is read; both are said in a warning.

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
        blocks = [*reader.container(document.element.body, 0), *reader.notes()]
    except (
        PackageNotFoundError,
        zipfile.BadZipFile,
        etree.LxmlError,
        KeyError,
        ValueError,
        AttributeError,
    ) as error:
        raise FileRefused("damaged") from error
    if sum(len(block.content.text) for block in blocks) > limits.characters:
        raise FileRefused("too_many_characters")
    shown = [block for block in blocks if block.content.text]
    title = document.core_properties.title or ""
    return document_assemble(None, shown, title=title, name=name, warnings=_warnings(document))


def _warnings(document: Any) -> tuple[str, ...]:
    body = document.element.body
    warnings = []
    if next(body.iter(qn("w:ins"), qn("w:del"), qn("w:moveFrom")), None) is not None:
        warnings.append("tracked_changes")
    if any(_is_on(mark) for mark in body.iter(qn("w:vanish"))):
        warnings.append("hidden_text")
    if any(relation.reltype.endswith(_ATTACHMENTS) for relation in document.part.rels.values()):
        warnings.append("attachment_ignored")
    return tuple(warnings)


def _is_on(element: Any) -> bool:
    return element.get(qn("w:val"), "true") not in {"0", "false", "off"}


class _Reader:
    """Reads paragraphs in order; the numbers of lists depend on what came before."""

    def __init__(self, document: Any) -> None:
        self._part = document.part
        self._numbering = Numbering(document.part)
        self._styles = {style.style_id: style for style in document.styles if style.style_id}

    def container(self, element: Any, depth: int) -> Iterator[Block]:
        """Yield the blocks of the body, a cell or a text box."""
        if depth > _MAX_DEPTH:
            return
        for child in element:
            if child.tag == qn("w:p"):
                yield self._paragraph(child)
                for box in child.iter(qn("w:txbxContent")):
                    if not any(parent.tag == _FALLBACK for parent in box.iterancestors()):
                        yield from self.container(box, depth + 1)
            elif child.tag == qn("w:tbl"):
                yield self._table(child)
            elif child.tag in {
                qn("w:sdt"),
                qn("w:sdtContent"),
                qn("w:ins"),
                qn("w:smartTag"),
                qn("w:customXml"),
            }:
                yield from self.container(child, depth + 1)

    def _paragraph(self, element: Any) -> Block:
        words = clean_paragraph(_text(element)).text
        rank = self._rank(element)
        number = self._numbering.number(element, self._style_chain(element)) if words else ""
        text = unmapped(f"{number} {words}" if number else words)
        if rank:
            return Block(text, kind="heading", rank=rank)
        return Block(text, kind="list" if number else "text")

    def _style_chain(self, element: Any) -> list[Any]:
        """Return the paragraph's style and those it is based on."""
        found = element.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
        style = self._styles.get(found.get(qn("w:val"))) if found is not None else None
        chain: list[Any] = []
        while style is not None and style not in chain and len(chain) < _MAX_DEPTH:
            chain.append(style)
            style = getattr(style, "base_style", None)
        return chain

    def _rank(self, element: Any) -> float:
        properties = [element.find(qn("w:pPr"))]
        for style in self._style_chain(element):
            named = _HEADING_STYLE.match(style.name or "")
            if named:
                return float(named.group(1))
            if (style.name or "").lower() == "title":
                return _TITLE_RANK
            properties.append(style.element.find(qn("w:pPr")))
        for found in properties:
            level = found.find(qn("w:outlineLvl")) if found is not None else None
            value = level.get(qn("w:val"), "") if level is not None else ""
            if value.isdigit() and int(value) < 9:
                return float(int(value) + 1)
        return 0.0

    def _table(self, element: Any) -> Block:
        rows = []
        for row in element.iter(qn("w:tr")):
            cells = [
                clean_paragraph("\n".join(_text(line) for line in cell.iter(qn("w:p")))).text for cell in _cells(row)
            ]
            rows.append(_CELL_SEPARATOR.join(cell for cell in cells if cell))
        return Block(unmapped("\n".join(row for row in rows if row)), kind="table")

    def notes(self) -> Iterator[Block]:
        """Yield footnotes and endnotes with their numbers."""
        for kind in ("footnotes", "endnotes"):
            for relation in self._part.rels.values():
                if relation.is_external or not relation.reltype.endswith(f"/{kind}"):
                    continue
                root = etree.fromstring(relation.target_part.blob, _safe_parser())
                yield from self._notes_of(root, qn(f"w:{kind[:-1]}"))

    def _notes_of(self, root: Any, tag: str) -> Iterator[Block]:
        number = 0
        for note in root.iter(tag):
            if note.get(qn("w:type")) in {"separator", "continuationSeparator", "continuationNotice"}:
                continue
            number += 1
            words = clean_paragraph("\n".join(_text(line) for line in note.iter(qn("w:p")))).text
            if words:
                yield Block(unmapped(f"{number} {words}"))


def _safe_parser() -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)


def _cells(row: Any) -> Iterator[Any]:
    for cell in row.iter(qn("w:tc")):
        if cell.getparent() is row or cell.getparent().tag == qn("w:sdtContent"):
            yield cell


def _text(paragraph: Any) -> str:
    """Return the words of one paragraph, without those of text boxes in it."""
    parts: list[str] = []
    for element in paragraph.iter(qn("w:t"), qn("w:tab"), qn("w:br"), qn("w:cr"), qn("w:noBreakHyphen")):
        if element.tag == qn("w:tab") and element.getparent().tag == qn("w:tabs"):
            continue
        if any(parent.tag in {qn("w:txbxContent"), _FALLBACK} for parent in _ancestors_up_to(element, paragraph)):
            continue
        if element.tag == qn("w:t"):
            parts.append(element.text or "")
        elif element.tag == qn("w:noBreakHyphen"):
            parts.append("-")
        else:
            parts.append("\t" if element.tag == qn("w:tab") else "\n")
    return "".join(parts)


def _ancestors_up_to(element: Any, top: Any) -> Iterator[Any]:
    for parent in element.iterancestors():
        if parent is top:
            return
        yield parent
