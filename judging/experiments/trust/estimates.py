"""The mean grade that people would give to all answers of a configuration, from few grades and many judge's scores."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judging.experiments.trust.figures import GradedItem
from judging.measures.prediction import Powered, prediction_powered
from judging.measures.values import Undefined

ROUGH = 50  # grades by people below which an interval is a rough one


@dataclass(frozen=True, slots=True)
class Configuration:
    """A configuration of an experiment, whose answers were scored by judges."""

    experiment: str
    cell: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """What people would give to all answers of a configuration.

    Attributes:
        of: The configuration.
        href: Of its answers.
        score: Undefined where people graded too few.
        n_people: Answers that both people and the judge graded.
    """

    of: Configuration
    href: str
    score: Powered | Undefined
    n_people: int

    @property
    def powered(self) -> Powered | None:
        return None if isinstance(self.score, Undefined) else self.score

    @property
    def reason(self) -> str:
        return self.score.reason if isinstance(self.score, Undefined) else ""

    @property
    def is_rough(self) -> bool:
        return self.n_people < ROUGH

    @property
    def n_alone(self) -> int:
        """Answers that the judge alone graded."""
        return self.powered.n_judge if self.powered else 0


def estimates(
    items: Sequence[GradedItem], *, judge: str, alone: Mapping[Configuration, Sequence[float]]
) -> list[Estimate]:
    """The estimate of every configuration of which people graded answers that the judge scored, too.

    Args:
        items: The answers that people graded, drawn by lot from those of their configuration.
        judge: Whose scores are used.
        alone: The judge's scores of the answers that people did not grade, by configuration.
    """
    pairs: dict[Configuration, list[tuple[float, float]]] = defaultdict(list)
    links: dict[Configuration, str] = {}
    for item in items:
        human, judged = item.human(), item.judged(judge)
        if item.experiment and human is not None and judged is not None:
            of = Configuration(item.experiment, item.system)
            pairs[of].append((human, judged))
            links[of] = item.href
    return [
        Estimate(
            of,
            links[of],
            prediction_powered([human for human, _ in both], [judged for _, judged in both], alone.get(of, ())),
            len(both),
        )
        for of, both in pairs.items()
    ]
