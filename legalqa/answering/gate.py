"""Answer or stay silent: by the evidence ranker's calibrated chance that the passages answer the question.

Source: Policy Copilot, abstention gate. Differs: a chance learned on public collections instead of a hand-set score.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Decision:
    """What the gate says; `probability` is None where no ranker gave one, and then the gate stands open."""

    probability: float | None
    threshold: float
    is_open: bool

    def as_step(self) -> dict[str, object]:
        """The decision as the answer's trail keeps it."""
        chance = None if self.probability is None else round(self.probability, 4)
        step: dict[str, object] = {
            "step": "gate",
            "probability": chance,
            "threshold": self.threshold,
            "open": self.is_open,
        }
        if chance is None:
            step["note"] = "No ranker said how likely an answer is, so nothing was held back."
        return step


def gate_decide(answerable: float | None, *, threshold: float) -> Decision:
    """Open where the chance reaches the threshold, or where there is none."""
    return Decision(answerable, threshold, is_open=answerable is None or answerable >= threshold)
