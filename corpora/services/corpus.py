"""Corpora and their walls."""

import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.text import slugify
from pydantic import TypeAdapter, ValidationError

from corpora.configs import CHUNKER_KINDS, ChunkerConfig, SentenceChunking
from corpora.models import Corpus, CorpusMember
from corpora.selectors import corpus_get
from corpora.services.walls import alone_inside
from legalqa.accounts.models import Membership, Organization, User
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from legalqa.common.followers import followers_call
from legalqa.common.storable import UNSTORABLE

_CHUNKERS: TypeAdapter[ChunkerConfig] = TypeAdapter(ChunkerConfig)


def corpus_create(
    *,
    organization: Organization,
    user: User | None,
    name: str,
    description: str = "",
    is_walled: bool = False,
    chunker: dict[str, Any] | None = None,
) -> Corpus:
    """Create an empty corpus; the creator of a walled one is its first member.

    Raises:
        ApplicationError: the name is empty or the chunker's settings are wrong.
        Conflict: an open corpus has the name already.
    """
    corpus = Corpus(
        id=uuid.uuid4(),
        organization=organization,
        name=name.strip()[:120],
        slug=_slug(name),
        description=description.strip()[:300],
        is_walled=is_walled,
        chunker=chunker_check(settings=chunker or {}).model_dump(mode="json"),
    )
    try:
        with transaction.atomic():
            if is_walled and user is not None:
                # Before the corpus: the wall is checked when its row is written.
                CorpusMember.objects.create(organization=organization, corpus=corpus, user=user)
            corpus.save(force_insert=True)
    except IntegrityError:
        raise _name_taken(name) from None
    audit(organization=organization, actor=user, action="corpus.created", subject_id=corpus.pk, is_walled=is_walled)
    return corpus


def corpus_update(
    *,
    organization: Organization,
    user: User,
    corpus_id: uuid.UUID,
    name: str | None = None,
    description: str | None = None,
    is_walled: bool | None = None,
) -> Corpus:
    """Rename a corpus, describe it, set up or remove its wall; None leaves a field as it is.

    The person who sets up a wall is inside.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        ApplicationError: the name has no letter or digit.
        Conflict: an open corpus has the name already.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    before = corpus.name
    if name is not None:
        corpus.name, corpus.slug = name.strip()[:120], _slug(name)
    if description is not None:
        corpus.description = description.strip()[:300]
    if is_walled and not corpus.is_walled:
        CorpusMember.objects.get_or_create(organization=organization, corpus=corpus, user=user)
    corpus.is_walled = corpus.is_walled if is_walled is None else is_walled
    try:
        with transaction.atomic():
            corpus.save(update_fields=["name", "slug", "is_walled", "description"])
    except IntegrityError:
        raise _name_taken(corpus.name) from None
    if corpus.name != before:
        audit(organization=organization, actor=user, action="corpus.renamed", subject_id=corpus.pk)
    audit(
        organization=organization, actor=user, action="corpus.updated", subject_id=corpus.pk, is_walled=corpus.is_walled
    )
    return corpus


def corpus_change(*, corpus: Corpus, fields: tuple[str, ...] = ()) -> None:
    """Raise the version of a corpus whose row the caller has locked: from its commit on, searches find something else.

    Args:
        corpus: The corpus.
        fields: Those of its fields that changed with it.
    """
    corpus.version += 1
    corpus.save(update_fields=[*fields, "version"])
    followers_call("corpus_changed", corpus=corpus)


def corpus_lock(*, organization: Organization, corpus_id: uuid.UUID, even_leaving: bool = False) -> Corpus:
    """The corpus, its row locked to the end of the transaction, so that what is in use and at work stays as it is read.

    Raises:
        NotFound, Conflict: as `corpus_get`.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id, even_leaving=even_leaving)
    return Corpus.objects.select_for_update().get(pk=corpus.pk)


def _slug(name: str) -> str:
    slug = slugify(name, allow_unicode=True)[:60]
    if not slug:
        raise ApplicationError("A corpus needs a name with at least one letter or digit.", code="name_needed")
    return slug


def _name_taken(name: str) -> Conflict:
    return Conflict(f"A corpus already has the name {name!r}. Choose another name.", code="name_taken")


def corpus_member_add(
    *, organization: Organization, user: User, corpus_id: uuid.UUID, member_id: uuid.UUID
) -> CorpusMember:
    """Let a member of the organisation through the wall.

    Raises:
        NotFound: no such corpus, or the person is not a member of the organisation.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    if not Membership.objects.filter(organization=organization, user_id=member_id).exists():
        raise NotFound("member")
    member, _ = CorpusMember.objects.get_or_create(organization=organization, corpus=corpus, user_id=member_id)
    audit(
        organization=organization, actor=user, action="corpus.member_added", subject_id=corpus.pk, member=str(member_id)
    )
    return member


def corpus_member_remove(*, organization: Organization, user: User, corpus_id: uuid.UUID, member_id: uuid.UUID) -> None:
    """Put a person outside the wall; the last one inside cannot go, or nobody could ever open it again.

    People with closed accounts do not count: they cannot open it either.

    Raises:
        NotFound: no such corpus, or the person is not named in it.
        Conflict: the person is the last one inside.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    if corpus.is_walled and corpus.pk in alone_inside(organization=organization, user_id=member_id):
        raise Conflict("The last person with access cannot be removed: add someone else first.", code="last_member")
    deleted, _ = CorpusMember.objects.filter(corpus=corpus, user_id=member_id).delete()
    if not deleted:
        raise NotFound("member")
    audit(
        organization=organization,
        actor=user,
        action="corpus.member_removed",
        subject_id=corpus.pk,
        member=str(member_id),
    )


def chunker_check(*, settings: dict[str, Any]) -> ChunkerConfig:
    """The chunker that `settings` describe; the default for none.

    Raises:
        ApplicationError: an unknown chunker or a wrong value.
    """
    if not settings:
        return SentenceChunking()
    kind = settings.get("kind")
    if not isinstance(kind, str) or kind not in CHUNKER_KINDS:
        raise ApplicationError(
            f"There is no chunker {str(kind)[:40]!r}. Choose one of: {', '.join(CHUNKER_KINDS)}.", code="chunker"
        )
    if any(UNSTORABLE.search(value) for value in _strings(settings)):
        raise ApplicationError(
            "The chunker's settings contain a character that cannot be stored (NUL or half a surrogate pair). Remove "
            "it.",
            code="chunker",
        )
    try:
        return _CHUNKERS.validate_python(settings)
    except ValidationError as error:
        raise ApplicationError(_in_words(kind, error), code="chunker", extra=_where(error)) from None


def _strings(value: object) -> Iterator[str]:
    """Every string in a value of JSON, names included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from (*_strings(key), *_strings(inner))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)


def _where(error: ValidationError) -> dict[str, str]:
    """The setting that is wrong, without the chunker's name before it."""
    return {"setting": ".".join(str(part) for part in error.errors()[0]["loc"][1:])}


def _in_words(kind: str, error: ValidationError) -> str:
    first, where = error.errors()[0], _where(error)["setting"]
    if first["type"] == "value_error":  # the sentence is ours
        return str(first["ctx"]["error"])
    if first["type"] == "extra_forbidden":
        names = ", ".join(name for name in CHUNKER_KINDS[kind].model_fields if name != "kind")
        return f"The chunker {kind} has no setting {where[:40]!r}. Its settings are: {names}."
    return f"The chunker's setting {where!r} is wrong: {first['msg'].removeprefix('Input ')}."
