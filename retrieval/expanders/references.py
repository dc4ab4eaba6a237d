"""What a passage refers to by its number: "subject to Rule 3.2.1" brings Rule 3.2.1 of the same document."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice, takewhile
from typing import Literal, NamedTuple
from uuid import UUID

from django.db.models import F, Q
from django.db.models.functions import Left
from pydantic import Field

from corpora.in_force import chunks_searched
from corpora.models import Chunk, Position
from corpora.provisions.types import Role
from retrieval.expanders.base import Expander, Link
from retrieval.graph.rules.references import references_in, section_name
from retrieval.indexes.outline import is_title
from retrieval.numbered import NAMED, beginnings_of, provisions_at
from retrieval.selectors import is_heading_alone
from retrieval.stages import Resources
from retrieval.types import Ranking

MAX_OF_PASSAGE = 8  # ours: provisions that one passage refers to; a table of contents names hundreds
MAX_KEPT = 8  # ours: versions whose paragraphs a process keeps; one of 20,000 paragraphs takes some 15 MB
BEGINNING = 200  # ours: first characters of a paragraph that show whether it is a title
_MARKS = str.maketrans("", "", "\u200e\u200f")
_OUTER = r"articles?|annex|chapters?|rules?|schedules?|exhibits?|appendix|parts?"
_INNER = r"paragraphs?|points?|subdivisions?|subsections?"
# "Clause 5" is one of the contract, but "clause (i)" and "clause 5 of Section 7" are within another provision.
_CLAUSE = (
    r"clauses?(?=\s+[0-9][\w.()]*+(?:(?:,|,?\s+(?:and|or|to))\s+[0-9][\w.()]*+)*+"
    rf"(?!\s+of\s+(?:this\s+)?(?:{_OUTER}|{_INNER}|sections?|§)(?!\w)))"
)
_UNIT = re.compile(  # as `references_in` reads them: "Article", "paragraph"
    rf"\b(?:(?P<outer>{_OUTER}|{_CLAUSE})|{_INNER}|clauses?)(?=\s+\(?[0-9A-Z])", re.IGNORECASE
)
_LABELS = re.compile(r"(?:(?:,|\s+(?:and|or|to)|\s)*\(\w{1,5}\))*")  # "Clause 5 and 30 days": only (a) and (b) go on
_INDEFINITE = re.compile(r"\ba(?=\s+(?!(?:and|or|to|of)\b)[a-z])")  # "Rule 3.2, a firm" names no Rule a
_ELSEWHERE = re.compile(r"\s*(?:\([0-9A-Za-z]+\)\s*)*,?\s*of\s+(?:the\s+)?(?!this\b|these\b)[A-Z]")
_NUMBERED = re.compile(r"\s*\(?([0-9]{1,3})[.)]\s")
_WORDS = re.compile(r"[^\W\d_]+|[0-9]+")
_AMOUNT = re.compile(r"\s*[0-9.]*[0-9]\s+[a-z]")  # "5 percent of turnover" is no section 5


class Row(NamedTuple):
    """A paragraph of a version: its number there, the headings above it, how it begins."""

    ordinal: int
    path: tuple[str, ...]
    text: str


class Part:
    """A version, or a provision of one, whose own provisions are looked up by number; each is looked for once."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self._parts: dict[tuple[str, str], Part] = {}

    def provision(self, unit: str, number: str) -> "Part":
        """What is under a heading of this number, else what begins with it; a mere title only at need."""
        key = (unit.lower(), number.lower())
        if key not in self._parts:
            self._parts[key] = Part(self._provision(unit, number))
        return self._parts[key]

    def begun(self, number: str, pattern: re.Pattern[str]) -> list[Row]:
        """The paragraphs that begin as a pattern of this number says."""
        return [row for row in self._begun.get(_key(number), ()) if pattern.match(row.text)]

    def _provision(self, unit: str, number: str) -> list[Row]:
        for begins in beginnings_of(unit, number):
            pattern = re.compile(begins, re.IGNORECASE)
            paths = self._headed.get(_key(number), ())
            if headed := {path for path in paths if any(map(pattern.match, path))}:
                return [row for row in self.rows if row.path in headed]
            if begun := [row for row in self.begun(number, pattern) if not _AMOUNT.match(row.text)]:
                return [row for row in begun if not is_title(row.text)] or begun
        return []

    @cached_property
    def _headed(self) -> dict[tuple[str, ...], set[tuple[str, ...]]]:
        """The paths of headings, by the number that one of them begins with, and by its unit."""
        found = defaultdict[tuple[str, ...], set[tuple[str, ...]]](set)
        for path in {row.path for row in self.rows}:
            for key in (key for heading in path for key in _keys(heading)):
                found[key].add(path)
        return found

    @cached_property
    def _begun(self) -> dict[tuple[str, ...], list[Row]]:
        """The paragraphs in their order, by the number that they begin with, and by its unit."""
        found = defaultdict[tuple[str, ...], list[Row]](list)
        for row in self.rows:
            for key in _keys(row.text):
                found[key].append(row)
        return found


class References(Expander):
    """The provisions that the first `depth` hits refer to by number, in their own document.

    Defaults are ours.

    Attributes:
        depth: Hits whose references are followed, 1 to 100.
        budget: Chunks that are added at most, 1 to 200.
        behind: Places behind the hit that led to it at which a chunk is put, 0 to 200.

    Source: ours.
    """

    label = "Cross-references"
    action = "Provisions that these refer to added"
    choice = "references"
    tie = "it refers to this"
    settable = ("depth", "budget", "behind")

    kind: Literal["references.v1"] = "references.v1"
    depth: int = Field(default=10, ge=1, le=100)
    budget: int = Field(default=10, ge=1, le=200)
    behind: int = Field(default=20, ge=0, le=200)

    @property
    def places_behind(self) -> int:
        return self.behind

    def links(self, before: Ranking, resources: Resources) -> Sequence[Link]:
        """The hits in their order, the references of each as they are in it.

        Returns:
            At most MAX_OF_PASSAGE links from each of the first `depth` hits, none to itself; a target may come several
            times.
        """
        searched = chunks_searched(corpus=resources.corpus)
        chunks = searched.in_bulk([hit.chunk_id for hit in before.hits[: self.depth]])
        versions = {version: _version(version) for version in {chunk.version_id for chunk in chunks.values()}}
        referred = [
            (chunk, ordinal)
            for chunk in (chunks[hit.chunk_id] for hit in before.hits if hit.chunk_id in chunks)
            for ordinal in _places_referred(chunk, versions[chunk.version_id])
        ]
        holds = Q(first_paragraph__in={ordinal for _, ordinal in referred}) | Q(last_paragraph__gt=F("first_paragraph"))
        spans = searched.filter(holds, version__in=versions).exclude(is_heading_alone()).order_by("pk")
        places: dict[tuple[UUID, int], int] = {}
        for pk, version, first, last in spans.values_list("pk", "version_id", "first_paragraph", "last_paragraph"):
            for ordinal in range(first, last + 1):
                places.setdefault((version, ordinal), pk)
        return [
            Link(chunk.pk, target)
            for chunk, ordinal in referred
            if (target := places.get((chunk.version_id, ordinal), chunk.pk)) != chunk.pk
        ]


def provisions_referred(text: str, *, section: str = "") -> list[str]:
    """The provisions of its own document that a text refers to, in its order; those "of the Act", another one, are not.

    Args:
        text: A passage.
        section: Where it is, such as "Article 6(1)": "paragraph 2" is one of Article 6. "" where nothing is numbered.

    >>> provisions_referred("Subject to Rules 3.2.1 and 3.2.4, section 5 of the Companies Act applies.")
    ['Rule 3.2.1', 'Rule 3.2.4']
    """
    text = _INDEFINITE.sub("_", text.translate(_MARKS))
    text = _UNIT.sub(lambda unit: unit[0].capitalize() if unit["outer"] else unit[0].lower(), text)
    names: list[tuple[int, str]] = []
    spans: list[range] = []
    for reference in references_in(text, section=section):
        spans.append(range(reference.start, reference.end))
        if not reference.law and not _ELSEWHERE.match(text, reference.end):
            names += [(reference.start, name) for name in reference.names]
    # Units that are no section for the graph: "Regulation 5", "art. 5".
    others = [match for match in NAMED.finditer(text) if not any(match.start() in span for span in spans)]
    starts = sorted([span.start for span in spans] + [match.start() for match in others])
    for match in others:
        is_list = match["unit"].endswith(("s", "."))  # "Clauses 5 and 6"
        stop = next((start for start in starts if start > match.start()), len(text))
        stop = stop if is_list else min(stop, next(_LABELS.finditer(text, match.end())).end())
        listed, end = provisions_at(text, match.start(), stop)
        if not _ELSEWHERE.match(text, end):
            names += [(match.start(), name) for name in listed]
    return list(dict.fromkeys(name for _, name in sorted(names, key=lambda one: one[0])))[:MAX_OF_PASSAGE]


@lru_cache(MAX_KEPT)  # the paragraphs of a version that is searched never change
def _version(version: UUID) -> Part:
    """The paragraphs of a version, without headings, notes and contents."""
    positions = Position.objects.filter(version=version).exclude(kind="heading")
    positions = positions.exclude(role__in=(Role.NOTE, Role.CONTENTS)).order_by("ordinal")
    found = positions.values_list("ordinal", "heading_path", Left("paragraph__text", BEGINNING))
    paths: dict[tuple[str, ...], tuple[str, ...]] = {}
    return Part([Row(ordinal, paths.setdefault(tuple(path), tuple(path)), text) for ordinal, path, text in found])


def _keys(text: str) -> set[tuple[str, ...]]:
    """The keys under which a text's first words are looked up: "5", and "5" with "1", for "Rule 5.1 Scope"."""
    words = [match[0].lower() for match in islice(_WORDS.finditer(text), 4)]
    return {*_runs(words[:3]), *_runs(words[1:])}


def _key(number: str) -> tuple[str, ...]:
    words = [match[0].lower() for match in islice(_WORDS.finditer(number), 3)]
    return max(_runs(words), key=len, default=())


def _runs(words: Sequence[str]) -> list[tuple[str, ...]]:
    """The first word, and it with the numbers behind it, one more each time."""
    numbers = list(takewhile(str.isdigit, words[1:]))
    return [(*words[:1], *numbers[:n]) for n in range(len(numbers) + 1)] if words else []


def _places_referred(chunk: Chunk, version: Part) -> Iterator[int]:
    """The ordinals of the paragraphs where the provisions begin that a chunk refers to.

    If the chunk's own section has no paragraph of the number, it is the document's, if only one there has it.
    """
    section = _section(chunk, version.rows)
    for name in provisions_referred(chunk.text, section=section):
        provision = version
        for match in NAMED.finditer(name):
            provision = provision.provision(match["unit"], match["number"])
        labels = re.findall(r"\(([\w.]+)\)", name)
        if inner := _inner(provision.rows, labels):
            yield inner.ordinal
        elif labels and section and name.startswith(f"{section.partition('(')[0]}("):
            alone = version.begun(labels[0], re.compile(_labelled(labels[0])))
            yield from (row.ordinal for row in alone if len(alone) == 1)
        elif provision.rows:
            yield provision.rows[0].ordinal


def _section(chunk: Chunk, rows: Sequence[Row]) -> str:
    """Where a chunk is, down to its numbered paragraph: "Article 6(1)"; "" below a heading without a unit."""
    at = bisect_left(rows, chunk.first_paragraph, key=lambda row: row.ordinal)
    path = rows[at].path if at < len(rows) else ()
    base = section_name(path, ())
    if NAMED.match(base) is None:
        return ""
    end = bisect_right(rows, chunk.first_paragraph, key=lambda row: row.ordinal)
    own = takewhile(lambda row: row.path == path, (rows[n] for n in range(end - 1, -1, -1)))
    number = next((match[1] for row in own if (match := _NUMBERED.match(row.text))), "")
    return f"{base}({number})" if number else base


def _inner(provision: Sequence[Row], labels: Sequence[str]) -> Row | None:
    """The paragraph of a provision that is labelled so, "2" and then "a", as far as it is; None where none is "2"."""
    row, siblings = None, list[str]()
    for label in labels:
        at = next((at for at, one in enumerate(provision) if re.match(_labelled(label), one.text)), None)
        if at is None:
            break
        siblings.append("[0-9]+" if label.isdigit() else re.escape(chr(ord(label[-1]) + 1)))
        end = re.compile(rf"\s*\(?(?:{'|'.join(siblings)})[.)]")
        ends = (place for place, one in enumerate(provision) if place > at and end.match(one.text))
        row, provision = provision[at], provision[at + 1 : next(ends, None)]
    return row


def _labelled(label: str) -> str:
    return rf"\s*\(?{re.escape(label)}[.)\s]" if label[0].isdigit() else rf"\s*\(?{re.escape(label)}[.)]"
