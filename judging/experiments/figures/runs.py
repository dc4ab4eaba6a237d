"""Two experiments on the same questions: what changed from one to the other, configuration by configuration."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from judging.experiments.figures.pages import items_link, measure_shown, others_of
from judging.experiments.figures.report import Link, differences, measure_of, question_values
from judging.experiments.figures.selectors import experiment_with, measured
from judging.experiments.plots.drawing import Chart
from judging.experiments.plots.forest import Comparison, forest_plot
from judging.measures.comparison import holm, sign_flip, wilcoxon
from judging.measures.intervals import LEVEL, Interval, bootstrap_mean
from judging.measures.values import Value, number
from judging.models import Experiment

DRAWS = 2000  # ours: a page waits for them
ByCell = Mapping[str, Mapping[UUID, float]]


def compared_page(*, experiment: Experiment, raw_id: str, key: str, slug: str) -> dict[str, Any]:
    """The differences between an experiment and another one on the same gold set, in one measure.

    Raises:
        NotFound, Conflict: as `experiment_with`.
    """
    previous = experiment_with(experiment=experiment, raw_id=raw_id)
    measure = dict(measure_of(experiment.report, key))
    context = measure_shown(experiment, measure) | {"previous": previous, "others": others_of(experiment)}
    if previous is None:
        return context

    link = items_link(slug, experiment, measure, **{"with": str(previous.pk)})
    ours, theirs = (
        question_values(measured(experiment=one, judge=measure["judge"], measure=measure["name"]))
        for one in (experiment, previous)
    )
    chart = run_chart(ours, theirs, name=previous.name, measure=measure, seed=experiment.report["seed"], link=link)
    return context | {"charts": [chart] if chart else []}


def run_chart(
    ours: ByCell, theirs: ByCell, *, name: str, measure: Mapping[str, Any], seed: int, link: Link
) -> Chart | None:
    """The difference of every configuration that both have, ours minus theirs; None where they share none.

    Tested by sign flips, corrected by Holm over the configurations shown.
    """
    cells = [cell for cell in ours if cell in theirs]
    moved = [differences(ours[cell], theirs[cell]) for cell in cells]
    tests = [sign_flip(one, seed=seed, draws=DRAWS) for one in moved]
    comparisons = [
        _comparison(cell, one, p, corrected, seed, link(cell=cell))
        for cell, one, p, corrected in zip(cells, moved, tests, holm(tests), strict=True)
    ]
    return forest_plot(comparisons, baseline=name, measure=measure["label"]) if cells else None


def _comparison(cell: str, moved: Sequence[float], p: Value, corrected: Value, seed: int, href: str) -> Comparison:
    interval = bootstrap_mean(moved, seed=seed, draws=DRAWS)
    wins, losses = sum(one > 0 for one in moved), sum(one < 0 for one in moved)
    p_corrected = number(corrected)
    return Comparison(
        cell,
        interval if isinstance(interval, Interval) else None,
        wins,
        len(moved) - wins - losses,
        losses,
        number(p),
        p_corrected,
        number(wilcoxon(moved)),
        p_corrected is not None and p_corrected < 1 - LEVEL,
        href,
    )
