"""FairEval: two answers scored from 1 to 10 by several evidences in both orders."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import log2
from typing import Any, TypeVar

from pydantic import Field

from judging.judges.asking import ModelSettings, Sitting, Unread, prompt_named
from judging.judges.kinds.base import Graded, ModelJudge, judgment, not_applicable
from judging.judges.scores import Scores, parse_scores
from judging.judges.types import JudgedItem, Judgment, Status
from judging.measures.places import CONFLICT, FIRST, SECOND, Pair, places

LOW, HIGH = 1, 10  # the scale of grades
QUALITY, WIN, ENTROPY, REVIEW = "quality", "win", "entropy", "needs review"
PLACES = {FIRST: (0, 1), SECOND: (0, 1), CONFLICT: (0, 1)}


class PairSettings(ModelSettings):
    """What every judge of pairs may be set to.

    Attributes:
        temperature: As of `ModelSettings`; 1 unless it is set, so that samples differ.
        is_balanced: Both orders are asked.
    """

    temperature: float = Field(default=1.0, ge=0, le=2)
    is_balanced: bool = True


P = TypeVar("P", bound=PairSettings)


class FairEvalSettings(PairSettings):
    """What a judge by FairEval may be set to.

    Attributes:
        evidences: Samples of each order, 1 to 20.
        review_from: Bits of entropy from which a person should look, 0 to 2; there are at most log2(3) = 1.58.
    """

    evidences: int = Field(default=3, ge=1, le=20)
    review_from: float = Field(default=1.0, ge=0, le=2)


class PairJudge(ModelJudge[P]):
    """A judge of pairs; of more than two answers every pair is judged, and each answer has the mean over its pairs."""

    def grade(self, item: JudgedItem, sitting: Sitting) -> Iterable[Judgment]:
        """The mean of each measure over the pairs that an answer is in.

        Yields:
            For each answer, in their order, one judgment of each measure; a pair with a silent answer counts for none.
        """
        grades: dict[tuple[str, int], list[Graded]] = {
            (measure, place): [] for place in range(len(item.answers)) for measure in self.measures
        }
        for first, second in combinations(range(len(item.answers)), 2):
            for (measure, side), graded in self._of_pair(item, first, second, sitting).items():
                grades[measure, (first, second)[side]].append(graded)
        for (measure, place), graded_all in grades.items():
            yield judgment(measure, place, _over_pairs(graded_all))

    def _of_pair(self, item: JudgedItem, first: int, second: int, sitting: Sitting) -> dict[tuple[str, int], Graded]:
        if item.answers[first].is_silent or item.answers[second].is_silent:
            reason = not_applicable("One of the two answers was not given.")
            return {(measure, side): reason for measure in self.measures for side in (0, 1)}
        outcome = self.of_orders(self._orders(item, first, second, sitting))
        if isinstance(outcome, Unread):
            return {(measure, side): outcome for measure in self.measures for side in (0, 1)}
        return outcome

    def _orders(self, item: JudgedItem, first: int, second: int, sitting: Sitting) -> list[list[Pair | Unread]]:
        """The scores of both answers by order, those of the exchanged order exchanged back."""
        one, other = item.answers[first].text, item.answers[second].text
        orders = [list(self.in_order(item.question, one, other, sitting))]
        if self.settings.is_balanced:
            swapped = self.in_order(item.question, other, one, sitting)
            orders.append([pair if isinstance(pair, Unread) else (pair[1], pair[0]) for pair in swapped])
        return orders

    @abstractmethod
    def in_order(self, question: str, first: str, second: str, sitting: Sitting) -> Iterator[Pair | Unread]:
        """What each sample, or each referee, gives the two.

        Yields:
            The scores of first and second, LOW to HIGH each, or why a sample has none.
        """

    def of_orders(self, orders: Sequence[Sequence[Pair | Unread]]) -> dict[tuple[str, int], Graded] | Unread:
        """The pair's judgments: quality, win, and what the place of an answer did to it."""
        means = balanced_means(orders)
        if isinstance(means, Unread):
            return means
        lost = sum(isinstance(pair, Unread) for order in orders for pair in order)
        note = f"{lost} of {sum(map(len, orders))} gradings could not be read." if lost else ""
        wins = (0.5, 0.5) if means[0] == means[1] else (float(means[0] > means[1]), float(means[1] > means[0]))
        quality: dict[tuple[str, int], Graded] = {(QUALITY, side): (means[side], note) for side in (0, 1)}
        return quality | {(WIN, side): (wins[side], note) for side in (0, 1)} | _placed(orders)


class FairEvalJudge(PairJudge[FairEvalSettings]):
    """Source: Wang et al. 2023, Large Language Models are not Fair Evaluators (multiple evidence, balanced position,
    human in the loop); Eval-RAG, Table 2, for the law beside it.

    Differs: samples are averaged inside an order first, so that one that is lost does not tip the balance; a pair of
    which one order could not be read at all has no value; the entropy is in bits.
    """

    kind = "faireval"
    less_is_better = frozenset({CONFLICT, ENTROPY, REVIEW})
    declared = {QUALITY: (LOW, HIGH), WIN: (0, 1), **PLACES, ENTROPY: (0, log2(3)), REVIEW: (0, 1)}

    def prompts(self) -> tuple[str, ...]:
        return ("faireval",)

    def in_order(self, question: str, first: str, second: str, sitting: Sitting) -> Iterator[Pair | Unread]:
        """One call for each evidence.

        Yields:
            `evidences` times the scores of first and second, LOW to HIGH each, or why there are none.
        """
        for sample in range(self.settings.evidences):
            values: dict[str, Any] = {"question": question, "first": first, "second": second}
            reply = sitting.read(scores_of_pair, prompt_named("faireval"), sample=sample, **values)
            yield reply if isinstance(reply, Unread) else (reply[0].values[0], reply[0].values[1])

    def of_orders(self, orders: Sequence[Sequence[Pair | Unread]]) -> dict[tuple[str, int], Graded] | Unread:
        graded = super().of_orders(orders)
        if isinstance(graded, Unread):
            return graded
        bits = outcome_entropy([pair for order in orders for pair in order if not isinstance(pair, Unread)])
        needs_review = float(bits >= self.settings.review_from)
        return (
            graded
            | {(ENTROPY, side): (bits, "") for side in (0, 1)}
            | {(REVIEW, side): (needs_review, "") for side in (0, 1)}
        )


def scores_of_pair(text: str) -> Scores:
    """The two scores of a reply.

    Raises:
        Unreadable: they are not there.
    """
    return parse_scores(text, low=LOW, high=HIGH, n=2)


def balanced_means(orders: Sequence[Sequence[Pair | Unread]]) -> Pair | Unread:
    """The mean of each answer inside each order, then over the orders; no mean where an order was lost."""
    sums = [0.0, 0.0]
    for order in orders:
        pairs = [pair for pair in order if not isinstance(pair, Unread)]
        if not pairs:
            return next((pair for pair in order if isinstance(pair, Unread)), Unread(Status.FAILED, "Nobody graded."))
        for side in (0, 1):
            sums[side] += sum(pair[side] for pair in pairs) / len(pairs)
    return sums[0] / len(orders), sums[1] / len(orders)


def _placed(orders: Sequence[Sequence[Pair | Unread]]) -> dict[tuple[str, int], Graded]:
    """What each answer wins in either place; not applicable where one order alone was asked."""
    if len(orders) == 1:
        reason = not_applicable("Only one order was asked.")
        return {(measure, side): reason for measure in PLACES for side in (0, 1)}
    pairs = [[pair for pair in order if not isinstance(pair, Unread)] for order in orders]
    won = places(*pairs)
    return {(measure, side): (won[side][measure], "") for measure in PLACES for side in (0, 1)}


def outcome_entropy(pairs: Sequence[Pair]) -> float:
    """The entropy in bits of win, tie and loss over the gradings, 0 to log2(3)."""
    counts = Counter((first > second) - (first < second) for first, second in pairs)
    shares = [count / len(pairs) for count in counts.values()]
    return sum(-share * log2(share) for share in shares) + 0.0  # never -0


def _over_pairs(graded: Sequence[Graded]) -> Graded:
    """The mean over an answer's pairs, of those that have a value."""
    values = [each for each in graded if not isinstance(each, Unread)]
    if values:
        return sum(value for value, _ in values) / len(values), values[0][1]
    lost = [each for each in graded if isinstance(each, Unread)]
    return lost[0] if lost else not_applicable("A single answer is compared with nothing.")
