"""One slice of an encoder's training: mining, training, indexing, comparing. Each goes on where its last step ended."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any
from uuid import UUID

from corpora.models import Corpus, TrainedEncoder
from corpora.services.encoders import encoder_fill
from corpora.services.encoding import encoder_by_name
from legalqa.accounts.scoping import organization_scope
from legalqa.common.config import bytes_fingerprint
from legalqa.encoder import client as encoder
from legalqa.encoder.weights import weights_pack
from legalqa.jobs.services import JobRefused, Lease
from legalqa.training.encoder.data import (
    GoldAsked,
    Snapshot,
    chunks_holding,
    gold_chunks,
    paired,
    refuted_asked,
    unlabelled,
)
from legalqa.training.encoder.elsewhere import elsewhere_row
from legalqa.training.encoder.evaluation import Compared
from legalqa.training.encoder.finetuning import EncoderFineTuning, EncoderTraining, Pair
from legalqa.training.encoder.report import ROWS, report_document, training_document
from legalqa.training.encoder.searching import (
    default_pipeline,
    dense_pipeline,
    figures_found,
    is_judged,
    searched,
)
from legalqa.training.files import json_keep, json_kept, work_folder
from legalqa.training.stepping import steps_worked
from legalqa.training.versions.trainer import progress_store, stage_store
from retrieval.pipelines.changing import HYBRID
from retrieval.pipelines.presets import WIDE
from retrieval.rerankers import Learned
from retrieval.rerankers.versions import ranker_in_use
from retrieval.stages import Pipeline, Resources
from retrieval.types import Query, Ranking

MIN_PAIRS = 10  # ours: fewer say nothing about a corpus
MINED_A_STEP, COMPARED_A_STEP = 50, 20  # questions between two looks at the lease
TOO_FEW = "too_few_pairs"


@dataclass(frozen=True, slots=True)
class Work:
    """A training at work: the version without its weights, its corpus, its settings, and where it keeps its files."""

    lease: Lease
    version: TrainedEncoder
    corpus: Corpus
    snapshot: Snapshot
    settings: EncoderTraining

    def file(self, name: str) -> Path:
        return work_folder(self.version.pk) / name

    def say(self, stage: str, cursor: int, total: int) -> None:
        progress_store(self.lease, stage=stage, cursor=cursor, total=total)


def mine(work: Work) -> bool:
    """Search for every question that is learned from, for passages that do not answer it; True once all are stored.

    Those of which graders say so come before those that the search finds. A training without labels has no such
    question: it takes passages of the corpus, each paired with itself.

    Raises:
        JobRefused: too few of the questions have a passage that is still searched.
    """
    questions, file = work.snapshot.learned, work.file("mined.json")
    state = json_kept(file) or {"gold": [], "found": []}
    with organization_scope(work.lease.organization_id, user=None):
        chunks = chunks_holding(corpus=work.corpus, questions=questions)
        refuted = refuted_asked(corpus=work.corpus, questions=questions)
        against = chunks_holding(corpus=work.corpus, questions=refuted)
        pipeline = mining_pipeline(work.settings, is_ranked=ranker_in_use(corpus=work.corpus) is not None)
    while (at := len(state["found"])) < len(questions):
        batch = questions[at : at + MINED_A_STEP]
        asked: dict[str, Any] = {"corpus": work.corpus, "questions": batch, "encoder": work.corpus.encoder}
        rankings = searched(**asked, search=pipeline.search)
        for question, wrong, ranking in zip(batch, refuted[at : at + MINED_A_STEP], rankings, strict=True):
            gold = gold_chunks(question, chunks)
            others = [*gold_chunks(wrong, against), *(hit.chunk_id for hit in ranking.hits)]
            state["gold"].append(gold)
            state["found"].append([pk for pk in dict.fromkeys(others) if pk not in gold])
        json_keep(file, state)
        work.say("mining", len(state["found"]), len(questions))
        if work.lease.is_over:
            break
    if len(state["found"]) < len(questions):
        return False
    unlabelled_most, seed = work.settings.unlabelled, work.settings.seed
    with organization_scope(work.lease.organization_id, user=None):
        if unlabelled_most:
            full = unlabelled(work.snapshot, corpus=work.corpus, n=unlabelled_most, seed=seed)
        else:
            full = paired(work.snapshot, gold=state["gold"], wrong=state["found"])
        if len(full.pairs) < MIN_PAIRS:
            raise JobRefused(TOO_FEW)
        data = full.as_bytes()
        TrainedEncoder.objects.filter(pk=work.version.pk).update(data=data, data_fingerprint=bytes_fingerprint(data))
    return True


def mining_pipeline(settings: EncoderTraining, *, is_ranked: bool) -> Pipeline:
    """Wrong passages that look right teach most: by words or meaning, or by the corpus's own ranker if it has one."""
    return (WIDE >> Learned() if is_ranked else HYBRID) % settings.depth


def fine_tune(work: Work) -> bool:
    """Steps of the training; True once its weights are stored."""
    pairs, passages, file = work.snapshot.pairs, work.snapshot.passages, work.file("at.st")
    tuning = fine_tuning(pairs, passages, work.settings, data=work.version.data_fingerprint)
    if not steps_worked(work.lease, tuning, file):
        return False
    provenance = provenance_of(work.snapshot, work.settings, source=work.version.source)
    artefact = weights_pack(tuning.tensors(), provenance=provenance)
    negatives = sum(len(pair.negatives[: work.settings.pool]) for pair in pairs)
    json_keep(work.file("trained.json"), training_document(tuning.progress, pairs=len(pairs), negatives=negatives))
    columns = {"artefact": artefact, "fingerprint": bytes_fingerprint(artefact)}
    stage_store(work.lease, work.version, columns, stage="training", total=tuning.n_steps)
    file.unlink(missing_ok=True)
    return True


def fine_tuning(
    pairs: Sequence[Pair],
    passages: Sequence[str],
    settings: EncoderTraining,
    *,
    data: str,
    start: Mapping[str, Any] | None = None,
) -> EncoderFineTuning:
    """The training of the packaged encoder, at its first step, in the number format of its batches."""
    is_half = encoder.batch_dtype() == "bfloat16"
    folder = encoder.model_folder()
    return EncoderFineTuning(pairs, passages, settings, folder=folder, data=data, is_half=is_half, start=start)


def provenance_of(snapshot: Snapshot, settings: EncoderTraining, *, source: str) -> dict[str, Any]:
    """What an encoder says about where it comes from."""
    return {
        "source": source,
        "pairs": len(snapshot.pairs),
        "data": bytes_fingerprint(snapshot.as_bytes()),
        "settings": settings.model_dump(mode="json"),
        "date": date.today().isoformat(),  # noqa: DTZ011 - the day on which somebody ran it, where they are
    }


def fill(work: Work) -> bool:
    """Embed the corpus beside the vectors that are searched; True once every live chunk has its new one."""
    while not (is_done := encoder_fill(lease=work.lease, corpus_id=work.corpus.pk, name=work.version.name)):
        if work.lease.is_over:
            break
    return is_done


def compare(work: Work) -> dict[str, Any] | None:
    """Search for the questions kept from training by both encoders; the report once all are, else None.

    What was searched before the corpus changed encoders is searched again.
    """
    file, before = work.file("compared.json"), work.corpus.encoder
    state = json_kept(file)
    if state is None or state["before"] != before:
        state = {"before": before, "rows": [], "elsewhere": []}
    questions, others = work.snapshot.held_out, work.snapshot.elsewhere
    total = len(questions) + len(others)
    while (at := len(state["rows"])) < len(questions):
        batch = questions[at : at + COMPARED_A_STEP]
        state["rows"] += [None if one is None else [asdict(c) for c in one] for one in _compared(work, batch, before)]
        json_keep(file, state)
        work.say("comparing", len(state["rows"]), total)
        if work.lease.is_over:
            return None
    while (at := len(state["elsewhere"])) < len(others):
        of = {"organization_id": work.lease.organization_id}
        after = encoder_by_name(**of, corpus_id=work.corpus.pk, name=work.version.name)
        row = elsewhere_row(**of, gold_set_id=UUID(others[at]), after=after, seed=work.settings.seed)
        state["elsewhere"].append(row)
        json_keep(file, state)
        work.say("comparing", len(questions) + at + 1, total)
        if work.lease.is_over:
            return None
    comparisons = [[Compared(**row) for row in one] for one in state["rows"] if one is not None]
    return report_document(
        n_learned=len(work.snapshot.pairs),
        groups=[question.group for question in questions],
        compared={name: [one[place] for one in comparisons] for place, name in enumerate(ROWS)},
        elsewhere=[row for row in state["elsewhere"] if row is not None],
        training=json_kept(work.file("trained.json")) or {},
        provenance={
            **provenance_of(work.snapshot, work.settings, source=work.version.source),
            "before": before,
            "unsearched": len(questions) - len(comparisons),
        },
        seed=work.settings.seed,
    )


def _compared(work: Work, batch: Sequence[GoldAsked], encoder_before: str) -> list[list[Compared] | None]:
    """Each question before and after, by meaning alone and by the default preset; None where a passage is gone."""
    with organization_scope(work.lease.organization_id, user=None):
        chunks = chunks_holding(corpus=work.corpus, questions=batch)
    searchable = [question for question in batch if is_judged(question, chunks)]
    pipelines = [dense_pipeline(), default_pipeline()]

    def search(query: Query, resources: Resources) -> list[Ranking]:
        return [pipeline.search(query, resources) for pipeline in pipelines]

    sides = [
        searched(corpus=work.corpus, questions=searchable, encoder=name, search=search)
        for name in (encoder_before, work.version.name)
    ]
    by_question: dict[str, list[Compared]] = {}
    for question, old, new in zip(searchable, *sides, strict=True):
        figures = [
            [figures_found(question, chunks, [hit.chunk_id for hit in ranking.hits]) for ranking in rankings]
            for rankings in (old, new)
        ]
        by_question[question.id] = [
            Compared(str(question.group), before, after) for before, after in zip(*figures, strict=True)
        ]
    return [by_question.get(question.id) for question in batch]
