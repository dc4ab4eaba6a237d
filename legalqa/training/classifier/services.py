"""Classifiers of a corpus: trained in the background, put into use, taken back, removed.

A version is nothing until it is ready: model, report and state are stored in one transaction. A fine-tuning keeps a
checkpoint file; a death costs the steps since the last one, and without the file it begins again.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from pydantic import ValidationError

from corpora.models import Corpus
from corpora.selectors import corpus_get
from judging.models import GoldSet
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from legalqa.common.faults import crash_point
from legalqa.encoder.weights import weights_drop
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_latest_by_subject
from legalqa.jobs.services import JobRefused, Lease, job_cancel, job_create, job_retry, job_run
from legalqa.training.classifier.data import csv_rows, gold_set_rows, marked_rows
from legalqa.training.classifier.evaluation import held_out
from legalqa.training.classifier.fitting import TrainingSettings, rows_check
from legalqa.training.classifier.report import report_document
from legalqa.training.classifier.training import (
    Trained,
    classifier_train,
    epochs_of,
    fine_tuning,
    provenance_of,
    rows_fingerprint,
    training_rows,
)
from retrieval.complexity.baselines import zero_shot
from retrieval.complexity.reading import classifier_read, fingerprint_of
from retrieval.complexity.selectors import activation_list, classifier_get, classifiers_in_use
from retrieval.complexity.transformer import TransformerClassifier
from retrieval.complexity.types import Classifier, ClassifierError, LabelledText
from retrieval.models import ClassifierState, ComplexityActivation, ComplexityClassifier

TRAIN = "legalqa.training.tasks.complexity_train"
STEPS_SAID = 5  # steps between two looks at the lease
VERSIONS_MAX = 50  # ours, of one corpus: a list that a person can still read
GONE, UNUSABLE = "classifier_removed", "training_refused"


def complexity_rows(
    *, organization: Organization, corpus_id: UUID, source: str, gold_set_id: UUID | None = None, text: str = ""
) -> tuple[list[LabelledText], str]:
    """The questions of a source, and what to call it: "csv" with its text, "gold_set" with its id, or "marks".

    Raises:
        NotFound: no such corpus, or no such gold set of it.
        ApplicationError: the CSV does not fit, or there is no such source.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    if source == "csv":
        return csv_rows(text), "a CSV file"
    if source == "marks":
        return marked_rows(corpus=corpus), "passages marked in the search lab"
    if source != "gold_set":
        raise ApplicationError("Questions come from a CSV, a gold set or marked passages. Choose one.", code="source")
    gold_set = GoldSet.objects.filter(corpus=corpus, pk=gold_set_id).first() if gold_set_id else None
    if gold_set is None:
        raise NotFound("gold set")
    return gold_set_rows(gold_set=gold_set), f"gold set {gold_set.name}"


def complexity_train(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    rows: Sequence[LabelledText],
    source: str,
    wanted: TrainingSettings,
) -> tuple[ComplexityClassifier, Job]:
    """Start the training of a new version in the background; it is not used before somebody says so.

    Raises:
        NotFound: no such corpus, or you stand outside its wall.
        ApplicationError: too few questions of a class, or no model of the kind is set up.
        Conflict: the corpus has VERSIONS_MAX versions, or one is being trained.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    try:
        rows_check(rows, wanted)
        if wanted.kind == "zero-shot":
            zero_shot(wanted.n_classes, settings.NLI_MODEL)
    except ClassifierError as error:
        raise ApplicationError(str(error), code="cannot_train") from error
    Corpus.objects.select_for_update().get(pk=corpus.pk)  # numbers are given one by one
    mine = ComplexityClassifier.objects.filter(corpus=corpus)
    if mine.count() >= VERSIONS_MAX:
        raise Conflict(f"The corpus keeps {VERSIONS_MAX} classifiers already. Remove one first.", code="too_many")
    building = mine.filter(state=ClassifierState.BUILDING).values_list("pk", flat=True)
    jobs = job_latest_by_subject(organization=organization, subject_ids=building)
    if any(job.is_open for job in jobs.values()):
        raise Conflict("A classifier is being trained already. Wait for it, or cancel it first.", code="training_open")
    classifier = ComplexityClassifier.objects.create(
        organization=organization,
        corpus=corpus,
        number=(mine.aggregate(last=Max("number"))["last"] or 0) + 1,
        kind=wanted.kind,
        n_classes=wanted.n_classes,
        training=wanted.model_dump(mode="json"),
        source=source[:120],
        data=[row.as_mapping() for row in rows],
        data_fingerprint=rows_fingerprint(rows),
        seed=wanted.seed,
        created_by=user,
    )
    job = job_create(organization=organization, task=TRAIN, subject_id=classifier.pk, user=user)
    audit(organization=organization, actor=user, action="classifier.trained", subject_id=corpus.pk, kind=wanted.kind)
    return classifier, job


def training_work(*, job_id: UUID) -> None:
    """Work on a training until it is ready or the slice is over."""
    job_run(job_id, training_slice)


def training_slice(lease: Lease) -> bool:
    """Do steps until the lease's time is over, then keep a checkpoint; True once the version is ready.

    Raises:
        JobRefused: the version was removed, or its questions cannot be learned from.
    """
    with organization_scope(lease.organization_id, user=None):
        version = ComplexityClassifier.objects.filter(pk=lease.subject_id).defer("artefact").first()
        if version is None:
            raise JobRefused(GONE)
        if version.is_ready:
            return True
        if not lease.stage:
            lease.begin(stage="training")
    connection_give_back()
    wanted = TrainingSettings.model_validate(version.training)
    learned, tested = held_out([LabelledText.read(row) for row in version.data], wanted)
    try:
        if wanted.kind == "transformer":
            trained = _fine_tune(lease, version, learned, wanted)
        else:
            trained = classifier_train(learned, wanted, source=version.source, work=checkpoint_folder())
        if trained is None:
            return False
        _finish(lease, version, trained, learned, tested, wanted)
    except ClassifierError:
        raise JobRefused(UNUSABLE) from None
    return True


def _fine_tune(
    lease: Lease, version: ComplexityClassifier, learned: Sequence[LabelledText], wanted: TrainingSettings
) -> Trained | None:
    """Steps of a fine-tuning; None where the slice ended before the training did."""
    rows = training_rows(learned, wanted)
    tuning, file = fine_tuning(rows, wanted), checkpoint_file(version.pk)
    tuning.load(file)
    while not (is_done := tuning.advance()):
        crash_point("training.stepped")
        if tuning.progress.step % STEPS_SAID == 0:
            _say(lease, tuning.progress.step, tuning.n_steps)
        if lease.is_over:
            break
    tuning.save(file)
    _say(lease, tuning.progress.step, tuning.n_steps)
    if not is_done:
        return None
    provenance = provenance_of(rows, wanted, source=version.source)
    return Trained(TransformerClassifier.read(tuning.artefact(provenance)), tuning.progress.seconds, epochs_of(tuning))


def _say(lease: Lease, step: int, total: int) -> None:
    with organization_scope(lease.organization_id, user=None):
        lease.advance(stage="training", cursor=step, total=total)
    connection_give_back()


def _finish(
    lease: Lease,
    version: ComplexityClassifier,
    trained: Trained,
    learned: Sequence[LabelledText],
    tested: Sequence[LabelledText],
    wanted: TrainingSettings,
) -> None:
    """Test what will be used, and store model, report and state at once."""
    artefact = trained.classifier.as_bytes()
    kept: Classifier = classifier_read(artefact)
    report = report_document(
        kept,
        learned=training_rows(learned, wanted),
        tested=tested,
        wanted=wanted,
        seconds=trained.seconds,
        epochs=trained.epochs,
    )
    with organization_scope(lease.organization_id, user=None):
        lease.advance(stage="testing")
        ComplexityClassifier.objects.filter(pk=version.pk, state=ClassifierState.BUILDING).update(
            state=ClassifierState.READY,
            artefact=artefact,
            fingerprint=fingerprint_of(artefact),
            report=report,
            finished_at=timezone.now(),
        )
    checkpoint_file(version.pk).unlink(missing_ok=True)


def checkpoint_folder() -> Path:
    """Where trainings keep what they would need after a death."""
    return Path(settings.VAR) / "complexity"


def checkpoint_file(classifier_id: UUID) -> Path:
    return checkpoint_folder() / f"{classifier_id}.safetensors"


def complexity_activate(
    *, organization: Organization, user: User | None, corpus_id: UUID, classifier_id: UUID | None, n_classes: int = 0
) -> None:
    """Use a version for its number of classes from now on; None goes to the packaged one of `n_classes`.

    Raises:
        NotFound: no such corpus or version.
        Conflict: it is not ready, or in use already.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    Corpus.objects.select_for_update().get(pk=corpus.pk)
    version = None
    if classifier_id is not None:
        version = classifier_get(corpus=corpus, classifier_id=classifier_id)
        n_classes = version.n_classes
        if not version.is_ready:
            raise Conflict("This classifier is not ready yet. Wait until it is trained.", code="classifier_not_ready")
    if classifiers_in_use(corpus=corpus).get(n_classes) == classifier_id:
        raise Conflict("This classifier is in use already.", code="classifier_in_use")
    ComplexityActivation.objects.create(
        organization=organization, corpus=corpus, n_classes=n_classes, classifier=version, created_by=user
    )
    audit(organization=organization, actor=user, action="classifier.activated", subject_id=corpus.pk, classes=n_classes)


def complexity_roll_back(*, organization: Organization, user: User | None, corpus_id: UUID, n_classes: int) -> None:
    """Use again what was used before the version that is in use now.

    Raises:
        NotFound: no such corpus.
        Conflict: nothing was put into use yet.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    Corpus.objects.select_for_update().get(pk=corpus.pk)
    newest = activation_list(corpus=corpus, n_classes=n_classes).first()
    if newest is None:
        raise Conflict("The packaged classifier is in use; there is none before it.", code="nothing_before")
    newest.delete()
    audit(
        organization=organization, actor=user, action="classifier.rolled_back", subject_id=corpus.pk, classes=n_classes
    )


def complexity_remove(*, organization: Organization, user: User | None, corpus_id: UUID, classifier_id: UUID) -> None:
    """Remove a version with its questions and its report.

    Raises:
        NotFound: no such corpus or version.
        Conflict: it is in use, or being trained.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    Corpus.objects.select_for_update().get(pk=corpus.pk)
    version = classifier_get(corpus=corpus, classifier_id=classifier_id)
    if version.pk in classifiers_in_use(corpus=corpus).values():
        raise Conflict("This classifier is in use. Put another one into use first.", code="classifier_in_use")
    job = job_latest_by_subject(organization=organization, subject_ids=[version.pk]).get(version.pk)
    if job is not None and job.is_open:
        raise Conflict("This classifier is being trained. Cancel that first.", code="training_open")
    checkpoint_file(version.pk).unlink(missing_ok=True)
    if version.fingerprint:
        transaction.on_commit(partial(weights_drop, version.fingerprint))
    version.delete()
    audit(organization=organization, actor=user, action="classifier.removed", subject_id=corpus.pk)


def complexity_cancel(*, organization: Organization, corpus_id: UUID, classifier_id: UUID) -> Job:
    """Ask a training to stop; what it has done so far is kept until the version is removed.

    Raises:
        NotFound: no such corpus or version.
        Conflict: it has ended already.
    """
    return job_cancel(organization=organization, job_id=_job_of(organization, corpus_id, classifier_id).pk)


def complexity_resume(*, organization: Organization, corpus_id: UUID, classifier_id: UUID) -> Job:
    """Go on with a training that failed or was cancelled, from where it stopped.

    Raises:
        NotFound: no such corpus or version.
        Conflict: it is still at work, or done.
    """
    return job_retry(organization=organization, job_id=_job_of(organization, corpus_id, classifier_id).pk)


def _job_of(organization: Organization, corpus_id: UUID, classifier_id: UUID) -> Job:
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    version = classifier_get(corpus=corpus, classifier_id=classifier_id)
    job = job_latest_by_subject(organization=organization, subject_ids=[version.pk]).get(version.pk)
    if job is None:
        raise NotFound("job")
    return job


def settings_checked(values: dict[str, Any]) -> TrainingSettings:
    """Training settings from what people typed.

    Raises:
        ApplicationError: one of them does not fit; it is named.
    """
    try:
        return TrainingSettings.model_validate(values)
    except ValidationError as error:
        name = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise ApplicationError(f"The setting {name!r} of the training does not fit.", code="bad_setting") from error
