"""Every query of the product on an organisation's table names the organisation, for every such table in it.

Row-level security would keep organisations apart without that. A database divided by organisation needs it: a query
that names none goes to every part. Read as text, by its shape in Django's SQL and in ours, and once for each text.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from traceback import extract_stack
from typing import Any
from unittest.mock import patch

from django.apps import apps
from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper

from legalqa.accounts.scoping import OrganizationModel

# A table where a query reads or writes it, and its alias.
_TABLE = re.compile(r'\b(FROM|JOIN|UPDATE|INTO)\s+"?(\w+)"?(?:\s+(?:AS\s+)?"?(\w+)"?)?', re.IGNORECASE)
_NO_ALIAS = {"set", "where", "on", "inner", "left", "join", "group", "order", "limit", "for", "values", "using"}
_COMPARED = r'"?organization_id"?\s*(?:=|IN\b)|=\s*(?:"?{alias}"?\.)"?organization_id"?'
_OURS = re.compile(r"(tests|corpora|retrieval|judging|legalqa(?!/common/database))/")

nameless: list[str] = []


@contextmanager
def unnamed() -> Iterator[None]:
    """Queries leave the organisation out, to see that the database keeps to it without being told."""
    with patch.object(OrganizationModel, "organization_named", lambda: None):
        yield


def note_nameless(execute: Callable[..., Any], query: Any, parameters: Any, many: Any, context: Any) -> Any:
    """A wrapper around every query of a connection (Django's `execute_wrappers`)."""
    text = query if isinstance(query, str) else query.as_string(None)
    if tables := tables_without_organization(text):
        root = f"{settings.BASE_DIR}/"
        frames = [(frame.filename.removeprefix(root), frame.lineno) for frame in extract_stack()[:-1]]
        places = [f"{name}:{line}" for name, line in frames if _OURS.match(name)]
        if not places[-1].startswith("tests/"):  # a test may look at what it likes
            nameless.append(f"{tables} at {' < '.join(places[:-4:-1])}: … {text[text.find(' FROM ') :][:600]}")
    return execute(query, parameters, many, context)


def watch(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Look at every query of the application's connections; the owner's build tables and indexes."""
    if connection.alias == "default" and note_nameless not in connection.execute_wrappers:
        connection.execute_wrappers.append(note_nameless)


@cache
def tables_without_organization(query: str) -> tuple[str, ...]:
    """The organisations' tables that the query touches without saying whose rows.

    >>> tables_without_organization('SELECT 1 FROM "corpora_corpus" WHERE "corpora_corpus"."id" = %s')
    ('corpora_corpus',)
    """
    return tuple(
        table
        for verb, table, alias in _TABLE.findall(query)
        if table in _tables() and not _is_named(query, verb.upper(), table, alias)
    )


@cache
def _tables() -> frozenset[str]:
    return frozenset(m._meta.db_table for m in apps.get_models() if issubclass(m, OrganizationModel))


def _is_named(query: str, verb: str, table: str, alias: str) -> bool:
    if verb == "INTO":
        return "organization_id" in query
    name = table if not alias or alias.lower() in _NO_ALIAS else alias
    qualified = rf'"?\b{name}"?\.'
    if len(_TABLE.findall(query)) == 1:  # SQL of ours on one table need not say which, but must compare
        query, qualified = re.split(r"\bWHERE\b", query)[-1], rf'(?:{qualified}|(?<![.\w"]))'
    return re.search(qualified + _COMPARED.format(alias=name), query, re.IGNORECASE) is not None
