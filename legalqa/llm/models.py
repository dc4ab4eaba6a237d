"""Providers of language models, which of them answers in which role, budgets, and every call.

Money is whole millionths of the currency in which the organisation enters its prices: a price per million tokens is
then the price of one token in millionths, and sums are exact.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from legalqa.accounts.scoping import SameOrganizationKey, UuidModel
from legalqa.common.encryption import EncryptedTextField
from legalqa.llm.types import ROLES_IN_USE, Outcome, Role

ROLE_CHOICES = [
    (Role.ANSWER.value, "Write answers"),
    (Role.REWRITE.value, "Rewrite questions"),
    (Role.EXTRACT.value, "Read entities and statements"),
    (Role.JUDGE.value, "Judge answers"),
    (Role.EMBED.value, "Embed texts"),
    (Role.MODERATE.value, "Moderate questions"),
    (Role.RERANK.value, "Rerank passages"),
]
ROLE_CHOICES_IN_USE = [(key, label) for key, label in ROLE_CHOICES if key in ROLES_IN_USE]
# The lowest and highest value of each limit of a model: seconds, and tokens of evidence.
LIMIT_BOUNDS = {
    "deadline_s": (5, settings.LLM_DEADLINE_MAX_S),
    "first_token_s": (1, settings.LLM_DEADLINE_MAX_S),
    "between_s": (1, settings.LLM_DEADLINE_MAX_S),
    "evidence_tokens": (100, 1_000_000),
}
OPEN = "open"  # sent, and no reply yet
OUTCOME_CHOICES = [
    (OPEN, "Under way"),
    (Outcome.OK.value, "Answered"),
    (Outcome.REFUSED.value, "Refused by the model"),
    (Outcome.TRUNCATED.value, "Incomplete"),
    (Outcome.FILTERED.value, "Stopped by the provider's filter"),
    (Outcome.INVALID.value, "Unusable reply"),
    (Outcome.OVERFLOW.value, "Too long for the model"),
    (Outcome.QUOTA.value, "Budget or account used up"),
    (Outcome.UNAVAILABLE.value, "No answer"),
    (Outcome.CANCELLED.value, "Cancelled"),
]


class Provider(UuidModel):
    """A company or machine that runs models, and the key to it.

    sealed_key: JSON of the key with the organisation and the address that it is for, encrypted; "" without one.
    is_local: It runs on a machine of the organisation or the operator: its models have other default limits.
    """

    name = models.CharField(max_length=60)
    base_url = models.CharField(max_length=300)
    sealed_key = EncryptedTextField(default="")
    key_last4 = models.CharField(max_length=4, default="")
    key_changed_at = models.DateTimeField(null=True)
    is_local = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "name"], name="provider_once")]

    def __str__(self) -> str:
        return self.name


class RoleModel(UuidModel):
    """A model of a provider in a role; of several, the one with the lowest `place` is asked first.

    price_in, price_out: Per million tokens.
    context_tokens: The most for question, evidence and answer together.
    deadline_s, first_token_s, between_s, evidence_tokens: As in `legalqa.llm.types.Limits`; None for the defaults.
    """

    role = models.CharField(max_length=12, choices=ROLE_CHOICES)
    provider = SameOrganizationKey(Provider)
    model = models.CharField(max_length=100)
    place = models.PositiveSmallIntegerField()
    price_in = models.DecimalField(max_digits=9, decimal_places=4, default=0)
    price_out = models.DecimalField(max_digits=9, decimal_places=4, default=0)
    context_tokens = models.PositiveIntegerField(default=8192)
    deadline_s = models.PositiveSmallIntegerField(null=True)
    first_token_s = models.PositiveSmallIntegerField(null=True)
    between_s = models.PositiveSmallIntegerField(null=True)
    evidence_tokens = models.PositiveIntegerField(null=True)

    class Meta:
        verbose_name = "model in a role"
        verbose_name_plural = "models in roles"
        constraints = [
            models.UniqueConstraint(fields=["organization", "role", "provider", "model"], name="role_model_once"),
            models.CheckConstraint(condition=Q(role__in=[r.value for r in Role]), name="role_model_role_known"),
            models.CheckConstraint(condition=Q(price_in__gte=0, price_out__gte=0), name="role_model_price_sane"),
        ]

    def __str__(self) -> str:
        return f"{self.role}: {self.model}"


class GatewaySettings(UuidModel):
    """What the organisation allows; without a row, the defaults.

    cap_request, cap_day, cap_month, cap_evaluation: Millionths of the price list's currency; None for no cap.
    allows_fallback: Another provider may be asked if the first does not answer.
    uses_operator: The operator's own model may answer if the organisation has set up none.
    """

    allows_fallback = models.BooleanField(default=False)
    uses_operator = models.BooleanField(default=True)
    cap_request = models.BigIntegerField(null=True)
    cap_day = models.BigIntegerField(null=True)
    cap_month = models.BigIntegerField(null=True)
    cap_evaluation = models.BigIntegerField(null=True)
    calls_per_minute = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization"], name="gateway_settings_once")]

    def __str__(self) -> str:
        return "language models"


class BudgetKind(models.TextChoices):
    DAY = "day", "Today"
    MONTH = "month", "This month"
    EVALUATION = "evaluation", "Evaluations this month"


class BudgetWindow(UuidModel):
    """What an organisation has spent on models in a day or month.

    spent: By calls that have ended; reserved: for calls in progress. Millionths of the price list's currency.
    """

    kind = models.CharField(max_length=12, choices=BudgetKind)
    starts = models.DateField()
    spent = models.BigIntegerField(default=0)
    reserved = models.BigIntegerField(default=0)
    alerted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "kind", "starts"], name="budget_window_once"),
            models.CheckConstraint(condition=Q(kind__in=BudgetKind.values), name="budget_window_kind_known"),
            models.CheckConstraint(condition=Q(spent__gte=0, reserved__gte=0), name="budget_window_sane"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} from {self.starts}"


class BreakerState(UuidModel):
    """The results of the last calls to a model of a provider (its id, or "operator") that failed recently.

    state: JSON of `legalqa.llm.breaker`.
    """

    provider = models.CharField(max_length=36)
    model = models.CharField(max_length=100)
    state = models.JSONField()
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "provider", "model"], name="breaker_once")]

    def __str__(self) -> str:
        return f"{self.provider} {self.model}"


class LLMCall(UuidModel):
    """One request to a provider, written before it is sent. None of its text is kept, only hashes and counts.

    asked_id: The same for every try, repair and fallback of one question to the gateway.
    provider_id: No foreign key, because the provider may have been removed since. None for the operator's.
    reserved: Until the call has ended; cost: what it cost. Millionths of the price list's currency.
    subject: What it was made for, as in `LLMRequest`.
    expires_at: If the call is still open then, its process has died.
    """

    asked_id = models.UUIDField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    role = models.CharField(max_length=12, choices=ROLE_CHOICES)
    provider_id = models.UUIDField(null=True)
    provider = models.CharField(max_length=60)
    model = models.CharField(max_length=100)
    model_replied = models.CharField(max_length=100, default="")
    prompt = models.CharField(max_length=100)
    prompt_hash = models.CharField(max_length=64)
    request_hash = models.CharField(max_length=64)
    outcome = models.CharField(max_length=12, choices=OUTCOME_CHOICES, default=OPEN)
    reason = models.CharField(max_length=200, default="")
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    is_estimated = models.BooleanField(default=False)
    reserved = models.BigIntegerField(default=0)
    cost = models.BigIntegerField(default=0)
    is_fallback = models.BooleanField(default=False)
    is_repair = models.BooleanField(default=False)
    is_evaluation = models.BooleanField(default=False)
    subject = models.CharField(max_length=60, default="")
    blocks_dropped = models.PositiveSmallIntegerField(default=0)
    started_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    milliseconds = models.PositiveIntegerField(null=True)

    class Meta:
        verbose_name = "call of a language model"
        verbose_name_plural = "calls of language models"
        constraints = [
            models.CheckConstraint(condition=Q(role__in=[r.value for r in Role]), name="llm_call_role_known"),
            models.CheckConstraint(condition=Q(outcome__in=[c for c, _ in OUTCOME_CHOICES]), name="llm_call_outcome"),
            models.CheckConstraint(condition=Q(reserved__gte=0, cost__gte=0), name="llm_call_money_sane"),
        ]
        indexes = [
            models.Index(F("organization"), F("started_at").desc(), name="llm_call_by_time"),
            models.Index(fields=["organization", "subject"], condition=~Q(subject=""), name="llm_call_by_subject"),
            models.Index(fields=["organization", "expires_at"], condition=Q(outcome=OPEN), name="llm_call_open"),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.model} {self.outcome}"
