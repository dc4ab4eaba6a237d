"""Pages as tests read them."""


def one_line(html: str) -> str:
    """The page on one line, as a browser sees it: where a template breaks its lines is nobody's business."""
    return " ".join(html.split()).replace(" >", ">")
