"""Text recognition (OCR) of one page: tesseract in a child process of its own, and what it says, checked."""

import json
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpora.parsers.boxes import BOX_LIMIT, TENTHS, boxes_pack
from corpora.parsers.cleaning import clean_characters
from corpora.parsers.confined import run_limited
from corpora.parsers.deskew import turned_back
from corpora.parsers.limits import MEBIBYTE, Limits
from corpora.parsers.reasons import FileRefused
from corpora.types import RecognisedPage

NEEDS_A_LOOK = 0.85  # ours: mean confidence, 0 to 1, below which a person should look at a page
"""Mean confidence below which a page is shown to people; clean scans of print reach 0.95."""

_CHILD = Path(__file__).with_name("ocr_child.py")
_PAGE_SECONDS = 120  # a dense page takes 5 on one slow core
_WALL_SECONDS = 240.0
_OUTPUT_BYTES = 32 * MEBIBYTE
_WORD_ROW = "5"  # level of a row of the table that holds a word
_COLUMNS = 12
_MAX_WORDS = 20_000
EMPTY_BOXES = zlib.compress(b"")


@cache
def _path() -> str:
    return shutil.which("tesseract", path="/usr/bin:/usr/local/bin") or ""


def ocr_engine() -> str:
    """Where tesseract is, "" if it is not installed."""
    return _path()


def page_recognise(
    path: str | Path, *, page: int, limits: Limits, should_stop: Callable[[], bool] | None = None
) -> RecognisedPage:
    """Read one page of a PDF from its picture.

    Rule: the page is drawn at the resolution of its scan (200 to 300 dots an inch), set level, and read by tesseract
    with its own page layout. All of it happens in one child process under the limits of reading, without network.

    Args:
        path: The PDF, not encrypted.
        page: From 1.
        limits: Memory of the child; its time is our own.
        should_stop: Asked while waiting; True stops the work with reason "cancelled".

    Returns:
        Words with boxes on the page as the PDF shows it.

    Raises:
        FileRefused: memory, cpu, timeout, crashed, bad_output, cancelled.
    """
    limits = replace(limits, cpu_seconds=_PAGE_SECONDS, wall_seconds=_WALL_SECONDS, output_bytes=_OUTPUT_BYTES)
    with Path(path).open("rb") as source, tempfile.TemporaryFile() as answer:
        outcome = run_limited(
            [sys.executable, "-I", str(_CHILD), str(source.fileno()), str(answer.fileno())],
            limits,
            stdin=json.dumps({"page": page, "engine": ocr_engine()}).encode("ascii"),
            pass_fds=(source.fileno(), answer.fileno()),
            should_stop=should_stop,
        )
        if outcome.reason:
            raise FileRefused(outcome.reason)
        answer.seek(0, os.SEEK_SET)
        output = answer.read().decode("utf-8", "replace")
    try:
        return _page(output, page)
    except (TypeError, ValueError, KeyError, IndexError) as error:
        raise FileRefused("bad_output") from error


def _page(output: str, number: int) -> RecognisedPage:
    first, _, table = output.partition("\n")
    head = json.loads(first)
    if head["blank"]:
        return RecognisedPage(number, "", EMPTY_BOXES, 1.0)
    lines: dict[tuple[str, ...], list[str]] = {}
    boxes: list[tuple[float, float, float, float]] = []
    certainty = letters = 0.0
    for row in table.splitlines():
        cells = row.split("\t")
        word = _word(cells)
        if not word or len(boxes) >= _MAX_WORDS:
            continue
        lines.setdefault((cells[2], cells[3], cells[4]), []).append(word)
        left, top, width, height = (float(cell) for cell in cells[6:10])
        boxes.append((left, top, left + width, top + height))
        certainty += len(word) * min(100.0, max(0.0, float(cells[10]))) / 100
        letters += len(word)
    # Rows come line by line, so that the words of the text are in the order of the boxes.
    text = "\n".join(" ".join(words) for words in lines.values())
    places = np.array(boxes, dtype=np.float64).reshape(-1, 4)
    on_page = _on_page(places, head["angle"], head["width"], head["height"]) / head["scale"]
    packed = boxes_pack(np.clip(np.rint(on_page * TENTHS), 0, BOX_LIMIT).astype(np.uint16))
    return RecognisedPage(number, text, packed, certainty / letters if letters else 0.0)


def _word(cells: list[str]) -> str:
    if len(cells) != _COLUMNS or cells[0] != _WORD_ROW:
        return ""
    return "".join(clean_characters(cells[11]).text.split())


def _on_page(boxes: NDArray[np.float64], angle: float, width: int, height: int) -> NDArray[np.float64]:
    """Boxes on the page as it was scanned: around the corners, turned back."""
    if not angle:
        return boxes
    corners = [turned_back(boxes[:, places], angle, width, height) for places in ([0, 1], [2, 1], [0, 3], [2, 3])]
    stacked = np.stack(corners)
    return np.concatenate((stacked.min(axis=0), stacked.max(axis=0)), axis=1)


def word_boxes(page: RecognisedPage) -> NDArray[np.float32]:
    """Boxes [words, 4] of a recognised page in points.

    Raises:
        ValueError: There are not as many boxes as words.
    """
    boxes = np.frombuffer(zlib.decompress(page.boxes), dtype="<u2").reshape(-1, 4)
    if len(boxes) != len(page.text.split()):
        raise ValueError(f"Page {page.number} has {len(page.text.split())} words and {len(boxes)} boxes.")
    return (boxes / TENTHS).astype(np.float32)
