"""Encoders of a corpus: trained on its own gold sets, and judged on documents that they have not seen.

Which encoder searches use is decided in `corpora.services.encoders`: a switch embeds every passage first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from corpora.models import Corpus, EncoderActivation, TrainedEncoder
from corpora.selectors import activation_list, encoder_in_use
from corpora.services import encoder_remove, encoder_roll_back, encoder_use
from judging.gold.services.sets import gold_set_get
from judging.splits import groups_kept
from legalqa.accounts.models import Organization, User
from legalqa.common.config import bytes_fingerprint
from legalqa.common.errors import ApplicationError
from legalqa.jobs.models import Job
from legalqa.jobs.services import Lease
from legalqa.training.choices import MIN_QUESTIONS, gold_sets_chosen
from legalqa.training.encoder.data import GoldAsked, Snapshot, gold_asked
from legalqa.training.encoder.finetuning import EncoderTraining
from legalqa.training.encoder.training import MIN_PAIRS, Work, compare, fill, fine_tune, mine
from legalqa.training.files import work_remove
from legalqa.training.versions.trainer import Finished, NewVersion, Trainer

MAX_QUESTIONS = 20_000


@dataclass(frozen=True, slots=True)
class EncoderChoices:
    """What an encoder is trained on: whole documents of the questions are held out for the report.

    `elsewhere` are gold sets of other corpora, on which it is measured too.
    """

    gold_set_ids: Sequence[UUID]
    settings: EncoderTraining
    elsewhere: Sequence[UUID] = ()


class EncoderTrainer(Trainer[TrainedEncoder, EncoderChoices]):
    """Mines pairs, trains on them and compares; the switches to a version are those of `corpora.services`."""

    name = "encoder"
    model = TrainedEncoder
    uses = EncoderActivation
    task = "legalqa.training.tasks.encoder_train"
    first_stage = "mining"
    versions_max = 20  # ours: each brings 21 MB of weights, and vectors once it was compared
    large = ("artefact", "data")

    def prepared(self, *, organization: Organization, corpus: Corpus, choices: EncoderChoices) -> NewVersion:
        gold_sets, source = gold_sets_chosen(
            organization=organization, corpus=corpus, gold_set_ids=choices.gold_set_ids
        )
        questions, elsewhere = gold_asked(gold_sets=gold_sets), _elsewhere(organization, corpus, choices.elsewhere)
        snapshot = _split(questions, choices.settings, elsewhere=elsewhere)
        data = snapshot.as_bytes()
        columns = {
            "training": choices.settings.model_dump(mode="json"),
            "source": f"passages without labels, judged on {source}"[:120] if choices.settings.unlabelled else source,
            "data": data,
            "data_fingerprint": bytes_fingerprint(data),
        }
        return NewVersion(columns, {"questions": len(snapshot.learned)})

    def step(self, lease: Lease, version: TrainedEncoder) -> Finished | None:
        """Continue the stage that the training has reached; None once that is done, or the lease is over."""
        settings = EncoderTraining.model_validate(version.training)
        work = Work(lease, version, version.corpus, Snapshot.read(bytes(version.data)), settings)
        report: dict[str, Any] | None = None
        if not work.snapshot.pairs:
            mine(work)
        elif not version.fingerprint:
            fine_tune(work)
        elif fill(work):
            report = compare(work)
        if report is None:
            return None
        return Finished({"report": report}, "comparing", len(work.snapshot.held_out))

    def in_use(self, *, corpus: Corpus) -> dict[Any, UUID | None]:
        current = encoder_in_use(corpus=corpus)
        return {"": current.pk if current is not None else None}

    def use(
        self,
        *,
        organization: Organization,
        user: User | None,
        corpus_id: UUID,
        version_id: UUID | None,
        slot: Any = None,
    ) -> Job:
        return encoder_use(organization=organization, user=user, corpus_id=corpus_id, encoder_id=version_id)

    def roll_back(self, *, organization: Organization, user: User | None, corpus_id: UUID, slot: Any = None) -> Job:
        return encoder_roll_back(organization=organization, user=user, corpus_id=corpus_id)

    def can_roll_back(self, *, corpus: Corpus, slot: Any) -> bool:
        return activation_list(corpus=corpus).exists()

    def remove(self, *, organization: Organization, user: User | None, corpus_id: UUID, version_id: UUID) -> None:
        encoder_remove(organization=organization, user=user, corpus_id=corpus_id, encoder_id=version_id)
        work_remove(version_id)


ENCODER = EncoderTrainer()


def _elsewhere(organization: Organization, corpus: Corpus, gold_set_ids: Sequence[UUID]) -> tuple[str, ...]:
    """The ids of gold sets of other corpora that the caller may read."""
    gold_sets = [gold_set_get(organization=organization, gold_set_id=one) for one in dict.fromkeys(gold_set_ids)]
    if any(gold_set.corpus_id == corpus.pk for gold_set in gold_sets):
        raise ApplicationError("To check on other corpora, choose a gold set of another corpus.", code="not_elsewhere")
    return tuple(str(gold_set.pk) for gold_set in gold_sets)


def _split(questions: Sequence[GoldAsked], settings: EncoderTraining, *, elsewhere: tuple[str, ...]) -> Snapshot:
    if not MIN_QUESTIONS <= len(questions) <= MAX_QUESTIONS:
        raise ApplicationError(
            f"There are {len(questions):,} questions with a passage that answers them; "
            f"training takes {MIN_QUESTIONS} to {MAX_QUESTIONS:,}.",
            code="too_few_questions",
        )
    if settings.unlabelled:  # nothing is learned from the questions, so all of them can judge
        return Snapshot((), tuple(questions), elsewhere=elsewhere)
    groups = groups_kept([one.group for one in questions], share=settings.held_out, seed=settings.seed, is_near=True)
    learned = tuple(question for question in questions if question.group not in groups)
    if len(learned) < MIN_PAIRS:
        raise ApplicationError(
            f"Only {len(learned)} questions are left to learn from, because whole documents are kept for the "
            "report and these questions share theirs. Add questions on other documents, or keep a smaller share.",
            code="cannot_split",
        )
    return Snapshot(learned, tuple(one for one in questions if one.group in groups), elsewhere=elsewhere)
