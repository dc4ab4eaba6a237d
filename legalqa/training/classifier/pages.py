"""What the pages about classifiers of question complexity show."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from corpora.models import Corpus
from judging.models import GoldSet
from legalqa.accounts.models import Organization
from legalqa.common.errors import NotFound
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_latest_by_subject
from legalqa.training.classifier.fitting import KINDS
from retrieval.complexity.selectors import activation_list, classifier_list, classifiers_in_use
from retrieval.models import ComplexityClassifier

CLASS_NAMES = {2: ("One passage", "More"), 3: ("One passage", "Two", "Three or more")}
REASONS = {
    "crashed": "Training was interrupted several times and was given up.",
    "fault": "A fault in the system interrupted the training; it is tried again.",
    "cancelled": "Somebody cancelled this.",
    "training_refused": "The questions kept for learning do not have every class. Give more of each.",
}
CELL_SHOWN = 200  # questions of one cell


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version in the list: what it is, how far it is, and whether it is in use."""

    version: ComplexityClassifier
    job: Job | None
    is_in_use: bool
    url: str

    @property
    def title(self) -> str:
        return KINDS.get(self.version.kind, self.version.kind)

    @property
    def is_working(self) -> bool:
        return self.job is not None and self.job.is_open

    @property
    def state(self) -> str:
        if self.version.is_ready:
            return "ready"
        if self.job is None:
            return "failed"
        return "working" if self.job.is_open and self.job.stage else str(self.job.state)

    @property
    def reason(self) -> str:
        return REASONS.get(self.job.reason, "") if self.job is not None and not self.version.is_ready else ""

    @property
    def f1(self) -> dict[str, Any]:
        found: dict[str, Any] = self.version.report.get("f1", {})
        return found


def class_names(n_classes: int) -> tuple[str, ...]:
    """What each class means, in the words of the pages."""
    return CLASS_NAMES.get(n_classes) or (*(str(n + 1) for n in range(n_classes - 1)), f"{n_classes} or more")


def training_page(*, organization: Organization, corpus: Corpus) -> dict[str, Any]:
    """The versions of a corpus, and which is in use for each number of classes."""
    versions = list(classifier_list(corpus=corpus))
    jobs = job_latest_by_subject(organization=organization, subject_ids=[v.pk for v in versions])
    in_use = classifiers_in_use(corpus=corpus)
    rows = [
        VersionRow(
            version,
            jobs.get(version.pk),
            in_use.get(version.n_classes) == version.pk,
            reverse("complexity_report", args=(organization.slug, corpus.pk, version.pk)),
        )
        for version in versions
    ]
    by_id = {version.pk: version for version in versions}
    return {
        "corpus": corpus,
        "rows": rows,
        "is_working": any(row.is_working for row in rows),
        "in_use": [
            {
                "n_classes": n_classes,
                "version": by_id.get(chosen) if (chosen := in_use.get(n_classes)) else None,
                "can_roll_back": activation_list(corpus=corpus, n_classes=n_classes).exists(),
            }
            for n_classes in sorted({2, 3, *in_use})
        ],
    }


def gold_sets_of(*, corpus: Corpus) -> list[GoldSet]:
    """The gold sets that a corpus can be trained on, by name."""
    return list(GoldSet.objects.filter(corpus=corpus).order_by("name"))


def report_page(*, corpus: Corpus, version: ComplexityClassifier, address: str, cell: str) -> dict[str, Any]:
    """The report of a version; `cell` is "true-called" where somebody opened one.

    Raises:
        NotFound: it is not ready, or there is no such cell.
    """
    if not version.is_ready:
        raise NotFound("report")
    report, names = version.report, class_names(version.n_classes)
    figures = report["figures"]
    most = max((value for row in figures["confusion"] for value in row), default=0)
    return {
        "corpus": corpus,
        "version": version,
        "title": KINDS.get(version.kind, version.kind),
        "report": report,
        "is_validated": any(epoch["score"] is not None for epoch in report["epochs"]),
        "names": names,
        "classes": [c | {"name": names[c["label"]]} for c in figures["classes"]],
        "confusion": [
            {
                "name": names[true],
                "cells": [
                    {
                        "n": n,
                        "called": names[called],
                        "is_right": true == called,
                        "weight": _weight(n, most),
                        "url": f"{address}?cell={true}-{called}#cell",
                    }
                    for called, n in enumerate(row)
                ],
            }
            for true, row in enumerate(figures["confusion"])
        ],
        "words": [
            {
                "name": names[label],
                "words": [{"word": w, "value": v, "share": v / found[0][1]} for w, v in found],
            }
            for label, found in enumerate(report["words"])
            if found
        ],
        "cell": _cell(report, names, cell),
    }


def _weight(n: int, most: int) -> int:
    """How dark a cell is, 0 to 4."""
    return 0 if not n or not most else 1 + min(3, 4 * n // (most + 1))


def _cell(report: dict[str, Any], names: tuple[str, ...], cell: str) -> dict[str, Any] | None:
    if not cell:
        return None
    parts = cell.split("-")
    if len(parts) != 2 or not all(part.isdecimal() and int(part) < len(names) for part in parts):
        raise NotFound("cell")
    true, called = (int(part) for part in parts)
    found = [row for row in report["asked"] if row[1] == true and row[2] == called]
    return {
        "true": names[true],
        "called": names[called],
        "n": len(found),
        "questions": [{"text": text, "chance": chance} for text, _, _, chance in found[:CELL_SHOWN]],
        "n_hidden": max(0, len(found) - CELL_SHOWN),
    }
