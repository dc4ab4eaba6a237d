"""Running headers, footers and page numbers: recognised because they come again at the edge of other pages."""

import itertools
import re
from collections import defaultdict
from dataclasses import dataclass
from statistics import median

from corpora.parsers.numbering import enumerator_match, structure_match

_EDGE_LINES = 4  # lines at the top and at the bottom of a page that may be running heads
_EDGE_SHARE = 0.2
_MAX_CHARACTERS = 160
_MIN_PAGES = 3
_MIN_DENSITY = 0.4  # share of the pages from first to last that a header is on; alternating ones skip every second
_TITLE_HEIGHT = 1.15
_MIN_REPEATED = 40
_SENTENCE_WORDS = 6

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"(?:page\s*)?[-–—]?\s*(?:#|[ivxl]+)\s*(?:(?:of|/)\s*#)?\s*[-–—]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EdgeLine:
    """A line as seen by the search for running lines; `y` and `height` in points, `page_height` too."""

    page: int
    place: int
    text: str
    y: float
    height: float
    page_height: float


def running_lines(pages: list[list[EdgeLine]]) -> set[tuple[int, int]]:
    """Find the lines that belong to the page and not to the text.

    Rule: a line among the first or last four of its page and in its outer fifth, whose text (digits alike) is
    in the same zone of at least three pages and of two fifths of the pages between; a page number alone needs no
    company. A heading with its number differs from page to page and stays; so does a title that is printed larger
    than its echoes, and the first of lines that say something (a sentence without figures), so that it can be found
    and cited; and whatever would leave a page without a line. Also, the first line of a page that repeats the last
    line of the page before (clipped scans of long pages).

    Args:
        pages: Lines of each page in reading order.

    Returns:
        (page, place) of the lines to leave out.
    """
    groups: dict[tuple[str, str], list[EdgeLine]] = defaultdict(list)
    for lines in pages:
        for zone, line in _edges(lines):
            groups[zone, _key(line.text)].append(line)
    running: set[tuple[int, int]] = set()
    for (_, key), lines in groups.items():
        is_number = _PAGE_NUMBER.fullmatch(key) is not None
        if is_number or _recurs(lines):
            echoes = _without_title(lines)
            says_something = not is_number and _says_something(lines[0].text) and len(echoes) == len(lines)
            running |= {(line.page, line.place) for line in echoes[says_something:]}
    running -= _whole_pages(pages, running)
    return running | _repeated_at_break(pages, running)


def _edges(lines: list[EdgeLine]) -> list[tuple[str, EdgeLine]]:
    ordered = sorted(lines, key=lambda line: line.y)
    short = [line for line in ordered if len(line.text) <= _MAX_CHARACTERS]
    top = [line for line in short[:_EDGE_LINES] if line.y <= _EDGE_SHARE * line.page_height]
    bottom = [line for line in short[-_EDGE_LINES:] if line.y >= (1 - _EDGE_SHARE) * line.page_height]
    return [("top", line) for line in top] + [("bottom", line) for line in bottom]


def _key(text: str) -> str:
    plain = " ".join(text.split())
    if structure_match(plain) or enumerator_match(plain):
        return plain
    return _DIGITS.sub("#", plain).casefold()


def _recurs(lines: list[EdgeLine]) -> bool:
    numbers = sorted({line.page for line in lines})
    if len(numbers) < _MIN_PAGES:
        return False
    return len(numbers) >= _MIN_DENSITY * (numbers[-1] - numbers[0] + 1)


def _without_title(lines: list[EdgeLine]) -> list[EdgeLine]:
    usual = median(line.height for line in lines)
    return [line for line in lines if line.height <= _TITLE_HEIGHT * usual]


def _says_something(text: str) -> bool:
    """Whether a line is a sentence, and not the page's name, date or number."""
    is_sentence = len(text.split()) >= _SENTENCE_WORDS and text.rstrip().endswith(".")
    return is_sentence and not _DIGITS.search(text)


def _whole_pages(pages: list[list[EdgeLine]], running: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The lines, page numbers aside, of pages that would be left without any."""
    exceptions: set[tuple[int, int]] = set()
    for lines in pages:
        if lines and all((line.page, line.place) in running for line in lines):
            exceptions |= {(line.page, line.place) for line in lines if not _PAGE_NUMBER.fullmatch(_key(line.text))}
    return exceptions


def _repeated_at_break(pages: list[list[EdgeLine]], running: set[tuple[int, int]]) -> set[tuple[int, int]]:
    repeated: set[tuple[int, int]] = set()
    rest = [[line for line in lines if (line.page, line.place) not in running] for lines in pages]
    for before, after in itertools.pairwise(rest):
        if before and after and before[-1].text == after[0].text and len(after[0].text) >= _MIN_REPEATED:
            repeated.add((after[0].page, after[0].place))
    return repeated
