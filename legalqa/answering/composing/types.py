"""What composing takes and gives: passages with their provisions, the reader's word on them, what is chosen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from corpora.provisions.types import Piece, Provision
from legalqa.encoder.client import Read

ReadPairs = Callable[[Sequence[tuple[str, str]]], Sequence[Read]]
Likeness = Callable[[str, Sequence[str]], Sequence[float]]


@dataclass(frozen=True, slots=True)
class PassageFound:
    """A paragraph that the search found.

    Attributes:
        version: Of its document; paragraphs of different versions never make one provision.
        document: Whose version it is.
        ordinal: Its place in the version.
        hit: Place of its chunk in the ranking, from 0.
        text: Its words; spans count from its start.
        provision: The one it is in.
        is_elsewhere: Whether the question names another document than that of the passage.
        title: Of its document, or of the one that a file of passages names for it.
    """

    version: str
    document: str
    ordinal: int
    hit: int
    text: str
    provision: Provision
    is_elsewhere: bool = False
    title: str = ""

    @property
    def provision_key(self) -> tuple[str, tuple[int, ...]]:
        """Identifies its provision among those of the question."""
        return self.version, self.provision.ordinals

    @property
    def pieces(self) -> list[Piece]:
        """The pieces of its provision that are in it."""
        return [piece for piece in self.provision.pieces if piece.ordinal == self.ordinal]


class Opening(NamedTuple):
    """The title of a document, its first characters, and the name of its file."""

    title: str
    text: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, a part of one, or what one of several compared documents or houses is asked.

    Attributes:
        text: In words.
        versions: Of the only documents that may answer; empty if all may.
        title: Of the document, or the name of the house.
        ordinals: Of the only paragraphs of these that may answer, if a provision is named; empty if all may.
        is_whole: Whether that provision is the answer, whatever the reader says of it.
        may_be_whole: Ordinals of the paragraphs with the question's words, which answer if the reader finds no likely
            answer.
    """

    text: str
    versions: frozenset[str] = frozenset()
    title: str = ""
    ordinals: frozenset[int] = frozenset()
    is_whole: bool = False
    may_be_whole: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class PassageRead:
    """A passage with what the reader says of it.

    Attributes:
        place: Among the passages of the question.
        probability: That it answers, by the reader alone; raised to a minimum if it plainly does (`told_by`).
        score: What passages of one question are ordered by: log-odds, with everything else that counts for or against
            it.
        span: Characters of its text that answer; None if the reader points nowhere in it.
        cosine: Its similarity to the question.
        told_by: What shows that it plainly answers (`composing.amounts`) although the reader gives it less; else "".
        is_amount: Whether `span` is the highest or lowest amount that is asked for, and not a guess of the reader.
    """

    place: int
    probability: float
    score: float
    span: tuple[int, int] | None
    cosine: float
    told_by: str = ""
    is_amount: bool = False


@dataclass(frozen=True, slots=True)
class ChosenPiece:
    """A piece of a provision in the answer: what it is there, and the answering words in it, as offsets in its text."""

    place: int
    part: str
    mark: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class ChosenProvision:
    """A provision of the answer: the passage that leads to it, its pieces in order, and passages that say the same."""

    passage: int
    pieces: tuple[ChosenPiece, ...]
    answering: int
    also_in: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class PartAnswered:
    """A part of a question, how likely its best passage answers, and the numbers of its provisions.

    `is_above`: the provisions are those of the first part, on which it depends, and nothing further was found.
    `told_by` is that of its best passage.
    """

    asked: Asked
    probability: float
    provisions: tuple[int, ...]
    is_above: bool = False
    told_by: str = ""


@dataclass(frozen=True, slots=True)
class Composed:
    """An answer as it is put together, before its rows.

    Attributes:
        kind: What kind of answer was asked for.
        provisions: In the order in which they are shown; none where the documents do not answer.
        parts: Of the question; one where it asks one thing.
        also: Passages on the subject that are shown apart, with what they are.
        likeliest: Where nothing clearly answers, the provision that most likely does.
        readings: Every passage with what the reader makes of it, best first.
        n_more: Provisions that answer too and are not shown.
        outline: Of an overview, a passage of each provision on the subject, in the order of the documents.
    """

    kind: str
    provisions: tuple[ChosenProvision, ...]
    parts: tuple[PartAnswered, ...]
    also: tuple[tuple[int, str], ...] = ()
    readings: tuple[PassageRead, ...] = field(default_factory=tuple)
    n_more: int = 0
    likeliest: ChosenProvision | None = None
    outline: tuple[int, ...] = ()

    @property
    def shown(self) -> tuple[ChosenProvision, ...]:
        """The provisions that a person sees."""
        return (self.likeliest,) if self.likeliest else self.provisions

    @property
    def probability(self) -> float:
        """The probability that the answer answers: that of the part that is answered best."""
        return max((part.probability for part in self.parts), default=0.0)
