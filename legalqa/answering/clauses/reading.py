"""Which clauses a contract has: its paragraphs as passages, read for each clause's question; plain data, no Django.

A clause that contracts say in set forms is read by rule (`rules.py`). For every other clause, and if no form fits, only
the few passages nearest to its question are read, because the reader is slow; a sentence that denies the clause
(`polarity.py`) or is another one (`wording.py`) does not count.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from legalqa.answering.clauses.polarity import Sense, is_denied
from legalqa.answering.clauses.rules import rule_find
from legalqa.answering.clauses.wording import is_another, is_said
from legalqa.common.sentences import sentence_spans
from legalqa.encoder.reading import Read

Vector = NDArray[np.float32]
Encode = Callable[[Sequence[str]], NDArray[np.float32]]
ReadPairs = Callable[[Sequence[tuple[str, str]]], Sequence[Read]]
Verdict = Literal["present", "absent", "unsure"]

PASSAGE_CHARS = 500  # ours: about 80 words; more than a few sentences drown a clause
STRETCH_CHARS = 40  # ours: "23. Law." says little without the sentence after it
READ_PER_CLAUSE = 2  # ours: passages of a contract read per clause
HAIR = 0.01  # ours: how far below `present` a probability is kept
QUOTE_CHARS = 600  # ours: a longer sentence is quoted around the words that the reader marked


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a contract; `heading` is the nearest one above it, "" if none."""

    ordinal: int
    text: str
    heading: str = ""
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class Stretch:
    """A sentence of a paragraph, or several short ones."""

    paragraph: Paragraph
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.paragraph.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Passage:
    """Neighbouring stretches under one heading, with the heading in front, as the reader reads them.

    `starts` says where each begins in the text.
    """

    text: str
    stretches: tuple[Stretch, ...]
    starts: tuple[int, ...]


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
        sense: Whether it grants, restricts or states something, which says how a sentence denies it.
        act: For one that restricts, a pattern of what it restricts.
    """

    key: str
    name: str
    wording: str
    question: str
    present: float
    absent: float
    sense: Sense = "states"
    act: str = ""

    def is_something_else(self, sentences: str) -> bool:
        """Whether sentences that the reader marked deny the clause, or are another one."""
        return is_denied(sentences, self.sense, self.act) or is_another(self.key, sentences)

    def likelihood(self, probability: float, sentences: str) -> float:
        """A probability, kept below `present` where the sentences lack the words that the clause needs."""
        return probability if is_said(self.key, sentences) else min(probability, self.present - HAIR)

    def verdict(self, probability: float) -> Verdict:
        """The verdict on a clause whose best passage has this probability."""
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
class Marked:
    """Words of a paragraph, from `first` to `last`, and the sentences that hold them, from `start` to `end`."""

    paragraph: Paragraph
    first: int
    last: int
    start: int
    end: int

    @property
    def sentences(self) -> str:
        return self.paragraph.text[self.start : self.end]

    def quote(self) -> Quote:
        """The sentences without blanks around them; of a very long one, the words around the marked ones."""
        text, a, b = self.paragraph.text, self.start, self.end
        if b - a > QUOTE_CHARS:
            a, b = _around(text, self.first, self.last, a, b)
        words = text[a:b]
        return Quote(self.paragraph.ordinal, a + len(words) - len(words.lstrip()), a + len(words.rstrip()))


@dataclass(frozen=True, slots=True)
class Finding:
    """What a contract says on one clause; `quote` is None where it is absent. What a rule found has probability 1."""

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

    def probability(self, reading: Read, cosine: float) -> float:
        """Of the log-odds of the answer head and the cosine of the passage with the question."""
        answers = min(max(reading.answers, 1e-6), 1 - 1e-6)
        odds = self.bias + self.answers * log(answers / (1 - answers)) + self.cosine * cosine
        return 1 / (1 + exp(-min(max(odds, -30.0), 30.0)))


def stretches_of(paragraphs: Sequence[Paragraph]) -> list[Stretch]:
    """The sentences of a contract in order, short ones joined to the next of their paragraph; no headings."""
    stretches: list[Stretch] = []
    for paragraph in paragraphs:
        spans = [] if paragraph.is_heading or not paragraph.text.strip() else sentence_spans(paragraph.text)
        start = None
        for a, b in spans:
            start = a if start is None else start
            if len(paragraph.text[start:b].strip()) >= STRETCH_CHARS or b == len(paragraph.text):
                stretches.append(Stretch(paragraph, start, b))
                start = None
    return stretches


def passage_around(stretches: Sequence[Stretch], place: int) -> Passage:
    """A stretch with its neighbours under the same heading, after and before it in turn, as far as they fit."""
    first, last = place, place + 1
    size = len(stretches[place].text)
    grown = True
    while grown:
        grown = False
        for at in (last, first - 1):
            if not 0 <= at < len(stretches) or stretches[at].paragraph.heading != stretches[place].paragraph.heading:
                continue
            if size + len(stretches[at].text) <= PASSAGE_CHARS:
                size += len(stretches[at].text)
                first, last = min(first, at), max(last, at + 1)
                grown = True
    heading = stretches[place].paragraph.heading
    text, starts = f"{heading}\n" if heading else "", []
    for one in stretches[first:last]:
        starts.append(len(text))
        text += one.text
    return Passage(text, tuple(stretches[first:last]), tuple(starts))


def clauses_find(
    paragraphs: Sequence[Paragraph],
    clauses: Sequence[Clause],
    *,
    weights: Weights,
    examples: Mapping[str, Vector],
    encode: Encode,
    reader: ReadPairs,
) -> list[Finding]:
    """What a contract says on each clause.

    Args:
        paragraphs: Of the contract, in order.
        clauses: What is asked.
        weights: From reads to probabilities.
        examples: By the key of a clause, the mean vector [d] of quotes of it from other contracts, of length 1; the
            passages that are read are those nearest to it and to the question together.
        encode: Unit vectors [n, d] of texts.
        reader: What the reader makes of pairs of a question and a passage.

    Returns:
        One finding a clause, in their order.
    """
    texts = [one.text for one in paragraphs]
    found = {
        clause.key: Finding(clause.key, "present", 1.0, _sentences(paragraphs[hit.place], hit.start, hit.end).quote())
        for clause in clauses
        if (hit := rule_find(clause.key, texts))
    }
    asked = [clause for clause in clauses if clause.key not in found]
    for one in _read_findings(stretches_of(paragraphs), asked, weights, examples, encode, reader):
        found[one.clause] = one
    return [found[clause.key] for clause in clauses]


def _read_findings(
    stretches: Sequence[Stretch],
    clauses: Sequence[Clause],
    weights: Weights,
    examples: Mapping[str, Vector],
    encode: Encode,
    reader: ReadPairs,
) -> list[Finding]:
    if not stretches or not clauses:
        return [Finding(clause.key, "absent", 0.0, None) for clause in clauses]
    texts = encode([one.text for one in stretches])
    questions = encode([clause.question for clause in clauses])
    cosines = questions @ texts.T
    sought = [v + examples[c.key] if c.key in examples else v for v, c in zip(questions, clauses, strict=True)]
    passages = [_nearest(stretches, row) for row in np.stack(sought) @ texts.T]
    pairs = [(row, place, passage) for row, own in enumerate(passages) for place, passage in own]
    reads = reader([(clauses[row].question, passage.text) for row, _, passage in pairs])
    best: dict[int, tuple[float, Marked]] = {}
    for (row, place, passage), one in zip(pairs, reads, strict=True):
        marked = _marked(passage, one.span)
        if clauses[row].is_something_else(marked.sentences):
            continue
        probability = weights.probability(one, float(cosines[row, place]))
        probability = clauses[row].likelihood(probability, marked.sentences)
        if row not in best or probability > best[row][0]:
            best[row] = (probability, marked)
    return [_finding(clause, *best.get(row, (0.0, None))) for row, clause in enumerate(clauses)]


def _nearest(stretches: Sequence[Stretch], likeness: Vector) -> list[tuple[int, Passage]]:
    """READ_PER_CLAUSE passages around the most similar stretches; no passage contains another's stretch."""
    passages: list[tuple[int, Passage]] = []
    for place in np.argsort(-likeness, kind="stable"):
        if not any(stretches[place] in passage.stretches for _, passage in passages):
            passages.append((int(place), passage_around(stretches, int(place))))
        if len(passages) == READ_PER_CLAUSE:
            break
    return passages


def _finding(clause: Clause, probability: float, marked: Marked | None) -> Finding:
    verdict = clause.verdict(probability)
    quote = marked.quote() if marked and verdict != "absent" else None
    return Finding(clause.key, verdict, probability, quote)


def _marked(passage: Passage, span: tuple[int, int] | None) -> Marked:
    """The sentences of one paragraph that hold the words that the reader marked; without any, the first stretch."""
    start, end = span or (passage.starts[0], passage.starts[0])
    # Words marked in the heading in front are those of the first stretch under it.
    place = max((at for at, begins in enumerate(passage.starts) if begins <= start), default=0)
    stretch, at = passage.stretches[place], passage.starts[place]
    first = min(max(stretch.start + start - at, stretch.start), stretch.end - 1)
    last = min(max(stretch.start + end - at, first + 1), len(stretch.paragraph.text))
    return _sentences(stretch.paragraph, first, last)


def _sentences(paragraph: Paragraph, first: int, last: int) -> Marked:
    spans = [(a, b) for a, b in sentence_spans(paragraph.text) if b > first and a < last]
    return Marked(paragraph, first, last, spans[0][0], spans[-1][1])


def _around(text: str, first: int, last: int, low: int, high: int) -> tuple[int, int]:
    """Up to QUOTE_CHARS around the marked words, between whole words."""
    room = max(0, QUOTE_CHARS - (last - first)) // 2
    a, b = max(low, first - room), min(high, max(last, first + 1) + room)
    while a > low and not text[a - 1].isspace():
        a -= 1
    while b < high and not text[b].isspace():
        b += 1
    return a, b
