"""A site's ranker: which questions its report is on where the encoder itself has learned some of them."""

from typing import Any

import numpy as np
import pytest

from legalqa.training.collections.questions import LabelledQuestion
from legalqa.training.encoder.data import GoldAsked, Held, Reference
from legalqa.training.ranker.site import COLLECTION, site_fit
from legalqa.training.ranker.training import Examined
from retrieval.rerankers.features import NAMES, PLACED
from retrieval.rerankers.model import model_load

HELD: Held = {Reference(7): (4,)}


def report_of(*, n_learned: int) -> dict[str, Any]:
    """Sixty questions on six documents, the first ones of which the encoder learned, and one that nothing answers."""
    chance = np.random.default_rng(144)
    asked = {str(n): GoldAsked(str(n), f"question {n}", n % 6, (Reference(7),) if n < 60 else ()) for n in range(61)}
    examined = [
        Examined(
            LabelledQuestion(one.id, one.text, str(one.group), "", (4,) if one.references else ()),
            COLLECTION,
            np.arange(12),
            chance.normal(size=(12, len(NAMES + PLACED))),
            (),
            0.1,
        )
        for one in asked.values()
    ]
    known = model_load()
    learned = {f"question {n}" for n in range(n_learned)}
    _, report = site_fit(
        examined, asked, HELD, towards=known, before=known, encoder_learned=learned, provenance={}, seed=144
    )
    return report


@pytest.mark.parametrize(
    ("n_learned", "judged", "learned_of_them"),
    [(0, 60, 0), (36, 24, 0), (50, 60, 50)],
    ids=["none", "enough others", "too few others"],
)
def test_what_the_encoder_learned_is_not_judged_where_there_are_enough_others(
    n_learned: int, judged: int, learned_of_them: int
) -> None:
    questions = report_of(n_learned=n_learned)["questions"]

    assert questions == {
        "learned": 61, "held_out": judged, "documents_held_out": 6, "encoder_learned": learned_of_them
    }  # fmt: skip
