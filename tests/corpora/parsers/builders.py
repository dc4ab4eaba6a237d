"""Small files for the parser tests: written here, so that each test shows what it reads."""

import io
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, ByteStringObject

from corpora.parsers.deskew import Grey, turned
from corpora.parsers.dispatch import bytes_parse
from corpora.parsers.limits import Limits
from corpora.types import ParagraphSpan, ParsedDocument, RecognisedPage

DATA = Path(__file__).resolve().parents[2] / "data"
PDFS = DATA / "pdfs"
LAW = Path(__file__).resolve().parents[3] / "corpora" / "demo_data"


@dataclass(frozen=True)
class Words:
    """A line of text on a page: left edge and baseline in points from the lower left corner."""

    x: float
    y: float
    text: str
    size: float = 10
    bold: bool = False


@dataclass(frozen=True)
class Bar:
    """A thin line drawn on a page, from its left end."""

    x: float
    y: float
    width: float


def make_pdf(pages: Iterable[Iterable[Words | Bar]], *, width: int = 612, height: int = 792) -> bytes:
    """Write a PDF with the given lines in Helvetica."""
    contents = [_content(words) for words in pages]
    count = len(contents)
    kids = " ".join(f"{5 + 2 * number} 0 R" for number in range(count))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {count} /Kids [{kids}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    ]
    for number, content in enumerate(contents):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents {6 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    return _file(objects)


def _content(words: Iterable[Words | Bar]) -> str:
    out = []
    for line in words:
        if isinstance(line, Bar):
            out.append(f"{line.x} {line.y} {line.width} 0.5 re f")
            continue
        text = line.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        out.append(f"BT /{'F2' if line.bold else 'F1'} {line.size} Tf {line.x} {line.y} Td ({text}) Tj ET")
    return "\n".join(out)


def _file(objects: list[str]) -> bytes:
    out = io.BytesIO()
    out.write(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252"))
    start = out.tell()
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode())
    for place in places:
        out.write(f"{place:010d} 00000 n \n".encode())
    out.write(f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode())
    return out.getvalue()


def paragraph_lines(text: str, *, x: float, top: float, characters: int, leading: float = 12) -> list[Words]:
    """Wrap a text by hand at a number of characters."""
    lines: list[str] = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= characters:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [Words(x, top - number * leading, line) for number, line in enumerate(lines)]


def scanned_copy(
    pages: list[list[str]], *, only: tuple[int, ...] = (), size: float = 24, degrees: float = 0.0
) -> bytes:
    """Print pages of lines and scan them: pictures in place of characters (of all pages, or of `only` these)."""
    printed = make_pdf(
        [[Words(72, 700 - 1.5 * size * row, line, size) for row, line in enumerate(page)] for page in pages]
    )
    source = pdfium.PdfDocument(printed)
    for number in range(1, len(pages) + 1):
        if only and number not in only:
            continue
        picture = source[number - 1].render(scale=200 / 72, grayscale=True).to_numpy().squeeze()
        _replace_by_picture(source, number - 1, turned(picture, -degrees) if degrees else picture)
    out = io.BytesIO()
    source.save(out)
    return out.getvalue()


def _replace_by_picture(document: pdfium.PdfDocument, place: int, picture: Grey) -> None:
    page = document[place]
    for thing in list(page.get_objects(max_depth=1)):
        page.remove_obj(thing)
    height, width = picture.shape
    bitmap = pdfium.PdfBitmap.new_native(width, height, pdfium_c.FPDFBitmap_Gray)
    bitmap.to_numpy()[:, :width] = picture.reshape(bitmap.to_numpy()[:, :width].shape)
    image = pdfium.PdfImage.new(document)
    image.set_bitmap(bitmap)
    image.set_matrix(pdfium.PdfMatrix().scale(page.get_width(), page.get_height()))
    page.insert_obj(image)
    page.gen_content()


def rotated(data: bytes, degrees: int) -> bytes:
    """Turn all pages of a PDF by setting their /Rotate."""
    return _rewritten(data, lambda writer: [page.rotate(degrees) for page in writer.pages])


def cropped(data: bytes, left: float, bottom: float, right: float, top: float) -> bytes:
    """Set the crop box of all pages."""

    def crop(writer: PdfWriter) -> None:
        for page in writer.pages:
            page.cropbox.lower_left, page.cropbox.upper_right = (left, bottom), (right, top)

    return _rewritten(data, crop)


def with_attachment(data: bytes) -> bytes:
    return _rewritten(data, lambda writer: writer.add_attachment("run.exe", b"MZ harmful words"))


def encrypted(data: bytes, password: str, *, identifier: bytes = b"") -> bytes:
    """A PDF under a password; the identifier is random unless given (16 bytes)."""

    def change(writer: PdfWriter) -> None:
        if identifier:
            writer._ID = ArrayObject([ByteStringObject(identifier)] * 2)
        writer.encrypt(password, algorithm="AES-256")

    return _rewritten(data, change)


def _rewritten(data: bytes, change: object) -> bytes:
    assert callable(change)
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    change(writer)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def parse(
    data: bytes, name: str, *, limits: Limits | None = None, recognised: tuple[RecognisedPage, ...] = ()
) -> ParsedDocument:
    """Read a file in this process."""
    return bytes_parse(data, name=name, limits=limits or Limits(), recognised=recognised)


def words_of(document: ParsedDocument, span: ParagraphSpan) -> str:
    return document.text[span.start : span.end].rstrip()


def all_words(document: ParsedDocument) -> list[str]:
    return [words_of(document, span) for span in document.paragraphs]


def find(document: ParsedDocument, start: str) -> ParagraphSpan:
    """Return the paragraph that starts so."""
    found = [span for span in document.paragraphs if words_of(document, span).startswith(start)]
    assert len(found) == 1, (start, all_words(document))
    return found[0]


def encrypted_zip(name: str, content: bytes) -> bytes:
    """A ZIP whose one member says that it is encrypted."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, content)
    data = bytearray(buffer.getvalue())
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + flags] |= 1
    return bytes(data)
