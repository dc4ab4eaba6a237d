"""Answer or stay silent: by a calibrated chance that the sentences found answer the question.

What the gate looks at is whether the question's words are said, each by its closest token in meaning: together in one
sentence, or at all. A passage about something else in the same words leaves one of them unsaid.

Source: Policy Copilot, abstention gate; late interaction after ColBERT (MaxSim). Differs: a chance learned on public
collections (`manage.py ranker train`) instead of a hand-set score; the words of each part of a question on their own.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from legalqa.answering.types import SCAFFOLDING, Sentence
from retrieval.rerankers.model import Linear, ModelError

Values = NDArray[np.float64]
Vectors = NDArray[np.float32]
Tokenise = Callable[[str], Sequence[str]]
EncodeTokens = Callable[[Sequence[str]], Sequence[Vectors]]
Offsets = Callable[[str], Sequence[tuple[int, int]]]

MODEL_FILE = Path(__file__).with_name("gate.v1.json")
NAMES = ("said_together", "said_at_all", "lead", "cosine", "coverage")
READ = 8  # ours: sentences whose tokens are compared; encoding them takes some hundredths of a second
LEAST_WORDS = 2  # ours: of a part that is looked at on its own
_WORD = re.compile(r"[A-Za-z0-9][\w\-'’.]*")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the question that names its subject, by its offsets."""

    start: int
    end: int


def subject_words(text: str, *, tokenise: Tokenise) -> list[Word]:
    """The words of a question that have index terms of their own and are not scaffolding."""
    return [
        Word(match.start(), match.end())
        for match in _WORD.finditer(text)
        if any(term not in SCAFFOLDING for term in tokenise(match.group()))
    ]


def words_said(
    question: Vectors, offsets: Sequence[tuple[int, int]], words: Sequence[Word], sentence: Vectors
) -> Values:
    """How closely a sentence says each word: the cosine of its nearest token, averaged over the word's own tokens.

    Args:
        question: Token vectors [n, d] of the question.
        offsets: Their character spans, at least n.
        words: Of the question.
        sentence: Token vectors [m, d].

    Returns:
        [len(words)]; 0 for a word that the encoder did not read.
    """
    if not len(sentence):
        return np.zeros(len(words))
    nearest = (question @ sentence.T).max(axis=1)
    spans = np.array(offsets[: len(question)]).reshape(-1, 2)
    said = np.zeros(len(words))
    for place, word in enumerate(words):
        is_inside = (spans[:, 0] < word.end) & (spans[:, 1] > word.start)
        if is_inside.any():
            said[place] = nearest[is_inside].mean()
    return said


def gate_features(
    text: str,
    parts: Sequence[str],
    ranked: Sequence[Sentence],
    *,
    tokenise: Tokenise,
    encode_tokens: EncodeTokens,
    offsets: Offsets,
) -> Values:
    """What speaks for an answer, [5] in the order of NAMES; all 0 without sentences.

    said_together: the mean closeness of the words of the question, or of the part of it that comes off best, to the
    one sentence that says them best. said_at_all: the same, each word by whichever of READ sentences says it best.
    lead: how far the sentence closest to the whole question stands out from the mean of those read. cosine, coverage:
    the largest over all sentences.

    Args:
        text: The question.
        parts: As `question_parts` gives them: the question first.
        ranked: Sentences with cosine and coverage, best first.
        tokenise: Text to index terms.
        encode_tokens: Texts to token vectors.
        offsets: A text to the character spans of its tokens.
    """
    words = subject_words(text, tokenise=tokenise)
    if not ranked:
        return np.zeros(len(NAMES))
    cosine, coverage = max(s.cosine for s in ranked), max(s.coverage for s in ranked)
    if not words:
        return np.array([0.0, 0.0, 0.0, cosine, coverage])
    question, *sentences = encode_tokens([text, *sentences_read(ranked)])
    spans = offsets(text)
    said = np.stack([words_said(question, spans, words, sentence) for sentence in sentences], axis=1)
    together, at_all = 0.0, 0.0
    for chosen in _parts_of(text, parts, words):
        together = max(together, float(said[chosen].mean(axis=0).max()))
        at_all = max(at_all, float(said[chosen].max(axis=1).mean()))
    closeness = said.mean(axis=0)
    return np.array([together, at_all, closeness.max() - closeness.mean(), cosine, coverage])


def sentences_read(ranked: Sequence[Sentence]) -> list[str]:
    """The texts of the best READ sentences that differ by more than marks and letter case, best first."""
    found: dict[str, str] = {}
    for sentence in ranked:
        found.setdefault("".join(filter(str.isalnum, sentence.text.lower())), sentence.text)
        if len(found) == READ:
            break
    return list(found.values())


def _parts_of(text: str, parts: Sequence[str], words: Sequence[Word]) -> list[list[int]]:
    """The places of the words of the question, and of each part that has LEAST_WORDS of them."""
    found = [list(range(len(words)))]
    at = 0
    for part in parts[1:]:
        match = re.compile(r"\s+".join(map(re.escape, part.split()))).search(text, at)
        if match is None:
            continue
        at = match.end()
        inside = [i for i, word in enumerate(words) if word.start >= match.start() and word.end <= match.end() + 1]
        if len(inside) >= LEAST_WORDS:
            found.append(inside)
    return found


@dataclass(frozen=True)
class GateModel:
    """The chance of an answer by `gate_features`, and the chance from which one is given.

    Attributes:
        odds: Over NAMES: the log-odds that the documents answer.
        threshold: The chance from which an answer is given.
        provenance: Collections, date, seed; not read by the code.
    """

    odds: Linear
    threshold: float
    provenance: Mapping[str, Any]

    def chances(self, features: Values) -> Values:
        """Chances [n], 0 to 1, of features [n, 5]."""
        return np.asarray(1.0 / (1.0 + np.exp(-np.clip(self.odds.score(features), -30.0, 30.0))))

    def as_mapping(self) -> dict[str, Any]:
        return {
            "features": list(NAMES),
            "odds": self.odds.as_mapping(NAMES),
            "threshold": self.threshold,
            "provenance": dict(self.provenance),
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """The model that `as_mapping` wrote.

        Raises:
            ModelError: it was trained on other features than this code measures.
        """
        if tuple(data.get("features", ())) != NAMES:
            raise ModelError("The gate's model was trained on other features. Train it with `manage.py ranker train`.")
        return cls(Linear.read(data["odds"], NAMES), data["threshold"], data["provenance"])


@cache
def gate_load(path: Path = MODEL_FILE) -> GateModel:
    return GateModel.read(json.loads(path.read_text()))


@dataclass(frozen=True, slots=True)
class Decision:
    """What the gate says."""

    probability: float
    threshold: float

    @property
    def is_open(self) -> bool:
        return self.probability >= self.threshold

    def as_step(self) -> dict[str, object]:
        """The decision as the answer's trail keeps it."""
        return {
            "step": "gate",
            "probability": round(self.probability, 4),
            "threshold": self.threshold,
            "open": self.is_open,
        }
