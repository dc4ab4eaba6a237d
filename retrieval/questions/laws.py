"""The law that an answer names by number, found among the provisions of a corpus."""

import re
from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.db.models.functions import Left, Length

from corpora.in_force import positions_live
from corpora.models import Corpus
from corpora.provisions.types import Role
from retrieval.numbered import ARTICLE, NAMED, RECITAL, SECTION, UNITS, unit_family

HEAD_CHARS = 120  # first characters of a paragraph, which may hold its own number
_BARE = re.compile(r"[0-9]+[A-Za-z]?(?:[.:-][0-9]+[A-Za-z]?)*(?![0-9A-Za-z-])")
_OF_RECITAL = re.compile(r"\(?([0-9]+)[.)]")
_OF_LAW = re.compile(
    r"(?:\s*\([^)]{1,20}\))*\s+of (?:the )?"
    r"(?P<law>[A-Z][\w’'-]*(?: (?:(?:of|and|on|for|the|to|in) )*[A-Z0-9][\w’'-]*)*)"
)
_UNIT = re.compile(rf"(?:{UNITS}|title|annex|appendix)\b", re.IGNORECASE)


class Unresolved(StrEnum):
    """Why an answer leads to no provision; the values complete a sentence that begins with the answer's line."""

    AMBIGUOUS = "names a provision that is in several documents; add its paragraph_id, or name the document"
    ELSEWHERE = "names a law that is not in this corpus; add the paragraph_id of the passage that answers it"
    NAMELESS = "names no provision of this corpus; add the paragraph_id of the passage that answers it"


@dataclass(frozen=True, slots=True)
class Place:
    """A paragraph that is in a current version, with its length in characters."""

    paragraph_id: int
    length: int
    document_id: UUID
    title: str


class Provisions:
    """The paragraphs of a corpus that are searched, by id and by number; make it inside a scope."""

    def __init__(self, corpus: Corpus) -> None:
        self._by_id: dict[str, Place] = {}
        self._numbered: dict[tuple[str, str], list[Place]] = defaultdict(list)
        live = positions_live(corpus=corpus).exclude(kind="heading").order_by("version", "ordinal")
        columns = ("paragraph__public_id", "paragraph__external_id", "heading_path", "role")
        of = ("paragraph_id", Length("paragraph__text"), "version__document_id", "version__document__title")
        for public, external, path, role, head, *place in live.values_list(
            *columns, Left("paragraph__text", HEAD_CHARS), *of
        ):
            target = Place(*place)
            for name in filter(None, (public, external)):
                self._by_id.setdefault(name, target)
            own = _OF_RECITAL.match(head.strip()) if role == Role.RECITAL else None
            numbers = [(RECITAL, own[1])] if own else filter(None, map(_number, (head, *path)))
            for number in set(numbers):
                self._numbered[number].append(target)

    def by_id(self, name: str) -> Place | None:
        """The paragraph with an id, as searches and the reader show it."""
        return self._by_id.get(name)

    def by_answer(self, answer: str) -> Place | Unresolved:
        """The first paragraph of the first provision that an answer names, or why there is none; never a guess.

        A law that is named with the number ("Article 841 of the Civil Act") must be a document of the corpus.
        """
        reason = Unresolved.NAMELESS
        for match in NAMED.finditer(answer):
            family, number = unit_family(match["unit"]), match["number"]
            places = self._numbered.get((family, number), [])
            if not places and family in (ARTICLE, SECTION):  # the clause "14. Notices" may be either, and is no annex
                places = self._numbered.get(("", number), [])
            if not places:
                continue
            law = _law_named(answer, match.end())
            titled = [place for place in places if _is_named(place.title, answer, law)]
            if law and not titled:
                reason = Unresolved.ELSEWHERE
                continue
            chosen = titled or places
            if len({place.document_id for place in chosen}) == 1:
                return chosen[0]
            reason = Unresolved.AMBIGUOUS
        return reason


def _number(line: str) -> tuple[str, str] | None:
    """The family of a line's first unit ("Article"), "" for none, and its number; None where it has none."""
    line = line.strip()
    if match := NAMED.match(line):
        return unit_family(match["unit"]), match["number"]
    bare = _BARE.match(line)
    return None if bare is None else ("", bare[0])


def _law_named(answer: str, end: int) -> str:
    """The law after a number: "Civil Act" in "Article 841 (1) of the Civil Act"; "" where there is none."""
    match = _OF_LAW.match(answer, end)
    return "" if match is None or _UNIT.match(match["law"]) else match["law"]


def _is_named(title: str, answer: str, law: str) -> bool:
    in_answer = bool(title) and title.lower() in answer.lower()
    return in_answer or (bool(law) and set(law.lower().split()) <= set(title.lower().split()))
