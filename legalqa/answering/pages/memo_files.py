"""The lines of a memo as a file: DOCX (python-docx) or PDF (reportlab)."""

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape

from django.utils import timezone
from docx import Document as WordDocument
from docx.shared import Pt
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Paragraph, SimpleDocTemplate

from legalqa.answering.pages.wording import Line

NO_SIGN = "Characters that the fonts of this file do not have are shown as ¤; the Word file has them."


@dataclass(frozen=True, slots=True)
class About:
    """What the properties of the file say, which mail programs and file lists show."""

    title: str
    author: str


_WORD = {
    "title": "Title",
    "heading": "Heading 2",
    "quote": "Quote",
    "fact": "Normal",
    "state": "Normal",
    "text": "Normal",
    "gap": "Normal",
}
_SMALL = Pt(9)


def _docx(lines: list[Line], about: About) -> bytes:
    document = WordDocument()
    properties = document.core_properties
    properties.title, properties.author = _printable(about.title), _printable(about.author)
    properties.comments, properties.created = "Created by LegalQA.", timezone.now()
    for style, text in lines:
        run = document.add_paragraph(style=_WORD[style]).add_run(_printable(text))
        if style == "fact":
            run.font.size = _SMALL
        run.bold = style == "state" or None  # None: as the style of the paragraph has it
    file = BytesIO()
    document.save(file)
    return file.getvalue()


def _printable(text: str) -> str:
    """The text without control characters, which XML cannot hold."""
    return "".join(sign for sign in text if sign.isprintable() or sign in "\n\t")


_BODY = ParagraphStyle("text", fontName="Times-Roman", fontSize=11, leading=15, spaceAfter=4)
_PDF = {
    "title": ParagraphStyle("title", parent=_BODY, fontName="Times-Bold", fontSize=20, leading=26, spaceAfter=10),
    "heading": ParagraphStyle("heading", parent=_BODY, fontName="Times-Bold", fontSize=13, leading=18, spaceBefore=10),
    "quote": ParagraphStyle("quote", parent=_BODY, fontName="Times-Italic", leftIndent=8 * mm),
    "fact": ParagraphStyle("fact", parent=_BODY, fontSize=9, leading=12),
    "text": _BODY,
    "state": ParagraphStyle("state", parent=_BODY, fontName="Times-Bold"),
    "gap": ParagraphStyle("gap", parent=_BODY, leading=6),
}


def _pdf(lines: list[Line], about: About) -> bytes:
    texts = [(style, _drawable(_printable(text))) for style, text in lines]
    if texts != [(style, _printable(text)) for style, text in lines]:
        texts.append(("fact", _drawable(NO_SIGN)))
    file = BytesIO()
    paper = SimpleDocTemplate(
        file, pagesize=A4, title=about.title, author=about.author, creator="LegalQA", leftMargin=25 * mm,
        rightMargin=25 * mm,
    )  # fmt: skip
    flow = [Paragraph(escape(text).replace("\n", "<br/>"), _PDF[style]) for style, text in texts]
    paper.build(flow, onFirstPage=_page_number, onLaterPages=_page_number)
    return file.getvalue()


def _drawable(text: str) -> str:
    """The text in the signs of the standard fonts of PDF (Windows-1252), others as ¤."""
    return "".join(sign if sign.encode("cp1252", "ignore") else "¤" for sign in text)


def _page_number(canvas: Any, paper: Any) -> None:
    canvas.setFont("Times-Roman", 9)
    canvas.drawCentredString(A4[0] / 2, 12 * mm, f"Page {paper.page}")


WRITERS: dict[str, Callable[[list[Line], About], bytes]] = {"docx": _docx, "pdf": _pdf}
