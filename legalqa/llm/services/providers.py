"""Providers of an organisation and the models that it takes from them, as its owners set them up."""

from decimal import Decimal
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import audit
from legalqa.common.egress import target_of
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.llm.keys import key_seal
from legalqa.llm.models import Provider, RoleModel
from legalqa.llm.selectors import address_is_listed, provider_get, role_model_get
from legalqa.llm.types import Role

PROVIDERS_MAX = 20
MODELS_MAX = 50
KEY_MAX = 500


def provider_create(*, organization: Organization, user: User, name: str, base_url: str, key: str = "") -> Provider:
    """Set a provider up. Opens its own transaction: a typed address is looked up before it.

    Raises:
        EgressRefused: a typed address that breaks a rule or leads into a private network.
        ApplicationError: an address that the operator does not allow, or a key with blanks in it.
        Conflict: the name is taken, or there are too many.
    """
    base_url = _address(base_url)
    key = _key(key)
    with organization_scope(organization, user=user):
        if Provider.objects.filter(organization=organization).count() >= PROVIDERS_MAX:
            raise Conflict(f"An organisation has at most {PROVIDERS_MAX} providers. Remove one first.", code="too_many")
        provider = Provider(organization=organization, name=name, base_url=base_url, created_by=user)
        _seal(provider, key)
        _save(provider)
        audit(organization=organization, actor=user, action="llm.provider_created", subject_id=provider.pk)
    return provider


def provider_update(
    *, organization: Organization, user: User, provider_id: UUID, name: str, base_url: str, key: str = ""
) -> Provider:
    """Change a provider; an empty key keeps the stored one. Opens its own transaction.

    Raises:
        ApplicationError: as `provider_create`; and a new address without a key, where one is stored: it would be sent
            to a place that it was not given for.
        NotFound: no such provider.
        Conflict: the name is taken.
    """
    base_url = _address(base_url)
    key = _key(key)
    with organization_scope(organization, user=user):
        provider = provider_get(organization=organization, provider_id=provider_id)
        if base_url != provider.base_url and provider.sealed_key and not key:
            raise ApplicationError(
                "Give the key again: the stored one is for the old address and is not sent elsewhere.",
                code="key_needed",
            )
        is_new_key = bool(key)
        provider.name, provider.base_url = name, base_url
        if is_new_key:
            _seal(provider, key)
        _save(provider)
        audit(
            organization=organization,
            actor=user,
            action="llm.provider_changed",
            subject_id=provider.pk,
            new_key=is_new_key,
        )
    return provider


def provider_delete(*, organization: Organization, user: User, provider_id: UUID) -> None:
    """Remove a provider, its key and its models; the ledger keeps what they did.

    Raises:
        NotFound: no such provider.
    """
    provider_get(organization=organization, provider_id=provider_id).delete()
    audit(organization=organization, actor=user, action="llm.provider_removed", subject_id=provider_id)


def role_model_create(
    *,
    organization: Organization,
    user: User,
    role: Role,
    provider_id: UUID,
    model: str,
    price_in: Decimal = Decimal(0),
    price_out: Decimal = Decimal(0),
    context_tokens: int = 8192,
) -> RoleModel:
    """Let a model of a provider answer in a role, after those that are there.

    Raises:
        NotFound: no such provider.
        Conflict: it answers in that role already, or there are too many.
    """
    provider = provider_get(organization=organization, provider_id=provider_id)
    mine = RoleModel.objects.filter(organization=organization)
    if mine.count() >= MODELS_MAX:
        raise Conflict(f"An organisation has at most {MODELS_MAX} models. Remove one first.", code="too_many")
    last = mine.filter(role=role.value).aggregate(last=Max("place"))["last"]
    row = RoleModel(
        organization=organization,
        role=role.value,
        provider=provider,
        model=model,
        place=0 if last is None else last + 1,
        price_in=price_in,
        price_out=price_out,
        context_tokens=context_tokens,
    )
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        raise Conflict("This model of this provider answers in that role already.", code="model_taken") from None
    audit(organization=organization, actor=user, action="llm.model_added", subject_id=row.pk, role=role.value)
    return row


def role_model_update(*, organization: Organization, user: User, role_model_id: UUID, **values: Any) -> RoleModel:
    """Change a model's prices and context size.

    Args:
        values: Of `price_in`, `price_out`, `context_tokens`.

    Raises:
        NotFound: no such model.
    """
    row = role_model_get(organization=organization, role_model_id=role_model_id)
    for name, value in values.items():
        setattr(row, name, value)
    row.save(update_fields=list(values))
    audit(organization=organization, actor=user, action="llm.model_changed", subject_id=row.pk, role=row.role)
    return row


def role_model_first(*, organization: Organization, user: User, role_model_id: UUID) -> RoleModel:
    """Have a model asked first in its role; the others follow in the order they had.

    Raises:
        NotFound: no such model.
    """
    row = role_model_get(organization=organization, role_model_id=role_model_id)
    others = RoleModel.objects.filter(organization=organization, role=row.role).exclude(pk=row.pk)
    for place, other in enumerate([row, *others.order_by("place", "pk")]):
        RoleModel.objects.filter(pk=other.pk).update(place=place)
    audit(organization=organization, actor=user, action="llm.model_first", subject_id=row.pk, role=row.role)
    return row


def role_model_delete(*, organization: Organization, user: User, role_model_id: UUID) -> None:
    """Take a model out of its role.

    Raises:
        NotFound: no such model.
    """
    row = role_model_get(organization=organization, role_model_id=role_model_id)
    role = row.role
    row.delete()
    audit(organization=organization, actor=user, action="llm.model_removed", subject_id=role_model_id, role=role)


def _address(base_url: str) -> str:
    """The address as it is stored, judged."""
    base_url = base_url.strip().rstrip("/")
    if address_is_listed(base_url):
        return base_url
    if not settings.LLM_FREE_ENTRY:
        listed = ", ".join(settings.LLM_ADDRESSES) or "none"
        raise ApplicationError(f"The operator does not allow this address. Choose one of: {listed}.", code="address")
    if "?" in base_url:
        raise ApplicationError("The address must hold no question mark: paths are added to it.", code="address")
    target_of(base_url)
    return base_url


def _key(key: str) -> str:
    key = key.strip()
    if len(key) > KEY_MAX or not key.isascii() or any(sign <= " " for sign in key):
        raise ApplicationError(f"A key has at most {KEY_MAX} plain characters and no blanks.", code="key")
    return key


def _seal(provider: Provider, key: str) -> None:
    provider.sealed_key = key_seal(organization_id=provider.organization_id, base_url=provider.base_url, key=key)
    provider.key_last4 = key[-4:] if len(key) >= 12 else ""  # of a short one they would give away too much
    provider.key_changed_at = timezone.now() if key else None


def _save(provider: Provider) -> None:
    try:
        with transaction.atomic():
            provider.save()
    except IntegrityError:
        raise Conflict("There is a provider of this name already. Choose another one.", code="name_taken") from None
