"""The rows of calls: written before a request is sent, closed after it, and swept if the process died in between."""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.llm.breaker import breakers_sweep
from legalqa.llm.models import OPEN, LLMCall
from legalqa.llm.pricing import cost_of
from legalqa.llm.selectors import Candidate, settings_get
from legalqa.llm.services.budgets import BudgetSpent, budget_reserve, budget_settle
from legalqa.llm.types import Outcome, Role

logger = logging.getLogger(__name__)
REMOVED_AT_ONCE = 10_000  # ours: a pass comes every five minutes
GRACE_S = 60  # if a call is open so long after its deadline, its process has died
PLACE = "SELECT pg_advisory_xact_lock(hashtextextended('llm:' || %s || ':' || %s, 0))"


class NoPlace(Exception):
    """The organisation already has as many requests in progress at the provider as are allowed."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What the calls of one question to the gateway have in common."""

    organization: Organization
    user: User | None
    role: Role
    asked_id: UUID
    prompt: str
    prompt_hash: str
    is_evaluation: bool = False
    subject: str = ""
    model: str = ""  # the only one that may be asked; "" for any


@dataclass(frozen=True, slots=True)
class Ending:
    """How a call ended."""

    outcome: Outcome
    reason: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    is_estimated: bool = False
    model_replied: str = ""
    milliseconds: float = 0.0
    is_free: bool = False  # answered from a recording


def call_open(
    *,
    asking: Asking,
    candidate: Candidate,
    request_hash: str,
    most_in: int,
    most_out: int,
    seconds: float,
    is_fallback: bool = False,
    is_repair: bool = False,
    blocks_dropped: int = 0,
) -> LLMCall:
    """Reserve the most that the call may cost and write its row, in a short transaction of its own.

    If a cap does not allow it, the row says so at once: its outcome is `quota`, and nothing may be sent. Each open row
    of any process takes a place at the provider; if its process dies, the place is free once the row expires.

    Args:
        most_in, most_out: Most tokens of the request and of the reply.
        seconds: How long the call may take.

    Raises:
        NoPlace: LLM_CONCURRENT calls of the organisation are open at the provider.
    """
    now = timezone.now()
    amount = cost_of(most_in, most_out, price_in=candidate.price_in, price_out=candidate.price_out)
    call = _row(asking, candidate, started=now)
    call.request_hash, call.reserved, call.blocks_dropped = request_hash, amount, blocks_dropped
    call.is_fallback, call.is_repair = is_fallback, is_repair
    call.expires_at = now + timedelta(seconds=seconds + GRACE_S)
    with organization_scope(asking.organization, user=asking.user):
        _place_take(call)
        try:
            with transaction.atomic():
                budget_reserve(
                    organization=asking.organization,
                    settings=settings_get(organization=asking.organization),
                    amount=amount,
                    started=now,
                    is_evaluation=asking.is_evaluation,
                )
        except BudgetSpent as spent:
            call.reserved, call.outcome, call.reason, call.milliseconds = 0, Outcome.QUOTA.value, str(spent), 0
        call.save(force_insert=True)
    return call


def _place_take(call: LLMCall) -> None:
    """Let one process at a time count the open calls; the caller's row counts once it is committed."""
    with connection.cursor() as cursor:
        cursor.execute(PLACE, [str(call.organization_id), str(call.provider_id)])
    calls = LLMCall.objects.filter(
        organization_id=call.organization_id, provider_id=call.provider_id, outcome=OPEN, expires_at__gt=call.started_at
    )
    if calls.count() >= settings.LLM_CONCURRENT:
        raise NoPlace


def call_note(*, asking: Asking, candidate: Candidate, ending: Ending, is_fallback: bool = False) -> LLMCall:
    """The row of a call that was never sent: the breaker is open, the text too long, the address not allowed."""
    call = _row(asking, candidate, started=timezone.now())
    call.outcome, call.reason, call.is_fallback, call.milliseconds = ending.outcome.value, ending.reason, is_fallback, 0
    with organization_scope(asking.organization, user=asking.user):
        call.save(force_insert=True)
    return call


def _row(asking: Asking, candidate: Candidate, *, started: datetime) -> LLMCall:
    """An unsaved row that says who asks which model for what; it expires at once."""
    return LLMCall(
        organization=asking.organization,
        asked_id=asking.asked_id,
        user=asking.user,
        role=asking.role.value,
        provider_id=candidate.provider_id,
        provider=candidate.provider,
        model=candidate.model,
        prompt=asking.prompt[:100],
        prompt_hash=asking.prompt_hash,
        is_evaluation=asking.is_evaluation,
        subject=asking.subject,
        started_at=started,
        expires_at=started,
    )


def call_settle(*, asking: Asking, call: LLMCall, candidate: Candidate, ending: Ending) -> None:
    """End an open call: its cost is spent, and the rest of the reserved amount is released."""
    cost = cost_of(ending.tokens_in, ending.tokens_out, price_in=candidate.price_in, price_out=candidate.price_out)
    with organization_scope(asking.organization, user=asking.user):
        _end(asking.organization, call, ending, cost=0 if ending.is_free else cost)
    if ending.outcome is not Outcome.OK:
        logger.warning(
            "llm call %s of role %s ended as %s after %.0f ms", call.pk, call.role, ending.outcome, ending.milliseconds
        )


def _end(organization: Organization, call: LLMCall, ending: Ending, *, cost: int) -> bool:
    n_rows = LLMCall.objects.filter(pk=call.pk, outcome=OPEN).update(
        outcome=ending.outcome.value,
        reason=ending.reason[:200],
        input_tokens=ending.tokens_in,
        output_tokens=ending.tokens_out,
        is_estimated=ending.is_estimated,
        model_replied=ending.model_replied[:100].replace("\x00", ""),
        cost=cost,
        milliseconds=int(ending.milliseconds),
        reserved=0,
    )
    if not n_rows:  # it was swept, which settled it
        return False
    budget_settle(
        organization=organization,
        settings=settings_get(organization=organization),
        reserved=call.reserved,
        cost=cost,
        started=call.started_at,
        is_evaluation=call.is_evaluation,
    )
    return True


def calls_sweep() -> int:
    """End calls whose process died, and return how many. What they cost is unknown: all that was reserved counts.

    Rows of old calls and of old breaker states are removed in the same pass.
    """
    n_ended = 0
    ending = Ending(Outcome.UNAVAILABLE, "The program stopped while it was waiting for the reply.", is_estimated=True)
    for organization in Organization.objects.order_by("pk"):
        with organization_scope(organization, user=None):
            calls = LLMCall.objects.filter(organization=organization, outcome=OPEN, expires_at__lt=timezone.now())
            for call in calls:
                n_ended += _end(organization, call, ending, cost=call.reserved)
            _old_remove(organization)
            breakers_sweep(organization=organization)
    return n_ended


def _old_remove(organization: Organization) -> None:
    """Remove calls that the operator keeps no longer, some at a time; budgets have their own sums."""
    long_ago = timezone.now() - timedelta(days=settings.LLM_CALLS_DAYS)
    old = LLMCall.objects.filter(organization=organization, started_at__lt=long_ago).exclude(outcome=OPEN)
    first = old.order_by("started_at").values_list("pk", flat=True)[:REMOVED_AT_ONCE]
    LLMCall.objects.filter(pk__in=list(first)).delete()
