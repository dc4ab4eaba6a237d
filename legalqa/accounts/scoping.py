"""The active organisation: queries raise without one, and the database is told which it is for each transaction.

Every row of an organisation has two locks. The manager here filters by the scope and raises without one, so that a
forgotten scope is noticed. Row-level security in PostgreSQL reads the same two settings and shows nothing without them,
so that a query that bypasses the manager finds no rows (`legalqa/accounts/isolation.py`).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connection, models, transaction

from legalqa.common.errors import ScopeError

if TYPE_CHECKING:
    from legalqa.accounts.models import Organization, User

# SET LOCAL rather than set_config(): servers that forward statements to others forward the former, but not the latter.
# It takes no parameters in the server's protocol, so the cursor writes the values, quoted, into the text.
_SET_SCOPE = "SET LOCAL app.organization_id = %s; SET LOCAL app.user_id = %s"
_SET_TIME = "; SET LOCAL statement_timeout = %s"
SYSTEM = "system"  # background work: inside one organisation, behind every wall


@dataclass(frozen=True, slots=True)
class Scope:
    organization_id: UUID
    user: str  # a user's id, or SYSTEM


_active: ContextVar[Scope | None] = ContextVar("organization_scope", default=None)


def active_scope() -> Scope:
    """The scope in which queries run.

    Raises:
        ScopeError: none is active; enter one with `organization_scope`.
    """
    scope = _active.get()
    if scope is None:
        raise ScopeError("A query needs an organisation: enter organization_scope() first.")
    return scope


def scope_is_active() -> bool:
    """Whether a transaction of an organisation is open."""
    return _active.get() is not None


@contextmanager
def organization_scope(organization: "Organization | UUID", *, user: "User | UUID | None") -> Iterator[Scope]:
    """Run a block, in one transaction, as `user` of `organization`; `user=None` is background work.

    The settings are local to the transaction, so that the next user of a pooled connection does not inherit them.

    Raises:
        ScopeError: another organisation or user is active; leave that block first.
    """
    scope = Scope(_id(organization), SYSTEM if user is None else str(_id(user)))
    outer = _active.get()
    if outer is not None and outer != scope:
        raise ScopeError("Another organisation or person is active: leave that scope before entering the next.")
    is_nested = connection.in_atomic_block
    with transaction.atomic():
        before = _settings() if is_nested else ("", "")
        _set(str(scope.organization_id), scope.user)
        token = _active.set(scope)
        try:
            yield scope
        finally:
            _active.reset(token)
        if is_nested:
            _set(*before)  # a released savepoint keeps its settings; a rolled back one does not


@contextmanager
def user_scope(user: "User | UUID") -> Iterator[None]:
    """A transaction in which a person's own memberships are visible, before any organisation is chosen."""
    if _active.get() is not None:
        raise ScopeError("An organisation is active: look up a person's memberships before entering one.")
    is_nested = connection.in_atomic_block
    with transaction.atomic():
        before = _settings() if is_nested else ("", "")
        _set("", str(_id(user)))
        yield
        if is_nested:
            _set(*before)


def connection_give_back() -> None:
    """Give the connection back to its pool before long work outside any transaction: encoding, opening, receiving.

    Otherwise a request keeps its connection until it ends, and eight waiting requests would leave none for the others.
    Does nothing without a pool: nobody waits for the connection, and opening it again costs more than that saves.
    """
    if not connection.in_atomic_block and connection.settings_dict["OPTIONS"].get("pool"):
        connection.close()


def _id(value: Any) -> UUID:
    return value if isinstance(value, UUID) else UUID(str(value.pk))


def _set(organization_id: str, user: str) -> None:
    statements, values = _SET_SCOPE, [organization_id, user]
    if user == SYSTEM:  # a statement of background work may take longer than one that a person waits for
        statements += _SET_TIME
        values.append(f"{settings.JOB_STATEMENT_S}s")
    with connection.cursor() as cursor:
        cursor.execute(statements, values)


def _settings() -> tuple[str, str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('app.organization_id', true), current_setting('app.user_id', true)")
        organization_id, user = cursor.fetchone()
    return organization_id or "", user or ""


_M_co = TypeVar("_M_co", bound=models.Model, covariant=True)


class OrganizationManager(models.Manager[_M_co]):
    """Rows of the active organisation; raises ScopeError without one."""

    def get_queryset(self) -> "models.QuerySet[_M_co]":
        return super().get_queryset().filter(organization_id=active_scope().organization_id)


SetType = TypeVar("SetType")
GetType = TypeVar("GetType")


class OrganizationModel(models.Model):
    """A row that belongs to one organisation. Its table is isolated in the migration that creates it.

    Every query on it names the organisation, even those that Django writes (`legalqa/common/database/compilers.py`).
    """

    # No index of its own: the unique constraints and indexes of every table start with the organisation.
    organization = models.ForeignKey(
        "accounts.Organization", on_delete=models.CASCADE, related_name="+", editable=False, db_index=False
    )

    objects = OrganizationManager()

    class Meta:
        abstract = True

    @classmethod
    def organization_named(cls) -> UUID | None:
        """The organisation that the database backend puts into every query on this table; None outside a scope."""
        scope = _active.get()
        return None if scope is None else scope.organization_id


class SameOrganizationKey(models.ForeignKey[SetType, GetType]):
    """A key to a row of the same organisation: the migration that creates the table puts a constraint on both columns.

    It has no index of its own either: those of the table start with the organisation. Migrations see Django's key.
    """

    def __init__(self, to: type[models.Model] | str, on_delete: Any = models.CASCADE, **more: Any) -> None:
        usual: dict[str, Any] = {"related_name": "+", "db_constraint": False, "db_index": False}
        super().__init__(to, on_delete, **usual | more)

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        name, _, arguments, more = super().deconstruct()
        return name, "django.db.models.ForeignKey", arguments, more


class UuidModel(OrganizationModel):
    """A row of an organisation with a random id, which addresses and programs use."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)

    class Meta:
        abstract = True
