"""The conflicts among many provisions: those of an answer, or of a whole corpus without comparing each with each."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from math import log, nan

import numpy as np
from numpy.typing import NDArray

from legalqa.answering.conflicts.alignment import Likeness
from legalqa.answering.conflicts.engine import Conflict, Denies, conflict_of, rules_of
from legalqa.answering.conflicts.replacing import replacement_of
from legalqa.answering.conflicts.resolving import REPLACES, Provision, Resolution, resolution_of
from legalqa.answering.conflicts.subjects import Stems
from legalqa.common.sentences import sentence_spans
from legalqa.common.work import Work

NEAREST = 12  # ours: provisions that each one is compared with
COMMON = 0.1  # ours: a word in more than this share of the provisions finds none, once there are FEW of them
FEW = 50  # ours: provisions; among fewer no word is too common to find by
STEPS = 300_000  # ours: a tenth of a second; twelve passages of six sentences take 30,000
Encode = Callable[[Sequence[str]], NDArray[np.float32]]
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Finding:
    """Two provisions that differ, what they differ in, and which of them gives way."""

    a: Provision
    b: Provision
    conflict: Conflict
    resolution: Resolution | None

    @property
    def is_open(self) -> bool:
        return self.resolution is None


class StatedSentences:
    """The sentences of each document: where one states both sides of a difference, these are for different cases."""

    def __init__(self, provisions: Sequence[Provision]) -> None:
        self._sentences: dict[str, set[str]] = defaultdict(set)
        for provision in provisions:
            self._sentences[provision.document] |= {_plain(rule.text) for rule in rules_of(provision.text)}

    def both_sides(self, finding: Finding) -> bool:
        """Whether one of the two documents states both, word for word."""
        ours, theirs = _plain(finding.conflict.sentence_a.words), _plain(finding.conflict.sentence_b.words)
        return theirs in self._sentences[finding.a.document] or ours in self._sentences[finding.b.document]


def _plain(sentence: str) -> str:
    return " ".join(sentence.lower().split())


def is_told(finding: Finding, statements: StatedSentences) -> bool:
    """Whether people are told of a difference: not where the two provisions are for different cases."""
    is_of_scope = finding.resolution is not None and finding.resolution.rule == "scope"
    return not is_of_scope and not statements.both_sides(finding)


def evidence_conflicts(provisions: Sequence[Provision]) -> tuple[Finding, ...]:
    """The differences among the passages of an answer, surest first: no encoder, as a person waits for the page.

    Passages of one document are not compared; those that are for different cases are left out. Neither are two with so
    many sentences that comparing each with each would take longer than STEPS: the report of the corpus does, in the
    background.
    """
    work, statements = Work(STEPS), StatedSentences(provisions)
    pairs = ((a, b) for a, b in combinations(provisions, 2) if a.document != b.document)
    findings = (finding_of(a, b) for a, b in pairs if work.take(_steps(a, b)))
    differences = [one for one in findings if one and is_told(one, statements)]
    return tuple(sorted(differences, key=lambda one: -one.conflict.score))


def _steps(a: Provision, b: Provision) -> int:
    """How much work comparing is: each sentence with each, and both with all others that may say the same."""
    ours, theirs = len(rules_of(a.text)), len(rules_of(b.text))
    return ours * theirs * (ours + theirs)


def finding_of(
    a: Provision, b: Provision, *, likeness: Likeness | None = None, denies: Denies | None = None
) -> Finding | None:
    """What two provisions differ in, and how that is resolved; None where nothing is found."""
    if replacement := replacement_of(a, b):
        return Finding(a, b, *replacement)
    conflict = conflict_of(a.text, b.text, likeness=likeness, denies=denies)
    return Finding(a, b, conflict, resolution_of(a, b, conflict)) if conflict else None


def notices_of(texts: Sequence[str]) -> tuple[str, ...]:
    """The sentences of a document that say what it replaces."""
    near = (text for text in texts if REPLACES.search(text))
    sentences = (text[start:end].strip() for text in near for start, end in sentence_spans(text))
    return tuple(sentence for sentence in sentences if REPLACES.search(sentence))


def compared(
    pairs: Sequence[tuple[Provision, Provision]], *, encode: Encode, denies: Denies | None = None
) -> Iterator[Finding | None]:
    """The finding of each pair; all sentences are encoded together, and then all words."""
    vectors = _Vectors()
    findings: list[Finding | None] = [None] * len(pairs)
    undecided: Sequence[int] = range(len(pairs))
    while undecided:
        waiting = []
        for place in undecided:
            vectors.is_asked_more = False
            findings[place] = finding_of(*pairs[place], likeness=vectors.likeness, denies=denies)
            if vectors.is_asked_more:
                waiting.append(place)
        vectors.fetch(encode)
        undecided = waiting
    yield from findings


@dataclass(slots=True)
class _Vectors:
    """The vectors of texts; a text without one is similar to nothing, and its vector is fetched for the next time."""

    vectors: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    is_asked_more: bool = False

    def likeness(self, one: str, other: str) -> float:
        if missing := {one, other} - self.vectors.keys():
            self.missing |= missing
            self.is_asked_more = True
            return nan
        return float(self.vectors[one] @ self.vectors[other])

    def fetch(self, encode: Encode) -> None:
        texts = sorted(self.missing)
        if texts:
            self.vectors.update(zip(texts, encode(texts), strict=True))
        self.missing.clear()


class Neighbours:
    """Which provisions share most of their rare words: an inverted index, so that each is compared with a few."""

    def __init__(self, provisions: Sequence[Provision]) -> None:
        self._provisions = provisions
        self._stems: list[Stems] = [
            frozenset().union(*(rule.stems for rule in rules_of(provision.text))) for provision in provisions
        ]
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, stems in enumerate(self._stems):
            for stem in stems:
                self._places[stem].append(place)

    def of(self, place: int) -> list[int]:
        """The nearest provisions of other documents, by idf of the shared words."""
        scores: dict[int, float] = defaultdict(float)
        n = len(self._provisions)
        for stem in self._stems[place]:
            places = self._places[stem]
            if n > FEW and len(places) > COMMON * n:
                continue
            for other in places:
                scores[other] += log(1 + n / len(places)) / (1 + len(self._stems[other])) ** 0.5
        mine = self._provisions[place].document
        near = (
            other
            for other, _ in sorted(scores.items(), key=lambda item: (-item[1], item[0]))
            if self._provisions[other].document != mine
        )
        return list(islice(near, NEAREST))

    def pairs(self, places: Iterable[int]) -> Iterator[Place]:
        """Pairs that are worth comparing, each once."""
        seen: set[Place] = set()
        for place in places:
            for other in self.of(place):
                pair = (min(place, other), max(place, other))
                if pair not in seen:
                    seen.add(pair)
                    yield pair
