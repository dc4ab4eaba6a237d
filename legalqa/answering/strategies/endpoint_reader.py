"""A rerank endpoint in the place of the reader: it says how well a passage answers, the packaged reader which words."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from time import perf_counter
from typing import Any

from legalqa.accounts.scoping import connection_give_back
from legalqa.answering.calls import READING
from legalqa.answering.types import Question
from legalqa.encoder.client import Read, reading
from retrieval.rerankers.scoring import score_ask, seconds_for_scores
from retrieval.scores import ScoreRequest


@dataclass
class EndpointReader:
    """Reads pairs of questions and passages by the rerank model that a search asks, too.

    The logistic function turns scores that are not probabilities into probabilities. Passages without a score keep what
    the packaged reader says of them. An endpoint that fails, or takes longer than a question allows, is not asked
    again.

    Attributes:
        question: Who asks.
        notes: Who scored, or why nobody did, in sentences.
        calls: What was asked of a model, as a trace keeps it.
    """

    question: Question
    notes: list[str]
    calls: list[dict[str, Any]]
    _left_s: float | None = None
    _is_over: bool = False

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[Read]:
        reads = reading(pairs, is_urgent=True)
        for question in dict.fromkeys(first for first, _ in pairs):
            places = [place for place, (first, _) in enumerate(pairs) if first == question]
            scores = self._scores(question, [pairs[place][1] for place in places])
            for place, score in zip(places, scores, strict=bool(scores)):
                reads[place] = reads[place]._replace(answers=score)
        return reads

    def _scores(self, question: str, texts: Sequence[str]) -> list[float]:
        if self._is_over:
            return []
        organization, user = self.question.organization, self.question.user
        if self._left_s is None:
            self._left_s = seconds_for_scores(organization)
        connection_give_back()
        started = perf_counter()
        reply = score_ask(organization, user, ScoreRequest(question, tuple(texts)), self._left_s)
        self._left_s -= perf_counter() - started
        if reply.call:
            self.calls.append({"for": READING, **reply.call})
        if not reply.values:
            self._is_over = True
            self._note(f"{reply.note} The packaged reader read instead.")
            return []
        self._note(f"Read {reply.note}.")
        return probabilities_of(reply.values)

    def _note(self, words: str) -> None:
        if words not in self.notes:
            self.notes.append(words)


def probabilities_of(scores: Sequence[float]) -> list[float]:
    """Scores as probabilities: as they are where all lie between 0 and 1, else through the logistic function."""
    if all(0.0 <= score <= 1.0 for score in scores):
        return list(scores)
    return [1 / (1 + exp(-max(-30.0, min(30.0, score)))) for score in scores]
