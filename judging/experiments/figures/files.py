"""Files of an experiment: every score as CSV, rankings as TREC runs, and charts as SVG and PNG."""

from collections import defaultdict
from collections.abc import Iterator

from django.utils.text import slugify

from judging.experiments.figures.svg import chart_svg
from judging.experiments.plots.drawing import Chart
from judging.experiments.plots.png import chart_png
from judging.gold.formats import zipped
from judging.models import Experiment, ExperimentAnswer, ExperimentScore

COLUMNS = {  # of the table of scores, with what is read for each
    "question": "answer__question__ordinal",
    "question id": "answer__question__external_id",
    "type": "answer__question__question_type",
    "configuration": "answer__cell",
    "repeat": "answer__repeat",
    "judge": "judge",
    "measure": "measure",
    "value": "value",
    "status": "status",
    "reason": "reason",
    "warning": "warning",
    "state": "answer__answer__state",
    "confidence": "answer__answer__confidence",
    "seconds": "answer__seconds",
    "tokens": "answer__tokens",
    "cost": "answer__cost",
}


def score_rows(*, experiment: Experiment) -> Iterator[tuple[object, ...]]:
    """Every score in long form, one a line under COLUMNS: what a notebook needs to repeat every figure."""
    scores = ExperimentScore.objects.filter(experiment=experiment)
    ordered = scores.order_by("answer__question__ordinal", "answer__cell", "answer__repeat", "judge", "measure")
    for row in ordered.values_list(*COLUMNS.values()):
        yield (row[0] + 1, *row[1:])


def runs_file(*, experiment: Experiment) -> bytes:
    """A zip of TREC runs (`query Q0 passage rank score tag`): what each configuration found, best first.

    Queries and passages are called as in the gold set's TREC download, so that its qrels fit; the score is 1 / rank.
    """
    answers = ExperimentAnswer.objects.filter(experiment=experiment, repeat=0, answer__isnull=False)
    fields = ("cell", "question__external_id", "question__ordinal", "answer__evidence")
    runs: dict[str, list[str]] = defaultdict(list)
    for cell, name, ordinal, evidence in answers.order_by("cell", "question__ordinal").values_list(*fields):
        ordered = sorted(evidence, key=lambda passage: passage["rank"])
        passages = dict.fromkeys(passage["paragraph_id"] for passage in ordered)
        for rank, passage in enumerate(passages, start=1):
            runs[cell].append(f"{name or f'q{ordinal + 1}'} Q0 {passage} {rank} {1 / rank:.6f} {slugify(cell)}\n")
    return zipped({f"{n:02}-{slugify(cell)}.run": "".join(lines) for n, (cell, lines) in enumerate(runs.items(), 1)})


def chart_file(*, chart: Chart, kind: str) -> tuple[bytes, str]:
    """A chart as a file of its own with its content type; `kind` is "svg" or "png"."""
    if kind == "png":
        return chart_png(chart), "image/png"
    return chart_svg(chart, is_file=True).encode(), "image/svg+xml"
