"""The kinds of judges, and the judges that every organisation has without setting anything up."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from judging.judges.asking import Bench, ModelSettings
from judging.judges.kinds.base import ModelJudge
from judging.judges.kinds.binary import PATHLEX, BinaryJudge, BinarySettings
from judging.judges.kinds.chateval import ChatEvalJudge, ChatEvalSettings
from judging.judges.kinds.citations import CitationsJudge
from judging.judges.kinds.correctness import CorrectnessJudge, CorrectnessSettings
from judging.judges.kinds.faireval import FairEvalJudge, FairEvalSettings
from judging.judges.kinds.length import LengthJudge
from judging.judges.kinds.memory import MemoryJudge
from judging.judges.kinds.ragas import RagasJudge, RagasSettings
from judging.judges.kinds.reader import ReaderJudge
from judging.judges.kinds.rules import RuleJudge, RuleSettings
from judging.judges.kinds.words import WordsJudge
from judging.judges.types import Judge
from legalqa.common.config import Config
from legalqa.common.registry import Registry

Make = Callable[[str, Config, Bench], Judge]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of judge: what it may be set to, and how one is made.

    Attributes:
        measures: All that it may say, each with its lowest and highest value.
        less_is_better: Those of them that are good where they are low.
    """

    title: str
    settings: type[Config]
    make: Make
    measures: Mapping[str, tuple[float, float]]
    less_is_better: frozenset[str]

    @property
    def needs_model(self) -> bool:
        return issubclass(self.settings, ModelSettings)


@dataclass(frozen=True, slots=True)
class Setup:
    """A judge by its name: its kind, what it is set to, and its id where an organisation has set it up."""

    name: str
    kind: str
    settings: dict[str, Any]
    title: str = ""
    id: UUID | None = None


def _rule(judge: type[RuleJudge], title: str) -> Kind:
    def make(name: str, _settings: Config, _bench: Bench) -> Judge:
        return judge(name)

    return Kind(title, RuleSettings, make, judge.measures, judge.less_is_better)


def _model(judge: type[ModelJudge[Any]], settings: type[Config], title: str) -> Kind:
    return Kind(title, settings, judge, judge.declared, judge.less_is_better)


KINDS: Registry[Kind] = Registry("kind of judge")
for _name, _kind in {
    "words": _rule(WordsJudge, "Words shared with the reference answer"),
    "citations": _rule(CitationsJudge, "Passages against gold passages"),
    "length": _rule(LengthJudge, "Length of the answer"),
    "reader": _rule(ReaderJudge, "What the reader says of support and of the answer"),
    "correctness": _model(CorrectnessJudge, CorrectnessSettings, "Correctness from 1 to 5"),
    "binary": _model(BinaryJudge, BinarySettings, "Yes or no, by criterion"),
    "ragas": _model(RagasJudge, RagasSettings, "The four measures of RAGAS"),
    "faireval": _model(FairEvalJudge, FairEvalSettings, "Two answers compared, with explanations, in both orders"),
    "chateval": _model(ChatEvalJudge, ChatEvalSettings, "Two answers compared by referees who discuss"),
    "memory": _model(MemoryJudge, ModelSettings, "What the judge's model knows by heart"),
}.items():
    KINDS.register(f"{_name}.v1", _kind)

_ALL = tuple(KINDS.get(name) for name in KINDS.names())


def is_less_better(measure: str) -> bool:
    """Whether a measure of judges is good where it is low."""
    return any(measure in kind.less_is_better for kind in _ALL)


def is_on_scale(measure: str, *, low: float, high: float) -> bool:
    """Whether a measure of judges is declared to go from low to high; one that no kind declares counts as such."""
    ranges = {kind.measures[measure] for kind in _ALL if measure in kind.measures}
    return not ranges or (low, high) in ranges


# The last two cost what ChatEval costs: two referees, two rounds, two orders make eight calls.
BUILT_IN = {
    setup.name: setup
    for setup in (
        Setup("words", "words.v1", {}, "Token F1, ROUGE-L and BLEU against the reference answer"),
        Setup("citations", "citations.v1", {}, "Citation precision and recall against the gold passages"),
        Setup("reader", "reader.v1", {}, "Ungrounded share, and whether it answers, by the reader"),
        Setup("length", "length.v1", {}, "Number of words: a baseline"),
        Setup("llamaindex", "correctness.v1", {"prompt": "llamaindex"}, "Correctness 1–5, general bands"),
        Setup("custom1", "correctness.v1", {"prompt": "custom1"}, "Correctness 1–5, rubric"),
        Setup("custom2", "correctness.v1", {"prompt": "custom2"}, "Correctness 1–5, rubric, examples and edge cases"),
        Setup(
            "custom2-weighted",
            "correctness.v1",
            {"is_weighted": True},
            "As custom2, weighted by how sure the model is of each grade",
        ),
        Setup("binary", "binary.v1", {"criteria": ["correct"]}, "Correct or not"),
        Setup("pathlex", "binary.v1", {"criteria": list(PATHLEX)}, "Hallucination, accuracy, helpfulness, relevance"),
        Setup("ragas", "ragas.v1", {}, "Faithfulness, relevancy, context precision and recall"),
        Setup("faireval", "faireval.v1", {}, "Two answers compared, three explanations in each order"),
        Setup("chateval", "chateval.v1", {}, "Two answers compared by two referees in two rounds, in each order"),
        Setup("memory", "memory.v1", {}, "The same questions without passages"),
        Setup(
            "custom2-x8",
            "correctness.v1",
            {"samples": 8, "temperature": 1.0},
            "As custom2, the mean of eight judgments",
        ),
        Setup("faireval-x8", "faireval.v1", {"evidences": 4}, "Two answers compared, four explanations in each order"),
    )
}
