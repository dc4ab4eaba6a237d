"""Correctness from 1 to 5 against the reference answer, by one of the three prompts of HyPA-RAG A.7."""

from typing import Literal

from pydantic import Field

from judging.judges.asking import Law, ModelSettings, Sitting, Unread, prompt_named
from judging.judges.kinds.base import NO_REFERENCE, AnswerJudge, Graded, not_applicable
from judging.judges.scores import parse_scores, weighted_score
from judging.judges.types import JudgedAnswer, JudgedItem

LOW, HIGH = 1, 5  # the scale of grades
CORRECT_FROM = 4.0  # on the scale LOW to HIGH: the threshold of LlamaIndex's CorrectnessEvaluator
CORRECTNESS, CORRECT = "correctness", "correct"
NO_REFERENCE_SUPPLIED = "(NO REFERENCE ANSWER SUPPLIED)"
N_TOPS = 20  # the most that providers give


class CorrectnessSettings(ModelSettings):
    """What a judge of correctness may be set to.

    Attributes:
        prompt: Of A.7.
        samples: Times that each answer is graded, 1 to 20; the mean counts.
        is_weighted: By log-probabilities where they come.
    """

    prompt: Literal["llamaindex", "custom1", "custom2"] = "custom2"
    samples: int = Field(default=1, ge=1, le=20)
    is_weighted: bool = False


class CorrectnessJudge(AnswerJudge[CorrectnessSettings]):
    """Correctness, and whether it reaches 4.

    Source: LlamaIndex, CorrectnessEvaluator; HyPA-RAG A.7 (the text of the three prompts is interleaved there: the
    rubric printed under the first belongs to the second). Differs: replies are read in every plain shape, a reply that
    cannot be read is no 0, and without a reference answer it judges only where it is shown the law.
    """

    kind = "correctness"
    declared = {CORRECTNESS: (LOW, HIGH), CORRECT: (0, 1)}

    def prompts(self) -> tuple[str, ...]:
        return (self.settings.prompt,)

    def of_answer(self, item: JudgedItem, answer: JudgedAnswer, sitting: Sitting) -> dict[str, Graded]:
        """Graded `samples` times.

        Returns:
            Correctness, LOW to HIGH, the mean of what could be read; and 1 where it is CORRECT_FROM or more, else 0. Or
            for both why there is none.
        """
        if not item.reference_answer and self.settings.law is Law.NONE:
            return dict.fromkeys(self.measures, not_applicable(NO_REFERENCE))
        samples = [self._sample(item, answer, sitting, number) for number in range(self.settings.samples)]
        graded = mean_of(samples)
        if isinstance(graded, Unread):
            return {CORRECTNESS: graded, CORRECT: graded}
        return {CORRECTNESS: graded, CORRECT: (float(graded[0] >= CORRECT_FROM), "")}

    def _sample(self, item: JudgedItem, answer: JudgedAnswer, sitting: Sitting, number: int) -> Graded:
        outcome = sitting.read(
            lambda text: parse_scores(text, low=LOW, high=HIGH),
            prompt_named(self.settings.prompt),
            sample=number,
            n_tops=N_TOPS if self.settings.is_weighted else 0,
            question=item.question,
            reference=item.reference_answer or NO_REFERENCE_SUPPLIED,
            answer=answer.text,
        )
        if isinstance(outcome, Unread):
            return outcome
        (value,), reply = outcome[0].values, outcome[1]
        weighted = weighted_score(reply.tops, value, low=LOW, high=HIGH) if self.settings.is_weighted else None
        return (value if weighted is None else weighted), outcome[0].reason


def mean_of(samples: list[Graded]) -> Graded:
    """The mean of the samples that could be read, and how many could not; of none, why not."""
    values = [sample for sample in samples if not isinstance(sample, Unread)]
    lost = [sample for sample in samples if isinstance(sample, Unread)]
    if not values:
        return lost[-1]
    note = f"{len(values)} of {len(samples)} samples could be read. " if lost else ""
    return sum(value for value, _ in values) / len(values), note + values[0][1]
