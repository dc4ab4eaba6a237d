"""The row of the trained encoder: before and after on documents kept from training, and what is lost elsewhere."""

from collections.abc import Mapping
from typing import Any

from legalqa.reproduce.types import Context, Figure
from legalqa.training.encoder.finetuning import EncoderTraining
from legalqa.training.encoder.public import public_report
from legalqa.training.ranker.evaluation import left_out_ranker, question_sets

COLLECTION = "obliqa"
ELSEWHERE = ("contractnli", "policy_copilot", "wice")
MEASURE = "recall@10"


def encoder(context: Context) -> Mapping[str, Figure]:
    """Trained on 60 % of ObliQA's questions, whole documents together; weights and vectors are kept between runs."""
    report = public_report(
        question_sets(context.data),
        collection=COLLECTION,
        elsewhere=ELSEWHERE,
        settings=EncoderTraining(seed=context.seed),
        ranker=left_out_ranker(context.data, COLLECTION),
        note=context.note,
    )
    return encoder_figures(report)


def encoder_figures(report: Mapping[str, Any]) -> dict[str, Figure]:
    """The figures of the row, from the report of the comparison."""
    dense, default = report["rows"]
    figures = {
        "recall": _after(dense),
        "gain": _difference(dense),
        "default": _after(default),
        "gain_default": _difference(default),
        "seconds": Figure(report["training"]["seconds"], note=f"{report['training']['pairs']} questions"),
    }
    return figures | {f"kept_{row['name']}": _difference(row) for row in report["elsewhere"]}


def _after(row: Mapping[str, Any]) -> Figure:
    return Figure(row["after"][MEASURE], row["questions"], note=f"packaged {row['before'][MEASURE]:.3f}")


def _difference(row: Mapping[str, Any]) -> Figure:
    interval = row["difference"][MEASURE]
    note = f"before {row['before'][MEASURE]:.3f}, after {row['after'][MEASURE]:.3f}"
    return Figure(interval["value"], row["questions"], interval["low"], interval["high"], note=note)
