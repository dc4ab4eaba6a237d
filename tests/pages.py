"""Pages as tests read them."""

from urllib.parse import urlsplit


def one_line(html: str) -> str:
    """The page on one line, as a browser sees it: where a template breaks its lines is nobody's business."""
    return " ".join(html.split()).replace(" >", ">")


def path_of(address: str) -> str:
    """An address without its query and its place on the page."""
    return urlsplit(address).path
