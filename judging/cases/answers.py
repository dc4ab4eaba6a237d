"""Answers from solved cases beside answers from none: their likeness to reference answers, as CBR-RAG's table 4.

Differs: the packaged encoder takes the cosine (the paper's generator does so itself), and a question on which a model
gave no reply in any of the settings is left out of all.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from judging.cases.measure import Compared
from judging.measures.significance import anova, paired_t
from judging.measures.values import Value
from legalqa.encoder.client import encoder
from retrieval.cases.asking import CaseModel
from retrieval.cases.merging import CaseText, Context
from retrieval.cases.similarity import WEIGHTINGS

ALONE = "no retrieval"
KS: tuple[int, ...] = (1, 3)
CONTEXTS: tuple[Context, ...] = ("support", "case")


@dataclass(frozen=True, slots=True)
class AnswersCompared:
    """Cosines of answers and references.

    Attributes:
        cosines: Of each setting one number a question, the questions in the same order.
        n_left_out: Questions on which some setting had no reply.
        anova: p of the analysis of variance over the settings.
        tests: One-tailed paired t-test of the best setting over each other one, p.
    """

    cosines: Mapping[str, tuple[float, ...]]
    n_left_out: int
    anova: Value
    tests: Mapping[str, Value]

    @property
    def best(self) -> str:
        return max(self.cosines, key=lambda name: float(np.mean(self.cosines[name])))


def answers_compared(
    questions: Sequence[tuple[str, str]],
    cases: Sequence[CaseText],
    by_encoder: Mapping[str, Compared],
    *,
    model: CaseModel,
    note: Callable[[str], None],
) -> AnswersCompared | None:
    """The table of questions with reference answers; None where no question has a reply in every setting.

    Args:
        questions: Question and reference answer, in the order of each `Compared`.
        cases: In the order of each `Compared`.
        by_encoder: How alike questions and cases are, by the name of the encoder.
        model: Writes the answers; outside any organisation scope.
        note: Says how far it is.
    """
    neighbours = {
        (name, k): compared.ranked(WEIGHTINGS["hybrid"], k=k) for name, compared in by_encoder.items() for k in KS
    }
    rows: list[dict[str, str | None]] = []
    for at, (question, _) in enumerate(questions):
        row = {ALONE: model.answer(question, ())}
        for (name, k), ranked in neighbours.items():
            near = [cases[place] for place in ranked[at]]
            for context in CONTEXTS:
                row[f"{name}, k = {k}, {context}"] = model.answer(question, near, context=context)
        rows.append(row)
        note(f"{at + 1} of {len(questions)} questions")
    whole = [at for at, row in enumerate(rows) if None not in row.values()]
    if not whole:
        return None
    references = encoder().encode([questions[at][1] for at in whole])
    cosines: dict[str, tuple[float, ...]] = {}
    for setting in rows[whole[0]]:
        answers = encoder().encode([rows[at][setting] or "" for at in whole])
        cosines[setting] = tuple(float(value) for value in np.einsum("ij,ij->i", answers, references))
    made = AnswersCompared(cosines, len(rows) - len(whole), anova(list(cosines.values())), {})
    tests = {name: paired_t(cosines[made.best], values) for name, values in cosines.items() if name != made.best}
    return AnswersCompared(cosines, made.n_left_out, made.anova, tests)
