"""Evidence rankers of a corpus: trained on its own gold sets, over the encoder in use.

A ranker belongs to the encoder that it was trained over, because its features read that encoder's cosines. Where a site
has few questions, the model stays near the packaged one (`legalqa.training.ranker.training.ranker_train`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import UUID

from corpora.models import Corpus
from judging.models import GoldSet
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.jobs.services import JobRefused, Lease
from legalqa.training.choices import MIN_QUESTIONS, gold_sets_chosen
from legalqa.training.encoder.data import GoldAsked, chunks_holding, encoder_learned_texts, gold_asked
from legalqa.training.files import work_folder
from legalqa.training.ranker.site import (
    examined_keys,
    examined_read,
    examined_save,
    question_key,
    site_examine,
    site_fit,
)
from legalqa.training.ranker.training import PULL, SEED, Examined
from legalqa.training.versions.trainer import Finished, NewVersion, Trainer, progress_store
from retrieval.models import RankerActivation, TrainedRanker
from retrieval.rerankers.features import NAMES, PLACED
from retrieval.rerankers.model import RankerModel, model_load
from retrieval.rerankers.versions import model_fingerprint, ranker_current, ranker_in_use

EXAMINED_A_STEP = 20  # questions between two looks at the lease
NO_GOLD, TOO_FEW = "gold_set_removed", "too_few_questions"


@dataclass(frozen=True, slots=True)
class RankerChoices:
    """The gold sets that a ranker learns from."""

    gold_set_ids: Sequence[UUID]


class RankerTrainer(Trainer[TrainedRanker, RankerChoices]):
    """Searches for the questions of the gold sets, then fits; a version belongs to the encoder of its searches."""

    name = "ranker"
    model = TrainedRanker
    uses = RankerActivation
    slot = "encoder"
    task = "legalqa.training.tasks.ranker_train"
    first_stage = "searching"
    large = ("model",)

    def prepared(self, *, organization: Organization, corpus: Corpus, choices: RankerChoices) -> NewVersion:
        gold_sets, source = gold_sets_chosen(
            organization=organization, corpus=corpus, gold_set_ids=choices.gold_set_ids
        )
        questions = gold_asked(gold_sets=gold_sets)
        _check(questions)
        training = {"gold_sets": [str(gold_set.pk) for gold_set in gold_sets], "seed": SEED, "pull": PULL}
        columns = {"encoder": corpus.encoder, "training": training, "source": source}
        return NewVersion(columns, {"questions": len(questions)})

    def step(self, lease: Lease, version: TrainedRanker) -> Finished | None:
        """Search for questions, then fit. The result for each question is kept in a file: a crash costs one batch."""
        with organization_scope(lease.organization_id, user=None):
            gold_sets = list(GoldSet.objects.filter(corpus=version.corpus, pk__in=version.training["gold_sets"]))
            if len(gold_sets) < len(version.training["gold_sets"]):
                raise JobRefused(NO_GOLD)
            questions = gold_asked(gold_sets=gold_sets, with_unanswerable=True)
        connection_give_back()
        done = {key for file in _files(version) for key in examined_keys(file)}
        todo = [question for question in questions if question_key(question) not in done]
        for at in range(0, len(todo), EXAMINED_A_STEP):
            _examine(lease, version, todo[at : at + EXAMINED_A_STEP])
            cursor = len(questions) - max(0, len(todo) - at - EXAMINED_A_STEP)
            progress_store(lease, stage="searching", cursor=cursor, total=len(questions))
            if lease.is_over:
                return None
        fitted, report = _fit(lease, version, questions)
        model = fitted.as_mapping()
        columns = {"model": model, "fingerprint": model_fingerprint(model), "report": report}
        return Finished(columns, "fitted", len(questions))

    def slot_now(self, corpus: Corpus) -> str:
        return corpus.encoder

    def use_noted(self, slot: str, version: TrainedRanker | None) -> dict[str, Any]:
        return {"ranker": version.number if version else "packaged"}

    def use_check(self, corpus: Corpus, version: TrainedRanker) -> None:
        if version.encoder != corpus.encoder:
            raise Conflict(
                "This ranker was trained over another encoder than the corpus uses now. Train one over this encoder.",
                code="ranker_of_another_encoder",
            )


RANKER = RankerTrainer()


def _check(questions: Sequence[GoldAsked]) -> None:
    if len(questions) < MIN_QUESTIONS:
        raise ApplicationError(
            f"There are {len(questions)} questions with a passage that answers them; "
            f"training takes {MIN_QUESTIONS} or more. Add some.",
            code=TOO_FEW,
        )
    if len({question.group for question in questions}) < 2:
        raise ApplicationError(
            "All of these questions share their documents, so a ranker could not be judged on one that it has not "
            "seen. Add questions on another document.",
            code="cannot_split",
        )


def _files(version: TrainedRanker) -> list[Path]:
    # What another version of this code measured, with other columns, is searched for again.
    return sorted(work_folder(version.pk).glob(f"*.{len(NAMES + PLACED)}.npz"))


def _examine(lease: Lease, version: TrainedRanker, batch: Sequence[GoldAsked]) -> None:
    with organization_scope(lease.organization_id, user=None):
        chunks = chunks_holding(corpus=version.corpus, questions=batch)
    examined = site_examine(corpus=version.corpus, questions=batch, chunks=chunks, encoder=version.encoder)
    number = max((int(file.name.split(".")[0]) + 1 for file in _files(version)), default=0)
    examined_save(work_folder(version.pk) / f"{number:06}.{len(NAMES + PLACED)}.npz", batch, examined)


def _fit(lease: Lease, version: TrainedRanker, questions: Sequence[GoldAsked]) -> tuple[RankerModel, dict[str, Any]]:
    """The model that is fitted on everything that was searched, and its report."""
    started = perf_counter()
    with organization_scope(lease.organization_id, user=None):
        chunks = chunks_holding(corpus=version.corpus, questions=questions)
        corpus = Corpus.objects.get(pk=version.corpus_id)
        corpus.encoder = version.encoder  # of this row in memory alone
        before = ranker_current(corpus=corpus)
        current = ranker_in_use(corpus=corpus)
        encoder_learned = encoder_learned_texts(corpus_id=corpus.pk, name=version.encoder)
    asked = {question_key(question): question for question in questions}
    kept: dict[str, Examined] = {}
    for file in _files(version):
        kept |= examined_read(file, asked, chunks)
    examined = [kept[key] for key in asked if key in kept]
    if sum(bool(one.question.gold) for one in examined) < MIN_QUESTIONS:
        raise JobRefused(TOO_FEW)
    provenance = {
        "source": version.source,
        "questions": len(examined),
        "encoder": version.encoder,
        "before": current.number if current else "packaged",
        "pull": version.training["pull"],
        "date": date.today().isoformat(),  # noqa: DTZ011 - the day on which somebody ran it, where they are
    }
    model, report = site_fit(
        examined,
        {question.id: question for question in questions},
        chunks,
        towards=model_load(),
        before=before,
        encoder_learned=encoder_learned,
        provenance=provenance,
        seed=version.training["seed"],
    )
    report["training"]["seconds"] = round(perf_counter() - started, 1)
    return model, report
