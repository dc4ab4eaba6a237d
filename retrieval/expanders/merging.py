"""Chunks of one larger piece are merged into it if enough of them were found."""

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from pydantic import Field

from corpora.models import Chunk
from retrieval.expanders.base import Expander, Link
from retrieval.selectors import is_heading_alone
from retrieval.stages import Resources
from retrieval.types import Ranking


@dataclass(frozen=True, slots=True)
class Node:
    """A chunk or a larger piece of a version: its id, its ordinal, that of the piece around it, and which it is."""

    pk: int
    ordinal: int
    parent: int | None
    is_parent: bool


class AutoMerge(Expander):
    """Where more than `threshold` of a larger piece's parts were found, the rest of it is added; and so on upwards.

    Defaults are ours.

    Attributes:
        depth: Hits that are looked at, 1 to 200.
        threshold: Share of a piece's parts, 0 to 1.
        budget: Chunks that are added at most, 1 to 200.

    Source: PathLex 7.10. Differs: the parts of the piece are added one by one, beside those that were found, so that
    each keeps its own place and can be cited; a piece that would exceed the budget is not merged (both ours).
    """

    label = "Merged sections"
    action = "Sections that were mostly found completed"
    choice = "merge"
    tie = "lies in the same section, most of which was found"
    is_ranked = False
    settable = ("depth", "threshold", "budget")

    kind: Literal["auto-merge.v1"] = "auto-merge.v1"
    depth: int = Field(default=10, ge=1, le=200)
    threshold: float = Field(default=0.5, ge=0, le=1)
    budget: int = Field(default=10, ge=1, le=200)

    def links(self, before: Ranking, resources: Resources) -> Sequence[Link]:
        """The missing chunks of each merged piece, led to by its first hit, in reading order.

        Returns:
            At most `budget` links, each target once, in the order of the hits that lead to them.
        """
        first = [hit.chunk_id for hit in before.hits[: self.depth]]
        hits = Chunk.objects.filter(corpus=resources.corpus, pk__in=first, parent_ordinal__isnull=False)
        groups: dict[tuple[UUID, UUID], set[int]] = defaultdict(set)
        for version, chunk_set, pk in hits.values_list("version_id", "chunk_set_id", "pk"):
            groups[version, chunk_set].add(pk)
        pieces: list[tuple[list[Node], set[int]]] = []
        for (version, chunk_set), parts in groups.items():
            rows = Chunk.objects.filter(corpus=resources.corpus, version_id=version, chunk_set_id=chunk_set)
            rows = rows.exclude(is_heading_alone())
            nodes = [Node(*row) for row in rows.values_list("pk", "ordinal", "parent_ordinal", "is_parent")]
            pieces.append((nodes, parts))
        return links_merged(first, pieces, threshold=self.threshold, budget=self.budget)


def links_merged(
    first: Sequence[int], versions: Iterable[tuple[Sequence[Node], Set[int]]], *, threshold: float, budget: int
) -> list[Link]:
    """What completes the pieces of several versions, in the order of the hits that led to it.

    Args:
        first: The hits looked at, best first.
        versions: The chunks and pieces of each version, and which of the hits are among them.
        threshold: As of `merged`.
        budget: As of `merged`, for all of them together.
    """
    links: list[Link] = []
    for nodes, parts in versions:
        room = budget - len(links)
        links += merged(nodes, [pk for pk in first if pk in parts], threshold=threshold, budget=room)
    rank = {pk: place for place, pk in enumerate(first)}
    return sorted(links, key=lambda link: rank[link.origin])


def merged(nodes: Sequence[Node], hits: Sequence[int], *, threshold: float, budget: int) -> list[Link]:
    """The chunks that complete the pieces of one version of which more than `threshold` of the parts were found.

    A part is found where it is a found chunk, or a merged piece. The smallest pieces are looked at first, then those
    around them; a piece whose completion would add more than is left of `budget` stays as it is.

    Args:
        nodes: All chunks and pieces of the version.
        hits: Ids of the chunks found, best first.
        threshold: Share of a piece's parts, 0 to 1.
        budget: The most chunks that are added.
    """
    children: dict[int, list[Node]] = defaultdict(list)
    for node in sorted(nodes, key=lambda node: node.ordinal):
        if node.parent is not None:
            children[node.parent].append(node)
    rank = {pk: place for place, pk in enumerate(hits)}
    whole = {node.ordinal for node in nodes if node.pk in rank}
    links: dict[int, Link] = {}

    def leaves(piece: int) -> list[int]:
        return [pk for node in children[piece] for pk in (leaves(node.ordinal) if node.is_parent else [node.pk])]

    def height(piece: int) -> int:
        return 1 + max((height(node.ordinal) for node in children[piece] if node.is_parent), default=0)

    for piece in sorted(children, key=lambda piece: (height(piece), piece)):
        parts = children[piece]
        if sum(part.ordinal in whole for part in parts) <= threshold * len(parts):
            continue
        inside = leaves(piece)
        lacking = [pk for pk in inside if pk not in rank and pk not in links]
        if len(links) + len(lacking) <= budget:
            origin = min((pk for pk in inside if pk in rank), key=rank.__getitem__)
            links |= {pk: Link(origin, pk) for pk in lacking}
            whole.add(piece)
    return list(links.values())
