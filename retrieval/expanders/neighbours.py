"""Neighbours of a passage: the ones before and after it, and the items of a list with the words that open it."""

import re
from collections.abc import Sequence
from typing import Literal

import numpy as np
from pydantic import Field

from corpora.provisions.splitting import opens_list
from retrieval.expanders.base import Expander, Link
from retrieval.indexes.cache import outline_current
from retrieval.indexes.outline import Outline, is_title
from retrieval.selectors import chunk_texts
from retrieval.stages import Resources
from retrieval.types import Ranking

LONGEST_LIST = 12  # ours: items of one list that are brought
_ITEM = re.compile(r"\s*(?:\(?[A-Za-z0-9]{1,4}[).]|[•–-])\s")


class Neighbours(Expander):
    """The `width` passages before and after each of the first `depth` hits, and the whole list that one is in.

    Defaults are ours.

    Attributes:
        depth: Hits whose neighbours are added, 1 to 100.
        width: Chunks on each side, 1 to 10.
        budget: Chunks that are added at most, 1 to 200.
        behind: Places behind the hit that led to it at which a chunk is put, 0 to 200.

    Source: ours.
    """

    label = "Neighbours"
    action = "Passages beside these added"
    choice = "neighbours"
    tie = "is next to it"
    settable = ("depth", "width", "budget", "behind")

    kind: Literal["neighbours.v1"] = "neighbours.v1"
    depth: int = Field(default=10, ge=1, le=100)
    width: int = Field(default=3, ge=1, le=10)
    budget: int = Field(default=60, ge=1, le=200)
    behind: int = Field(default=20, ge=0, le=200)

    @property
    def places_behind(self) -> int:
        return self.behind

    def links(self, before: Ranking, resources: Resources) -> Sequence[Link]:
        """Nearest first, the hits in their order within one distance; then the rest of the lists.

        Returns:
            At most 2 * `width` + LONGEST_LIST links from each of the first `depth` hits; a target may come several
            times.
        """
        outline = outline_current(corpus=resources.corpus)
        hits = [hit.chunk_id for hit in before.hits[: self.depth]]
        if not len(outline.chunk_ids):
            return ()
        reach = self.width + LONGEST_LIST
        around = {chunk: outline_around(outline, chunk, reach) for chunk in hits}
        texts = chunk_texts(corpus=resources.corpus, chunk_ids=sorted({c for near in around.values() for c in near}))
        near = [
            Link(chunk, outline_beside(outline, chunk, step))
            for distance in range(1, self.width + 1)
            for chunk in hits
            for step in (distance, -distance)
        ]
        listed = [Link(chunk, other) for chunk in hits for other in list_around(chunk, around[chunk], texts)]
        return [link for link in (*near, *listed) if link.target in texts and not is_title(texts[link.target])]


def outline_beside(outline: Outline, chunk: int, step: int) -> int:
    """The chunk this many places after another one in its version, before it for a negative step; -1 where none is."""
    at = int(np.searchsorted(outline.chunk_ids, chunk))
    there = at + step
    is_inside = at < len(outline.chunk_ids) and outline.chunk_ids[at] == chunk and 0 <= there < len(outline.chunk_ids)
    return int(outline.chunk_ids[there]) if is_inside and outline.versions[there] == outline.versions[at] else -1


def outline_around(outline: Outline, chunk: int, reach: int) -> list[int]:
    """The chunks of its version up to `reach` places before and after a chunk, itself included, in their order."""
    return [other for step in range(-reach, reach + 1) if (other := outline_beside(outline, chunk, step)) >= 0]


def list_around(chunk: int, around: Sequence[int], texts: dict[int, str]) -> list[int]:
    """The other chunks of the list that a chunk opens or is an item of; at most LONGEST_LIST, in reading order."""
    at = around.index(chunk) if chunk in around else len(around)
    first = at
    while 0 < first < len(around) and _is_item(texts.get(around[first], "")):
        first -= 1
    if first >= len(around) or not opens_list(texts.get(around[first], "")):
        return []
    last = first
    while last + 1 < len(around) and _is_item(texts.get(around[last + 1], "")):
        last += 1
    return [other for other in around[first : last + 1] if other != chunk][:LONGEST_LIST]


def _is_item(text: str) -> bool:
    return _ITEM.match(text) is not None
