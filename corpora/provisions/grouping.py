"""From the paragraph that a search found to the whole provision it is in."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from corpora.parsers.numbering import structure_match
from corpora.provisions.exceptions import goes_back
from corpora.provisions.hanging import Node, goes_on, tree_of
from corpora.provisions.linking import Pieces, whole_of
from corpora.provisions.nesting import counts_on
from corpora.provisions.roles import defines, opens_definitions, roles_of
from corpora.provisions.splitting import table_rows
from corpora.provisions.types import Part, Piece, Provision, Role

_ALONE = frozenset({Role.HEADING, Role.CONTENTS})
_LAW = frozenset({Role.OPERATIVE, Role.DEFINITION, Role.TABLE_ROW})
_FAR = 150  # paragraphs to each side that are looked at


def provision_at(parts: Sequence[Part], place: int) -> Provision:
    """The provision that a paragraph is in, with what makes it whole.

    Rule: from the headings around it, the article or section is cut into numbered paragraphs, each with its lists and
    further subparagraphs; where numbers are missing, into paragraphs of prose, each with the list it opens. To that
    come the sentences of the same article that name it and set it aside or cap it. A definition is itself and its
    items; a table its heads and rows. Footnotes and page numbers between are left out; examples and notes stay apart.

    Args:
        parts: Consecutive paragraphs of one version; about 60 before the place and 80 after it are enough. Where they
            have no role, it is worked out from these paragraphs alone.
        place: Index in `parts` of the paragraph.

    Returns:
        The provision; its pieces have offsets in their own paragraphs.

    Source: ours.
    """
    low = max(0, place - _FAR)
    parts, place = parts[low : place + _FAR], place - low
    if not all(part.role for part in parts):
        parts = [replace(part, role=role) for part, role in zip(parts, roles_of(parts), strict=True)]
    part = parts[place]
    if part.role in _ALONE:
        return _provision(parts, place, place, [whole_of(parts, place)])
    if part.kind == "table":
        return _provision(parts, place, place, _table(part))
    start, end = _section(parts, place)
    nodes = tree_of(parts, _members(parts, place, start, end))
    home = _home(nodes, place)
    unit = _unit(parts, nodes, home)
    unit = [*_leant_on(parts, nodes, unit[0]), *unit]
    pieces = Pieces(parts, nodes)
    pieces.add(unit)
    if part.role in _LAW:
        others = [node for node in nodes.values() if node.place not in unit]
        pieces.add_limits(others)
        pieces.add_rules(unit)
        pieces.add_excepted(unit)
    pieces.join_conditions()
    return _provision(parts, place, start, pieces.done(), nodes[nodes[home].root].label)


def _provision(parts: Sequence[Part], place: int, start: int, pieces: list[Piece], label: str = "") -> Provision:
    part = parts[place]
    path = part.path
    for above in (parts[i] for i in range(start - 1, -1, -1) if start <= place):
        if above.kind == "heading":
            path = (*above.path, _title(above))
            break
        if above.role == Role.HEADING and not counts_on(above.label, label):
            path = (*part.path, _title(above))
            break
    ordinals = tuple(sorted({piece.ordinal for piece in pieces}))
    return Provision(path[-1] if path else "", path, part.role, tuple(pieces), ordinals)


def _title(part: Part) -> str:
    return " ".join(part.text.split()).rstrip(" .:")


def _table(part: Part) -> list[Piece]:
    rows = table_rows(part.text)
    if len(rows) < 2:
        return [Piece(part.ordinal, s, e, part.text[s:e], "rule") for s, e in rows]
    items = tuple(range(1, len(rows)))
    return [
        Piece(part.ordinal, s, e, part.text[s:e], "item" if i else "stem", needs=(0,) if i else items)
        for i, (s, e) in enumerate(rows)
    ]


def _section(parts: Sequence[Part], place: int) -> tuple[int, int]:
    """Bounds of the article, section or stretch of prose around a place, without its heading."""
    start = place
    while start and not _parts_ways(parts, start):
        start -= 1
    end = place + 1
    while end < len(parts) and not _parts_ways(parts, end):
        end += 1
    return start, end


def _parts_ways(parts: Sequence[Part], place: int) -> bool:
    """Whether something new begins at a place: after a heading, at a section without one, at another document."""
    before, here = parts[place - 1], parts[place]
    if here.role == Role.HEADING or (before.role == Role.HEADING and before.text.strip(" .0123456789")):
        return True
    if here.kind == "passage":
        return before.path != here.path
    structure = structure_match(here.text) if here.label and here.kind == "text" else None
    return structure is not None and not goes_on(parts, place)


def _members(parts: Sequence[Part], place: int, start: int, end: int) -> list[int]:
    """Paragraphs of the section that are law if the place is, and of the place's own role if not."""
    role = parts[place].role
    allowed = _LAW if role in _LAW else {role}
    return [i for i in range(start, end) if parts[i].role in allowed and parts[i].kind != "table"]


def _home(nodes: dict[int, Node], place: int) -> int:
    return next(p for p, node in nodes.items() if place == p or place in node.rest)


def _unit(parts: Sequence[Part], nodes: dict[int, Node], home: int) -> list[int]:
    """Paragraphs of the provision: all that belong to the same root; in a list of definitions, one definition."""
    top: int | None = nodes[home].root
    if parts[home].role == Role.DEFINITION and not opens_definitions(parts[home].text):
        step: int | None = home
        while step is not None and not defines(parts[step].text):
            step = nodes[step].parent
        top = home if step is None or opens_definitions(parts[step].text) else step
    return [place for place in nodes if place == top or any(above == top for above in _above(nodes, place))]


def _leant_on(parts: Sequence[Part], nodes: dict[int, Node], first: int) -> list[int]:
    """The paragraphs that one of prose needs before it: "This supersedes the ban on visitors."; none of others."""
    before = max((place for place in nodes if place < first), default=None)
    if before is None or parts[first].label or not goes_back(parts[first].text):
        return []
    return _unit(parts, nodes, before)


def _above(nodes: dict[int, Node], place: int) -> Iterator[int]:
    step = nodes[place].parent
    while step is not None:
        yield step
        step = nodes[step].parent


def trees_of(parts: Sequence[Part]) -> Iterator[dict[int, Node]]:
    """The articles and sections of a whole version one by one, each as its paragraphs with what they belong to.

    Args:
        parts: All paragraphs of a version, with their roles.

    Returns:
        Nodes by place; headings, tables, and what is neither law nor of the same role as its neighbours are left out.
    """
    start = 0
    for place in range(1, len(parts) + 1):
        if place < len(parts) and not _parts_ways(parts, place):
            continue
        members = [
            i for i in range(start, place) if parts[i].role in _LAW and parts[i].kind not in {"table", "heading"}
        ]
        if members:
            yield tree_of(parts, members)
        start = place
