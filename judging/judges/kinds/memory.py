"""What the judge's model knows by heart: the same questions without passages."""

from judging.judges.asking import ModelSettings, Sitting, Unread, prompt_named
from judging.judges.kinds.base import NO_REFERENCE, Graded, ModelJudge, not_applicable, of_all
from judging.judges.kinds.binary import CRITERIA, binary_grade
from judging.judges.types import JudgedAnswer, JudgedItem, Judgment

KNOWN = "known by heart"


class MemoryJudge(ModelJudge[ModelSettings]):
    """Asks the model the question itself, and whether what it says agrees with the reference answer.

    Where it does, the model may have read question or reference before, and its grades of other answers to it are no
    evidence of reading. The value belongs to the question, so every answer to it has the same.

    Source: ours.
    """

    kind = "memory"
    declared = {KNOWN: (0, 1)}

    def prompts(self) -> tuple[str, ...]:
        return ("memory", "correct")

    def grade(self, item: JudgedItem, sitting: Sitting) -> list[Judgment]:
        """Whether the model's own answer to the question agrees with the reference answer.

        Returns:
            The same judgment for each answer, in their order: 1 or 0, or why there is none.
        """
        return of_all(item, (KNOWN,), self._known(item, sitting))

    def _known(self, item: JudgedItem, sitting: Sitting) -> Graded:
        if not item.reference_answer:
            return not_applicable(NO_REFERENCE)
        reply = sitting.read(str.strip, prompt_named("memory"), question=item.question)
        if isinstance(reply, Unread):
            return reply
        graded = binary_grade(CRITERIA["correct"], item, JudgedAnswer(reply[0]), sitting)
        return graded if isinstance(graded, Unread) else (graded[0], f"It said: {reply[0]}")
