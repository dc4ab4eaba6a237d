"""A PDF that was cut off: its whole pages, under a new directory."""

import re

_OBJECT = re.compile(rb"(?<![0-9])(\d{1,7})\s+(\d{1,5})\s+obj\b")
_PAGE = re.compile(rb"/Type\s*/Page(?![A-Za-z])")
_PAGES = re.compile(rb"/Type\s*/Pages\b")
_KIDS = re.compile(rb"/Kids\s*\[([^\]]{0,200000})\]")
_REFERENCE = re.compile(rb"(\d{1,7})\s+(\d{1,5})\s+R\b")
_COUNT = re.compile(rb"/Count\s+(\d{1,6})\b")
_MAX_OBJECT = 20_000  # bytes looked at of an object that is a page
_MAX_PAGES = 5_000


def pages_rescued(data: bytes) -> tuple[bytes, tuple[int, ...]]:
    """Give a cut-off PDF a new page tree that holds the pages that are whole in it.

    Rule: a page is an object of its own that says so and ends before the file does. Where a list of pages is left, the
    pages are in its order, and those of its pages that are gone are named; otherwise they are as in the file.

    Args:
        data: The file.

    Returns:
        The file with the new tree behind it, and the numbers of the pages that are known to be gone; b"" if no page
        is left. Pages keep their numbers only up to the first gap.
    """
    objects = {
        (int(match.group(1)), int(match.group(2))): match.end() for match in _OBJECT.finditer(data)
    }  # of several versions of an object the last one counts, as in a file that was saved again
    whole = {key: start for key, start in objects.items() if _is_page(data, start)}
    if not whole:
        return b"", ()
    order = _listed(data, objects)
    kids = [key for key in order if key in whole] or sorted(whole, key=lambda key: whole[key])
    gone = tuple(number for number, key in enumerate(order, 1) if key not in whole)
    highest = max(number for number, _ in objects)
    return data + _tree(kids[:_MAX_PAGES], highest), gone


def _is_page(data: bytes, start: int) -> bool:
    end = data.find(b"endobj", start, start + _MAX_OBJECT)
    return end > 0 and _PAGE.search(data, start, end) is not None


def _listed(data: bytes, objects: dict[tuple[int, int], int]) -> list[tuple[int, int]]:
    """Pages in the order of the longest page list that says how many it has, if that is all of them."""
    best: list[tuple[int, int]] = []
    for start in objects.values():
        end = data.find(b"endobj", start)
        body = data[start : end if end > 0 else start + _MAX_OBJECT]
        kids, count = _KIDS.search(body), _COUNT.search(body)
        if kids is None or count is None or not _PAGES.search(body):
            continue
        keys = [(int(number), int(generation)) for number, generation in _REFERENCE.findall(kids.group(1))]
        if len(keys) == int(count.group(1)) and len(keys) > len(best):
            best = keys
    return best


def _tree(kids: list[tuple[int, int]], highest: int) -> bytes:
    references = b" ".join(b"%d %d R" % key for key in kids)
    return (
        b"\nendstream\nendobj\n%d 0 obj\n<< /Type /Catalog /Pages %d 0 R >>\nendobj\n"
        b"%d 0 obj\n<< /Type /Pages /Count %d /Kids [%s] >>\nendobj\n"
        b"trailer\n<< /Root %d 0 R /Size %d >>\nstartxref\n0\n%%%%EOF\n"
    ) % (highest + 1, highest + 2, highest + 2, len(kids), references, highest + 1, highest + 3)
