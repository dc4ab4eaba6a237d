"""The library of clauses: the 41 of CUAD with their wording, and the weights and thresholds chosen for them.

Source: CUAD, Hendrycks et al. 2021, CC BY 4.0; see clauses.v1.NOTICE.txt.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from legalqa.answering.clauses.reading import Clause, Vector, Weights

PACKAGED = Path(__file__).with_name("clauses.v1.json")


@cache
def _document() -> dict[str, Any]:
    return dict(json.loads(PACKAGED.read_text(encoding="utf-8")))


@cache
def library() -> tuple[Clause, ...]:
    """The clauses of CUAD in its order; a clause without thresholds of its own has the common ones."""
    usual = _document()["thresholds"]
    return tuple(Clause(**(usual | one)) for one in _document()["clauses"])


@cache
def weights() -> Weights:
    """From what the reader says to probabilities, for every clause."""
    return Weights(**_document()["weights"])


@cache
def examples() -> dict[str, Vector]:
    """By the key of a clause, the mean vector (packaged encoder) of quotes of it from other contracts."""
    with np.load(PACKAGED.with_suffix(".npz")) as arrays:
        return {key: arrays[key].astype(np.float32) for key in arrays.files}


def own_clause(*, key: str, name: str, question: str) -> Clause:
    """A clause of an organisation's own, with the common thresholds."""
    return Clause(key, name, question, question, **_document()["thresholds"])
