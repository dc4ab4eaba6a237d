"""The parameter mappings of a corpus: versions, which one is active, and presets made concrete for a question."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Max, QuerySet
from pydantic import ValidationError

from corpora.models import Corpus
from corpora.selectors import corpus_get
from corpora.services.corpus import corpus_lock
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit, reply_note
from legalqa.common.config import misfit_words
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from retrieval.complexity import Prediction, complexity_predict
from retrieval.complexity.types import MAX_CLASSES, MIN_CLASSES
from retrieval.models import MappingVersion
from retrieval.pipelines.adaptive import Adapted, ParameterMapping, class_words, mapping_hand_set, preset_adapt
from retrieval.pipelines.presets import Preset
from retrieval.pipelines.request import SearchRequest

MAX_VERSIONS = 200  # ours, a corpus and number of classes


@dataclass(frozen=True, slots=True)
class ActiveMapping:
    """The mapping that counts for a corpus; `number` is 0 for the hand-set one of the paper."""

    mapping: ParameterMapping
    number: int


def mapping_read(*, data: object) -> ParameterMapping:
    """A mapping from JSON.

    Raises:
        ApplicationError: it does not fit; says where and why.
    """
    try:
        return ParameterMapping.model_validate(data)
    except ValidationError as error:
        raise ApplicationError(misfit_words(error, whole="the mapping"), code="bad_mapping") from None


def mapping_versions(*, organization: Organization, corpus_id: UUID, n_classes: int) -> QuerySet[MappingVersion]:
    """The versions of a corpus for this many classes, newest first.

    Raises:
        NotFound: no such corpus, or you have no access to it.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    versions = MappingVersion.objects.filter(organization=organization, corpus=corpus, n_classes=n_classes)
    return versions.select_related("created_by").order_by("-number")


def mapping_active(*, corpus: Corpus, n_classes: int) -> ActiveMapping:
    """The mapping that counts now: the active version, or the hand-set one."""
    active = MappingVersion.objects.filter(corpus=corpus, n_classes=n_classes, is_active=True).first()
    if active is None:
        return ActiveMapping(mapping_hand_set(n_classes), 0)
    return ActiveMapping(mapping_read(data=active.mapping), active.number)


def mapping_save(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    mapping: ParameterMapping,
    tuning_id: UUID | None = None,
) -> MappingVersion:
    """Keep a mapping as the corpus's newest version and use it from now on.

    Raises:
        NotFound: no such corpus.
        Conflict: the corpus has MAX_VERSIONS of this many classes already.
    """
    corpus = corpus_lock(organization=organization, corpus_id=corpus_id)
    versions = MappingVersion.objects.filter(organization=organization, corpus=corpus, n_classes=mapping.n_classes)
    number = 1 + (versions.aggregate(last=Max("number"))["last"] or 0)
    if number > MAX_VERSIONS:
        raise Conflict(f"The corpus has {MAX_VERSIONS} versions already; use one of them.", code="too_many_versions")
    versions.filter(is_active=True).update(is_active=False)
    version = MappingVersion.objects.create(
        organization=organization,
        corpus=corpus,
        n_classes=mapping.n_classes,
        number=number,
        mapping=mapping.model_dump(mode="json"),
        is_active=True,
        tuning_id=tuning_id,
        created_by=user,
    )
    reply_note(subject_id=version.pk)
    audit(
        organization=organization,
        actor=user,
        action="mapping.saved",
        subject_id=corpus.pk,
        number=number,
        classes=mapping.n_classes,
    )
    return version


def mapping_use(
    *, organization: Organization, user: User, corpus_id: UUID, n_classes: int, number: int
) -> MappingVersion | None:
    """Use an older version again; 0 is the hand-set mapping, and then nothing is returned.

    Raises:
        NotFound: no such corpus, or it has no such version.
    """
    corpus = corpus_lock(organization=organization, corpus_id=corpus_id)
    versions = MappingVersion.objects.filter(organization=organization, corpus=corpus, n_classes=n_classes)
    version = versions.filter(number=number).first()
    if number and version is None:
        raise NotFound("version")
    versions.filter(is_active=True).update(is_active=False)
    if version is not None:
        version.is_active = True
        version.save(update_fields=["is_active"])
    audit(
        organization=organization,
        actor=user,
        action="mapping.used",
        subject_id=corpus.pk,
        number=number,
        classes=n_classes,
    )
    return version


def preset_for_question(*, request: SearchRequest) -> tuple[Preset, dict[str, Any] | None]:
    """The preset with everything filled in that follows from how complex the question is, and the trail's step for it.

    Opens its own short transaction. A preset that is not adaptive comes back as it is, without a step. The classifier
    and the mapping of the corpus count, and before the predicted class the one that a person chose.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        ApplicationError: there is no such class, or no classifier of this many.
    """
    preset, complexity = request.preset, request.complexity
    if preset.adaptive is None:
        return preset, None
    n_classes = preset.adaptive.n_classes
    if complexity is not None and not 0 <= complexity < n_classes:
        raise ApplicationError(
            f"There is no class {complexity}; with {n_classes} classes, give 0 to {n_classes - 1}.",
            code="unknown_class",
        )
    with request.scope():
        corpus = corpus_get(organization=request.organization, corpus_id=request.corpus_id)
        active = mapping_active(corpus=corpus, n_classes=n_classes)
    # Outside the transaction: it may ask the encoder's process.
    prediction = complexity_predict(corpus=corpus, text=request.text, n_classes=n_classes)
    label = prediction.label if complexity is None else complexity
    adapted = preset_adapt(preset, label=label, mapping=active.mapping)
    return adapted.preset, _step(label, prediction, active, adapted, is_chosen=complexity is not None)


def _step(
    label: int, prediction: Prediction, active: ActiveMapping, adapted: Adapted, *, is_chosen: bool
) -> dict[str, Any]:
    """What the trail keeps: the class, who chose it, and what every parameter came to."""
    return {
        "step": "complexity",
        "class": label,
        "words": class_words(label, prediction.n_classes),
        "chosen_by": "person" if is_chosen else "classifier",
        "predicted": prediction.label,
        "n_classes": prediction.n_classes,
        "probabilities": list(prediction.probabilities),
        "classifier": prediction.model,
        "classifier_version": prediction.version,
        "classifier_fingerprint": prediction.fingerprint,
        "mapping": active.number,
        "k": adapted.k,
        "k_by_ranking": adapted.is_banded,
        "rewrites": adapted.rewrites,
        "keywords": adapted.keywords,
        "path_length": adapted.path_length,
    }


def classes_check(*, n_classes: int) -> int:
    """Raise NotFound where no mapping has this many classes."""
    if not MIN_CLASSES <= n_classes <= MAX_CLASSES:
        raise NotFound("mapping")
    return n_classes
