"""Triplets as they are read from a paragraph; plain data."""

from dataclasses import dataclass, replace
from typing import Self

from retrieval.kinds import By, Kind


@dataclass(frozen=True, slots=True)
class Triplet:
    """One statement of a paragraph; with empty words, a place in which something may be stated.

    Attributes:
        kind: What it states.
        subject: Who or what it is about, as the text says it.
        predicate: The verb with its modal, or the words that join the two.
        object: What is stated of it.
        ordinal: Of the paragraph, in its version.
        start: Offset of the sentence in the paragraph.
        end: Offset in the paragraph, exclusive.
        section: The section that the paragraph is in, such as "Article 5(1)", "" if none.
        stem: The words above a list item that it completes, "" for none.
        by: What found it.
    """

    kind: Kind
    subject: str
    predicate: str
    object: str
    ordinal: int
    start: int
    end: int
    section: str = ""
    stem: str = ""
    by: By = By.RULES

    def says(self, kind: Kind, subject: str, predicate: str, object_text: str) -> Self:
        """What else is stated in the same place, by the same."""
        predicate = " ".join(predicate.split())
        return replace(self, kind=kind, subject=subject, predicate=predicate, object=object_text)
