"""The providers that an organisation's owners set up, and the models that they use from them."""

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
KEY_MAX = 500  # characters of a key
KEY_SHOWN_FROM = 12  # characters: the last four of a shorter key would give away too much


def provider_create(
    *,
    organization: Organization,
    user: User,
    name: str,
    base_url: str,
    key: str = "",
    is_local: bool = False,
    model: str = "",
) -> Provider:
    """Add a provider. Opens its own transaction, after a typed address was looked up.

    Args:
        is_local: It runs on a machine of your own: its models have other default limits.
        model: One of its models, which writes answers from now on; "" for none yet.

    Raises:
        EgressRefused: a typed address that breaks a rule or leads into a private network.
        ApplicationError: an address that the operator does not allow, or a key with blanks in it.
        Conflict: the name is taken, or there are too many.
    """
    base_url = address_check(base_url=base_url)
    key = key_check(key=key)
    with organization_scope(organization, user=user):
        if Provider.objects.filter(organization=organization).count() >= PROVIDERS_MAX:
            raise Conflict(f"An organisation has at most {PROVIDERS_MAX} providers. Remove one first.", code="too_many")
        provider = Provider(organization=organization, name=name, base_url=base_url, is_local=is_local, created_by=user)
        _seal(provider, key)
        _save(provider)
        audit(organization=organization, actor=user, action="llm.provider_created", subject_id=provider.pk)
        if model:
            role_model_create(
                organization=organization, user=user, role=Role.ANSWER, provider_id=provider.pk, model=model
            )
    return provider


def provider_update(
    *,
    organization: Organization,
    user: User,
    provider_id: UUID,
    name: str,
    base_url: str,
    key: str = "",
    is_local: bool | None = None,
) -> Provider:
    """Change a provider; an empty key keeps the stored one, and so does `is_local` None. Opens its own transaction.

    Raises:
        ApplicationError: as `provider_create`; or a new address without a key, if one is stored: it would be sent to
            an address that it was not entered for.
        NotFound: no such provider.
        Conflict: the name is taken.
    """
    base_url = address_check(base_url=base_url)
    key = key_check(key=key)
    with organization_scope(organization, user=user):
        provider = provider_get(organization=organization, provider_id=provider_id)
        key_stays(provider=provider, base_url=base_url, key=key)
        is_new_key = bool(key)
        provider.name, provider.base_url = name, base_url
        provider.is_local = provider.is_local if is_local is None else is_local
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
    """Remove a provider, its key and its models; the ledger keeps their calls.

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
    **limits: int | None,
) -> RoleModel:
    """Add a model of a provider to a role, after those already in it.

    Args:
        limits: Any of `deadline_s`, `first_token_s`, `between_s`, `evidence_tokens`; None for the default.

    Raises:
        NotFound: no such provider.
        Conflict: it already has that role, or there are too many models.
    """
    provider = provider_get(organization=organization, provider_id=provider_id)
    models = RoleModel.objects.filter(organization=organization)
    if models.count() >= MODELS_MAX:
        raise Conflict(f"An organisation has at most {MODELS_MAX} models. Remove one first.", code="too_many")
    last = models.filter(role=role.value).aggregate(last=Max("place"))["last"]
    row = RoleModel(
        organization=organization,
        role=role.value,
        provider=provider,
        model=model,
        place=0 if last is None else last + 1,
        price_in=price_in,
        price_out=price_out,
        context_tokens=context_tokens,
        **limits,
    )
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        raise Conflict(
            "This provider's model already has that role. Change the row it has, or choose another role.",
            code="model_taken",
        ) from None
    audit(organization=organization, actor=user, action="llm.model_added", subject_id=row.pk, role=role.value)
    return row


def role_model_update(*, organization: Organization, user: User, role_model_id: UUID, **values: Any) -> RoleModel:
    """Change a model's prices, context size and limits.

    Args:
        values: Any of `price_in`, `price_out`, `context_tokens` and the limits, as `role_model_create` takes them.

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
    """Move a model to the first place in its role; the others keep their order.

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


def address_check(*, base_url: str) -> str:
    """The checked address in the form in which it is stored.

    Raises:
        EgressRefused, ApplicationError: it may not be called; the message says what the operator would have to set.
    """
    base_url = base_url.strip().rstrip("/")
    if address_is_listed(base_url=base_url):
        return base_url
    if not settings.LLM_FREE_ENTRY:
        raise ApplicationError(address_words(base_url=base_url), code="address")
    if "?" in base_url:
        raise ApplicationError(
            "The address must not contain a question mark: paths are appended to it.", code="address"
        )
    target_of(base_url)
    return base_url


def address_words(*, base_url: str) -> str:
    """What to do about an address that the operator has not listed."""
    is_plain = base_url.startswith(("http://", "https://")) and base_url.isascii() and not set(base_url) & set(" ,\"'")
    if not is_plain:
        return (
            "An address must begin with http:// or https:// and contain no spaces, for example "
            "http://localhost:11434/v1."
        )
    line = ", ".join([*settings.LLM_ADDRESSES, base_url])
    return (
        "The operator has not allowed this address. To allow it, the operator sets "
        f"LEGALQA_LLM_ADDRESSES={line} and restarts LegalQA."
    )


def key_stays(*, provider: Provider, base_url: str, key: str) -> None:
    """Refuse to send the stored key of a provider to another address than its own."""
    if base_url != provider.base_url and provider.sealed_key and not key:
        raise ApplicationError(
            "Enter the key again: the stored one is for the old address and is not sent elsewhere.", code="key_needed"
        )


def key_check(*, key: str) -> str:
    """The key without blanks around it.

    Raises:
        ApplicationError: it is too long, or contains characters that no key has.
    """
    key = key.strip()
    if len(key) > KEY_MAX or not key.isascii() or any(sign <= " " for sign in key):
        raise ApplicationError(f"A key can have at most {KEY_MAX} ASCII characters and no spaces.", code="key")
    return key


def _seal(provider: Provider, key: str) -> None:
    provider.sealed_key = key_seal(organization_id=provider.organization_id, base_url=provider.base_url, key=key)
    provider.key_last4 = key[-4:] if len(key) >= KEY_SHOWN_FROM else ""
    provider.key_changed_at = timezone.now() if key else None


def _save(provider: Provider) -> None:
    try:
        with transaction.atomic():
            provider.save()
    except IntegrityError:
        raise Conflict("A provider already has this name. Choose another one.", code="name_taken") from None
