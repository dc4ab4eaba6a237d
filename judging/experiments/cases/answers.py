"""Answers with and without solved cases: how similar they are to reference answers, as in CBR-RAG's table 4.

Differs: the packaged encoder takes the cosine (in the paper the generator does), and a question that a model did not
answer in every setting is left out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from judging.experiments.cases.measure import Compared, Significance, tests_of
from legalqa.encoder.client import encoder
from retrieval.cases.asking import CaseModel
from retrieval.cases.merging import CaseText, Context
from retrieval.cases.similarity import WEIGHTINGS

ALONE = "no retrieval"
KS: tuple[int, ...] = (1, 3)  # numbers of cases that a model is given
CONTEXTS: tuple[Context, ...] = ("support", "case")
Replies = dict[str, str | None]  # a model's replies to one question, by setting


@dataclass(frozen=True, slots=True)
class AnswersCompared:
    """Cosines of answers and references.

    Attributes:
        cosines: Of each setting one number a question, the questions in the same order.
        n_left_out: Questions on which some setting had no reply.
        tests: Of the settings.
    """

    cosines: Mapping[str, tuple[float, ...]]
    n_left_out: int
    tests: Significance

    def document(self) -> dict[str, Any]:
        """The table as JSON: means, and p where the tests have one."""
        return {
            "cosine": {name: round(float(np.mean(values)), 4) for name, values in self.cosines.items()},
            "questions": len(next(iter(self.cosines.values()))),
            "left_out": self.n_left_out,
            "best": self.tests.best,
            **self.tests.document(),
        }


def replies_to(question: str, near: Mapping[str, Sequence[CaseText]], *, model: CaseModel) -> Replies:
    """The model's answers from no case, and from the best cases in every setting.

    Args:
        question: The question.
        near: The cases most like it, best first, by the name of the encoder.
        model: Writes the answers; outside any organisation scope.
    """
    replies: Replies = {ALONE: model.answer(question, ())}
    for name, cases in near.items():
        for k in KS:
            for context in CONTEXTS:
                replies[f"{name}, k = {k}, {context}"] = model.answer(question, cases[:k], context=context)
    return replies


def answers_compared(references: Sequence[str], rows: Sequence[Replies]) -> AnswersCompared | None:
    """The table of replies with reference answers; None where no question has a reply in every setting."""
    whole = [at for at, row in enumerate(rows) if None not in row.values()]
    if not whole:
        return None
    vectors = encoder().encode([references[at] for at in whole])
    cosines: dict[str, tuple[float, ...]] = {}
    for setting in rows[whole[0]]:
        answers = encoder().encode([rows[at][setting] or "" for at in whole])
        cosines[setting] = tuple(float(value) for value in np.einsum("ij,ij->i", answers, vectors))
    best = max(cosines, key=lambda name: float(np.mean(cosines[name])))
    return AnswersCompared(cosines, len(rows) - len(whole), tests_of(cosines, best=best))


def nearest(by_encoder: Mapping[str, Compared]) -> dict[str, list[list[int]]]:
    """The places of the cases that a model is given for each question, by the name of the encoder."""
    return {name: compared.ranked(WEIGHTINGS["hybrid"], k=max(KS)) for name, compared in by_encoder.items()}


def replies_to_all(
    questions: Sequence[str],
    cases: Sequence[CaseText],
    by_encoder: Mapping[str, Compared],
    *,
    model: CaseModel,
    note: Callable[[str], None],
) -> list[Replies]:
    """What the model says to every question, in the order of each `Compared`; `note` says how far it is."""
    ranked, rows = nearest(by_encoder), []
    for at, question in enumerate(questions):
        near = {name: [cases[place] for place in places[at]] for name, places in ranked.items()}
        rows.append(replies_to(question, near, model=model))
        note(f"{at + 1} of {len(questions)} questions")
    return rows
