"""A judge that only counts words."""

from judging.judges.kinds.base import Graded
from judging.judges.kinds.rules import RuleJudge
from judging.judges.types import JudgedAnswer, JudgedItem
from judging.measures.texts import length


class LengthJudge(RuleJudge):
    """Words of the answer: the baseline that every judge must beat, since many prefer the longer answer.

    Source: ours.
    """

    kind = "length"
    measures = {"length": (0, float("inf"))}

    def grade(self, item: JudgedItem, answer: JudgedAnswer) -> dict[str, Graded]:  # noqa: ARG002 - of every judge
        """How long the answer is.

        Returns:
            Its words, 0 or more.
        """
        return {"length": (length(answer.text), "")}
