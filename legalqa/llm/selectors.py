"""Which models may answer in a role, what is spent, and the list of calls; inside the organisation's scope."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, date
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from legalqa.accounts.models import Organization
from legalqa.common.dates import day_begins, day_ends
from legalqa.common.encryption import SecretUnreadable
from legalqa.common.errors import existing
from legalqa.llm.keys import key_unseal
from legalqa.llm.models import (
    OUTCOME_CHOICES,
    ROLE_CHOICES,
    BudgetKind,
    BudgetWindow,
    GatewaySettings,
    LLMCall,
    Provider,
    RoleModel,
)
from legalqa.llm.pricing import amount_text, money
from legalqa.llm.transport import Endpoint
from legalqa.llm.types import LOCAL_LIMITS, Limits, Role

OPERATOR = "the operator's model"
OPERATOR_RERANKER = "the operator's endpoint"
CHAT_ROLES = frozenset(Role) - {Role.EMBED, Role.RERANK}
BACKGROUND = "background"  # takes the place of the person for background work
GROUPS = ("day", "role", "model", "user", "outcome")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model that may be asked, with everything that is needed for it; `endpoint` is None if it must not be called."""

    provider_id: UUID | None  # None: the operator's
    provider: str
    endpoint: Endpoint | None
    model: str
    price_in: Decimal
    price_out: Decimal
    context_tokens: int
    is_local: bool = False
    limits: Limits = field(default_factory=Limits)
    rerank_shape: str = "cohere"  # or "tei"
    rerank_path: str = "/rerank"

    def is_called(self, name: str) -> bool:
        """Whether that is the model's name, alone or after its provider's; "" names every model."""
        return name in ("", self.model, f"{self.provider}/{self.model}")


def address_is_listed(*, base_url: str) -> bool:
    """Whether the operator has listed exactly this address."""
    return base_url.rstrip("/") in {address.rstrip("/") for address in settings.LLM_ADDRESSES}


def settings_get(*, organization: Organization) -> GatewaySettings:
    """What the organisation allows; unsaved defaults if it has saved nothing."""
    row = GatewaySettings.objects.filter(organization=organization).first()
    return row or GatewaySettings(organization=organization)


def operator_candidate(*, organization: Organization, role: Role = Role.ANSWER) -> Candidate | None:
    """The model set in the environment, if there is one and the operator lets this organisation use it."""
    if not settings.LLM_URL or not {"*", organization.slug} & set(settings.LLM_FOR):
        return None
    return Candidate(
        provider_id=None,
        provider=OPERATOR,
        endpoint=Endpoint(settings.LLM_URL, settings.LLM_KEY, is_trusted=True),
        model=settings.LLM_MODEL,
        price_in=settings.LLM_PRICE_IN,
        price_out=settings.LLM_PRICE_OUT,
        context_tokens=settings.LLM_CONTEXT,
        is_local=settings.LLM_LOCAL,
        limits=limits_of(
            role=role,
            is_local=settings.LLM_LOCAL,
            own=Limits(settings.LLM_DEADLINE_S, settings.LLM_FIRST_S, settings.LLM_BETWEEN_S, settings.LLM_EVIDENCE),
        ),
    )


def operator_reranker() -> Candidate | None:
    """The rerank endpoint set in the environment; its address is complete, with the path."""
    if not settings.RERANK_URL:
        return None
    parts = urlsplit(settings.RERANK_URL)
    folder, _, name = parts.path.rpartition("/")
    base_url = f"{parts.scheme}://{parts.netloc}{folder}"
    return Candidate(
        provider_id=None,
        provider=OPERATOR_RERANKER,
        endpoint=Endpoint(base_url, settings.RERANK_API_KEY, is_trusted=True),
        model=settings.RERANK_MODEL,
        price_in=Decimal(0),
        price_out=Decimal(0),
        context_tokens=0,
        rerank_shape=settings.RERANK_SHAPE,
        rerank_path=f"/{name}{'?' if parts.query else ''}{parts.query}",
    )


def limits_of(*, role: Role, is_local: bool, own: Limits) -> Limits:
    """A model's limits: those that were set (never 0); if it is local, the rest are the defaults of local models."""
    usual = LOCAL_LIMITS.get(role, Limits()) if is_local else Limits()
    return replace(usual, **{name: value for name, value in asdict(own).items() if value})


def candidate_list(*, organization: Organization, role: Role) -> list[Candidate]:
    """Models for a role in the order in which they are asked; the operator's if the organisation has set up none."""
    rows = RoleModel.objects.filter(organization=organization, role=role).select_related("provider")
    own = [candidate_of(row=row) for row in rows.order_by("place", "pk")]
    if own or not settings_get(organization=organization).uses_operator:
        return own
    operator = operator_candidate(organization=organization, role=role) if role in CHAT_ROLES else None
    if role is Role.RERANK:
        operator = operator_reranker()
    return [operator] if operator else []


def candidate_of(*, row: RoleModel) -> Candidate:
    provider = row.provider
    return Candidate(
        provider_id=provider.pk,
        provider=provider.name,
        endpoint=endpoint_of(provider=provider),
        model=row.model,
        price_in=row.price_in,
        price_out=row.price_out,
        context_tokens=row.context_tokens,
        is_local=provider.is_local,
        limits=limits_of(
            role=Role(row.role),
            is_local=provider.is_local,
            own=Limits(row.deadline_s, row.first_token_s, row.between_s, row.evidence_tokens),
        ),
    )


def endpoint_of(*, provider: Provider) -> Endpoint | None:
    """Where to call the provider; None if the operator no longer allows it or its key cannot be decrypted."""
    is_listed = address_is_listed(base_url=provider.base_url)
    if not is_listed and not settings.LLM_FREE_ENTRY:
        return None
    try:
        key = key_unseal(
            organization_id=provider.organization_id, base_url=provider.base_url, sealed=provider.sealed_key
        )
    except SecretUnreadable:
        return None
    return Endpoint(provider.base_url, key, is_trusted=is_listed)


def provider_list(*, organization: Organization) -> QuerySet[Provider]:
    return Provider.objects.filter(organization=organization).order_by("name")


def provider_get(*, organization: Organization, provider_id: UUID) -> Provider:
    return existing(provider_list(organization=organization).filter(pk=provider_id).first(), "provider")


def role_model_list(*, organization: Organization) -> QuerySet[RoleModel]:
    rows = RoleModel.objects.filter(organization=organization).select_related("provider")
    return rows.order_by("role", "place", "pk")


def role_model_get(*, organization: Organization, role_model_id: UUID) -> RoleModel:
    return existing(role_model_list(organization=organization).filter(pk=role_model_id).first(), "model")


@dataclass(frozen=True, slots=True)
class Budget:
    """A cap and how much of it is used, in millionths; `cap` None for no cap."""

    kind: BudgetKind
    starts: date
    cap: int | None
    spent: int
    reserved: int

    @property
    def texts(self) -> dict[str, str]:
        """The amounts for people."""
        amounts = {"spent": self.spent, "reserved": self.reserved, "cap": self.cap}
        return {name: "none" if value is None else amount_text(value) for name, value in amounts.items()}

    @property
    def percent(self) -> int | None:
        return None if not self.cap else min(100, (self.spent + self.reserved) * 100 // self.cap)

    @property
    def is_nearly_used(self) -> bool:
        return self.percent is not None and self.percent >= 80


def budget_list(*, organization: Organization) -> list[Budget]:
    """The current budgets of this day and month."""
    allowed, today = settings_get(organization=organization), timezone.now().date()
    starts = {kind: today if kind == BudgetKind.DAY else today.replace(day=1) for kind in BudgetKind}
    rows = BudgetWindow.objects.filter(organization=organization, starts__in=set(starts.values()))
    by_window = {(row.kind, row.starts): row for row in rows}
    budgets = []
    for kind, start in starts.items():
        row = by_window.get((kind.value, start))
        cap: int | None = getattr(allowed, f"cap_{kind.value}")
        budgets.append(Budget(kind, start, cap, row.spent if row else 0, row.reserved if row else 0))
    return budgets


def call_list(*, organization: Organization, filters: Mapping[str, Any]) -> QuerySet[LLMCall]:
    """Calls, the newest first.

    Args:
        filters: `since` and `until` (days, both included), `role`, `model`, `user` (an id, or BACKGROUND), `outcome`
            and `subject`; empty ones are ignored.
    """
    rows = LLMCall.objects.filter(organization=organization).select_related("user")
    if since := filters.get("since"):
        rows = rows.filter(started_at__gte=day_begins(since))
    if until := filters.get("until"):
        rows = rows.filter(started_at__lt=day_ends(until))
    columns = {"user": "user_id"}
    for name in ("role", "model", "user", "outcome", "subject"):
        column = columns.get(name, name)
        if value := filters.get(name):
            rows = rows.filter(user=None) if value == BACKGROUND else rows.filter(**{column: value})
    return rows.order_by("-started_at", "-pk")


@dataclass(frozen=True, slots=True)
class CostRow:
    """Totals of the calls of one group; `key` is the filter value that lists them."""

    key: str
    label: str
    calls: int
    answered: int
    input_tokens: int
    output_tokens: int
    cost: Decimal
    cost_text: str


def cost_list(*, organization: Organization, filters: Mapping[str, Any], by: str) -> list[CostRow]:
    """Sums over calls by day, role, model, user, outcome or subject; most expensive first, but days newest first."""
    column = {"day": "day", "user": "user_id"}.get(by, by)
    rows = call_list(organization=organization, filters=filters).order_by().select_related(None)
    if by == "day":
        rows = rows.annotate(day=TruncDate("started_at", tzinfo=UTC))
    names = (column, "user__name") if by == "user" else (column,)
    sums = rows.values(*names).annotate(
        n=Count("pk"),
        answered=Count("pk", filter=Q(outcome="ok")),
        tokens_in=Sum("input_tokens"),
        tokens_out=Sum("output_tokens"),
        money=Sum("cost"),
    )
    order = ("-day",) if by == "day" else ("-money", column)
    return [_cost_row(row, by=by, column=column) for row in sums.order_by(*order)]


def _cost_row(row: Mapping[str, Any], *, by: str, column: str) -> CostRow:
    value = row[column]
    label = str(value or "")
    if by == "user":
        label = str(row["user__name"] or "Background work")
    elif by in ("role", "outcome"):
        label = dict(ROLE_CHOICES if by == "role" else OUTCOME_CHOICES)[value]
    return CostRow(
        key=BACKGROUND if value is None else str(value),
        label=label,
        calls=row["n"],
        answered=row["answered"],
        input_tokens=row["tokens_in"],
        output_tokens=row["tokens_out"],
        cost=money(row["money"]),
        cost_text=amount_text(row["money"]),
    )
