"""Paragraphs of one provision into pieces, each with the pieces that it needs."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from corpora.provisions.exceptions import (
    adjusts,
    bare,
    conditions,
    excepted_by,
    excepts,
    goes_back,
    hold_together,
    holds_by_itself,
    homes_named,
    leans_back,
    lifts_requirements,
    limits,
    may_limit,
    names_article,
    names_first,
    names_whole,
    numbers_named,
    sets_aside,
)
from corpora.provisions.features import facts_of
from corpora.provisions.hanging import Node
from corpora.provisions.nesting import BULLET
from corpora.provisions.roles import defines
from corpora.provisions.splitting import Segment, opens_list, sentences, without_title
from corpora.provisions.types import Part, Piece, PieceKind, Role

_MAX_NAMED = 40  # paragraphs that a provision brings along because it names them
_MAX_SET_ASIDE = 3  # ours: items that are shown for a sentence that says itself what holds instead of them


def whole_of(parts: Sequence[Part], place: int) -> Piece:
    text = parts[place].text
    end = len(text.rstrip())
    start = end - len(text[:end].lstrip())
    return Piece(parts[place].ordinal, start, end, text[start:end], "rule", parts[place].label)


class Pieces:
    """Pieces under way: what each is, and what it needs."""

    def __init__(self, parts: Sequence[Part], nodes: dict[int, Node]) -> None:
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

    def _paragraph(self, node: Node, *, has_list: bool) -> None:
        own = [node.place, *node.rest]
        opening = self.parts[node.place]
        is_definition = opening.role == Role.DEFINITION and (not node.is_item or defines(opening.text))
        bodies = [(segment,) for segment in self._bodies(own)] if is_definition else sentences(self.parts, own)
        listed_end = opens_list(self.parts[own[-1]].text)
        stem_inside: int | None = None
        # "This supersedes the ban on visitors." leans on the paragraph before it.
        previous = len(self.pieces) - 1 if self.pieces and not opening.label and goes_back(opening.text) else None
        for i, sentence in enumerate(bodies):
            first, is_last = len(self.pieces), i == len(bodies) - 1
            label = sentence[0].label or ("" if i else self._number(node))
            text = self._text(sentence)
            inner = without_title(text.removeprefix(label).lstrip())
            is_item = (sentence[0].is_item and stem_inside is not None) or (node.is_item and i == 0)
            kind = self._kind(sentence[0], inner, is_item=is_item, is_definition=is_definition)
            if (
                has_list
                and is_last
                and kind != "definition"
                and (listed_end or not text.rstrip().endswith((".", "!", "?")))
            ):
                kind = "stem"
            for segment in sentence:
                self._piece(segment, kind, label if segment is sentence[0] else "", node.place)
            self._cross(first, len(sentence))
            self.firsts.setdefault(node.place, first)
            if sentence[0].is_stem:
                stem_inside = first
                if excepts(inner):  # "Notwithstanding the foregoing, (i) …; (ii) …"
                    self._except(first, inner, node)
            elif sentence[0].is_item and stem_inside is not None:
                self._under(first, stem_inside)
            elif excepts(inner):
                self._except(first, inner, node)
            elif previous is not None and (leans_back(inner) or conditions(inner, self.pieces[previous].text)):
                self._lean(first, previous, inner)
            elif kind == "definition" and node.parent in self.firsts and not node.is_item:  # a formula below it
                self._under(first, self.firsts[node.parent])
            if i == 0 and node.is_item:
                self._hang(first, node)
            previous = first
        if has_list and previous is not None:
            self._open_list(node)

    def _lean(self, sentence: int, before: int, text: str) -> None:
        """Tie a sentence to the one before it, and that one to it where it says on what terms it holds."""
        self.needs[sentence].add(before)
        if conditions(text, self.pieces[before].text):
            self.needs[before].add(sentence)

    def _open_list(self, node: Node) -> None:
        """Take the last sentence of a paragraph as the one that opens the list below it."""
        opener = len(self.pieces) - 1
        self.openers[node.place] = opener
        if opener != self.firsts[node.place] and leans_back(self.pieces[opener].text):
            self.needs[opener].add(self.firsts[node.place])

    def _number(self, node: Node) -> str:
        return "" if node.label == BULLET else node.label

    def _bodies(self, places: Sequence[int]) -> Iterator[Segment]:
        for place in places:
            whole = whole_of(self.parts, place)
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

    def _hang(self, item: int, node: Node) -> None:
        """Give an item its stem, and the stems above that."""
        step = node.parent
        is_direct = True
        while step is not None:
            stem = self.openers.get(step)
            if stem is not None and self.pieces[stem].part in {"stem", "definition", "item", "exception"}:
                self.needs[item].add(stem)
                if is_direct:
                    self.needs[stem].add(item)
                is_direct = False
            step = self.nodes[step].parent if self.nodes[step].is_item else None

    def _except(self, exception: int, text: str, node: Node) -> None:
        """Link an exception and the rules that it limits: those it names, or the one before it."""
        before = [p for p in range(exception) if self.pieces[p].part != "exception"]
        targets = self._named(text, range(exception))
        if not targets and self._roots_named(sets_aside(text), besides=node):
            return  # of another paragraph, which `add_rules` brings
        if targets or not (names_first(text) or names_whole(text)):
            self._limit(exception, targets or before[-1:], of=targets or before[-1:])
            return
        rules = [p for p in before if self.pieces[p].part != "item"]
        if names_first(text):
            rules = [p for p in range(exception) if self.homes[p] == node.root]
        self._limit(exception, rules, of=rules[:1])

    def _roots_named(self, numbers: Collection[str], *, besides: Node) -> list[int]:
        """The paragraphs of the article with these numbers, but for the one that a sentence is in."""
        roots = (node for node in self.nodes.values() if node.root == node.place != besides.root)
        return [node.place for node in roots if bare(node.label) in numbers]

    def _limit(self, exception: int, rules: Iterable[int], *, of: Iterable[int]) -> None:
        """Rules need their exception; an exception needs what it is an exception of."""
        for rule in rules:
            self.needs[rule].add(exception)
        self.needs[exception] |= set(of)

    def _named(self, text: str, among: Iterable[int]) -> list[int]:
        """Pieces that a sentence names by their numbers: the points where it names points, else the paragraphs."""
        numbers, homes = numbers_named(text), homes_named(text)
        targets = [p for p in among if bare(self.pieces[p].label) in numbers and self._is_inside(p, homes)]
        return [p for p in targets if self.nodes[self.homes[p]].is_item] or targets

    def _is_inside(self, place: int, homes: Mapping[str, Collection[str]]) -> bool:
        """Whether a piece is in the paragraph that a sentence names for its number, if it names one."""
        wanted, step = homes.get(bare(self.pieces[place].label)), self.nodes[self.homes[place]].parent
        while wanted and step is not None and bare(self.nodes[step].label) not in wanted:
            step = self.nodes[step].parent
        return not wanted or step is not None

    def add_limits(self, others: Sequence[Node]) -> None:
        """Add the sentences of the same article that name this provision and limit it."""
        own = [p for p, piece in enumerate(self.pieces) if piece.part in {"rule", "stem", "definition"}]
        rule = " ".join(self.pieces[p].text for p in own)
        labels = {bare(self.nodes[home].label) for home in self.homes if not self.nodes[home].is_item} - {"", BULLET}
        for node in others:
            places = [node.place, *node.rest]
            if not any(may_limit(self.parts[place].text) for place in places):
                continue
            is_limited = False
            for i, sentence in enumerate(sentences(self.parts, places)):
                text = self._text(sentence)
                inner = text if i else without_title(text.removeprefix(node.label).lstrip())
                first = len(self.pieces)
                if not (self._names(inner, labels) or adjusts(inner, rule)):
                    if is_limited:  # what goes on after the exception: "The officer shall then record the reasons."
                        is_term = conditions(inner, self.pieces[first - 1].text)
                        self._added(sentence, "exception" if is_term or excepts(inner) else "rule", "", node.place)
                        if is_term:  # "Where such a category is excluded, …"
                            self._limit(first, [first - 1], of=())
                        elif excepts(inner):  # "This exception shall not apply to …"
                            self._limit(first, [first - 1], of=[first - 1])
                    continue
                is_limited = True
                self._added(sentence, "exception", "" if i else self._number(node), node.place)
                points = self._named(inner, range(first))
                is_of_points = any(p not in own for p in points)
                rules = self._lifted(inner, points if is_of_points else own)
                self._limit(first, rules, of=rules if is_of_points else rules[:1])
                if text.endswith(":"):
                    self._list_of(first, node, others)

    def _names(self, text: str, labels: set[str]) -> bool:
        """Whether a sentence limits the paragraphs with these labels, or the article."""
        return limits(text) and bool(labels & numbers_named(text) or names_article(text))

    def _added(self, sentence: Sequence[Segment], kind: PieceKind, label: str, home: int) -> None:
        """Add a sentence of another paragraph, its halves linked."""
        first = len(self.pieces)
        for segment in sentence:
            self._piece(segment, kind, label, home)
        self._cross(first, len(sentence))

    def _list_of(self, exception: int, node: Node, others: Sequence[Node]) -> None:
        """Add the list that an exception opens: "Paragraph 4 shall not apply to:"."""
        self.openers[node.place] = self.firsts[node.place] = exception
        items: list[int] = []
        for other in others:
            if other.is_item and other.parent in (node.place, *items):
                items.append(other.place)
        self.add(items)

    def add_rules(self, unit: Collection[int]) -> None:
        """Add the paragraphs of the same article that this provision, an exception, names.

        Not whole lists for a sentence that can be understood without: "Notwithstanding the requirements of paragraphs
        (2) and (3) of subdivision (b), an auditor may exclude a category …".

        Args:
            unit: The paragraphs of the provision.
        """
        for exception in [p for p, home in enumerate(self.homes) if home in unit and self._is_open(p)]:
            text = self._inner(exception)
            numbers = numbers_named(text) if self.pieces[exception].part == "exception" else sets_aside(text)
            targets = self._roots_named(numbers, besides=self.nodes[self.homes[exception]])
            named = [node.place for node in self.nodes.values() if node.root in targets]
            if not targets or (holds_by_itself(text) and self._n_items(named, numbers) > _MAX_SET_ASIDE):
                if self.pieces[exception].part == "exception":
                    self.pieces[exception] = replace(self.pieces[exception], part="rule")
                continue
            first = len(self.pieces)
            self.add(named[:_MAX_NAMED])
            added = range(first, len(self.pieces))
            points = self._named(text, added)
            rules = points or [p for p in added if self.pieces[p].part in {"rule", "stem", "definition"}]
            rules = self._lifted(text, rules)
            self._limit(exception, rules if self.pieces[exception].part == "exception" else (), of=rules)

    def add_excepted(self, unit: Collection[int]) -> None:
        """Add the paragraphs to which a rule itself points for its exceptions: "Except as provided in paragraph 3, …".

        Args:
            unit: The paragraphs of the provision.
        """
        for place in [p for p, home in enumerate(self.homes) if home in unit and self.pieces[p].part != "exception"]:
            for number in excepted_by(self.pieces[place].text):
                node = self._beside(self.homes[place], number)
                if node is not None:
                    self._limit_by(place, node)

    def _beside(self, home: int, number: str) -> Node | None:
        """The paragraph or item with a number in the list that a paragraph is in, else in the lists around it."""
        step: int | None = home
        while step is not None:
            parent = self.nodes[step].parent
            listed = (node for node in self.nodes.values() if node.parent == parent and node.place != step)
            named = [node for node in listed if bare(node.label) == number]
            if named:
                return min(named, key=lambda node: abs(node.place - home))
            step = parent
        return None

    def _limit_by(self, rule: int, node: Node) -> None:
        """Tie a rule to the paragraph that is the exception to it, with its list."""
        if node.place not in self.homes:
            first = len(self.pieces)
            self.add([node.place, *(one.place for one in self.nodes.values() if self._is_below(one, node.place))])
            own = [p for p in range(first, len(self.pieces)) if self.homes[p] == node.place]
            for place in own:
                self.pieces[place] = replace(self.pieces[place], part="exception")
                self.needs[place] |= set(own) - {place}
                self._limit(place, (), of=[rule])
        self.needs[rule] |= {p for p, home in enumerate(self.homes) if home == node.place}

    def _is_below(self, node: Node, place: int) -> bool:
        step = node.parent
        while step is not None and step != place:
            step = self.nodes[step].parent
        return step == place

    def _n_items(self, places: Collection[int], numbers: Collection[str]) -> int:
        """How many items the lists have that are shown for paragraphs: of the points with these numbers, else all."""
        items = [place for place in places if self.nodes[place].is_item]
        named = {place for place in items if bare(self.nodes[place].label) in numbers}
        return sum(not named or place in named or self.nodes[place].parent in named for place in items)

    def _is_open(self, place: int) -> bool:
        """Whether a piece is an exception, or opens the list of one, to nothing of its own paragraph."""
        piece = self.pieces[place]
        if piece.part == "stem":
            return excepts(self._inner(place)) and not any(other < place for other in self.needs[place])
        after = (other > place and self.pieces[other].part == "rule" for other in self.needs[place])
        return piece.part == "exception" and all(after)

    def _lifted(self, text: str, rules: list[int]) -> list[int]:
        """Of the rules that an exception names those it limits: where it lifts requirements, what requires."""
        facts = {rule: facts_of(self.pieces[rule].text) for rule in rules} if lifts_requirements(text) else {}
        return [rule for rule, said in facts.items() if said.duty or said.prohibition] or rules

    def _inner(self, place: int) -> str:
        """The words of a piece without its number and the title that runs into it."""
        return without_title(self.pieces[place].text.removeprefix(self.pieces[place].label).lstrip())

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
