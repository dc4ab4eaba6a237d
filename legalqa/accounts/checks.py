"""What `check --deploy` checks besides Django's own list: the safeguards outside the code."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import DatabaseError, connection

from legalqa.accounts.scoping import OrganizationModel


@register(Tags.security, deploy=True)
def field_keys_check(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:  # noqa: ARG001 - Django's signature
    """Whether stored secrets have a key of their own."""
    if settings.SECRET_KEY in settings.FIELD_KEYS:
        return [
            Error(
                "LEGALQA_FIELD_KEYS contains the secret key, so one leak would reveal both. Choose another value.",
                id="legalqa.E001",
            )
        ]
    return []


@register(Tags.security, deploy=True)
def database_check(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:  # noqa: ARG001 - Django's
    """Whether the database keeps organisations apart too, with a role that cannot get around that."""
    try:
        with connection.cursor() as cursor:
            return [*_role(cursor), *_tables(cursor), *_audit_log(cursor)]
    except DatabaseError as error:
        first = (str(error).splitlines() or ["no reason given"])[0]
        return [Error(f"The database does not answer, so its safeguards were not checked: {first}", id="legalqa.E002")]


def _role(cursor: Any) -> Iterator[CheckMessage]:
    cursor.execute("SELECT rolsuper OR rolbypassrls, current_user FROM pg_roles WHERE rolname = current_user")
    is_above, role = cursor.fetchone()
    cursor.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND tableowner = current_user")
    (n_owned,) = cursor.fetchone()
    if is_above or n_owned:
        what = "is a superuser or may bypass row-level security" if is_above else f"owns {n_owned} tables"
        yield Error(
            f"The application's role {role} {what}: it could see every organisation. Use a role without these rights.",
            id="legalqa.E003",
        )


def _tables(cursor: Any) -> Iterator[CheckMessage]:
    scoped = {model._meta.db_table for model in apps.get_models() if issubclass(model, OrganizationModel)}
    cursor.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
        " AND relrowsecurity AND relforcerowsecurity"
    )
    if open_tables := sorted(scoped - {name for (name,) in cursor.fetchall()}):
        yield Error(
            f"Row-level security is not forced on {', '.join(open_tables)}. Run `manage.py migrate`.", id="legalqa.E004"
        )


def _audit_log(cursor: Any) -> Iterator[CheckMessage]:
    cursor.execute(
        "SELECT count(*) FROM pg_trigger WHERE tgrelid = to_regclass('accounts_auditevent') AND tgenabled = 'O'"
        " AND tgname IN ('append_only', 'append_only_truncate', 'chain')"
    )
    (n_triggers,) = cursor.fetchone()
    if n_triggers != 3:
        yield Error(
            "The audit log's triggers are missing or switched off: its rows could be changed. Run `manage.py migrate`.",
            id="legalqa.E005",
        )
