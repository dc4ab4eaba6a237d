"""What each paragraph of a section belongs to: the stem of its list, the numbered paragraph above it, or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpora.provisions.exceptions import excepts
from corpora.provisions.nesting import BULLET, BULLETS, Nesting
from corpora.provisions.roles import defines, opens_definitions
from corpora.provisions.splitting import continues, is_bullet, label_inner, opens_list
from corpora.provisions.types import Part, Role

_MAX_LINE = 90  # characters of an item of a list without numbers or bullets


@dataclass(slots=True)
class Node:
    """A paragraph in its article: what it belongs to, and the paragraphs that continue its last sentence."""

    place: int
    parent: int | None = None  # the paragraph with the stem of its list
    root: int = 0
    label: str = ""
    is_item: bool = False
    rest: tuple[int, ...] = ()


def tree_of(parts: Sequence[Part], members: Sequence[int]) -> dict[int, Node]:
    nodes: dict[int, Node] = {}
    flow: list[int] = []
    for place in members:
        if flow and goes_on(parts, place):
            nodes[flow[-1]].rest += (place,)
            continue
        part = parts[place]
        nodes[place] = Node(place, root=place, label=BULLET if is_bullet(part) else label_inner(part))
        flow.append(place)
    hung = _Hanging(parts, nodes)
    for i, place in enumerate(flow):
        following = next((nodes[later].label for later in flow[i + 1 :] if nodes[later].label), "")
        hung.add(nodes[place], flow[i - 1] if i else None, following)
    return nodes


class _Hanging:
    """Paragraphs of a section one by one, each hung from the one it belongs to."""

    def __init__(self, parts: Sequence[Part], nodes: dict[int, Node]) -> None:
        self.parts, self.nodes = parts, nodes
        self.nesting = Nesting()
        self.stack: list[int] = []  # the last item of each open list
        self.openers: list[int | None] = []  # the paragraph that opens it

    def add(self, node: Node, before: int | None, following: str) -> None:
        if not node.label:
            if before is not None:
                self._hang(node, before)
            if node.root == node.place:
                self.stack, self.openers = [], []
                self.nesting.clear()
            return
        opens = before is not None and opens_list(self.parts[(self.nodes[before].rest or (before,))[-1]].text)
        label = _sign(self.parts[node.place]) if node.label == BULLET else node.label
        depth = min(self.nesting.depth(label, following=following, after_stem=opens), len(self.stack))
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

    def _hang(self, node: Node, before: int) -> None:
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

    def _opener(self, node: Node, before: int) -> int | None:
        """The stem above a list whose items have neither numbers nor bullets (an address, a single sentence)."""
        if self.parts[node.place].role == Role.DEFINITION and (
            defines(self.parts[node.place].text) or opens_definitions(self.parts[before].text)
        ):
            return None
        if opens_list(self.parts[(self.nodes[before].rest or (before,))[-1]].text):
            return before
        text = self.parts[node.place].text.strip()
        is_line = len(text) < _MAX_LINE and not text.endswith((".", ":")) and not text[:1].islower()
        last = self.nodes[before]
        return last.parent if is_line and last.is_item and not last.label else None


def _sign(part: Part) -> str:
    """The sign of a bulleted item, which tells the lists inside its list apart; `BULLET` for any other."""
    sign = part.text.lstrip()[:1]
    return sign if sign in BULLETS else BULLET


def goes_on(parts: Sequence[Part], place: int) -> bool:
    """Whether a paragraph continues the sentence of the last one before it that is not a footnote or page number."""
    for before in range(place - 1, max(-1, place - 6), -1):
        if parts[before].role != Role.NOTE:
            return parts[before].role != Role.HEADING and continues(parts[before], parts[place])
    return False
