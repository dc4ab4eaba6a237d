"""Which clauses a contract has: its paragraphs as passages, read for each clause's question; plain data, no Django.

Of each clause only the few passages nearest to its question are read, because the reader is slow.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from legalqa.common.sentences import sentence_spans
from legalqa.encoder.reading import Read

Vector = NDArray[np.float32]
Encode = Callable[[Sequence[str]], NDArray[np.float32]]
ReadPairs = Callable[[Sequence[tuple[str, str]]], Sequence[Read]]
Verdict = Literal["present", "absent", "unsure"]

PASSAGE_CHARS = 900  # ours: what the reader reads at once beside the question, about 150 words
READ_PER_CLAUSE = 3  # ours: passages of a contract that are read for one clause
QUOTE_CHARS = 600  # ours: a longer sentence is quoted around the words that the reader marked


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a contract; `heading` is the nearest one above it, "" if none."""

    ordinal: int
    text: str
    heading: str = ""
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one paragraph as part of a passage: `at` is where it begins in the passage's text."""

    at: int
    ordinal: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """Neighbouring paragraphs under one heading, with the heading in front, as the reader reads them."""

    text: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause as it is asked for.

    Attributes:
        key: Its name for programs.
        name: Its name for people.
        wording: What is meant by it.
        question: What the reader is asked.
        present: Probability from which it is called present.
        absent: Probability up to which it is called absent; between the two it is "not sure".
    """

    key: str
    name: str
    wording: str
    question: str
    present: float
    absent: float

    def verdict(self, probability: float) -> Verdict:
        """What is said of a clause whose best passage has that probability."""
        if probability >= self.present:
            return "present"
        return "absent" if probability <= self.absent else "unsure"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of one paragraph."""

    ordinal: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Finding:
    """What a contract says on one clause; `quote` is None where it is absent."""

    clause: str
    verdict: Verdict
    probability: float
    quote: Quote | None


@dataclass(frozen=True, slots=True)
class Weights:
    """From what the reader and the encoder say of a passage to the probability that it holds the clause.

    Fitted by logistic regression on CUAD rows that no reported figure uses (Platt 1999).
    """

    bias: float
    answers: float
    cosine: float

    def probability(self, read: Read, cosine: float) -> float:
        """Of the log-odds of the answer head and the cosine of the passage with the question."""
        answers = min(max(read.answers, 1e-6), 1 - 1e-6)
        odds = self.bias + self.answers * log(answers / (1 - answers)) + self.cosine * cosine
        return 1 / (1 + exp(-min(max(odds, -30.0), 30.0)))


def passages_of(paragraphs: Sequence[Paragraph]) -> list[Passage]:
    """The paragraphs of a contract joined, and long ones cut between sentences, to passages of PASSAGE_CHARS.

    Paragraphs under different headings are not joined. A sentence that is longer alone is a passage of its own.
    """
    passages: list[Passage] = []
    held: list[tuple[Paragraph, int, int]] = []
    size = 0
    for paragraph in paragraphs:
        for start, end in _stretches(paragraph):
            if held and (held[-1][0].heading != paragraph.heading or size + end - start > PASSAGE_CHARS):
                passages.append(_passage(held))
                held, size = [], 0
            held.append((paragraph, start, end))
            size += end - start
    return [*passages, _passage(held)] if held else passages


def _stretches(paragraph: Paragraph) -> Iterator[tuple[int, int]]:
    """A paragraph whole or, where it is too long for a passage, sentence by sentence; nothing of a heading."""
    if paragraph.is_heading or not paragraph.text.strip():
        return
    if len(paragraph.text) <= PASSAGE_CHARS:
        yield 0, len(paragraph.text)
        return
    yield from sentence_spans(paragraph.text)


def _passage(held: Sequence[tuple[Paragraph, int, int]]) -> Passage:
    heading = held[0][0].heading
    text = f"{heading}\n" if heading else ""
    pieces = []
    for paragraph, start, end in held:
        pieces.append(Piece(len(text), paragraph.ordinal, start, end))
        text += paragraph.text[start:end]
    return Passage(text, tuple(pieces))


def clauses_find(
    paragraphs: Sequence[Paragraph],
    clauses: Sequence[Clause],
    *,
    weights: Weights,
    examples: Mapping[str, Vector],
    encode: Encode,
    read: ReadPairs,
) -> list[Finding]:
    """What a contract says on each clause.

    Args:
        paragraphs: Of the contract, in order.
        clauses: What is asked.
        weights: From reads to probabilities.
        examples: By the key of a clause, the mean vector [d] of quotes of it from other contracts, of length 1; the
            passages that are read are those nearest to it and to the question together.
        encode: Unit vectors [n, d] of texts.
        read: What the reader makes of pairs of a question and a passage.

    Returns:
        One finding a clause, in their order.
    """
    passages = passages_of(paragraphs)
    if not passages or not clauses:
        return [Finding(clause.key, "absent", 0.0, None) for clause in clauses]
    texts = encode([passage.text for passage in passages])
    questions = encode([clause.question for clause in clauses])
    cosines = questions @ texts.T
    sought = [v + examples[c.key] if c.key in examples else v for v, c in zip(questions, clauses, strict=True)]
    nearest = np.argsort(-np.stack(sought) @ texts.T, axis=1, kind="stable")[:, :READ_PER_CLAUSE]
    pairs = [(row, int(place)) for row in range(len(clauses)) for place in nearest[row]]
    reads = read([(clauses[row].question, passages[place].text) for row, place in pairs])
    best: dict[int, tuple[float, int, Read]] = {}
    for (row, place), one in zip(pairs, reads, strict=True):
        probability = weights.probability(one, float(cosines[row, place]))
        if row not in best or probability > best[row][0]:
            best[row] = (probability, place, one)
    own = {paragraph.ordinal: paragraph.text for paragraph in paragraphs}
    return [_finding(clause, *best[row], passages, own) for row, clause in enumerate(clauses)]


def _finding(
    clause: Clause, probability: float, place: int, read: Read, passages: Sequence[Passage], texts: dict[int, str]
) -> Finding:
    verdict = clause.verdict(probability)
    quote = None if verdict == "absent" else _quote(passages[place], read.span, texts)
    return Finding(clause.key, verdict, probability, quote)


def _quote(passage: Passage, span: tuple[int, int] | None, texts: dict[int, str]) -> Quote:
    """The sentences of one paragraph that hold the reader's span; of a passage without one, its first paragraph."""
    start, end = span or (passage.pieces[0].at, passage.pieces[0].at)
    # A span that begins in the heading in front is of the first paragraph under it.
    piece = next((one for one in reversed(passage.pieces) if one.at <= start), passage.pieces[0])
    text = texts[piece.ordinal]
    first = min(max(piece.start + start - piece.at, piece.start), piece.end - 1)
    last = min(max(piece.start + end - piece.at, first + 1), piece.end)
    held = [(a, b) for a, b in sentence_spans(text) if b > first and a < last]
    a, b = held[0][0], held[-1][1]
    if b - a > QUOTE_CHARS:
        a, b = _around(text, first, last, a, b)
    return Quote(piece.ordinal, a + len(text[a:b]) - len(text[a:b].lstrip()), a + len(text[a:b].rstrip()))


def _around(text: str, first: int, last: int, low: int, high: int) -> tuple[int, int]:
    """Up to QUOTE_CHARS around the marked words, between whole words."""
    room = max(0, QUOTE_CHARS - (last - first)) // 2
    a, b = max(low, first - room), min(high, max(last, first + 1) + room)
    while a > low and not text[a - 1].isspace():
        a -= 1
    while b < high and not text[b].isspace():
        b += 1
    return a, b
