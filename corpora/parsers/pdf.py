"""PDF: open, repair, read each page, and hand the text on in reading order."""

import io
import re
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from corpora.parsers.assemble import document_assemble
from corpora.parsers.boxes import BOX_LIMIT, TENTHS
from corpora.parsers.columns import Segment
from corpora.parsers.fractions import BLANK, STROKE
from corpora.parsers.limits import Limits
from corpora.parsers.lines import Boxes, Line, SourcePage, SourceText
from corpora.parsers.ocr import NEEDS_A_LOOK
from corpora.parsers.paragraphs import paragraphs_build
from corpora.parsers.pdf_pages import PageText, page_read
from corpora.parsers.reasons import FileRefused, numbers_said
from corpora.parsers.rescue import pages_rescued
from corpora.parsers.running import EdgeLine, running_lines
from corpora.parsers.scans import page_of_recognised
from corpora.types import ParsedDocument, RecognisedPage

_TAIL_BYTES = 2048
_EXTRACTION_ALLOWED = 1 << 4  # bit 5 of /P (ISO 32000-1, table 22): copy or otherwise extract text
_PROGRAM_TITLE = re.compile(r"^(microsoft|untitled|document\d*$)|\.(docx?|pdf|rtf|indd|p65|wpd|qxd|tmp|txt)$", re.I)
_NO_PAGE = PageText(0.0, 0.0, 0.0, "", np.zeros((0, 4), dtype=np.float32), (), truncated=False)


_SCANNED_SHARE = 0.5  # share of the page that one picture covers on a scanned page
_STAMP_CHARACTERS = 240  # a court's stamp over a scan: text, but not the page's


@dataclass(slots=True, eq=False)
class _Read:
    """What the pages gave, while they are read; `confidence` by page number, for recognised pages."""

    pages: list[PageText] = field(default_factory=list)
    scanned: list[int] = field(default_factory=list)
    confidence: dict[int, float] = field(default_factory=dict)
    broken: list[int] = field(default_factory=list)
    silent: int = 0
    cut: int = 0

    @property
    def warnings(self) -> tuple[str, ...]:
        unsure = [number for number, sure in self.confidence.items() if sure < NEEDS_A_LOOK]
        codes = [f"pages_without_text:{self.silent}"] if self.silent else []
        codes += [f"recognised:{len(self.confidence)}"] if self.confidence else []
        codes += [f"pages_to_check:{numbers_said(unsure)}"] if unsure else []
        codes += [f"pages_missing:{numbers_said(self.broken)}"] if self.broken else []
        return (*codes, *["truncated_page"] * bool(self.cut))


def pdf_parse(data: bytes, *, name: str, limits: Limits, recognised: tuple[RecognisedPage, ...] = ()) -> ParsedDocument:
    """Read a PDF file.

    Rule: a page that shows words only as a picture is named in `scanned` (of the document, or of the refusal where no
    page has text) unless `recognised` says what is on it; then it is read like any other page.

    Args:
        data: The file, without encryption that asks for a password.
        name: Its name; its stem is the title where nothing better is found.
        limits: Caps on pages and characters.
        recognised: Pages as text recognition read them.

    Returns:
        Text with pages, boxes and paragraphs.

    Raises:
        FileRefused: password_needed, damaged, no_text, too_many_pages, too_many_characters.
    """
    opened, mended = _open(data)
    try:
        count = len(opened)
        if count > limits.pages:
            raise FileRefused(
                "too_many_pages", f"The file has {count} pages, more than the limit of {limits.pages}: split it."
            )
        contents = _read_pages(opened, limits, {page.number: page for page in recognised})
        labels = [_label(opened, number) for number in range(count)]
        title = _title(opened)
        warnings = (*mended, *_document_warnings(opened), *contents.warnings)
    except FileRefused as refused:
        if refused.code == "no_text" and not refused.scanned and mended:
            raise FileRefused("damaged") from None  # the text was in the part that is gone or could not be mended
        raise
    finally:
        opened.close()
    source = _source(contents, labels)
    blocks = paragraphs_build(source)
    scanned = tuple(contents.scanned)
    try:
        document = document_assemble(source, blocks, title=title, name=name, warnings=warnings)
    except FileRefused as refused:  # what text there was repeats on every page and is not the document's
        raise FileRefused(refused.code, refused.message, scanned=scanned) from None
    return replace(document, scanned=scanned)


def _open(data: bytes) -> tuple[Any, tuple[str, ...]]:
    """The document, and the warnings of what was done to open it."""
    state = _file_state(data)
    try:
        return pdfium.PdfDocument(data), state
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == pdfium_c.FPDF_ERR_PASSWORD:
            raise FileRefused("password_needed") from error
    try:
        return pdfium.PdfDocument(_rewritten(data)), ("partial",) if state == ("partial",) else ("repaired",)
    except Exception as error:  # noqa: BLE001 - pypdf meets damaged files with many kinds of exception
        # Whichever it is, only whole pages can be left.
        rescued, gone = pages_rescued(data)
        try:
            return pdfium.PdfDocument(rescued), ("partial", *[f"pages_missing:{numbers_said(gone)}"] * bool(gone))
        except (pdfium.PdfiumError, ValueError):
            raise FileRefused("damaged") from error


def _rewritten(data: bytes) -> bytes:
    from pypdf import PdfReader, PdfWriter

    out = io.BytesIO()
    PdfWriter(clone_from=PdfReader(io.BytesIO(data), strict=False)).write(out)
    return out.getvalue()


def looks_whole(data: bytes) -> bool:
    """Whether the end of a file says that it is complete and where its directory is."""
    return not _file_state(data)


def _file_state(data: bytes) -> tuple[str, ...]:
    """Look at the end of the file: cut off ("partial"), or with a directory that is not where it says ("repaired")."""
    tail = data[-_TAIL_BYTES:]
    pointers = re.findall(rb"startxref\s*(\d+)", tail)
    if not pointers or b"%%EOF" not in tail:
        return ("partial",)
    place = int(pointers[-1])
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


def _read_pages(document: Any, limits: Limits, recognised: dict[int, RecognisedPage]) -> _Read:
    contents = _Read()
    characters = 0
    for number in range(1, len(document) + 1):
        try:
            page = document[number - 1]
            text = page_read(page, limits.page_characters)
        except pdfium.PdfiumError:
            contents.broken.append(number)
            contents.pages.append(_NO_PAGE)
            continue
        if _is_scanned(page, text):
            text = _scanned(contents, number, text, recognised.get(number))
        page.close()
        contents.cut += text.truncated
        characters += len(text.characters)
        if characters > limits.characters:
            raise FileRefused("too_many_characters")
        contents.pages.append(text)
    if not any(page.segments for page in contents.pages):
        raise FileRefused("damaged" if contents.broken else "no_text", scanned=tuple(contents.scanned))
    return contents


def _scanned(contents: _Read, number: int, text: PageText, recognised: RecognisedPage | None) -> PageText:
    """The page as it was recognised; as the file has it where nothing better is known."""
    if recognised is None:
        contents.scanned.append(number)
        contents.silent += not text.segments
        return text
    page = page_of_recognised(recognised, text.width, text.height)
    if len(page.characters.split()) < len(text.characters.split()):
        return text  # the stamp has more words than the picture
    if recognised.confidence < 1 or page.segments:
        contents.confidence[number] = recognised.confidence
    return page


def _is_scanned(page: Any, text: PageText) -> bool:
    """Whether a page shows its words as a picture: it has none as text, or hardly any over a picture of the page."""
    if not text.segments:
        return bool(pdfium_c.FPDFPage_CountObjects(page.raw) > 0)
    if sum(len(segment.indices) for segment in text.segments) > _STAMP_CHARACTERS:
        return False
    whole = page.get_width() * page.get_height()
    pictures = page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_IMAGE], max_depth=2)
    sides = (picture.get_bounds() for picture in pictures)
    return any((right - left) * (top - bottom) > _SCANNED_SHARE * whole for left, bottom, right, top in sides)


def _label(document: Any, index: int) -> str:
    return (document.get_page_label(index) or "").strip()[:40] or str(index + 1)


def _title(document: Any) -> str:
    title = " ".join((document.get_metadata_value("Title") or "").split())
    return "" if _PROGRAM_TITLE.search(title) or " " not in title else title


def _source(contents: _Read, labels: list[str]) -> SourceText:
    """Join the pages without their running lines; boxes become tenths of a point."""
    pages = contents.pages
    edge_lines = [
        [
            EdgeLine(number, place, _segment_text(page, place), line.y1, line.height, page.depth)
            for place, line in enumerate(page.segments)
        ]
        for number, page in enumerate(pages, 1)
    ]
    running = running_lines(edge_lines)
    texts: list[str] = []
    boxes: list[Boxes] = []
    lines: list[Line] = []
    starts: list[SourcePage] = []
    offset = 0
    for number, (page, label) in enumerate(zip(pages, labels, strict=True), 1):
        sure = contents.confidence.get(number)
        starts.append(SourcePage(number, label, page.width, page.height, offset, sure))
        tenths = _tenths(page)
        for place, segment in enumerate(page.segments):
            if (number, place) in running:
                continue
            texts.append(edge_lines[number - 1][place].text + "\n")
            boxes += (tenths[np.maximum(segment.indices, BLANK)], tenths[-1:])
            lines.append(_line(segment, offset, number))
            offset = lines[-1].end + 1
    all_boxes = np.concatenate(boxes) if boxes else np.zeros((0, 4), dtype=np.uint16)
    return SourceText("".join(texts), tuple(lines), tuple(starts), all_boxes)


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
    put_in = {BLANK: " ", STROKE: "/"}
    return "".join(put_in.get(index) or page.characters[index] for index in page.segments[place].indices.tolist())


def _tenths(page: PageText) -> Boxes:
    """Return the page's boxes in tenths of a point with a row of zeros at the end, for characters without a box."""
    tenths = np.zeros((len(page.boxes) + 1, 4), dtype=np.uint16)
    limit = np.array([page.width, page.height] * 2, dtype=np.float32)
    inside = np.clip(np.nan_to_num(page.boxes), 0, limit)
    tenths[:-1] = np.clip(np.rint(inside * TENTHS), 0, BOX_LIMIT).astype(np.uint16)
    flat = (tenths[:, 2] <= tenths[:, 0]) | (tenths[:, 3] <= tenths[:, 1])
    tenths[flat] = 0
    return tenths
