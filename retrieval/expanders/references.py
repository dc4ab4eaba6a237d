"""What a passage refers to by its number: "subject to Rule 3.2.1" brings Rule 3.2.1 of the same document."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal
from uuid import UUID

from pydantic import Field

from corpora.in_force import chunks_searched
from retrieval.expanders.base import Expander, Link
from retrieval.indexes.outline import is_title
from retrieval.numbered import UNITS, provision_pattern
from retrieval.selectors import is_heading_alone
from retrieval.stages import Resources
from retrieval.types import Ranking

MAX_OF_PASSAGE = 8  # ours: provisions that one passage refers to; a table of contents names hundreds
_NUMBER = r"[0-9]+[A-Za-z]?(?:[.:-][0-9]+[A-Za-z]?)*"
_NAMED = re.compile(rf"\b(?:{UNITS})\s*[\u200e\u200f]*({_NUMBER}(?:\s*(?:,|and|or|to)\s+{_NUMBER})*)", re.IGNORECASE)
_ELSEWHERE = re.compile(r"\s*(?:\([0-9A-Za-z]+\)\s*)*,?\s*of\s+(?:the\s+)?(?!this\b|these\b)[A-Z]")


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
        ids = [hit.chunk_id for hit in before.hits[: self.depth]]
        chunks = chunks_searched(corpus=resources.corpus).filter(pk__in=ids).in_bulk()
        numbers_by_chunk = {pk: numbers_referred(chunks[pk].text) for pk in ids if pk in chunks}
        references: dict[UUID, set[str]] = defaultdict(set)
        for pk, numbers in numbers_by_chunk.items():
            references[chunks[pk].version_id].update(numbers)
        targets = {
            version: _beginning(version, numbers, resources) for version, numbers in references.items() if numbers
        }
        return [
            Link(pk, target)
            for pk, numbers in numbers_by_chunk.items()
            for number in numbers
            if (target := targets.get(chunks[pk].version_id, {}).get(number)) is not None and target != pk
        ]


def numbers_referred(text: str) -> list[str]:
    """The numbers of provisions that a text refers to, in its order; those "of the Act", another document, are not.

    >>> numbers_referred("Subject to Rules 3.2.1 and 3.2.4, section 5 of the Companies Act applies.")
    ['3.2.1', '3.2.4']
    """
    numbers: dict[str, None] = {}
    for match in _NAMED.finditer(text):
        if not _ELSEWHERE.match(text, match.end()):
            numbers |= dict.fromkeys(re.findall(_NUMBER, match[1]))
    return list(numbers)[:MAX_OF_PASSAGE]


def _beginning(version: UUID, numbers: Iterable[str], resources: Resources) -> dict[str, int]:
    """The first chunk of a version that begins with each number, or comes first under a heading that does.

    A line that reads as a title, as in a table of contents, counts only where nothing else does.
    """
    ordered = sorted(numbers)
    pattern = provision_pattern(numbers="|".join(map(re.escape, ordered)))
    rows = (
        chunks_searched(corpus=resources.corpus).filter(version_id=version).exclude(is_heading_alone()).order_by("pk")
    )
    texts = list(rows.filter(text__iregex=pattern).values_list("pk", "text"))
    rules, titles = ([row for row in texts if is_title(row[1]) == is_so] for is_so in (False, True))
    headed = rows.filter(heading__iregex=pattern).values_list("pk", "heading")
    chunk_ids: dict[str, int] = {}
    for pk, text in (*rules, *headed, *titles):
        for number in ordered:
            if number not in chunk_ids and re.match(provision_pattern(numbers=re.escape(number)), text, re.IGNORECASE):
                chunk_ids[number] = pk
    return chunk_ids
