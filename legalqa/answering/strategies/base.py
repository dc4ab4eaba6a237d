"""What a strategy is, a way from a question to an answer, and what the surrounding work offers it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.utils import timezone

from legalqa.accounts.models import Organization
from legalqa.answering.models import STEP_TRANSITIONS, StepState
from legalqa.answering.types import Ending, Evidence, Question, Step
from legalqa.common.transitions import moved, sources

Names = tuple[str, str, str]  # a step's name for programs, for people, and the sentence shown meanwhile
SEARCHING: Names = ("searching", "Searching", "Searching the documents.")


@dataclass(frozen=True, slots=True)
class Proposal:
    """An answer before it is checked.

    `check` gives the ending, from the paragraphs of the evidence that the person may read at that moment; it is asked
    again where these have become fewer before the ending is stored.
    """

    evidence: Evidence
    check: Callable[[Collection[int]], Ending]


class Work:
    """The work around a strategy: it keeps the steps. For an answer under way it saves them, and can be cancelled."""

    def __init__(self, plan: Sequence[Names]) -> None:
        self.steps = [Step(*names) for names in plan]

    def begin(
        self,
        name: str,
        label: str = "",
        sentence: str = "",
        *,
        evidence: Sequence[Mapping[str, Any]] = (),  # noqa: ARG002 - for work that is seen
    ) -> None:
        """End the step under way and begin the next of that name, or a new one that was not planned.

        Args:
            name: Of the step, for programs.
            label: Of a new step, for people.
            sentence: What is said while a new step is worked on.
            evidence: Passages to show from now on, where the answer is seen under way.
        """
        self.end()
        step = next((one for one in self.steps if one.name == name and one.state == StepState.WAITING), None)
        if step is None:
            step = Step(name, label or name, sentence)
            self.steps.append(step)
        step.state, step.started_at = moved(STEP_TRANSITIONS, step.state, StepState.WORKING), timezone.now()

    def note(self, *parts: dict[str, object]) -> None:
        """Add what was done to the trace, under the step that was begun last."""
        begun = [step for step in self.steps if step.started_at is not None]
        begun[-1].detail += parts

    def end(self, state: StepState = StepState.DONE) -> None:
        """End the step under way, if one is."""
        under_way = sources(STEP_TRANSITIONS, state)
        for step in self.steps:
            if step.state in under_way:
                step.state, step.ended_at = state, timezone.now()

    def heard(self, piece: str) -> None:
        """A model has written a further piece."""

    def is_cancelled(self) -> bool:
        """Whether a person has stopped the answer; looks at most twice a second."""
        return False

    def stop_if_cancelled(self) -> None:
        """Raise JobCancelled where a person has stopped the answer."""


class Strategy(Protocol):
    """A way to answer: quotations, a model that writes, or what is registered beside them.

    Attributes:
        name: As it is registered, with its version; a setting (`answer.mode`) and an answer have its `setting_name`.
        label: For people.
        plan: Its steps.
        is_slow: It is worked on as a job, so that it is seen under way, can be cancelled and outlives its process.
    """

    name: str
    label: str
    plan: tuple[Names, ...] = (SEARCHING,)
    is_slow: bool = False

    def is_possible(self, *, organization: Organization) -> bool:  # noqa: ARG002 - everybody can quote
        """Whether the organisation has what it needs."""
        return True

    def seconds(self, *, organization: Organization) -> float:  # noqa: ARG002 - a search and no more
        """The longest that it takes beyond search and checks."""
        return 0.0

    def answer(self, question: Question, work: Work) -> Proposal:
        """Search and write, with no transaction open. Every statement of the ending is checked, or not shown.

        Returns:
            What was found, and the check that makes an ending of it: statements in the order in which they are read, or
            silence.

        Raises:
            ApplicationError, NotFound: as `legalqa.answering.strategies.evidence.evidence_find`.
            JobCancelled: a person stopped it.
        """
        ...
