"""From the paragraph that a search found to the whole provision it stands in."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from corpora.parsers.numbering import structure_match
from corpora.provisions.exceptions import (
    bare,
    excepts,
    hold_together,
    leans_back,
    limits,
    may_limit,
    names_article,
    names_first,
    names_whole,
    numbers_named,
)
from corpora.provisions.nesting import BULLET, Nesting, counts_on
from corpora.provisions.roles import defines, opens_definitions, roles_of
from corpora.provisions.splitting import (
    Segment,
    continues,
    is_bullet,
    label_inner,
    opens_list,
    sentences,
    table_rows,
    without_title,
)
from corpora.provisions.types import Part, Piece, PieceKind, Provision, Role

_ALONE = frozenset({Role.HEADING, Role.CONTENTS})
_LAW = frozenset({Role.OPERATIVE, Role.DEFINITION, Role.TABLE_ROW})
_FAR = 150  # paragraphs to each side that are looked at
_MAX_LINE = 90  # of a list without numbers or bullets
_MAX_NAMED = 40  # paragraphs that a provision brings along because it names them


@dataclass(slots=True)
class _Node:
    """A paragraph in its article: what it hangs from, and the paragraphs that go on with its last sentence."""

    place: int
    parent: int | None = None  # in a list: the paragraph with its stem
    root: int = 0
    label: str = ""
    is_item: bool = False
    goes_on: tuple[int, ...] = ()


def provision_at(parts: Sequence[Part], place: int) -> Provision:
    """The provision that a paragraph stands in, with what makes it whole.

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
        return _provision(parts, place, place, [_whole(parts, place)])
    if part.kind == "table":
        return _provision(parts, place, place, _table(part))
    start, end = _section(parts, place)
    nodes = _tree(parts, _members(parts, place, start, end))
    home = _home(nodes, place)
    unit = _unit(parts, nodes, home)
    pieces = _Pieces(parts, nodes)
    pieces.add(unit)
    if part.role in _LAW:
        others = [node for node in nodes.values() if node.place not in unit]
        pieces.add_limits(others)
        pieces.add_rules(others)
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


def _whole(parts: Sequence[Part], place: int) -> Piece:
    text = parts[place].text
    end = len(text.rstrip())
    start = end - len(text[:end].lstrip())
    return Piece(parts[place].ordinal, start, end, text[start:end], "rule", parts[place].label)


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
    return structure is not None and not _goes_on_from(parts, place)


def _goes_on_from(parts: Sequence[Part], place: int) -> bool:
    """Whether a paragraph goes on with the sentence of the last one before it that is no footnote or page number."""
    for before in range(place - 1, max(-1, place - 6), -1):
        if parts[before].role != Role.NOTE:
            return parts[before].role != Role.HEADING and continues(parts[before], parts[place])
    return False


def _members(parts: Sequence[Part], place: int, start: int, end: int) -> list[int]:
    """Paragraphs of the section that are law if the place is, and of the place's own role if not."""
    role = parts[place].role
    allowed = _LAW if role in _LAW else {role}
    return [i for i in range(start, end) if parts[i].role in allowed and parts[i].kind != "table"]


def _tree(parts: Sequence[Part], members: Sequence[int]) -> dict[int, _Node]:
    nodes: dict[int, _Node] = {}
    flow: list[int] = []
    for place in members:
        if flow and _goes_on_from(parts, place):
            nodes[flow[-1]].goes_on += (place,)
            continue
        part = parts[place]
        nodes[place] = _Node(place, root=place, label=BULLET if is_bullet(part) else label_inner(part))
        flow.append(place)
    hung = _Hanging(parts, nodes)
    for i, place in enumerate(flow):
        following = next((nodes[later].label for later in flow[i + 1 :] if nodes[later].label), "")
        hung.add(nodes[place], flow[i - 1] if i else None, following)
    return nodes


class _Hanging:
    """Paragraphs of a section one by one, each hung from the one it belongs to."""

    def __init__(self, parts: Sequence[Part], nodes: dict[int, _Node]) -> None:
        self.parts, self.nodes = parts, nodes
        self.nesting = Nesting()
        self.stack: list[int] = []  # the last item of each open list
        self.openers: list[int | None] = []  # the paragraph that opens it

    def add(self, node: _Node, before: int | None, following: str) -> None:
        if not node.label:
            if before is not None:
                self._hang(node, before)
            if node.root == node.place:
                self.stack, self.openers = [], []
                self.nesting.clear()
            return
        opens = before is not None and opens_list(self.parts[(self.nodes[before].goes_on or (before,))[-1]].text)
        depth = min(self.nesting.depth(node.label, following=following, after_stem=opens), len(self.stack))
        after_text = before is not None and not self.nodes[before].label
        is_bullet = node.label == BULLET
        is_new = depth >= len(self.stack) or (self.nodes[self.stack[depth]].label == BULLET) != is_bullet
        if after_text and (opens or is_bullet):
            opener = before
        elif is_new:
            opener = self.stack[depth - 1] if depth else None
        else:
            opener = self.openers[depth]
        self.stack, self.openers = [*self.stack[:depth], node.place], [*self.openers[:depth], opener]
        node.parent, node.is_item = opener, opener is not None
        node.root = node.place if opener is None else self.nodes[opener].root

    def _hang(self, node: _Node, before: int) -> None:
        """Find what a paragraph without a number belongs to: the numbered one above it, or itself."""
        parts, nodes = self.parts, self.nodes
        text = parts[node.place].text.lstrip()
        opener = self._opener(node, before)
        if opener is not None:
            node.parent, node.is_item, node.root = opener, True, nodes[opener].root
            return
        is_tail = text[:1].islower() and nodes[before].is_item
        outer = self.stack[0] if self.stack and self.openers[0] is None else None
        numbered = outer is not None and nodes[outer].label != BULLET
        of_definition = parts[node.place].role == Role.DEFINITION == parts[before].role and not defines(text)
        if not (is_tail or numbered or of_definition or excepts(text)):
            return
        node.root = nodes[before].root
        if is_tail:
            node.parent = nodes[before].parent
        else:
            node.parent = before if of_definition or excepts(text) else node.root


    def _opener(self, node: _Node, before: int) -> int | None:
        """The stem above a list whose items have neither numbers nor bullets (an address, a single sentence)."""
        if self.parts[node.place].role == Role.DEFINITION:
            return None
        if opens_list(self.parts[(self.nodes[before].goes_on or (before,))[-1]].text):
            return before
        text = self.parts[node.place].text.strip()
        is_line = len(text) < _MAX_LINE and not text.endswith((".", ":")) and not text[:1].islower()
        last = self.nodes[before]
        return last.parent if is_line and last.is_item and not last.label else None


def _home(nodes: dict[int, _Node], place: int) -> int:
    return next(p for p, node in nodes.items() if place == p or place in node.goes_on)


def _unit(parts: Sequence[Part], nodes: dict[int, _Node], home: int) -> list[int]:
    """Paragraphs of the provision: all that hang from the same root; in a list of definitions, one definition."""
    top: int | None = nodes[home].root
    if parts[home].role == Role.DEFINITION and not opens_definitions(parts[home].text):
        step: int | None = home
        while step is not None and not defines(parts[step].text):
            step = nodes[step].parent
        top = home if step is None or opens_definitions(parts[step].text) else step
    return [place for place in nodes if place == top or top in _above(nodes, place)]


def _above(nodes: dict[int, _Node], place: int) -> Iterator[int]:
    step = nodes[place].parent
    while step is not None:
        yield step
        step = nodes[step].parent


class _Pieces:
    """Pieces under way: what each is, and what it needs."""

    def __init__(self, parts: Sequence[Part], nodes: dict[int, _Node]) -> None:
        self.parts, self.nodes = parts, nodes
        self.pieces: list[Piece] = []
        self.homes: list[int] = []  # the paragraph that each piece belongs to
        self.needs: list[set[int]] = []
        self.openers: dict[int, int] = {}  # paragraph -> its stem
        self.firsts: dict[int, int] = {}

    def add(self, places: Sequence[int]) -> None:
        """Cut paragraphs of one provision into pieces and link them."""
        parents = {self.nodes[p].parent for p in places if self.nodes[p].is_item}
        for place in places:
            self._paragraph(self.nodes[place], has_list=place in parents)

    def _paragraph(self, node: _Node, *, has_list: bool) -> None:
        own = [node.place, *node.goes_on]
        is_definition = self.parts[node.place].role == Role.DEFINITION and not node.is_item
        found = [(segment,) for segment in self._bodies(own)] if is_definition else sentences(self.parts, own)
        listed_end = opens_list(self.parts[own[-1]].text)
        stem_inside: int | None = None
        previous: int | None = None
        for i, sentence in enumerate(found):
            first, is_last = len(self.pieces), i == len(found) - 1
            label = sentence[0].label or ("" if i else self._number(node))
            text = self._text(sentence)
            inner = without_title(text.removeprefix(label).lstrip())
            is_item = sentence[0].is_item and stem_inside is not None or (node.is_item and i == 0)
            kind = self._kind(sentence[0], inner, is_item=is_item, is_definition=is_definition)
            if has_list and is_last and kind != "definition" and (listed_end or not text.rstrip().endswith((".", "!", "?"))):
                kind = "stem"
            for segment in sentence:
                self._piece(segment, kind, label if segment is sentence[0] else "", node.place)
            self._cross(first, len(sentence))
            self.firsts.setdefault(node.place, first)
            if sentence[0].is_stem:
                stem_inside = first
            elif sentence[0].is_item and stem_inside is not None:
                self._under(first, stem_inside)
            elif excepts(inner):
                self._except(first, inner, node)
            elif previous is not None and leans_back(inner):
                self.needs[first].add(previous)
            elif kind == "definition" and node.parent in self.firsts and not node.is_item:  # a formula below it
                self._under(first, self.firsts[node.parent])
            if (i == 0 or not (sentence[0].is_item or i)) and node.is_item:
                self._hang(first, node)
            previous = first
        if has_list and previous is not None:
            opener = len(self.pieces) - 1
            self.openers[node.place] = opener
            if opener != self.firsts[node.place] and leans_back(self.pieces[opener].text):
                self.needs[opener].add(self.firsts[node.place])

    def _number(self, node: _Node) -> str:
        return "" if node.label == BULLET else node.label

    def _bodies(self, places: Sequence[int]) -> Iterator[Segment]:
        for place in places:
            whole = _whole(self.parts, place)
            yield Segment(place, whole.start, whole.end)

    def _kind(self, segment: Segment, text: str, *, is_item: bool, is_definition: bool) -> PieceKind:
        if is_definition:
            return "definition"
        if segment.is_stem:
            return "stem"
        if segment.is_item and is_item:
            return "item"
        if excepts(text):
            return "exception"
        return "item" if is_item else "rule"

    def _piece(self, segment: Segment, kind: PieceKind, label: str, home: int) -> None:
        part = self.parts[segment.place]
        text = part.text[segment.start : segment.end]
        self.pieces.append(Piece(part.ordinal, segment.start, segment.end, text, kind, label))
        self.homes.append(home)
        self.needs.append(set())

    def _cross(self, first: int, n: int) -> None:
        for place in range(first, first + n):
            self.needs[place] |= set(range(first, first + n)) - {place}

    def _under(self, item: int, stem: int) -> None:
        self.needs[item].add(stem)
        self.needs[stem].add(item)

    def _hang(self, item: int, node: _Node) -> None:
        """Give an item its stem, and the stems above that."""
        step = node.parent
        is_direct = True
        while step is not None:
            stem = self.openers.get(step)
            if stem is not None and self.pieces[stem].part in {"stem", "definition", "item"}:
                self.needs[item].add(stem)
                if is_direct:
                    self.needs[stem].add(item)
                is_direct = False
            step = self.nodes[step].parent if self.nodes[step].is_item else None

    def _except(self, exception: int, text: str, node: _Node) -> None:
        """Link an exception and the rules that it limits: those it names, or the one before it."""
        before = [p for p in range(exception) if self.pieces[p].part != "exception"]
        rules = self._named(text, range(exception))
        if not rules and names_first(text):
            rules = [p for p in range(exception) if self.homes[p] == node.root]
        elif not rules and names_whole(text):
            rules = [p for p in before if self.pieces[p].part != "item"]
        for rule in rules or before[-1:]:
            self._under(exception, rule)

    def _named(self, text: str, among: Iterable[int]) -> list[int]:
        """Pieces that a sentence names by their numbers: the points where it names points, else the paragraphs."""
        numbers = numbers_named(text)
        named = [p for p in among if self.pieces[p].label.strip("()[]. ") in numbers]
        return [p for p in named if self.nodes[self.homes[p]].is_item] or named

    def add_limits(self, others: Sequence[_Node]) -> None:
        """Add the sentences of the same article that name this provision and limit it."""
        own = [p for p, piece in enumerate(self.pieces) if piece.part in {"rule", "stem", "definition"}]
        labels = {bare(self.nodes[home].label) for home in self.homes if not self.nodes[home].is_item} - {"", BULLET}
        for node in others:
            places = [node.place, *node.goes_on]
            if not any(may_limit(self.parts[place].text) for place in places):
                continue
            for i, sentence in enumerate(sentences(self.parts, places)):
                text = self._text(sentence)
                inner = text if i else without_title(text.removeprefix(node.label).lstrip())
                if not limits(inner) or not (labels & numbers_named(inner) or names_article(inner)):
                    continue
                first = len(self.pieces)
                for segment in sentence:
                    self._piece(segment, "exception", "" if i else self._number(node), node.place)
                self._cross(first, len(sentence))
                points = self._named(inner, range(first))
                for rule in points if any(p not in own for p in points) else own:
                    self._under(first, rule)

    def add_rules(self, others: Sequence[_Node]) -> None:
        """Add the paragraphs of the same article that this provision, an exception, names."""
        n_own = len(self.pieces)
        for exception in [p for p in range(n_own) if self.pieces[p].part == "exception" and not self.needs[p]]:
            text = without_title(self.pieces[exception].text.removeprefix(self.pieces[exception].label).lstrip())
            named = [node.place for node in others if node.root == node.place and bare(node.label) in numbers_named(text)]
            if not named:
                self.pieces[exception] = replace(self.pieces[exception], part="rule")
                continue
            first = len(self.pieces)
            self.add([node.place for node in others if node.root in named][:_MAX_NAMED])
            added = range(first, len(self.pieces))
            points = self._named(text, added)
            for rule in points or [p for p in added if self.pieces[p].part in {"rule", "stem", "definition"}]:
                self._under(exception, rule)

    def _text(self, sentence: Sequence[Segment]) -> str:
        return " ".join(self.parts[s.place].text[s.start : s.end] for s in sentence)

    def join_conditions(self) -> None:
        """Conditions that hold together ("unless: 1. …; and 2. …") need each other."""
        for stem, piece in enumerate(self.pieces):
            items = sorted(p for p in self.needs[stem] if p > stem and self.pieces[p].part in {"item", "stem"})
            if piece.part == "stem" and hold_together(piece.text, [self.pieces[p].text for p in items]):
                for item in items:
                    self.needs[item] |= set(items) - {item}

    def done(self) -> list[Piece]:
        """The pieces in reading order."""
        order = sorted(range(len(self.pieces)), key=lambda p: (self.pieces[p].ordinal, self.pieces[p].start))
        places = {old: new for new, old in enumerate(order)}
        return [
            replace(self.pieces[old], needs=tuple(sorted(places[other] for other in self.needs[old]))) for old in order
        ]
