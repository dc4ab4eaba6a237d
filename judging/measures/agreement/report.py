"""All that is known of agreement on some items: judge and people, people and people, judge and itself, baselines."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from judging.measures.agreement.ratings import HUMAN, JUDGE, About, Frame, Rating, Scale, Values, Written, framed
from judging.measures.agreement.statistics import (
    CORRELATIONS,
    Compared,
    Pair,
    Statistics,
    compared,
    raters,
    two_columns,
)
from legalqa.common.work import Work

DRAWS = 2000  # draws of a bootstrap


@dataclass(frozen=True, slots=True)
class Agreement:
    """What one set of ratings says.

    Attributes:
        frame: What the values are given on, and how intervals were drawn.
        judge: The rater that is compared with the others; "" where none is.
        undefined: Items without a pair of values, by reason.
        overall: The judge against one value of all people; without a judge, all raters, pairs of them averaged.
        by_type, by_component: The same of the items of one question type, or target component.
        people: Between people, where several rated the same items.
        ceiling: Each person against one value of the other people, all such pairs together: what a judge can reach.
        ceiling_judge: The judge against the same values of the same others.
        judge_self: Between repeats of the judge.
        baselines: Figures that need no judge: always the most frequent value, and the correlation of trivial measures.
    """

    frame: Frame
    judge: str
    undefined: Mapping[str, int]
    overall: Statistics
    by_type: Mapping[str, Statistics] = field(default_factory=dict)
    by_component: Mapping[str, Statistics] = field(default_factory=dict)
    people: Statistics | None = None
    ceiling: Statistics | None = None
    ceiling_judge: Statistics | None = None
    judge_self: Statistics | None = None
    baselines: Mapping[str, Statistics] = field(default_factory=dict)

    @property
    def n_undefined(self) -> int:
        return sum(self.undefined.values())

    def document(self) -> dict[str, Any]:
        """The same as JSON; the statistics over all items are its own keys."""
        blocks = ("people", "ceiling", "ceiling_judge", "judge_self")
        parts = ("by_type", "by_component", "baselines")
        return {
            **self.overall.document(),
            "undefined": self.n_undefined,
            "undefined_by_reason": dict(self.undefined),
            "scale": str(self.frame.scale),
            "labels": list(self.frame.labels),
            "threshold": self.frame.threshold,
            "judge": self.judge,
            "seed": self.frame.seed,
            "draws": self.frame.draws,
            **{name: block.document() for name in blocks if (block := getattr(self, name)) is not None},
            **{name: {key: one.document() for key, one in getattr(self, name).items()} for name in parts},
        }


def agreement(
    ratings: Sequence[Rating],
    *,
    about: Mapping[str, About] | None = None,
    judge: str = JUDGE,
    scale: Scale | None = None,
    categories: Sequence[Written] | None = None,
    threshold: float | None = None,
    seed: int = 0,
    draws: int = DRAWS,
    work: Work | None = None,
) -> Agreement:
    """Measure how far ratings agree.

    Several people's values of an item become one: the most frequent name (an item in a tie is left out and counted),
    the median grade, the mean number; repeats of a rater in the same way.

    Args:
        ratings: In any order.
        about: By item.
        judge: The rater that is compared with all others. Where there is none of that name, two raters of whom one is
            called "human" are human and judge, and otherwise all raters are equals.
        scale: None: ordinal for numbers, nominal for names.
        categories: Every value of the scale, where some may not have been given; of names, in their order.
        threshold: Values from it on pass; macro figures and the confusion are then of passing. None: of the values.
        seed: Of the draws of questions.
        draws: Samples for an interval; 0 computes none.
        work: Steps that it may take, of `statistics.steps_of`; None for any number.

    Raises:
        ValueError: as `framed`, or it would take more steps.

    Source: Cohen 1960 and 1968; Krippendorff 2011; Gwet 2008 (AC1) and 2014 (AC2); Light 1971 for pairs of more than
    two raters; leave-one-out ceiling as in AlpacaEval (Dubois et al. 2023). Differs: weights of kappa and AC2 are of
    distances between values, so a grade nobody gave keeps its place.
    """
    frame, values = framed(
        ratings, scale=scale, categories=categories, threshold=threshold, seed=seed, draws=draws, work=work
    )
    table = _Table(frame, values, dict(about or {}), _judge_of(values, judge))
    rows, left_out = table.compared(list(values))
    return Agreement(
        frame,
        table.judge,
        left_out,
        compared(rows, frame=frame),
        by_type=table.parts("question_type"),
        by_component=table.parts("component"),
        **table.companions(),
        baselines=table.baselines(rows),
    )


def _judge_of(values: Values, judge: str) -> str:
    names = {rater for raters_of in values.values() for rater in raters_of}
    if judge in names:
        return judge
    other = names - {HUMAN}
    return other.pop() if HUMAN in names and len(other) == 1 else ""


@dataclass(frozen=True, slots=True)
class _Table:
    """Ratings by item, and what each question of agreement compares of them."""

    frame: Frame
    values: Values
    about: Mapping[str, About]
    judge: str

    def compared(self, items: Sequence[str]) -> tuple[Compared, dict[str, int]]:
        """The rows of these items, and how many have none, by reason."""
        return self._with_judge(items) if self.judge else self._equals(items)

    def parts(self, name: str) -> dict[str, Statistics]:
        parts: dict[str, list[str]] = {}
        for item in self.values:
            if part := getattr(self._about(item), name):
                parts.setdefault(part, []).append(item)
        return {part: compared(self.compared(items)[0], frame=self.frame) for part, items in sorted(parts.items())}

    def companions(self) -> dict[str, Statistics]:
        """The ceiling of people, the judge beside it, and the judge against itself, where the ratings hold them."""
        people = [(list(self._people(item).values()), self._question(item)) for item in self.values]
        blocks: dict[str, Statistics] = {}
        if self.judge and any(len(ratings) > 1 for ratings, _ in people):
            blocks["people"] = raters(people, frame=self.frame)
        own, judged = self._ceiling()
        if own:
            blocks["ceiling"] = two_columns(own, frame=self.frame)
        if judged:
            blocks["ceiling_judge"] = two_columns(judged, frame=self.frame)
        repeats = [(list(ratings.get(self.judge, ())), self._question(item)) for item, ratings in self.values.items()]
        if any(len(ratings) > 1 for ratings, _ in repeats):
            blocks["judge_self"] = raters([(own, q) for own, q in repeats if len(own) > 1], frame=self.frame)
        return blocks

    def baselines(self, rows: Compared) -> dict[str, Statistics]:
        """Always the most frequent human value, and the correlations of each silly measure with people."""
        human = {item: one for item in self.values if (one := self._human(item)) is not None}
        if not self.judge or not human:
            return {}
        counts = Counter(human.values())
        frequent = min(counts, key=lambda value: (-counts[value], value))
        constant = [((pair[0], frequent), question) for pair, question in rows.pairs[0]]
        blocks = {"most_frequent": two_columns(constant, frame=self.frame)}
        for name in sorted({name for item in human for name in self._about(item).baselines}):
            measured = [
                ((value, self._about(item).baselines[name]), self._question(item))
                for item, value in human.items()
                if name in self._about(item).baselines
            ]
            blocks[name] = two_columns(measured, frame=self.frame, only=CORRELATIONS)
        return blocks

    def _with_judge(self, items: Sequence[str]) -> tuple[Compared, dict[str, int]]:
        rows: list[tuple[Pair, str]] = []
        left_out: Counter[str] = Counter()
        for item in items:
            human, judge = self._human(item), self._judged(item)
            if human is not None and judge is not None:
                rows.append(((human, judge), self._question(item)))
            elif human is None:
                left_out["people are divided equally" if self._people(item) else "no human value"] += 1
            else:
                repeats = self.values[item].get(self.judge)
                left_out["repeats of the judge are divided equally" if repeats else "no value of the judge"] += 1
        return Compared([rows], rows), dict(left_out)

    def _equals(self, items: Sequence[str]) -> tuple[Compared, dict[str, int]]:
        equals = {item: self._people(item) for item in items}
        pairs: dict[tuple[str, str], list[tuple[Pair, str]]] = {}
        for item, people in equals.items():
            for one, other in combinations(sorted(people), 2):
                pairs.setdefault((one, other), []).append(((people[one], people[other]), self._question(item)))
        units = [(list(people.values()), self._question(item)) for item, people in equals.items()]
        n_single = sum(len(people) < 2 for people in equals.values())
        undefined = {"fewer than two ratings": n_single} if n_single else {}
        return Compared([pairs[key] for key in sorted(pairs)], units, has_judge=False), undefined

    def _ceiling(self) -> tuple[list[tuple[Pair, str]], list[tuple[Pair, str]]]:
        """Each person's value, and the judge's, beside one value of the other people; items without a judge's value
        are in neither list where there is a judge."""
        own: list[tuple[Pair, str]] = []
        judged: list[tuple[Pair, str]] = []
        for item in self.values:
            people, judge, question = self._people(item), self._judged(item), self._question(item)
            if self.judge and judge is None:
                continue
            for person in sorted(people) if len(people) > 1 else ():
                others = self.frame.one_of([value for name, value in people.items() if name != person])
                if others is not None:
                    own.append(((others, people[person]), question))
                    judged += [((others, judge), question)] if judge is not None else []
        return own, judged

    def _people(self, item: str) -> dict[str, float]:
        """One value of each person; a person whose repeats are divided equally has none."""
        by_person = {name: self.frame.one_of(own) for name, own in self.values[item].items() if name != self.judge}
        return {name: value for name, value in by_person.items() if value is not None}

    def _human(self, item: str) -> float | None:
        people = self._people(item)
        return self.frame.one_of(list(people.values())) if people else None

    def _judged(self, item: str) -> float | None:
        repeats = self.values[item].get(self.judge)
        return self.frame.one_of(repeats) if repeats else None

    def _about(self, item: str) -> About:
        return self.about.get(item, About())

    def _question(self, item: str) -> str:
        return self._about(item).question or f"\0{item}"
