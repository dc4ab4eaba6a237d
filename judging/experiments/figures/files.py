"""Files of an experiment: every score as CSV, and charts as SVG and PNG."""

from collections.abc import Iterator

from django.template.loader import render_to_string

from judging.experiments.plots.drawing import Chart
from judging.experiments.plots.png import chart_png
from judging.models import Experiment, ExperimentScore

SVG_NAMESPACE = "http://www.w3.org/2000/svg"
HEADER = (
    "question",
    "question id",
    "type",
    "configuration",
    "repeat",
    "judge",
    "measure",
    "value",
    "status",
    "reason",
    "state",
    "confidence",
    "seconds",
    "tokens",
    "cost",
)
FIELDS = (
    "answer__question__ordinal",
    "answer__question__external_id",
    "answer__question__question_type",
    "answer__cell",
    "answer__repeat",
    "judge",
    "measure",
    "value",
    "status",
    "reason",
    "answer__answer__state",
    "answer__answer__confidence",
    "answer__seconds",
    "answer__tokens",
    "answer__cost",
)


def score_rows(*, experiment: Experiment) -> Iterator[tuple[object, ...]]:
    """Every score in long form, one a line under HEADER: what a notebook needs to repeat every figure."""
    scores = ExperimentScore.objects.filter(answer__experiment=experiment)
    ordered = scores.order_by("answer__question__ordinal", "answer__cell", "answer__repeat", "judge", "measure")
    for row in ordered.values_list(*FIELDS):
        yield (row[0] + 1, *row[1:])


def chart_file(*, chart: Chart, kind: str) -> tuple[bytes, str]:
    """A chart as a file of its own with its content type; `kind` is "svg" or "png"."""
    if kind == "png":
        return chart_png(chart), "image/png"
    context = {"chart": chart, "namespace": SVG_NAMESPACE}
    return render_to_string("judging/experiments/_drawing.html", context).encode(), "image/svg+xml"
