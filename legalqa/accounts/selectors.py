"""Who belongs where. Look-ups by person run before any organisation is active, the others inside one."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from legalqa.accounts.models import (
    ApiToken,
    AuditEvent,
    Invitation,
    Membership,
    Organization,
    RecoveryCode,
    SecondFactor,
    Session,
    User,
)
from legalqa.accounts.scoping import user_scope
from legalqa.common.errors import ApplicationError, NotFound, existing

RENEWALS_DAYS = 30


def membership_list_of_user(*, user: User) -> list[Membership]:
    """All memberships of a person, by name of the organisation."""
    with user_scope(user):
        memberships = Membership._base_manager.select_related("organization", "user").filter(user=user)
        return list(memberships.order_by("organization__name"))


def membership_get(*, user: User, slug: str) -> Membership:
    """The person's membership in the organisation; strangers get the same error as for an unknown slug."""
    with user_scope(user):
        memberships = Membership._base_manager.select_related("organization", "user")
        membership = memberships.filter(user=user, user__is_active=True, organization__slug=slug).first()
    if membership is None:
        raise NotFound
    return membership


def user_find(*, email: str) -> User | None:
    return User.objects.filter(email=email.strip().lower()).first()


def token_find(*, digest: str) -> ApiToken | None:
    """The token with that digest, unless it has ended."""
    in_time = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return ApiToken.objects.select_related("user").filter(in_time, digest=digest, revoked_at=None).first()


def token_list(*, organization: Organization, user: User) -> QuerySet[ApiToken]:
    """A person's tokens in the organisation that have not been revoked, newest first."""
    tokens = ApiToken.objects.filter(organization=organization, user=user, revoked_at=None)
    return tokens.order_by("-created_at")


def membership_of_token(*, token: ApiToken) -> Membership | None:
    """The membership for which a token acts; None once the person has left."""
    with user_scope(token.user):
        memberships = Membership._base_manager.select_related("organization", "user")
        return memberships.filter(user=token.user, user__is_active=True, organization_id=token.organization_id).first()


def member_list(*, organization: Organization) -> QuerySet[Membership]:
    memberships = Membership.objects.filter(organization=organization).select_related("user")
    return memberships.order_by("user__name", "user__email")


def member_get(*, organization: Organization, membership_id: UUID) -> Membership:
    return existing(member_list(organization=organization).filter(pk=membership_id).first(), "member")


def invitation_list(*, organization: Organization) -> QuerySet[Invitation]:
    """Invitations that have not been accepted yet."""
    return Invitation.objects.filter(organization=organization, accepted_at=None).order_by("-created_at")


def second_factor_get(*, user: User) -> SecondFactor | None:
    """The person's second factor, once a first code has confirmed it."""
    return SecondFactor.objects.exclude(confirmed_at=None).filter(user=user).first()


def second_factor_waiting(*, user: User) -> SecondFactor | None:
    """The person's second factor that waits for its first code."""
    return SecondFactor.objects.filter(user=user, confirmed_at=None).first()


def recovery_codes_left(*, user: User) -> int:
    return RecoveryCode.objects.filter(user=user, used_at=None).count()


def session_list(*, user: User) -> QuerySet[Session]:
    """The person's open sessions, the most recently used first."""
    now = timezone.now()
    awake = now - timedelta(seconds=settings.SESSION_IDLE_S)
    sessions = Session.objects.filter(user=user, expire_date__gt=now, last_seen_at__gt=awake)
    return sessions.order_by("-last_seen_at")


def people_by_id(*, ids: Iterable[UUID | None]) -> dict[UUID, User]:
    """People by their ids, former members too: anyone who may read a log may see their names."""
    return User.objects.in_bulk({person_id for person_id in ids if person_id})


def audit_list(
    *,
    organization: Organization,
    person_id: UUID | None = None,
    action: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
    after: int | None = None,
) -> QuerySet[AuditEvent]:
    """Rows of the audit log, newest first.

    Args:
        person_id: What this person did, and what was done to them.
        action: One kind of act.
        since: From this time on.
        until: Before this time.
        after: Rows with a higher sequence number.
    """
    bounds = {"action": action or None, "at__gte": since, "at__lt": until, "sequence__gt": after}
    filters = {column: value for column, value in bounds.items() if value is not None}
    events = AuditEvent.objects.filter(organization=organization, **filters)
    if person_id is not None:
        events = events.filter(Q(actor_id=person_id) | Q(subject_id=person_id))
    return events.order_by("-sequence")


@dataclass(frozen=True, slots=True)
class Renewal:
    """A person who chose a new password because it was not proved that the account was theirs."""

    person: User
    at: datetime


def renewal_list(*, organization: Organization) -> list[Renewal]:
    """Renewals of members' and former members' accounts in the last thirty days, newest first."""
    since = timezone.now() - timedelta(days=RENEWALS_DAYS)
    events = list(audit_list(organization=organization, action="account.renewed", since=since))
    people = people_by_id(ids=[event.subject_id for event in events])
    renewals = ((people.get(event.subject_id), event.at) for event in events if event.subject_id)
    return [Renewal(person, at) for person, at in renewals if person is not None]


def audit_people(*, organization: Organization) -> list[User]:
    """Everyone who did something by the log, and all members, by name."""
    events = AuditEvent.objects.filter(organization=organization).exclude(actor_id=None)
    members = member_list(organization=organization).values_list("user_id", flat=True)
    ids = {*events.values_list("actor_id", flat=True).order_by().distinct(), *members}
    return sorted(people_by_id(ids=ids).values(), key=lambda person: (str(person).lower(), person.email))


def organization_get(*, slug: str | None) -> Organization:
    """The organisation that a command names, or the only one, or `demo`.

    Raises:
        ApplicationError: none of these exists; the message lists what does.
    """
    organizations = {o.slug: o for o in Organization.objects.order_by("slug")}
    if slug is None and len(organizations) == 1:
        return next(iter(organizations.values()))
    organization = organizations.get(slug or "demo")
    if organization is None:
        slugs = ", ".join(organizations) or "none yet: run `manage.py demo`, or create one in the operator's admin"
        raise ApplicationError(
            f"There is no organisation {slug or 'demo'!r}. Name one with --organization: {slugs}.",
            code="unknown_organization",
        )
    return organization
