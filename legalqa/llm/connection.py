"""Testing whether a model answers: send it one word and report the result in our words, never the provider's."""

from dataclasses import dataclass, replace
from decimal import Decimal
from uuid import UUID, uuid4

from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import audit, request_count
from legalqa.accounts.services.rates import Bucket, Rate
from legalqa.common.errors import TooMany
from legalqa.llm.calling import Result
from legalqa.llm.gateway import candidate_ask
from legalqa.llm.models import Provider
from legalqa.llm.selectors import Candidate, address_is_listed, candidate_of, endpoint_of, provider_get, role_model_get
from legalqa.llm.services.providers import address_check, key_check, key_stays
from legalqa.llm.transport import Endpoint
from legalqa.llm.types import Limits, LLMRequest, Message, Outcome, Role
from legalqa.llm.wire import Fault
from legalqa.llm.works import ChatWork, NumbersWork, Work

TESTS = Rate(10, 60)  # 10 tests a minute for an organisation: unlimited tests would make a port scanner
DEADLINE_S = 15.0
LOCAL_DEADLINE_S = 60.0  # a local server may load the model first
CONTEXT_TOKENS = 2048  # assumed for a model that is not set up yet: the test has only a few words
ANSWERS = frozenset({Outcome.OK, Outcome.TRUNCATED, Outcome.REFUSED, Outcome.FILTERED})  # the model replied
_ADVICE = {
    Fault.NAME: "Check the spelling of the address.",
    Fault.CONNECT: "Check the address, and whether a firewall is in the way.",
    Fault.CLOSED: "Check the port, and whether the server is running.",
    Fault.MODEL: "Spell it as the provider does; with Ollama, pull it first.",
    Fault.REQUEST: "Check the end of the address, usually /v1, and the model's name.",
    Fault.NO_REPLY: "The address must go up to /v1 of a server that speaks the OpenAI protocol.",
    Fault.REDIRECT: "Enter the address that it redirects to.",
    Fault.ADDRESS: "The operator allows addresses in LEGALQA_LLM_ADDRESSES.",
}


@dataclass(frozen=True, slots=True)
class Tested:
    """Whether a model answers, and a sentence about it."""

    works: bool
    message: str


def role_model_test(*, organization: Organization, user: User, role_model_id: UUID) -> Tested:
    """Send a model one word and report whether it works. Opens its own transactions; the call is in the ledger.

    Raises:
        NotFound: no such model.
        TooMany: ten within a minute.
    """
    with organization_scope(organization, user=user):
        row = role_model_get(organization=organization, role_model_id=role_model_id)
        role, candidate = Role(row.role), candidate_of(row=row)
    outcome = candidate_test(organization=organization, user=user, role=role, candidate=candidate)
    _note(organization, user, role_model_id, outcome)
    return outcome


def connection_test(
    *,
    organization: Organization,
    user: User,
    model: str,
    role: Role = Role.ANSWER,
    provider_id: UUID | None = None,
    base_url: str = "",
    key: str = "",
    is_local: bool | None = None,
) -> Tested:
    """Test, as `role_model_test`, a model that is not saved: of a stored provider, or at an address with a key.

    Args:
        provider_id: A stored provider; `base_url`, `key` and `is_local` take precedence over its stored values.

    Raises:
        EgressRefused, ApplicationError: as saving it would.
        NotFound: no such provider.
        TooMany: ten within a minute.
    """
    provider = None
    if provider_id is not None:
        with organization_scope(organization, user=user):
            provider = provider_get(organization=organization, provider_id=provider_id)
        is_local = provider.is_local if is_local is None else is_local
    candidate = Candidate(
        provider_id=provider_id or uuid4(),
        provider=provider.name if provider else "not saved yet",
        endpoint=_endpoint(provider, base_url, key),
        model=model,
        price_in=Decimal(0),
        price_out=Decimal(0),
        context_tokens=CONTEXT_TOKENS,
        is_local=bool(is_local),
    )
    outcome = candidate_test(organization=organization, user=user, role=role, candidate=candidate)
    _note(organization, user, provider_id, outcome)
    return outcome


def candidate_test(*, organization: Organization, user: User | None, role: Role, candidate: Candidate) -> Tested:
    """Test any candidate, as `role_model_test`; tests by a person count towards their organisation's ten a minute."""
    if user is not None:
        bucket = Bucket(organization.pk, "llm-test", TESTS)
        standing = request_count(organization_id=organization.pk, user=user, buckets=[bucket])
        if standing.wait_s:
            raise TooMany(
                f"At most {TESTS.limit} tests a minute. Try again in {standing.wait_s} seconds.",
                code="throttled",
                extra={"retry_after": standing.wait_s},
            )
    deadline_s = LOCAL_DEADLINE_S if candidate.is_local else DEADLINE_S
    result = candidate_ask(
        organization=organization,
        user=user,
        role=role,
        candidate=replace(candidate, limits=Limits(first_token_s=deadline_s, between_s=deadline_s)),
        work=_work(role),
        deadline_s=deadline_s,
    )
    return Tested(result.outcome in ANSWERS, _sentence(result, deadline_s))


def _sentence(result: Result, deadline_s: float) -> str:
    if result.outcome in ANSWERS:
        return "It works."
    if result.fault is Fault.LATE:
        return (
            f"It does not work: no complete reply within {deadline_s:.0f} seconds. It is too slow, or still loading "
            "the model; try again in a minute."
        )
    reason = result.reason[:1].lower() + result.reason[1:]
    return f"It does not work: {reason} {_ADVICE.get(result.fault, '') if result.fault else ''}".strip()


def _endpoint(provider: Provider | None, base_url: str, key: str) -> Endpoint | None:
    if provider is not None and not base_url and not key:
        return endpoint_of(provider=provider)
    checked = address_check(base_url=base_url or (provider.base_url if provider else ""))
    key = key_check(key=key)
    if provider is not None:
        key_stays(provider=provider, base_url=checked, key=key)
        if not key and checked == provider.base_url:
            return endpoint_of(provider=provider)
    return Endpoint(checked, key, is_trusted=address_is_listed(base_url=checked))


def _note(organization: Organization, user: User, subject_id: UUID | None, outcome: Tested) -> None:
    with organization_scope(organization, user=user):
        audit(
            organization=organization, actor=user, action="llm.model_tested", subject_id=subject_id, works=outcome.works
        )


def _work(role: Role) -> Work:
    if role is Role.EMBED:
        return NumbersWork(["law"])
    if role is Role.RERANK:
        return NumbersWork(["law", "rent"], "law")
    messages = (Message("user", "Reply with the word: yes"),)
    return ChatWork(LLMRequest(role, messages, "connection-test@1", "0" * 64, max_tokens=8), None)
