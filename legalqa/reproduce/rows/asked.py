"""Rows of questions: asks each collection with models that have not seen it, and hands the outcomes to the figures."""

from collections.abc import Mapping

from legalqa.reproduce.ll144 import ll144_outcomes
from legalqa.reproduce.policy_copilot import policy_copilot_outcomes
from legalqa.reproduce.rows import questions
from legalqa.reproduce.types import Context, Figure
from legalqa.training.ranker.evaluation import outcomes


def ll144(context: Context) -> Mapping[str, Figure]:
    """Local Law 144 through the product."""
    return questions.ll144_figures(ll144_outcomes(data=context.data), context)


def policy_copilot(context: Context) -> Mapping[str, Figure]:
    """Policy Copilot's golden set, left out of training and thresholds, and answered through the product."""
    return questions.policy_copilot_figures(
        policy_copilot_outcomes(data=context.data, seed=context.seed, note=context.note), context
    )


def obliqa(context: Context) -> Mapping[str, Figure]:
    """ObliQA, left out of training."""
    return questions.obliqa_figures(outcomes("obliqa", data=context.data, seed=context.seed), context)


def obliqa_trained(context: Context) -> Mapping[str, Figure]:
    """ObliQA by models trained on its other documents."""
    return questions.obliqa_figures(
        outcomes("obliqa", data=context.data, trained_on_it=True, seed=context.seed), context
    )


def obliqa_hops(context: Context) -> Mapping[str, Figure]:
    """ObliQA by chains of passages, ranker and scorer of chains left out of training."""
    return questions.hops_figures(outcomes("obliqa", data=context.data, is_chained=True, seed=context.seed), context)


def obliqa_hops_trained(context: Context) -> Mapping[str, Figure]:
    """The same by an encoder, a ranker and a scorer of chains trained on its other documents."""
    return questions.hops_figures(
        outcomes("obliqa", data=context.data, trained_on_it=True, is_chained=True, seed=context.seed), context
    )


def contractnli(context: Context) -> Mapping[str, Figure]:
    """ContractNLI, left out of training and thresholds."""
    return questions.contractnli_figures(outcomes("contractnli", data=context.data, seed=context.seed), context)


def calibration(context: Context) -> Mapping[str, Figure]:
    """The probability of a question, on ObliQA left out of training."""
    return questions.calibration_figures(outcomes("obliqa", data=context.data, seed=context.seed), context)
