"""`agreement FILE.jsonl`: how far people and judges agree, with intervals, ceilings and baselines."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from judging.measures.agreement import Agreement, Scale, Statistic, Statistics
from judging.measures.agreement.files import ratings_agreement
from judging.measures.agreement.report import DRAWS
from judging.measures.values import Undefined
from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError
from legalqa.common.text_files import file_read

SHOWN = ("percent", "kappa", "weighted_kappa", "alpha", "spearman")


class Command(LegalQACommand):
    help = "Measure how far ratings agree: JSONL or CSV with item, rater and value, or with human and judge."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="JSONL or CSV")
        parser.add_argument("--scale", choices=[str(scale) for scale in Scale], help="numbers: ordinal; names: nominal")
        parser.add_argument("--threshold", type=float, help="lowest value that passes, such as 4 of 5")
        parser.add_argument("--categories", help="all values of the scale, separated by commas: 1,2,3,4,5")
        parser.add_argument("--judge", default="judge", help="the rater that is compared with the others")
        parser.add_argument("--seed", type=int, default=0, help="seed of the intervals")
        parser.add_argument("--draws", type=int, default=DRAWS, help="samples of questions for an interval")

    def run(self, options: dict[str, Any]) -> None:
        if options["draws"] < 0:
            raise ApplicationError("The number of draws is below 0. Give 0 for no intervals, or some 2000.")
        try:
            agreement = ratings_agreement(
                file_read(options["file"]),
                judge=options["judge"],
                scale=Scale(options["scale"]) if options["scale"] else None,
                categories=_categories(options["categories"]),
                threshold=options["threshold"],
                seed=options["seed"],
                draws=options["draws"],
            )
        except ValueError as error:
            raise ApplicationError(str(error), code="unreadable_ratings") from None
        self.emit(agreement.document(), options, "\n".join(_table(agreement)))


def _categories(text: str | None) -> list[float | str] | None:
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    try:
        return [float(name) for name in names]
    except ValueError:
        return list(names)


def _table(report: Agreement) -> Iterator[str]:
    """The report for people: every statistic, and a line for each other comparison."""
    left_out = "".join(f"; {n} left out: {reason}" for reason, n in report.undefined.items())
    yield f"{report.overall.n} items of {report.overall.n_questions} questions, {report.frame.scale} scale{left_out}"
    reasons: dict[str, list[str]] = {}
    for name, one in report.overall.by_name.items():
        if isinstance(one.value, Undefined):
            reasons.setdefault(one.value.reason, []).append(name)
        else:
            yield f"{name:16} {_written(one)}" + (f"  p = {one.p:.2g}" if one.p is not None else "")
    yield from (f"undefined, because {reason}: {', '.join(names)}" for reason, names in reasons.items())
    blocks = {name: getattr(report, name) for name in ("people", "ceiling", "ceiling_judge", "judge_self")}
    parts = {f"type {name}": one for name, one in report.by_type.items()}
    parts |= {f"component {name}": one for name, one in report.by_component.items()}
    parts |= {f"baseline {name}": one for name, one in report.baselines.items()}
    yield from (_line(title, block) for title, block in (blocks | parts).items() if block is not None)


def _line(title: str, block: Statistics) -> str:
    statistics = {name: block.by_name[name] for name in SHOWN if name in block.by_name}
    figures = [f"{name} {_written(one)}" for name, one in statistics.items() if not isinstance(one.value, Undefined)]
    why = next((one.value.reason for one in statistics.values() if isinstance(one.value, Undefined)), "")
    return f"{title}, n = {block.n}: {', '.join(figures) or f'undefined, because {why}'}"


def _written(one: Statistic) -> str:
    ends = f" ({one.low:.3f} to {one.high:.3f})" if one.low is not None and one.high is not None else ""
    return f"{one.value:.3f}{ends}"
