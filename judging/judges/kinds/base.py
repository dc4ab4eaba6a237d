"""What the judges that ask a model have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import ClassVar, Generic, TypeVar

from judging.judges.asking import Bench, ModelSettings, Sitting, Unread, prompt_named
from judging.judges.law import LAW_SEARCH
from judging.judges.types import JudgedAnswer, JudgedItem, Judgment, Status
from legalqa.common.config import fingerprint_of
from legalqa.common.errors import ApplicationError

NOTHING_SAID = "No answer was given."
NO_REFERENCE = "The item has no reference answer."
NO_PASSAGES = "The answer was made from no passage."
S = TypeVar("S", bound=ModelSettings)
RULES = 1  # raised when a rule below changes that may change a value


class ModelJudge(ABC, Generic[S]):
    """A judge that asks a model by its prompts; subclasses choose what is asked and turn the replies into grades."""

    needs_model = True
    measures: dict[str, tuple[float, float]]
    kind: ClassVar[str]
    declared: ClassVar[dict[str, tuple[float, float]]]  # every measure of the kind with its lowest and highest value
    less_is_better: ClassVar[frozenset[str]] = frozenset()  # measures that are good where they are low

    def __init__(self, name: str, settings: S, bench: Bench) -> None:
        self.name, self.settings, self.bench = name, settings, bench
        self.measures = self.scales()
        prompts = [prompt_named(each) for each in (*self.prompts(), *(("law",) if settings.law else ()))]
        named = settings.model_copy(update={"model": bench.model}).model_dump(mode="json")
        search = LAW_SEARCH.fingerprint() if settings.law else ""
        self.version = fingerprint_of(
            [self.kind, RULES, named, [[each.label, each.sha256] for each in prompts], search]
        )

    @abstractmethod
    def prompts(self) -> Sequence[str]:
        """The names of the prompt files that it uses."""

    def scales(self) -> dict[str, tuple[float, float]]:
        """The measures with their lowest and highest value: all that its kind declares, or those of its settings."""
        return self.declared

    @abstractmethod
    def grade(self, item: JudgedItem, sitting: Sitting) -> Iterable[Judgment]:
        """The judgments of an item.

        Returns:
            For each answer, in their order, one judgment of each measure, valued or with the reason why not.
        """

    def judge(self, item: JudgedItem) -> list[Judgment]:
        """The judgments of an item, whatever the provider does.

        Returns:
            As of `Judge`; the first one has the calls, tokens, cost and seconds of the item.
        """
        sitting = Sitting(self.bench, self.settings, item)
        try:
            judgments = list(self.grade(item, sitting))
        except ApplicationError as error:  # the law could not be searched
            judgments = of_all(item, self.measures, Unread(Status.FAILED, error.message))
        return sitting.close(judgments)


class AnswerJudge(ModelJudge[S]):
    """A judge that looks at one answer at a time."""

    @abstractmethod
    def of_answer(self, item: JudgedItem, answer: JudgedAnswer, sitting: Sitting) -> dict[str, "Graded"]:
        """Each measure's value with its reason, or why there is none.

        Returns:
            A value on the measure's scale for each of `measures`, or why it has none.
        """

    def grade(self, item: JudgedItem, sitting: Sitting) -> Iterable[Judgment]:
        """The judgments of each answer by each measure; of one that says nothing, none applies.

        Returns:
            For each answer, in their order, one judgment of each measure; values lie on the scales of `measures`.
        """
        return of_each_answer(item, self.measures, lambda answer: self.of_answer(item, answer, sitting))


Graded = tuple[float, str] | Unread


def of_each_answer(
    item: JudgedItem, measures: Iterable[str], grade: Callable[[JudgedAnswer], dict[str, Graded]]
) -> Iterator[Judgment]:
    """The judgments of each answer by each measure; of one that says nothing, none applies."""
    for place, answer in enumerate(item.answers):
        graded = grade(answer) if not answer.is_silent else {}
        for measure in measures:
            yield judgment(measure, place, graded.get(measure, not_applicable(NOTHING_SAID)))


def judgment(measure: str, place: int, graded: Graded) -> Judgment:
    """The grade of the answer at a place as a judgment: with its value, or with the state that stands for it."""
    if isinstance(graded, Unread):
        return Judgment(measure, place, None, graded.status, graded.reason)
    value, reason = graded
    return Judgment(measure, place, value, Status.JUDGED, reason)


def of_all(item: JudgedItem, measures: Iterable[str], graded: Graded) -> list[Judgment]:
    """The same grade for every answer of an item by every measure."""
    return [judgment(measure, place, graded) for place in range(len(item.answers)) for measure in measures]


def not_applicable(reason: str) -> Unread:
    """The grade if an item lacks what the measure needs."""
    return Unread(Status.NOT_APPLICABLE, reason)
