"""Rows of questions: asks each collection with models that have not seen it, and hands the outcomes to the figures."""

from collections.abc import Callable
from functools import partial

from legalqa.reproduce.ll144 import ll144_outcomes
from legalqa.reproduce.policy_copilot import policy_copilot_outcomes
from legalqa.reproduce.rows import questions
from legalqa.reproduce.types import Context
from legalqa.training.ranker.evaluation import outcomes


def ll144(context: Context) -> questions.Figures:
    """Local Law 144 through the product."""
    return questions.ll144_figures(ll144_outcomes(data=context.data), context)


def policy_copilot(context: Context) -> questions.Figures:
    """Policy Copilot's golden set, left out of training and thresholds, and answered through the product."""
    return questions.policy_copilot_figures(
        policy_copilot_outcomes(data=context.data, seed=context.seed, note=context.note), context
    )


def by_ranker(
    context: Context,
    *,
    collection: str,
    figures: Callable[[questions.Outcomes, Context], questions.Figures],
    **training: bool,
) -> questions.Figures:
    """The figures of a collection asked with models trained without it; `training` as `outcomes` takes it."""
    return figures(outcomes(collection, data=context.data, seed=context.seed, **training), context)


obliqa = partial(by_ranker, collection="obliqa", figures=questions.obliqa_figures)
obliqa_trained = partial(obliqa, trained_on_it=True)
obliqa_hops = partial(by_ranker, collection="obliqa", figures=questions.hops_figures, is_chained=True)
obliqa_hops_trained = partial(obliqa_hops, trained_on_it=True)
contractnli = partial(by_ranker, collection="contractnli", figures=questions.contractnli_figures)
calibration = partial(by_ranker, collection="obliqa", figures=questions.calibration_figures)
