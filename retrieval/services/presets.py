"""Presets that a corpus has saved, beside the presets of the product."""

import re
from collections.abc import Mapping
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from corpora.models import Corpus
from corpora.selectors import corpus_get
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import audit
from legalqa.common.errors import Conflict, NotFound
from retrieval.models import SavedPreset
from retrieval.pipelines.changing import PresetError
from retrieval.pipelines.presets import PRESETS, Preset, preset_get

MAX_SAVED = 50  # ours, a corpus: a list that a person can still read
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{1,39}")


def saved_preset_list(*, organization: Organization) -> QuerySet[SavedPreset]:
    """Those of the corpora that the active person may read."""
    readable = Corpus.objects.filter(organization=organization)
    saved = SavedPreset.objects.filter(organization=organization, corpus__in=readable)
    return saved.select_related("corpus").order_by("corpus__name", "name")


def saved_preset_of_corpus(*, organization: Organization, corpus_id: UUID) -> QuerySet[SavedPreset]:
    """Those of one corpus.

    Raises:
        NotFound: no such corpus, or you have no access to it.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    return saved_preset_list(organization=organization).filter(corpus=corpus)


def preset_of(*, saved: SavedPreset, overrides: Mapping[str, str] | None = None, hits: int = 1) -> Preset:
    """A saved preset under its own name, with single settings changed on top."""
    preset = preset_get(saved.base, {**saved.overrides, **(overrides or {})}, hits=hits)
    return preset.model_copy(update={"name": saved.name, "title": saved.name})


def preset_save(
    *, organization: Organization, user: User, corpus_id: UUID, name: str, base: str, overrides: Mapping[str, str]
) -> SavedPreset:
    """Save a preset with changed settings under a name of its own.

    Raises:
        NotFound: no such corpus.
        PresetError: the name or a setting does not fit.
        Conflict: the name is taken, or the corpus has MAX_SAVED already.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    if not _NAME.fullmatch(name):
        raise PresetError(
            f"The name {name!r} does not fit: use 2 to 40 small letters, digits and hyphens, such as long-contracts."
        )
    preset_get(base, overrides)
    presets = SavedPreset.objects.filter(organization=organization, corpus=corpus)
    if presets.count() >= MAX_SAVED:
        raise Conflict(f"The corpus has {MAX_SAVED} saved presets already. Delete one first.", code="too_many_presets")
    conflict = Conflict(f"The name {name!r} is taken. Choose another one.", code="name_taken")
    if name in PRESETS:
        raise conflict
    try:
        with transaction.atomic():
            saved = SavedPreset.objects.create(
                organization=organization,
                corpus=corpus,
                name=name,
                base=base,
                overrides=dict(overrides),
                created_by=user,
            )
    except IntegrityError:
        raise conflict from None
    audit(organization=organization, actor=user, action="preset.saved", subject_id=saved.pk)
    return saved


def saved_preset_remove(*, organization: Organization, user: User, corpus_id: UUID, preset_id: UUID) -> None:
    """Delete a saved preset; answers made with it keep their settings.

    Raises:
        NotFound: no such corpus, or it has no such setting.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    n_removed, _ = SavedPreset.objects.filter(organization=organization, corpus=corpus, pk=preset_id).delete()
    if not n_removed:
        raise NotFound("preset")
    audit(organization=organization, actor=user, action="preset.removed", subject_id=preset_id)


def preset_resolve(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    name: str,
    overrides: Mapping[str, str] | None = None,
    hits: int = 1,
) -> Preset:
    """The preset of that name for a corpus: one that comes with the product, or one that the corpus keeps.

    Opens its own short transaction where it has to look.

    Args:
        organization: Whose corpus it is.
        user: Who asks; None for the system.
        corpus_id: The corpus that will be searched.
        name: As people chose or typed it.
        overrides: Single settings on top.
        hits: Find at least this many chunks, unless the overrides say how many are kept.

    Raises:
        PresetError: no such preset for this corpus, or a setting that does not fit.
    """
    changes = dict(overrides or {})
    if name in PRESETS:
        return preset_get(name, changes, hits=hits)
    with organization_scope(organization, user=user):
        presets = saved_preset_list(organization=organization).filter(corpus_id=corpus_id)
        saved = presets.filter(name=name).first()
        names = [*PRESETS, *presets.values_list("name", flat=True)]
    if saved is None:
        raise PresetError(f"No preset of this corpus is called {name!r}; choose one of: {', '.join(names)}.")
    return preset_of(saved=saved, overrides=changes, hits=hits)
