"""A rerank endpoint in the place of the reader: it says how well a passage answers, the packaged reader which words."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp
from time import monotonic

from django.conf import settings

from legalqa.answering.types import Question
from legalqa.encoder.client import HTTP_READER, Read, reading
from legalqa.llm import gateway

LATE = "No time was left to ask for more."


@dataclass
class EndpointReader:
    """Reads pairs of questions and passages through the gateway, one request for each question that is read.

    The organisation's own rerank models are asked, or the operator's endpoint. Scores that are no probabilities become
    some by the logistic function. Passages that nobody scored keep what the packaged reader says of them; who did not
    answer once is not asked again for the same question.

    Attributes:
        question: Who asks.
        notes: Who scored, or why nobody did, in sentences.
        until: When to ask no more; the clock is `monotonic`.
    """

    question: Question
    notes: list[str] = field(default_factory=list)
    until: float = field(default_factory=lambda: monotonic() + settings.RERANK_TIMEOUT_S)
    _has_failed: bool = False

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[Read]:
        reads = reading(pairs, is_urgent=True)
        for asked in dict.fromkeys(first for first, _ in pairs):
            places = [place for place, (first, _) in enumerate(pairs) if first == asked]
            scores = self._scores(asked, [pairs[place][1] for place in places])
            for place, score in zip(places, scores, strict=bool(scores)):
                reads[place] = reads[place]._replace(answers=score)
        return reads

    def _scores(self, asked: str, texts: Sequence[str]) -> list[float]:
        left_s = self.until - monotonic()
        if left_s <= 0:
            self._note(LATE)
        if left_s <= 0 or self._has_failed:
            return []
        reply = gateway.rerank(
            organization=self.question.organization,
            user=self.question.user,
            query=asked,
            texts=texts,
            deadline_s=left_s,
        )
        if not reply.scores:
            self._has_failed = True
            self._note(f"{reply.reason} The packaged reader read instead.")
            return []
        self._note(f"Read by {reply.model} of {reply.provider}.")
        return probabilities_of(reply.scores)

    def _note(self, words: str) -> None:
        if words not in self.notes:
            self.notes.append(words)


def probabilities_of(scores: Sequence[float]) -> list[float]:
    """Scores as probabilities: as they are where all lie between 0 and 1, else through the logistic function."""
    if all(0.0 <= score <= 1.0 for score in scores):
        return list(scores)
    return [1 / (1 + exp(-max(-30.0, min(30.0, score)))) for score in scores]


def reader_is_endpoint() -> bool:
    """Whether the installation reads with a rerank endpoint."""
    return settings.READER == HTTP_READER
