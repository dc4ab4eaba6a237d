"""Paragraphs as given, and the provisions made of them; plain data."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class Role(StrEnum):
    """What a paragraph is in its document."""

    OPERATIVE = "operative"
    DEFINITION = "definition"
    RECITAL = "recital"
    PREAMBLE = "preamble"
    EXAMPLE = "example"
    NOTE = "note"  # explanatory statement, summary, footnote, signature, page number
    HEADING = "heading"
    TABLE_ROW = "table_row"
    SUPERSEDED = "superseded"
    CONTENTS = "contents"


@dataclass(frozen=True, slots=True)
class Part:
    """A paragraph of one version, as stored.

    Attributes:
        ordinal: Its place in the version.
        text: Its words; offsets of pieces count from its start.
        kind: "heading", "text", "list", "table" or "passage".
        label: Its legal number as printed, "" if none.
        path: Headings above it, outermost first.
        level: Level of a heading from 1; 0 otherwise.
        role: A `Role`, "" if not known.
        page: Number of the page on which it starts.
    """

    ordinal: int
    text: str
    kind: str
    label: str = ""
    path: tuple[str, ...] = ()
    level: int = 0
    role: str = ""
    page: int = 0


PieceKind = Literal["rule", "stem", "item", "exception", "definition"]
_Reason = Literal["asked", "stem", "limit"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence, a list item, a whole definition or a table row: the smallest unit that an answer may quote.

    Attributes:
        ordinal: Of the paragraph.
        start: Offset in the paragraph's text.
        end: Offset in the paragraph's text, exclusive.
        text: The characters between them.
        part: "stem" opens a list, also where it is itself an item of an outer list.
        label: Number of the item or of the paragraph that the piece opens, "" if it opens none.
        needs: Places in `Provision.pieces` of what it must not be shown without: an item's stems, a stem's items, a
            rule's exceptions, an exception's rule, the other half of a sentence that a page cut in two.
    """

    ordinal: int
    start: int
    end: int
    text: str
    part: PieceKind
    label: str = ""
    needs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Provision:
    """A numbered paragraph with its list and the exceptions to it, a definition, a table, or a paragraph of prose.

    Attributes:
        heading: The heading directly above it, "" if none.
        path: Headings above it, outermost first, `heading` last.
        role: Of the paragraph that it was asked for.
        pieces: In reading order.
        ordinals: Paragraphs that the pieces are in, in order.
    """

    heading: str
    path: tuple[str, ...]
    role: str
    pieces: tuple[Piece, ...]
    ordinals: tuple[int, ...]

    def completed(self, chosen: Iterable[int]) -> tuple[int, ...]:
        """The smallest set of pieces that may be shown where these are: with all that each of them needs.

        Rule: needs are followed, but what is there for the sake of another piece brings nothing of its own kind along:
        a stem above an item not the list's other items, an exception not the other rules that it limits; the list that
        an exception opens comes with it. A stem that was chosen itself brings its whole list, an exception all that it
        names, an item that opens a list that list.

        Args:
            chosen: Places in `pieces`.

        Returns:
            Places in reading order.
        """
        seen: set[tuple[int, _Reason]] = set()
        waiting: list[tuple[int, _Reason]] = [(place, "asked") for place in chosen]
        while waiting:
            place, reason = waiting.pop()
            if (place, reason) in seen:
                continue
            seen.add((place, reason))
            waiting += [
                (other, self._reason(other, place))
                for other in self.pieces[place].needs
                if reason == "asked"
                or not (self._is_limit(place, other) or (reason == "stem" and self._is_item_of(other, place)))
            ]
        return tuple(sorted({place for place, _ in seen}))

    def _reason(self, place: int, other: int) -> _Reason:
        """Why a piece is shown that another needs."""
        if self._is_stem_above(place, other):
            return "stem"
        return "limit" if self._is_limit(place, other) else "asked"

    def _is_item_of(self, item: int, stem: int) -> bool:
        kinds = self.pieces[stem].part, self.pieces[item].part
        return stem < item and kinds[0] == "stem" and kinds[1] in {"item", "stem"} and stem in self.pieces[item].needs

    def _is_limit(self, exception: int, rule: int) -> bool:
        kinds = self.pieces[exception].part, self.pieces[rule].part
        is_of_its_list = rule > exception and kinds[1] in {"item", "stem"} and exception in self.pieces[rule].needs
        return kinds[0] == "exception" and kinds[1] != "exception" and not is_of_its_list

    def _is_stem_above(self, stem: int, item: int) -> bool:
        return stem < item and self.pieces[stem].part == "stem" and self.pieces[item].part in {"item", "stem"}
