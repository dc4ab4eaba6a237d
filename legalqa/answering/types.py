"""What passes between the steps of answering; plain data, no Django."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from corpora.tokens import tokens
from legalqa.llm.types import CallRecord


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """A passage whose sentences are weighed.

    Attributes:
        text: Of its paragraph.
        headings: Above it.
        hit: Place of the chunk that it was opened from in the ranking, from 0.
        ordinal: Place of the paragraph in its document.
    """

    text: str
    headings: str
    hit: int
    ordinal: int = 0


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage as a candidate for the answer.

    Attributes:
        passage: Place of its passage among those searched, from 0.
        hit: Place of the chunk that its passage was opened from in the ranking, from 0.
        ordinal: Place of its paragraph in the document.
        start: Offset in the passage's paragraph.
        end: Offset in the passage's paragraph, exclusive.
        text: Its words.
        terms: Its distinct index terms, with those of its headings.
        cosine: Similarity of meaning with the question, -1 to 1.
        coverage: Share of the question's idf mass that its terms hold, 0 to 1.
        score: What sentences of one question are ordered by.
        stands_out: Whether no other is closer in meaning to one of the question's parts, or says more of its words.
    """

    passage: int
    start: int
    end: int
    text: str
    terms: frozenset[str]
    cosine: float = 0.0
    coverage: float = 0.0
    score: float = 0.0
    hit: int = 0
    ordinal: int = 0
    stands_out: bool = False


# Words that shape a question and say nothing about its subject: that a statute lacks them is no sign of silence.
_SCAFFOLDING_WORDS = """
    about actually all also answer anyone anything apply ask away back become besides best big both call came can case
    come concern count could count define describe detail differ different do done each either else ever every example
    exist explain few find first follow full further get getting give given go good great greatest happen have hold how
    if include instead kind know large last later latest least left less like likely list little long longest lot main
    make mani many may maybe mean meaning meant mention might more most much must name need new next nothing now number
    once one only order out outline over own part people per place please point possible put question quickly rather
    really relate relevant say said see set several shall short should show small so some someone something soon specify
    state stay still sum summarise summarize sure take tell thing things three time total two type under up use used
    usual usually want way well what when whether which while who whole whose why will within would
    """
SCAFFOLDING = frozenset(term for word in _SCAFFOLDING_WORDS.split() for term in tokens(word))


@dataclass(frozen=True, slots=True)
class QuestionTerms:
    """The question's index terms with their idf in the corpus; `unknown` ones stand in no document.

    Scaffolding words are left out of both where they stand in no document.
    """

    weights: Mapping[str, float]
    unknown: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def of(cls, weights: Mapping[str, float], unknown: frozenset[str]) -> "QuestionTerms":
        empty = unknown & SCAFFOLDING
        return cls({term: weight for term, weight in weights.items() if term not in empty}, unknown - empty)

    @property
    def mass(self) -> float:
        return sum(self.weights.values()) or 1.0

    def coverage(self, terms: frozenset[str]) -> float:
        """Share of the question's idf mass that `terms` hold."""
        return sum(weight for term, weight in self.weights.items() if term in terms) / self.mass


class Generation(CallRecord, total=False):
    """What a language model was asked for an answer and what became of it, as the answer keeps it.

    `n_passages` is how many it was given, `n_dropped` how many more did not fit, `written` how many characters have
    come so far, while it writes.
    """

    n_passages: int
    n_dropped: int
    written: int
