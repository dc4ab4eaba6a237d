"""Rows of claim support: rules and reader against people's judgments, and edits planted in true claims."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from judging.measures.abstention import auc, balanced_accuracy, best_threshold
from judging.measures.classification import macro_f1_interval
from judging.measures.intervals import bootstrap_statistic, wilson
from judging.measures.values import Undefined, Value
from legalqa.answering.verification import Check, Claim, reads_support
from legalqa.encoder.client import reading
from legalqa.reproduce.planted import planted_rows
from legalqa.reproduce.support import (
    Judged,
    checks_of,
    contractnli_claims,
    development_claims,
    expertqa_claims,
    overlap_of,
    wice_claims,
)
from legalqa.reproduce.types import Context, Figure, NotRun
from legalqa.training.reader.edits import EDITS

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]


def judged_by_people(context: Context, *, claims: Callable[[Path], Sequence[Judged]]) -> dict[str, Figure]:
    """Balanced accuracy of the verdict, and its gain over overlap of words at the best threshold of other rows."""
    judged = claims(context.data)
    truth = np.array([one.is_supported for one in judged])
    ours = _accepted(checks_of(judged, reads=reads_support(), note=context.note))
    other = development_claims(context.data, half=0)
    threshold = best_threshold([overlap_of(one.claim) for one in other], [one.is_supported for one in other])
    overlaps = np.array([overlap_of(one.claim) for one in judged])
    theirs = (overlaps >= (1.0 if isinstance(threshold, Undefined) else threshold)).astype(float)
    groups = [one.group for one in judged]

    def drawn(statistic: Callable[[Places], Value]) -> Figure:
        return Figure.of(bootstrap_statistic(statistic, len(judged), seed=context.seed, groups=groups))

    return {
        "accuracy": drawn(lambda at: _balanced(ours[at], truth[at])),
        "gain": drawn(lambda at: _less(_balanced(ours[at], truth[at]), _balanced(theirs[at], truth[at]))),
        "overlap": Figure(
            _balanced(theirs, truth), len(judged), note=f"AUC {_short(auc(overlaps.tolist(), truth.tolist()))}"
        ),
    }


wice = partial(judged_by_people, claims=wice_claims)
expertqa = partial(judged_by_people, claims=expertqa_claims)


def support_dev(context: Context) -> Mapping[str, Figure]:
    """The half of the reader's development rows from which no threshold comes, and what the other half would choose."""
    reads = reads_support()
    if reads is None:
        raise NotRun("There is no reader. Train one with `manage.py reader train`.")
    dev, test = (development_claims(context.data, half=half) for half in (0, 1))
    first, second = (np.array(reads([(one.claim.text, one.claim.evidence[0]) for one in part])) for part in (dev, test))
    best = {
        name: best_threshold(first[:, column].tolist(), [one.label == column for one in dev])
        for column, name in enumerate(("supported", "contradicted"))
    }
    chosen = ", ".join(f"{name} {_short(value)}" for name, value in best.items())
    truth = [one.label for one in test]
    interval = macro_f1_interval(truth, second.argmax(axis=1).tolist(), n_classes=3, seed=context.seed)
    return {"macro_f1": Figure.of(interval, note=f"thresholds of the other half: {chosen}")}


def contractnli_support(context: Context) -> Mapping[str, Figure]:
    """ContractNLI's hypotheses with their spans: macro F1 of the reader, and of the reader without the evidence."""
    if reads_support() is None:
        raise NotRun("There is no reader. Train one with `manage.py reader train`.")
    judged = contractnli_claims(context.data)
    truth = [one.label for one in judged]
    figures = {}
    for name, evidence in (("macro_f1", True), ("claim_only", False)):
        readings = reading([(one.claim.text, " ".join(one.claim.evidence) if evidence else "") for one in judged])
        predicted = [int(np.argmax(one.support)) for one in readings]
        groups = [one.group for one in judged]
        interval = macro_f1_interval(truth, predicted, n_classes=3, seed=context.seed, groups=groups)
        figures[name] = Figure.of(interval)
    return figures


def planted(context: Context) -> Mapping[str, Figure]:
    """True claims that are not called supported, and claims with one planted edit that are not, by kind."""
    rows = planted_rows(context.data)
    judged = [Judged(Claim(row.claim, [row.evidence]), not row.kind) for row in rows]
    checks = checks_of(judged, reads=reads_support(), note=context.note)
    accepted = dict(zip((row.id for row in rows), _accepted(checks) > 0, strict=True))
    withheld = {
        row.id for row, check in zip(rows, checks, strict=True) if check.verdict in ("unsupported", "contradicted")
    }
    true = [row for row in rows if not row.kind]
    edited = [row for row in rows if row.kind]
    figures = {
        "caught": _share(sum(not accepted[row.id] for row in edited), len(edited)),
        "lost": _share(sum(not accepted[row.id] for row in true), len(true)),
        "withheld": _share(sum(row.id in withheld for row in edited), len(edited), note="not shown at all"),
    }
    for kind in EDITS:
        own = [row for row in edited if row.kind == kind]
        figures[kind] = Figure.count(sum(not accepted[row.id] for row in own), len(own))
    return figures


def _share(successes: int, n: int, *, note: str = "") -> Figure:
    return Figure.of(wilson(successes, n), note=note)


def _short(value: Value) -> str:
    return "undefined" if isinstance(value, Undefined) else f"{value:.3f}"


def _accepted(checks: Sequence[Check]) -> Numbers:
    return np.array([float(check.verdict == "supported") for check in checks])


def _balanced(accepted: Numbers, truth: NDArray[np.bool_]) -> Value:
    return balanced_accuracy(accepted.tolist(), truth.tolist(), threshold=0.5)


def _less(ours: Value, theirs: Value) -> Value:
    return ours if isinstance(ours, Undefined) else theirs if isinstance(theirs, Undefined) else ours - theirs
