"""The program that recognises one page: `python -I ocr_child.py SOURCE_FD ANSWER_FD`, orders as JSON on standard input.

Started only by `ocr.py`, under limits that `launch.py` has set. It gives up its rights, draws the page, and becomes
tesseract, which reads the picture and writes its table of words after our first line.
"""

import json
import math
import os
import sys
from pathlib import Path

if __name__ == "__main__":  # isolated mode leaves the project off the path
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each thread reserves address space, which is limited

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from corpora.parsers.deskew import Grey, is_blank, skew_angle, turned
from corpora.parsers.rights import rights_drop

POINTS_AN_INCH = 72
MIN_DPI, MAX_DPI = 200, 300  # below, small print blurs; above, tesseract reads worse and takes twice as long
MAX_PIXELS = 40_000_000
LEAST_ANGLE = 0.3  # degrees; tesseract reads less skewed lines as they are


def main() -> None:
    source, answer = int(sys.argv[1]), int(sys.argv[2])
    order = json.loads(sys.stdin.buffer.read())
    with os.fdopen(source, "rb") as file:
        data = file.read()
    rights_drop(engine=order["engine"])
    document = pdfium.PdfDocument(data)
    picture, scale = _drawn(document[order["page"] - 1])
    height, width = picture.shape
    angle = 0.0 if is_blank(picture) else skew_angle(picture)
    if abs(angle) >= LEAST_ANGLE:
        picture = turned(picture, angle)
    else:
        angle = 0.0
    head = {"scale": scale, "angle": angle, "width": width, "height": height, "blank": is_blank(picture)}
    os.write(answer, json.dumps(head).encode("ascii") + b"\n")
    if not head["blank"]:
        _become_tesseract(order["engine"], picture, round(scale * POINTS_AN_INCH), answer)


def _drawn(page: pdfium.PdfPage) -> tuple[Grey, float]:
    """Draw a page in grey, as fine as its pictures are; returns it with its pixels a point."""
    width, height = page.get_size()
    scale = min(MAX_DPI, max(MIN_DPI, _resolution(page))) / POINTS_AN_INCH
    scale = min(scale, math.sqrt(MAX_PIXELS / max(1.0, width * height)))
    pixels = page.render(scale=scale, grayscale=True).to_numpy()
    return np.ascontiguousarray(pixels.reshape(pixels.shape[0], pixels.shape[1])), scale


def _resolution(page: pdfium.PdfPage) -> float:
    """Dots an inch of the page's largest picture; 0 without one."""
    best, area = 0.0, 0.0
    for image in page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_IMAGE], max_depth=3):
        left, bottom, right, top = image.get_bounds()
        if (right - left) * (top - bottom) > area:
            area = (right - left) * (top - bottom)
            best = image.get_px_size()[0] / max(1.0, right - left) * POINTS_AN_INCH
    return best


def _become_tesseract(engine: str, picture: Grey, dpi: int, answer: int) -> None:
    feed = os.memfd_create("page")
    os.write(feed, b"P5\n%d %d\n255\n" % (picture.shape[1], picture.shape[0]))
    rest = memoryview(picture.tobytes())
    while rest:
        rest = rest[os.write(feed, rest) :]
    os.lseek(feed, 0, os.SEEK_SET)
    os.dup2(feed, 0)
    os.dup2(answer, 1)
    # One thread: with two, pages took up to forty times as long on busy cores. Automatic page layout
    # with orientation (--psm 1) reads columns apart, where a single block (--psm 6) runs across them.
    arguments = [engine, "stdin", "stdout", "--dpi", str(dpi), "--psm", "1", "-l", "eng", "tsv"]
    os.execve(engine, arguments, {"OMP_THREAD_LIMIT": "1", "LC_ALL": "C"})  # noqa: S606 - a path of ours


if __name__ == "__main__":
    main()
