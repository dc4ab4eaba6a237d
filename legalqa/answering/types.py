"""The values that pass between the steps of answering: the question, the evidence, the draft, the ending."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, NotRequired, Self, TypedDict, cast
from uuid import UUID

from legalqa.answering.presets import AnswerPolicy, AnswerPreset, policy_of
from legalqa.answering.verification import Check
from legalqa.llm.types import CallRecord
from retrieval.cases.merging import Context
from retrieval.pipelines.presets import Preset
from retrieval.pipelines.request import SearchRequest
from retrieval.types import Filters

if TYPE_CHECKING:
    from retrieval.services.search import Passage

Purpose = Literal["asked", "experiment"]


@dataclass(frozen=True, slots=True)
class Question(SearchRequest):
    """A question with all that is needed to answer it, from the page, the API or a command to the rows.

    Beside what a search needs:

    Attributes:
        follows: The earlier question of the same person that it follows up.
        temperature: Of the model that writes; None for the preset's own.
        again_of: The answer whose question is asked again, because its source has changed.
        purpose: "experiment" where nobody is told the answer.
        model: Of an experiment: the one model that may write; "" for those of the organisation in their order.
        subject: Of an experiment: what calls are made for, so that their costs add up.
        sample: Of an experiment: which of several answers to one question this is, from 0.
    """

    follows: UUID | None = None
    temperature: float | None = None
    again_of: UUID | None = None
    purpose: Purpose = "asked"
    model: str = ""
    subject: str = ""
    sample: int = 0

    @property
    def policy(self) -> AnswerPolicy:
        return policy_of(self.preset)

    @property
    def is_experiment(self) -> bool:
        return self.purpose == "experiment"

    def settings(self) -> dict[str, Any]:
        """What the answer keeps beside the words of its question."""
        return {
            "preset": self.preset.model_dump(mode="json"),
            "filters": self.filters.as_mapping(),
            "former": list(self.former),
            "temperature": self.temperature,
            "complexity": self.complexity,
            **({"again_of": str(self.again_of)} if self.again_of else {}),
        }

    @classmethod
    def of(cls, settings: Mapping[str, Any], **other: Any) -> Self:
        """The question again, from the settings that its answer keeps and the columns of its row."""
        return cls(
            preset=AnswerPreset.model_validate(settings["preset"]),
            filters=Filters.parse(settings["filters"]),
            former=tuple(settings["former"]),
            temperature=settings["temperature"],
            complexity=settings["complexity"],
            again_of=UUID(settings["again_of"]) if "again_of" in settings else None,
            **other,
        )


class Generation(CallRecord, total=False):
    """What a language model was asked for an answer and what became of it, as the answer keeps it.

    `n_passages` is how many it was given, `n_dropped` how many more did not fit, `n_statements` how many statements of
    the knowledge graph and `n_cases` how many solved cases it was given with them, `written` how many characters have
    come so far, while it writes.
    """

    n_passages: int
    n_dropped: int
    n_statements: int
    n_cases: int
    written: int


class AlsoOn(TypedDict):
    """A passage that is on the subject too, by its rank in the evidence, and what it is: "recital", "the same rule"."""

    rank: int
    label: str


class WordsAt(TypedDict):
    """Words of a passage, by its rank in the evidence and their offsets in it, and what they are in their provision."""

    rank: int
    start: int
    end: int
    part: str


class AskedPart(TypedDict):
    """A part of a question, in its words, and the numbers of the provisions that answer it; none where nothing does.

    Where documents are compared, `document` is the title of the one that is asked. `is_told` where the provisions say
    what it asks, though they are shown with another part; `chance` is then how likely they do, where that was judged.
    """

    text: str
    provisions: list[int]
    document: NotRequired[str]
    is_told: NotRequired[bool]
    chance: NotRequired[float]


class Composition(TypedDict, total=False):
    """How an answer was put together, as its row keeps it.

    Attributes:
        kind: What kind of answer was asked for (`legalqa.answering.composing.kinds`).
        is_named: Whether the answer is a provision that the question names, whatever the reader makes of it.
        told_by: For an amount or time that the reader finds unlikely: "heading" or "breach", the sign that it answers.
        parts: Of a question that asks several things.
        also: Passages on the subject, apart from the answer.
        outline: Of an overview, the ranks of one passage of each provision on the subject, in the documents' order.
        n_more: How many further provisions answer and are not shown; of a written answer, how many statements.
        limit: For a written answer that has as many statements as it may have: how many that is.
        unstated: For a written answer, the parts of the question that no shown statement covers and no passage answers.
        silence: Why nothing is said: a code of `legalqa.answering.composing.silence`.
        suggestion: What to ask instead, where there is something.
        likeliest: Of a question that no passage clearly answers, the provision that most likely does.
        unmentioned: Names in the question that are in none of the documents.
        read_as: How the question was read in the words of the documents, as a sentence.
    """

    kind: str
    is_named: bool
    told_by: str
    parts: list[AskedPart]
    also: list[AlsoOn]
    outline: list[int]
    n_more: int
    limit: int
    unstated: list[str]
    silence: str
    suggestion: str
    likeliest: list[WordsAt]
    unmentioned: list[str]
    read_as: str


SILENT, UNSURE = "No answer was found in these documents.", "No passage clearly answers this."


def question_notice(composition: Mapping[str, Any]) -> str:
    """The note on how a question was read: with a name that no document has, or in other words; else ""."""
    names = " or ".join(f"“{name}”" for name in composition.get("unmentioned", ()))
    missing = names and f"The documents do not mention {names}. Check whether what is quoted covers it."
    return " ".join(filter(None, [missing, composition.get("read_as", "")]))


def silence_title(composition: Mapping[str, Any]) -> str:
    """The one line that stands for an answer where nothing is said."""
    return UNSURE if composition.get("silence") == "unsure" else SILENT


@dataclass(frozen=True, slots=True)
class Place:
    """Where a statement is: offsets in the paragraph of a passage, the second exclusive."""

    passage: "Passage"
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of an answer, its check, and where it is; after the first place of a quotation, "also in".

    The last three are as its row has them (`legalqa.answering.models.Claim`).
    """

    text: str
    check: Check
    is_shown: bool
    places: tuple[Place, ...]
    part: str = "answer"
    provision: int = 0
    mark: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Draft:
    """The answer in the documents' own words: state, claims, and why it answers or declines."""

    state: str
    why: str
    probability: float | None
    claims: tuple[Statement, ...]
    trace: tuple[dict[str, object], ...]
    composition: Composition = field(default_factory=Composition)

    @property
    def is_silent(self) -> bool:
        return self.state == "insufficient_evidence"


@dataclass(frozen=True, slots=True)
class GraphStatement:
    """A triplet of the knowledge graph beside the evidence, and the place of its paragraph among the passages."""

    text: str
    place: int


@dataclass(frozen=True, slots=True)
class GivenCases:
    """Several solved cases as one text: their supports ("support"), or the cases as a whole."""

    text: str
    context: Context
    n_cases: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was found for a question, by one search or several, and the answer in the documents' own words.

    Attributes:
        passages: Those that the answer is drawn from first.
        n_read: How many these are.
        draft: Quotations, or the reason for silence.
        preset: The one that ran: an adaptive one is concrete here.
        rows: The passages as the answer keeps them.
        index: What was searched: corpus version, chunk set, encoder, and the solved cases that were found beside it.
        statements: What the knowledge graph states on the question, where the search followed it.
    """

    passages: tuple["Passage", ...]
    n_read: int
    draft: Draft
    preset: Preset
    rows: tuple[dict[str, object], ...]
    index: Mapping[str, object]
    statements: tuple[GraphStatement, ...] = ()

    @property
    def n_given(self) -> int:
        """How many passages a model that writes is given: those read, and the paragraphs of the graph's statements."""
        return max([self.n_read, *(one.place + 1 for one in self.statements)])

    @property
    def policy(self) -> AnswerPolicy:
        return policy_of(self.preset)


@dataclass(frozen=True, slots=True)
class Ending:
    """How an answer ended: all that is stored of it.

    Attributes:
        state, mode: As the answer's row has them.
        why: In one sentence.
        evidence: What it was drawn from.
        statements: Shown or withheld, in their order.
        generation: What a language model was asked, if one was.
        unchecked: What a model wrote, before any check; kept of experiments only.
        parts: What the checks did, for the trace.
        written: Of a written answer, what is said of its statements together.
    """

    state: str
    mode: str
    why: str
    evidence: Evidence
    statements: tuple[Statement, ...] = ()
    generation: Generation = field(default_factory=Generation)
    unchecked: str = ""
    parts: tuple[dict[str, object], ...] = ()
    written: Composition = field(default_factory=Composition)

    @property
    def composition(self) -> Composition:
        """How the answer was put together; parts and provisions are those of the quotations, not of what is written."""
        drafted = self.evidence.draft.composition
        if self.mode != "written":
            return drafted
        rest = {key: value for key, value in drafted.items() if key not in ("parts", "n_more")}
        return cast("Composition", rest | self.written)


@dataclass(slots=True)
class Step:
    """A step of an answer under way: `sentence` is said while it is worked on, `detail` what it did, part by part."""

    name: str
    label: str
    sentence: str
    state: str = "waiting"
    started_at: datetime | None = None
    ended_at: datetime | None = None
    detail: list[dict[str, object]] = field(default_factory=list)
