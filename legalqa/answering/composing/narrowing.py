"""A question for one item of a list: "Which systems used in recruitment are high-risk?", for a list of all that are."""

import re

from corpora.provisions.types import Provision
from legalqa.answering.composing.kinds import subject_of
from legalqa.answering.composing.types import PassageFound

# "In recruitment", "on human oversight"; not "of importers" or "by employers", of whom the whole list may be.
_ENDS = r"(?:is|are|was|were|do|does|must|shall|may|can|by|of|to|that|which|when|if|with|under|from)\b"
_NARROWS = re.compile(
    rf"\b(?:in|for|on|about|at|during|concerning|regarding)((?: (?!{_ENDS})[\w’'-]+){{1,5}})", re.IGNORECASE
)


# "Which areas other than education": the rest of the list.
_BESIDES = re.compile(
    r"\b(?:other than|in addition to|besides|apart from|aside from|except(?:ing| for)?|excluding|outside|not in)\b",
    re.IGNORECASE,
)
FEWEST = 3  # ours: items from which a list may be answered by one of them


def narrowed_to(question: str, passage: PassageFound) -> int | None:
    """The item that the question asks for, in the list that a passage opens or is in: its place among the pieces.

    The question asks for some items ("… in recruitment"), and this item alone, with what is nested in it, has its
    words. None if several items have them, or none, or if the list as a whole does.
    """
    provision = passage.provision
    root = _root(passage)
    if root is None or len(_items(provision, root)) < FEWEST:
        return None
    about = {word for match in _NARROWS.finditer(question) for word in subject_of(match[1])}
    about -= subject_of(f"{provision.heading} {provision.pieces[root].text}")
    place: int | None = root
    while about and place is not None:
        inside = [n for n in _items(provision, place) if about <= _words(provision, n)]
        own = subject_of(provision.pieces[place].text) if place != root else set[str]()
        if about <= own or len(inside) != 1:
            return None if place == root else place
        place = inside[0]
    return None


def list_asked(question: str, passage: PassageFound) -> int | None:
    """The line that opens the list of a passage, if the question asks for all but some items; otherwise None.

    The excluded items are shown with the rest: nothing is taken away from a document's list.
    """
    return _root(passage) if _BESIDES.search(question) else None


def _root(passage: PassageFound) -> int | None:
    """The place of the line that opens the outermost list of a passage."""
    pieces = passage.provision.pieces
    own = next((n for n, piece in enumerate(pieces) if piece.ordinal == passage.ordinal), None)
    if own is None:
        return None
    return next((n for n in (*sorted(pieces[own].needs), own) if n <= own and pieces[n].part == "stem"), None)


def _items(provision: Provision, stem: int) -> list[int]:
    """The places of the items of a list, without those nested in them."""
    pieces = provision.pieces
    below = [n for n in pieces[stem].needs if n > stem and stem in pieces[n].needs]
    return [n for n in below if not any(stem < other < n and other in below for other in pieces[n].needs)]


def _words(provision: Provision, place: int) -> set[str]:
    """The words of an item, with the list that it opens."""
    inside = (n for n in provision.pieces[place].needs if n > place and place in provision.pieces[n].needs)
    return subject_of(" ".join(provision.pieces[n].text for n in (place, *inside)))
