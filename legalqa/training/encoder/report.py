"""The report of a trained encoder: before and after on questions of unseen documents, and on other corpora."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from legalqa.training.checkpoints import Progress
from legalqa.training.encoder.evaluation import MEASURES, Compared, row_document

ROWS = {"dense": "Meaning search alone", "default": "The default preset"}
POINTS = 60  # points of the curve of losses


def report_document(
    *,
    n_learned: int,
    groups: Sequence[Hashable],
    compared: Mapping[str, Sequence[Compared]],
    elsewhere: Sequence[Mapping[str, Any]],
    training: Mapping[str, Any],
    provenance: Mapping[str, Any],
    seed: int,
) -> dict[str, Any]:
    """Everything that the page of an encoder shows.

    Args:
        n_learned: Questions, or passages, that it learned from.
        groups: Of documents, of the questions that were kept from it.
        compared: Those questions, before and after, by the names of ROWS.
        elsewhere: Rows of other gold sets.
        training: As `training_document` has it.
        provenance: As it is in the artefact.
        seed: Of the draws of the intervals.
    """
    return {
        "questions": {
            "learned": n_learned,
            "held_out": len(groups),
            "documents_held_out": len(set(groups)),
        },
        "rows": [row_document(name, ROWS[name], rows, seed=seed) for name, rows in compared.items()],
        "elsewhere": list(elsewhere),
        "training": dict(training),
        "provenance": dict(provenance),
    }


def training_document(progress: Progress, **counts: int) -> dict[str, Any]:
    """How a training went: its seconds, its steps, losses averaged to at most POINTS, and what was counted."""
    parts = np.array_split(np.array(progress.losses), min(POINTS, max(1, len(progress.losses))))
    losses = [round(float(part.mean()), 4) for part in parts if len(part)]
    return {"seconds": round(progress.seconds, 1), "steps": progress.step, "losses": losses, **counts}


def skipped_document(name: str, *, corpus: str, reason: str) -> dict[str, Any]:
    """The row of a gold set that was not measured, and why."""
    row = row_document(name, ROWS["dense"], [], seed=0)
    nothing = {"value": None, "low": None, "high": None, "undefined": reason}
    return row | {"corpus": corpus, "difference": dict.fromkeys(MEASURES, nothing), "skipped": reason}
