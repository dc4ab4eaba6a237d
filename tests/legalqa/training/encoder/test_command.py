"""`manage.py encoder`: on a corpus of the organisation, and on a public collection."""

from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from corpora.models import Corpus
from legalqa.encoder.client import NAME
from legalqa.reproduce.rows.encoder import encoder_figures
from legalqa.training.collections.corpus import MemoryCorpus
from legalqa.training.collections.questions import LabelledQuestion, QuestionSet
from legalqa.training.encoder.finetuning import EncoderTraining
from legalqa.training.encoder.public import public_report
from legalqa.training.management.commands.encoder import report_text
from retrieval.rerankers.model import model_load
from tests.commands import told
from tests.legalqa.training.library import NAMES, Library

said = partial(told, "encoder")


def in_use(library: Library) -> str:
    with library.inside():
        return Corpus.objects.get(pk=library.corpus.pk).encoder


def test_an_encoder_is_trained_without_labels_compared_used_and_taken_back(library: Library) -> None:
    slug = library.corpus.slug
    wanted = ("--gold-set", "rents", "--unlabelled", "24", "--batch", "8", "--max-tokens", "32")
    told = said("train", slug, *wanted, "--elsewhere", f"{library.other.slug}/letters", "--wait")
    assert (
        told["questions"] | {"learned": 24, "held_out": 20} == told["questions"]
    )  # passages, and all that has a label
    assert told["training"]["losses"]
    assert [row["name"] for row in told["elsewhere"]] == ["letters"]
    assert said("compare", slug)["encoder"] == told["encoder"]

    call_command("trained", "encoder", "use", slug, "--wait", stdout=StringIO())
    assert in_use(library) == told["encoder"]
    call_command("trained", "encoder", "roll-back", slug, "--wait", stdout=StringIO())
    assert in_use(library) == NAME
    with pytest.raises(CommandError, match="The corpus has: 1"):
        call_command("trained", "encoder", "use", slug, "--number", "7")


def test_what_does_not_fit_is_said_in_a_sentence(library: Library) -> None:
    for arguments, words in (
        (("train",), "Name the corpus"),
        (("train", library.corpus.slug), "Choose a gold set"),
        (("compare", library.corpus.slug), "none yet"),
        (("train", "--collection", "obliqa"), "--collection does not go with train"),
        (("compare", "--collection", "obliqa", "--data", "x", "--elsewhere", "abc"), "No collection"),
    ):
        with pytest.raises(CommandError, match=words):
            said(*arguments)


def gardens(name: str, names: list[str]) -> QuestionSet:
    """A collection of documents with two passages each, and a question on one of them."""
    texts = [text for one in names for text in (f"The {one} garden is watered.", f"The {one} tenant pays 9 euros.")]
    questions = tuple(
        LabelledQuestion(one, f"What is owed for {one}?", one, "1", (2 * at + 1,), np.array([2 * at, 2 * at + 1]))
        for at, one in enumerate(names)
    )
    documents = [at // 2 for at in range(len(texts))]
    return QuestionSet(name, MemoryCorpus.build(texts, documents), tuple(texts), questions)


def test_a_collection_is_trained_on_once_and_read_back_the_second_time(settings: Any, tmp_path: Path) -> None:
    settings.VAR = tmp_path
    sets = {"home": gardens("home", NAMES), "away": gardens("away", NAMES[:5])}
    notes: list[str] = []
    wanted: dict[str, Any] = {
        "collection": "home",
        "elsewhere": ["away"],
        "settings": EncoderTraining(batch=4, max_tokens=16),
        "ranker": model_load(),
        "note": notes.append,
    }
    first, second = public_report(sets, **wanted), public_report(sets, **wanted)

    assert first == second
    assert sum("step" in note for note in notes) == first["training"]["steps"] - 1
    assert first["questions"] == {"learned": 12, "held_out": 8, "documents_held_out": 8}
    assert {"recall", "gain", "default", "gain_default", "seconds", "kept_away"} == set(encoder_figures(first))
    assert "away: Meaning search alone" in report_text(first)
