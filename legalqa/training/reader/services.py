"""Readers of a corpus: the packaged one trained further on its gold questions and graded answers.

A few steps, so that it keeps what it has learned. It reads the passages of answers. Which words of one answer, and
whether it supports a statement, is not learned from these questions: the span head is not trained, and statements are
checked by the reader of the installation.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from pydantic import Field

from corpora.models import Corpus
from judging.models import GoldSet
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import connection_give_back
from legalqa.answering.models import ReaderActivation, TrainedReader
from legalqa.answering.readers import StoredReader
from legalqa.common.config import bytes_fingerprint
from legalqa.common.errors import ApplicationError
from legalqa.encoder.client import encoder_here, model_folder, reading
from legalqa.encoder.reading import PACKAGED, reader_about, reader_pack, reader_unpack
from legalqa.encoder.weights import reader_name, weights_drop, with_weights
from legalqa.jobs.services import JobRefused, Lease
from legalqa.training.choices import MIN_QUESTIONS, gold_sets_chosen
from legalqa.training.encoder.report import training_document
from legalqa.training.files import json_keep, json_kept, work_folder
from legalqa.training.reader.finetuning import ReaderTraining, ReaderTuning
from legalqa.training.reader.own import SIDES, Read, pairs_of, report_document
from legalqa.training.reader.questions import (
    ReaderQuestion,
    examples_own,
    question_of,
    question_searched,
    questions_dealt,
    questions_gathered,
    questions_packed,
    questions_read,
)
from legalqa.training.stepping import steps_worked
from legalqa.training.versions.trainer import Finished, NewVersion, Trainer, progress_store, stage_store

MIN_HELD_OUT = 5  # ours: with fewer questions left out, the two readers cannot be compared
AT_ONCE = 10  # questions between two looks at the lease
GRADES = "graded answers"
TOO_FEW = "too_few_questions"


class OwnReaderTraining(ReaderTraining):
    """How a corpus trains its reader: the packaged one further, few steps at low rates; the span head stays as it is.

    Attributes:
        batch: As of `ReaderTraining`, 2 to 64.
        steps: The same, 1 to 5,000.
        held_out: Share of the questions that is kept for the report, between 0 and 1.
    """

    epochs: int = Field(default=2, ge=1, le=10)
    learning_rate: float = Field(default=3e-5, gt=0, lt=1)
    head_rate: float = Field(default=3e-5, gt=0, lt=1)
    batch: int = Field(default=8, ge=2, le=64)
    span_weight: float = Field(default=0.0, ge=0, le=10)
    steps: int = Field(default=120, ge=1, le=5_000)
    held_out: float = Field(default=0.3, gt=0, lt=1)


@dataclass(frozen=True, slots=True)
class ReaderChoices:
    """What a reader learns from: gold sets of the corpus, and its graded answers if asked for."""

    gold_set_ids: Sequence[UUID]
    with_grades: bool
    settings: OwnReaderTraining


class ReaderTrainer(Trainer[TrainedReader, ReaderChoices]):
    """Searches for the questions, trains on what was found, then reads the held-out ones before and after."""

    name = "reader"
    model = TrainedReader
    uses = ReaderActivation
    task = "legalqa.training.tasks.reader_train"
    first_stage = "searching"
    versions_max = 20  # ours: each brings 11 MB of weights
    large = ("artefact", "data")

    def prepared(self, *, organization: Organization, corpus: Corpus, choices: ReaderChoices) -> NewVersion:
        sources, gold_sets = [GRADES] if choices.with_grades else [], list[GoldSet]()
        if choices.gold_set_ids or not choices.with_grades:
            gold_sets, source = gold_sets_chosen(
                organization=organization, corpus=corpus, gold_set_ids=choices.gold_set_ids
            )
            sources.insert(0, source)
        questions = questions_gathered(corpus=corpus, gold_sets=gold_sets, with_grades=choices.with_grades)
        dealt = questions_dealt(questions, share=choices.settings.held_out, seed=choices.settings.seed)
        _check(dealt)
        columns = {
            "training": choices.settings.model_dump(mode="json"),
            "source": " and ".join(sources)[:120],
            "data": questions_packed(dealt),
            "data_fingerprint": "",
        }
        return NewVersion(columns, {"questions": len(dealt)})

    def step(self, lease: Lease, version: TrainedReader) -> Finished | None:
        """Continue the stage that the training has reached; None once that is done, or the lease is over."""
        questions, settings = questions_read(bytes(version.data)), OwnReaderTraining.model_validate(version.training)
        if not version.data_fingerprint:
            _search(lease, version, questions)
        elif not version.fingerprint:
            _fine_tune(lease, version, questions, settings)
        elif (readings := _tested(lease, version, questions)) is not None:
            report = report_document(
                questions,
                readings,
                training=json_kept(work_folder(version.pk) / "trained.json") or {},
                provenance=_provenance(version),
                seed=settings.seed,
            )
            return Finished({"report": report}, "testing", len(readings))
        return None

    def use_noted(self, slot: str, version: TrainedReader | None) -> dict[str, Any]:
        return {"reader": version.number if version else "packaged"}

    def removed(self, version: TrainedReader) -> None:
        if version.fingerprint:
            transaction.on_commit(partial(weights_drop, version.fingerprint))


READER = ReaderTrainer()


def _check(questions: Sequence[ReaderQuestion]) -> None:
    answered = [one for one in questions if one.right]
    if len(answered) < MIN_QUESTIONS:
        raise ApplicationError(
            f"There are {len(answered)} questions with a passage that answers them; "
            f"training takes {MIN_QUESTIONS} or more. Add gold questions, or grade answers.",
            code=TOO_FEW,
        )
    held_out = sum(one.is_held_out for one in answered)
    if not MIN_HELD_OUT <= held_out <= len(answered) - MIN_HELD_OUT:
        raise ApplicationError(
            f"Questions with a passage in common are held out together, so {held_out} of {len(answered)} would be. "
            "Add questions on other passages, or change the share that is held out.",
            code="cannot_split",
        )


def _search(lease: Lease, version: TrainedReader, questions: Sequence[ReaderQuestion]) -> None:
    """Search for the passages of every question, and store them once all have theirs.

    Raises:
        JobRefused: too few of the questions have a passage that is still searched.
    """
    file = work_folder(version.pk) / "searched.json"
    documents = json_kept(file) or []
    while (at := len(documents)) < len(questions):
        batch = questions[at : at + AT_ONCE]
        documents += [asdict(question_searched(one, corpus=version.corpus)) for one in batch]
        json_keep(file, documents)
        progress_store(lease, stage="searching", cursor=len(documents), total=len(questions))
        if lease.is_over:
            break
    if len(documents) < len(questions):
        return
    of_use = [one for one in map(question_of, documents) if one.is_of_use]
    try:
        _check([one for one in of_use if one.answering])
    except ApplicationError as error:
        raise JobRefused(TOO_FEW) from error
    data = questions_packed(of_use)
    columns = {"data": data, "data_fingerprint": bytes_fingerprint(data)}
    stage_store(lease, version, columns, stage="searching", total=len(questions))
    file.unlink(missing_ok=True)


def _fine_tune(
    lease: Lease, version: TrainedReader, questions: Sequence[ReaderQuestion], settings: OwnReaderTraining
) -> None:
    """Steps of the training; once all are done its weights are stored."""
    packaged, base = PACKAGED.read_bytes(), encoder_here().parameters()
    learned = [one for one in questions if not one.is_held_out]
    tuning = ReaderTuning(
        examples_own(learned, seed=settings.seed),
        settings,
        folder=model_folder(),
        data=version.data_fingerprint + bytes_fingerprint(packaged),
        start=reader_unpack(packaged, base),
    )
    file = work_folder(version.pk) / "at.st"
    if not steps_worked(lease, tuning, file):
        return
    about = {name: value for name, value in reader_about(packaged).items() if name not in ("format", "base")}
    artefact = reader_pack(tuning.tensors(), base=base, about=about | {"provenance": _provenance(version)})
    negatives = sum(max(1 - one.label, len(one.rivals)) for one in tuning.examples)
    training = training_document(tuning.progress, examples=len(tuning.examples), negatives=negatives)
    json_keep(work_folder(version.pk) / "trained.json", training)
    columns = {"artefact": artefact, "fingerprint": bytes_fingerprint(artefact)}
    stage_store(lease, version, columns, stage="training", total=tuning.n_steps)
    file.unlink(missing_ok=True)


def _provenance(version: TrainedReader) -> dict[str, Any]:
    return {
        "source": version.source,
        "data": version.data_fingerprint,
        "settings": version.training,
        "before": "packaged",
        "date": date.today().isoformat(),  # noqa: DTZ011 - the day on which somebody ran it, where they are
    }


def _tested(lease: Lease, version: TrainedReader, questions: Sequence[ReaderQuestion]) -> list[Read] | None:
    """What the packaged reader and this one make of the held-out questions, once all were read; else None."""
    file, held_out = work_folder(version.pk) / "read.json", [one for one in questions if one.is_held_out]
    reads: list[Read] = json_kept(file) or []
    packaged = reader_name(bytes_fingerprint(PACKAGED.read_bytes()))
    own = StoredReader(lease.organization_id, version.corpus_id, version.fingerprint)
    while (at := len(reads)) < len(held_out):
        batch = held_out[at : at + AT_ONCE]
        pairs = [pair for one in batch for pair in pairs_of(one)]
        connection_give_back()
        scores = {
            "before": with_weights(partial(reading, pairs, reader=packaged), PACKAGED.read_bytes),
            "after": own.read(pairs),
        }
        for one in batch:
            n = len(pairs_of(one))
            reads.append({side: [one.answers for one in scores[side][:n]] for side in SIDES})
            scores = {side: rows[n:] for side, rows in scores.items()}
        json_keep(file, reads)
        progress_store(lease, stage="testing", cursor=len(reads), total=len(held_out))
        if lease.is_over:
            break
    return reads if len(reads) == len(held_out) else None
