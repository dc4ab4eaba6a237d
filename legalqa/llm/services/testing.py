"""Whether a model answers: yes or no and nothing more, so that nobody looks through it into a network."""

from uuid import UUID

from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import audit, request_count
from legalqa.accounts.services.rates import Bucket, Rate
from legalqa.common.errors import ApplicationError
from legalqa.llm.gateway import candidate_ask
from legalqa.llm.selectors import Candidate, candidate_of, role_model_get
from legalqa.llm.types import LLMRequest, Message, Outcome, Role
from legalqa.llm.works import ChatWork, NumbersWork, Work

TESTS = Rate(10, 60)  # of an organisation: it would be a port scanner otherwise
DEADLINE_S = 15.0
ANSWERS = frozenset({Outcome.OK, Outcome.TRUNCATED, Outcome.REFUSED, Outcome.FILTERED})  # somebody is there


class TooManyTests(ApplicationError):
    status = 429


def role_model_test(*, organization: Organization, user: User, role_model_id: UUID) -> bool:
    """Send a model one word and say whether it works. Opens its own transactions; the call is in the ledger.

    Raises:
        NotFound: no such model.
        TooManyTests: ten within a minute.
    """
    with organization_scope(organization, user=user):
        row = role_model_get(organization=organization, role_model_id=role_model_id)
        role, candidate = Role(row.role), candidate_of(row)
    works = candidate_test(organization=organization, user=user, role=role, candidate=candidate)
    with organization_scope(organization, user=user):
        audit(organization=organization, actor=user, action="llm.model_tested", subject_id=role_model_id, works=works)
    return works


def candidate_test(*, organization: Organization, user: User | None, role: Role, candidate: Candidate) -> bool:
    """As `role_model_test`, of any candidate; a person's tests count towards the ten a minute of their organisation."""
    if user is not None:
        bucket = Bucket(organization.pk, "llm-test", TESTS)
        standing = request_count(organization_id=organization.pk, user=user, buckets=[bucket])
        if standing.wait_s:
            raise TooManyTests(
                f"At most {TESTS.limit} tests a minute. Try again in {standing.wait_s} seconds.",
                code="throttled",
                extra={"retry_after": standing.wait_s},
            )
    outcome = candidate_ask(
        organization=organization,
        user=user,
        role=role,
        candidate=candidate,
        work=_work(role),
        deadline_s=DEADLINE_S,
    )
    return outcome in ANSWERS


def _work(role: Role) -> Work:
    if role is Role.EMBED:
        return NumbersWork(["law"])
    if role is Role.RERANK:
        return NumbersWork(["law", "rent"], "law")
    messages = (Message("user", "Reply with the word: yes"),)
    return ChatWork(LLMRequest(role, messages, "connection-test@1", "0" * 64, max_tokens=8), None)
