"""What the pages and endpoints of an experiment's figures show."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse

from judging.experiments.figures.costs import cost_rows
from judging.experiments.figures.items import CHANGES, Change, Shown, changes_of, items_address
from judging.experiments.figures.report import Link, charts_of, measure_of
from judging.experiments.figures.selectors import measured
from judging.experiments.plots.drawing import Chart
from judging.experiments.provenance import judges_of
from judging.experiments.report import head_table, measure_key, warnings_words
from judging.models import Experiment
from legalqa.common.dates import day_words

SHOWN_APART = ("indexes", "judges", "seed")  # of the provenance: in rows or a table of their own


def charts_shown(*, experiment: Experiment, key: str, slug: str) -> tuple[dict[str, Any], list[Chart]]:
    """The measure that an address names, with its charts."""
    measure = dict(measure_of(experiment.report, key))
    answers = measured(experiment=experiment, judge=measure["judge"], measure=measure["name"])
    return measure, charts_of(experiment.report, measure, answers, items_link(slug, experiment, measure))


def results_page(*, experiment: Experiment, key: str, slug: str) -> dict[str, Any]:
    """The figures of one measure, what the answers took, and what all of it was made from."""
    measure, charts = charts_shown(experiment=experiment, key=key, slug=slug)
    return measure_shown(experiment, measure) | {
        "report": experiment.report,
        "table": head_table(experiment.report),
        "table_warnings": warnings_words(experiment.report),
        "charts": charts,
        "costs": cost_rows(experiment.report, watts=settings.POWER_WATTS),
        "watts": settings.POWER_WATTS,
        "provenance": provenance_of(experiment),
        "others": others_of(experiment),
    }


def measure_shown(experiment: Experiment, measure: Mapping[str, Any]) -> dict[str, Any]:
    """What every page on one measure shows: the experiment, the measure, and links to the others."""
    here = measure_key(measure)
    return {
        "experiment": experiment,
        "corpus": experiment.corpus,
        "measure": measure,
        "measure_key": here,
        "measures": [
            {"key": measure_key(m), "label": m["label"], "help": m["help"], "is_active": measure_key(m) == here}
            for m in experiment.report["measures"]
        ],
    }


def provenance_of(experiment: Experiment) -> list[tuple[str, str]]:
    """What the answers were made from, as names and values; lists and nested settings as one line each."""
    report, made_from = experiment.report, experiment.provenance
    facts = {name: value for name, value in made_from.items() if name not in SHOWN_APART}
    if "reported_at" in facts:
        facts["reported_at"] = _time_words(datetime.fromisoformat(facts["reported_at"]))
    pairs = [(name.replace("_", " ").capitalize(), _one_line(value)) for name, value in facts.items()]
    return [
        *((name, value) for name, value in pairs if value),
        (
            "Judges",
            ", ".join(
                _judge_words(judge, judges_of(experiment).get(judge))
                for judge in dict.fromkeys(m["judge"] for m in report["measures"] if m["judge"])
            )
            or "none, rules only",
        ),
        ("Seed", str(report["seed"])),
        ("Without a value", str(sum(row["undefined"] for row in report["rows"]))),
        ("Failed answers", str(sum(cell["failed"] for cell in report["cells"]))),
        ("Made", _time_words(experiment.created_at)),
    ]


def _time_words(moment: datetime) -> str:
    return f"{day_words(moment)}, {moment:%H:%M} UTC"


def _judge_words(name: str, made: Mapping[str, Any] | None) -> str:
    """A judge with its model and version; in what began before those were kept, its name."""
    if made is None:
        return name
    model = f"{made['model']}, " if made["model"] else ""
    return f"{name} ({model}version {made['version'][:8]})"


def others_of(experiment: Experiment) -> list[Experiment]:
    """Other experiments with results on the same gold set, the newest first."""
    experiments = (
        Experiment.objects.filter(gold_set=experiment.gold_set_id).exclude(pk=experiment.pk).exclude(report={})
    )
    return list(experiments.only("pk", "name", "created_at").order_by("-created_at")[:20])


def items_page(*, selection: Shown, word: str) -> dict[str, Any]:
    """The questions behind a figure, all or those that changed in one way, with links that count each way."""
    changes = changes_of(selection)
    by_word: dict[str, list[Change]] = {word: [] for word in CHANGES}
    for change in changes:
        by_word[""].append(change)
        by_word[change.word].append(change)
    active = word if word in CHANGES else ""
    parameters = items_address(
        selection.measure, cell=selection.ours.cell, kind=selection.kind, against=_other(selection)
    )
    if selection.other and selection.other.experiment.pk != selection.ours.experiment.pk:
        parameters["with"] = str(selection.other.experiment.pk)
    return measure_shown(selection.ours.experiment, selection.measure) | {
        "shown": selection,
        "changes": by_word[active],
        "cells": [
            {"key": key, "is_ours": key == selection.ours.cell, "is_theirs": key == _other(selection)}
            for key in (cell["key"] for cell in selection.ours.experiment.report["cells"])
        ],
        "previous": selection.other.experiment if "with" in parameters and selection.other else None,
        "filters": [
            {
                "url": "?" + urlencode(parameters | ({"change": key} if key else {})),
                "label": label,
                "count": len(by_word[key]),
                "is_active": key == active,
            }
            for key, label in CHANGES.items()
            if selection.other or key in ("", "undefined")
        ],
    }


def _other(selection: Shown) -> str:
    return selection.other.cell if selection.other else ""


def items_link(slug: str, experiment: Experiment, measure: dict[str, Any], **more: str) -> Link:
    """Makes the addresses of the answers that a figure counts; `more` are further parameters of each."""

    def link(*, cell: str, kind: str = "") -> str:
        parameters = items_address(measure, cell=cell, kind=kind) | more
        return f"{reverse('experiment_items', args=[slug, experiment.pk])}?{urlencode(parameters)}"

    return link


def _one_line(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_one_line(part)}" for name, part in value.items())
    if isinstance(value, list):
        return ", ".join(_one_line(part) for part in value)
    text = str(value)
    is_hash = len(text) == 64 and all(c in "0123456789abcdef" for c in text)
    return text[:12] if is_hash else text
