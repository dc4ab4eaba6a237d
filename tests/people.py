"""The people of the test suite: two organisations, one person a role, and an outsider."""

from dataclasses import dataclass

from django.contrib.auth.hashers import make_password
from django.test import Client
from django.utils import timezone

from legalqa.accounts.access import Acting
from legalqa.accounts.models import Membership, Organization, Role, User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services.tokens import token_create

PASSWORD = "a long enough password"


@dataclass(frozen=True)
class Firm:
    """An organisation with one member a role; `by_owner` and the like are who acts, for a service."""

    organization: Organization
    owner: User
    manager: User
    lawyer: User
    annotator: User

    @property
    def by_owner(self) -> Acting:
        return {"organization": self.organization, "user": self.owner}

    @property
    def by_manager(self) -> Acting:
        return {"organization": self.organization, "user": self.manager}

    @property
    def by_lawyer(self) -> Acting:
        return {"organization": self.organization, "user": self.lawyer}

    def member(self, role: Role) -> User:
        return {
            Role.OWNER: self.owner,
            Role.CORPUS_MANAGER: self.manager,
            Role.LAWYER: self.lawyer,
            Role.ANNOTATOR: self.annotator,
        }[role]

    def bearer(self, person: User, *scopes: TokenScope) -> dict[str, str]:
        """The header of a program that a person gave a token with these scopes."""
        with organization_scope(self.organization, user=person):
            _, secret = token_create(
                organization=self.organization, user=person, name="x", valid_days=1, scopes=list(scopes)
            )
        return {"Authorization": f"Bearer {secret}"}


def make_firm(slug: str, name: str) -> Firm:
    """The firm in four queries: a fifth of the suite begins with one."""
    organization = Organization.objects.create(slug=slug, name=name)
    people = {
        role: User(
            email=f"{role.value}@{slug}.example",
            password=make_password(PASSWORD),
            name=f"{role.label} of {name}",
            address_proved_at=timezone.now(),  # they opened an invitation that was mailed
        )
        for role in Role
    }
    User.objects.bulk_create(people.values())
    with organization_scope(organization, user=people[Role.OWNER]):
        Membership.objects.bulk_create(
            Membership(organization=organization, user=user, role=role) for role, user in people.items()
        )
    return Firm(
        organization, people[Role.OWNER], people[Role.CORPUS_MANAGER], people[Role.LAWYER], people[Role.ANNOTATOR]
    )


def signed_in(user: User) -> Client:
    """A browser in which the person is signed in."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client
