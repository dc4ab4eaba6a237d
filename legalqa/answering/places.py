"""The name of a place in a document, as a person would give it: document, clause and page; never "(b)" alone."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

_LETTER = re.compile(r"[(\[]?(?:([a-z])\1?|[ivx]{1,5}|\d{1,3}(?:\.\d{1,3})*)[)\].:]*", re.IGNORECASE)  # "(b)", "4.2"
_UNIT = re.compile(
    r"^(?:article|section|chapter|part|title|clause|paragraph|annex|appendix|attachment|exhibit|schedule|page|§+)\b"
    r"\W*(?:[ivxlc]+\b|\d[\w.()-]*|[a-z]\b)?|^§+",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{3,}")


def place_words(source: Mapping[str, Any]) -> str:
    """Document, heading and page of a passage in one line."""
    page = f"p. {source['page_label']}" if source["page_label"] else ""
    return ", ".join(filter(None, [source["document_title"], source["heading"], page]))


def heading_name(path: Sequence[str]) -> str:
    """The innermost heading; of one that is only a number or letter, with the nearest above it that has words.

    >>> heading_name(["Data Use Agreement", "4. Fees", "(b)"]), heading_name(["(b)"])
    ('4. Fees (b)', '')
    """
    letters: list[str] = []
    for heading in reversed(path):
        if not _LETTER.fullmatch(heading.strip()):
            return " ".join([heading, *reversed(letters)])
        letters.append(heading.strip())
    return ""


def names_a_subject(heading: str) -> bool:
    """Whether a heading says what is under it, as "Exhibit 10.27" and "Section 4" do not."""
    return _WORD.search(_UNIT.sub("", heading.strip())) is not None
