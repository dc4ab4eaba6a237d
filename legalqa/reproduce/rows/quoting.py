"""The rows of answers that may only quote."""

from collections.abc import Mapping, Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression

from judging.measures.abstention import auc
from judging.measures.intervals import bootstrap_mean
from judging.measures.values import Undefined, average
from legalqa.answering.composing.ranking import GATE, odds
from legalqa.reproduce.quoting import EU_AI_ACT, Judged, own_judged, shared_judged
from legalqa.reproduce.types import Context, Figure

DECLINED = 0.8  # share of the questions that nothing answers to which the threshold is silent


def answers(context: Context) -> Mapping[str, Figure]:
    """The shared set; no rule and no threshold was chosen on it. With the seconds of its questions on the EU AI Act."""
    judged = shared_judged(context.data, note=context.note)
    seconds = [one.seconds for one in judged if one.corpus == EU_AI_ACT]
    return quoted_figures(judged, seed=context.seed) | waits(seconds)


def answers_walk(context: Context) -> Mapping[str, Figure]:
    """Other questions on the documents of the shared set, asked on a walk: rules were written on them."""
    return quoted_figures(shared_judged(context.data, note=context.note, is_walk=True), seed=context.seed)


def answers_chosen(context: Context) -> Mapping[str, Figure]:
    """Our own set, on which weights and thresholds are chosen: an upper bound, and no proof."""
    return quoted_figures(own_judged(note=context.note), seed=context.seed)


def answers_among(context: Context) -> Mapping[str, Figure]:
    """Our own set in a large corpus: 1,200 paragraphs of other rules beside each small set of documents."""
    judged = own_judged(note=context.note, among=context.data / "obliqa")
    figures = quoted_figures(judged, seed=context.seed)
    return {name: figures[name] for name in ("complete", "precise", "wrong", "answered", "declined")}


def gate(context: Context) -> Mapping[str, Figure]:
    """How the gate and the threshold of answers are chosen: our own questions in a large corpus, each answered.

    In a small corpus few passages can mislead: chances that are fitted there are too high elsewhere.
    """
    return gate_figures(own_judged(note=context.note, among=context.data / "obliqa", is_gated=False))


def gate_figures(judged: Sequence[Judged]) -> dict[str, Figure]:
    """A logistic regression of the best passage's score on whether it answers, and the threshold that follows.

    The score is read back from the chance that the present gate made of it. The threshold is the lowest that declines
    four of five questions that nothing answers.
    """
    slope, bias = GATE
    scores = np.array([(odds(one.chance) - bias) / slope for one in judged])
    answers = np.array([one.quoted.direct == 1.0 for one in judged])
    fitted = LogisticRegression(C=100.0).fit(scores[:, None], answers)
    chances = fitted.predict_proba(scores[:, None])[:, 1]
    none = np.array([not one.quoted.is_answerable for one in judged])
    first = average(float(one.quoted.direct == 1.0) for one in judged if one.quoted.is_answerable)
    area = auc(chances.tolist(), answers.tolist())
    return {
        "first": Figure.share(first),
        "auc": Figure(area, len(judged)),
        "slope": Figure(float(fitted.coef_[0, 0]), len(judged)),
        "bias": Figure(float(fitted.intercept_[0]), len(judged)),
        "threshold": Figure(float(np.quantile(chances[none], DECLINED)), int(none.sum())),
    }


def quoted_figures(judged: Sequence[Judged], *, seed: int) -> dict[str, Figure]:
    """The figures of the set, each over the answers that it is defined for; `complete` by corpus and type as well."""
    answerable = [one.quoted for one in judged if one.quoted.is_answerable]
    others = [one.quoted for one in judged if not one.quoted.is_answerable]
    precise = [one.precise for one in answerable if not isinstance(one.precise, Undefined)]
    complete = average(float(one.complete) for one in answerable)
    return {
        "complete": Figure.share(complete, note=f"{_shares(judged, 'corpus')}; {_shares(judged, 'type')}"),
        "precise": Figure.of(bootstrap_mean(precise, seed=seed)),
        "direct": Figure.share(average(one.direct for one in answerable)),
        "misled": Figure.share(average(float(one.quoted.misled) for one in judged)),
        "bare_rule": Figure.share(average(one.bare_rule for one in answerable)),
        "wrong": Figure.share(average(float(one.wrong) for one in answerable)),
        "answered": Figure.share(average(float(one.is_answered) for one in answerable)),
        "declined": Figure.share(average(float(not one.is_answered) for one in others)),
    }


def waits(seconds: Sequence[float]) -> dict[str, Figure]:
    """Half and nearly all answers come within; the first question starts the encoder, and is left out."""
    half, most = (float(value) for value in np.percentile(seconds[1:], (50, 95)))
    return {"seconds": Figure(half, len(seconds) - 1), "seconds_p95": Figure(most, len(seconds) - 1)}


def _shares(judged: Sequence[Judged], key: str) -> str:
    """How many of the answerable questions of each corpus, or type, are completely answered."""
    shares: dict[str, list[bool]] = {}
    for one in judged:
        if one.quoted.is_answerable:
            shares.setdefault(getattr(one, key), []).append(one.quoted.complete)
    return ", ".join(f"{name} {sum(complete)} of {len(complete)}" for name, complete in sorted(shares.items()))
