"""PDF: open, repair, read each page, and hand the text on in reading order."""

import io
import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from corpora.parsers.assemble import document_assemble
from corpora.parsers.columns import Segment
from corpora.parsers.limits import Limits
from corpora.parsers.lines import Boxes, Line, SourcePage, SourceText
from corpora.parsers.paragraphs import paragraphs_build
from corpora.parsers.pdf_pages import PageText, page_read
from corpora.parsers.reasons import FileRefused
from corpora.parsers.running import EdgeLine, running_lines
from corpora.types import ParsedDocument

_TAIL_BYTES = 2048
_EXTRACTION_ALLOWED = 1 << 4  # bit 5 of /P (ISO 32000-1, table 22): copy or otherwise extract text
_PROGRAM_TITLE = re.compile(r"^(microsoft|untitled|document\d*$)|\.(docx?|pdf|rtf|indd|p65|wpd|qxd|tmp|txt)$", re.I)
_BOX_LIMIT = 65_535
_NO_PAGE = PageText(0.0, 0.0, 0.0, "", np.zeros((0, 4), dtype=np.float32), (), truncated=False)


@dataclass(frozen=True, slots=True, eq=False)
class _Opened:
    document: Any
    warnings: tuple[str, ...]


def pdf_parse(data: bytes, *, name: str, password: str, limits: Limits) -> ParsedDocument:
    """Read a PDF file.

    Args:
        data: The file.
        name: Its name; its stem is the title where nothing better is found.
        password: Tried if the file is encrypted.
        limits: Caps on pages and characters.

    Returns:
        Text with pages, boxes and paragraphs.

    Raises:
        FileRefused: password_needed, wrong_password, damaged, no_text, too_many_pages, too_many_characters.
    """
    opened = _open(data, password)
    try:
        count = len(opened.document)
        if count > limits.pages:
            raise FileRefused(
                "too_many_pages",
                f"The file has {count} pages, more than the limit of {limits.pages}: split it.",
            )
        pages, warnings = _read_pages(opened.document, limits)
        labels = [_label(opened.document, number) for number in range(count)]
        title = _title(opened.document)
        warnings = (*opened.warnings, *_document_warnings(opened.document), *warnings)
    finally:
        opened.document.close()
    source = _source(pages, labels)
    blocks = paragraphs_build(source)
    return document_assemble(source, blocks, title=title, name=name, warnings=warnings)


def _open(data: bytes, password: str) -> _Opened:
    state = _file_state(data)
    try:
        return _Opened(pdfium.PdfDocument(data, password=password or None), state)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == pdfium_c.FPDF_ERR_PASSWORD:
            raise FileRefused("wrong_password" if password else "password_needed") from error
    try:
        return _Opened(
            pdfium.PdfDocument(_rewritten(data, password)),
            ("partial",) if state == ("partial",) else ("repaired",),
        )
    except Exception as error:
        # pypdf meets damaged files with many kinds of exception; whichever it is, the file is beyond repair.
        raise FileRefused("damaged") from error


def _rewritten(data: bytes, password: str) -> bytes:
    from pypdf import PdfReader, PdfWriter

    reader = PdfReader(io.BytesIO(data), strict=False, password=password or None)
    writer = PdfWriter(clone_from=reader)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def looks_whole(data: bytes) -> bool:
    """Whether the end of a file says that it is complete and where its directory lies."""
    return not _file_state(data)


def _file_state(data: bytes) -> tuple[str, ...]:
    """Look at the end of the file: cut off ("partial"), or with a directory that is not where it says ("repaired")."""
    tail = data[-_TAIL_BYTES:]
    found = re.findall(rb"startxref\s*(\d+)", tail)
    if not found or b"%%EOF" not in tail:
        return ("partial",)
    place = int(found[-1])
    head = data.find(b"%PDF")
    there = any(re.match(rb"\s*(xref|\d+\s+\d+\s+obj)", data[at : at + 40]) for at in {place, place + max(head, 0)})
    return () if there or place == 0 else ("repaired",)


def _document_warnings(document: Any) -> tuple[str, ...]:
    warnings = []
    encrypted = pdfium_c.FPDF_GetSecurityHandlerRevision(document.raw) != -1
    if encrypted and not pdfium_c.FPDF_GetDocPermissions(document.raw) & _EXTRACTION_ALLOWED:
        warnings.append("extraction_not_permitted")
    if pdfium_c.FPDFDoc_GetAttachmentCount(document.raw) > 0:
        warnings.append("attachment_ignored")
    return tuple(warnings)


def _read_pages(document: Any, limits: Limits) -> tuple[list[PageText], tuple[str, ...]]:
    pages: list[PageText] = []
    characters = silent = broken = cut = 0
    for number in range(len(document)):
        try:
            page = document[number]
            text = page_read(page, limits.page_characters)
        except pdfium.PdfiumError:
            broken += 1
            pages.append(_NO_PAGE)
            continue
        silent += not text.segments and pdfium_c.FPDFPage_CountObjects(page.raw) > 0
        page.close()
        cut += text.truncated
        characters += len(text.characters)
        if characters > limits.characters:
            raise FileRefused("too_many_characters")
        pages.append(text)
    if not any(page.segments for page in pages):
        raise FileRefused("damaged" if broken else "no_text")
    warnings = [f"pages_without_text:{silent}"] if silent else []
    warnings += ["partial"] * bool(broken) + ["truncated_page"] * bool(cut)
    return pages, tuple(warnings)


def _label(document: Any, index: int) -> str:
    return (document.get_page_label(index) or "").strip()[:40] or str(index + 1)


def _title(document: Any) -> str:
    title = " ".join((document.get_metadata_value("Title") or "").split())
    return "" if _PROGRAM_TITLE.search(title) or " " not in title else title


def _source(pages: list[PageText], labels: list[str]) -> SourceText:
    """Join the pages without their running lines; boxes become tenths of a point."""
    edge_lines = [
        [
            EdgeLine(number, place, _segment_text(page, place), line.y1, line.height, page.depth)
            for place, line in enumerate(page.segments)
        ]
        for number, page in enumerate(pages, 1)
    ]
    dropped = running_lines(edge_lines)
    texts: list[str] = []
    boxes: list[Boxes] = []
    lines: list[Line] = []
    starts: list[SourcePage] = []
    offset = 0
    for number, (page, label) in enumerate(zip(pages, labels, strict=True), 1):
        starts.append(SourcePage(number, label, page.width, page.height, offset))
        tenths = _tenths(page)
        for place, segment in enumerate(page.segments):
            if (number, place) in dropped:
                continue
            texts.append(edge_lines[number - 1][place].text + "\n")
            boxes += (tenths[segment.indices], tenths[-1:])
            lines.append(_line(segment, offset, number))
            offset = lines[-1].end + 1
    joined = np.concatenate(boxes) if boxes else np.zeros((0, 4), dtype=np.uint16)
    return SourceText("".join(texts), tuple(lines), tuple(starts), joined)


def _line(segment: Segment, start: int, page: int) -> Line:
    return Line(
        start=start,
        end=start + len(segment.indices),
        page=page,
        x0=segment.x0,
        x1=segment.x1,
        y=segment.y1,
        height=segment.height,
        font=segment.font,
        column=segment.column,
        marked=segment.marked,
        gaps=tuple(replace(gap, offset=gap.offset + start) for gap in segment.gaps),
    )


def _segment_text(page: PageText, place: int) -> str:
    return "".join(page.characters[index] if index >= 0 else " " for index in page.segments[place].indices.tolist())


def _tenths(page: PageText) -> Boxes:
    """Return the page's boxes in tenths of a point with a row of zeros at the end, for characters without a box."""
    shown = np.zeros((len(page.boxes) + 1, 4), dtype=np.uint16)
    limit = np.array([page.width, page.height] * 2, dtype=np.float32)
    inside = np.clip(np.nan_to_num(page.boxes), 0, limit)
    shown[:-1] = np.clip(np.rint(inside * 10), 0, _BOX_LIMIT).astype(np.uint16)
    flat = (shown[:, 2] <= shown[:, 0]) | (shown[:, 3] <= shown[:, 1])
    shown[flat] = 0
    return shown
