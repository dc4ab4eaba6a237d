"""What passes between the steps of answering; plain data, no Django."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage as a candidate for the answer.

    Attributes:
        passage: Place of its passage among those searched, from 0.
        start: Offset in the passage's paragraph.
        end: Offset in the passage's paragraph, exclusive.
        text: Its words.
        terms: Its distinct index terms, with those of its headings.
        cosine: Similarity of meaning with the question, -1 to 1.
        coverage: Share of the question's idf mass that its terms hold, 0 to 1.
        score: What sentences of one question are ordered by.
    """

    passage: int
    start: int
    end: int
    text: str
    terms: frozenset[str]
    cosine: float = 0.0
    coverage: float = 0.0
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class QuestionTerms:
    """The question's index terms with their idf in the corpus; `unknown` ones stand in no document."""

    weights: Mapping[str, float]
    unknown: frozenset[str] = field(default_factory=frozenset)

    @property
    def mass(self) -> float:
        return sum(self.weights.values()) or 1.0

    def coverage(self, terms: frozenset[str]) -> float:
        """Share of the question's idf mass that `terms` hold."""
        return sum(weight for term, weight in self.weights.items() if term in terms) / self.mass
