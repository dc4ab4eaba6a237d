"""SQL that names the organisation: in every SELECT, UPDATE and DELETE on a table of an organisation, and in joins.

Managers alone cannot do that: `save`, `delete`, the row of a foreign key and joins go by `id` in Django. A database
divided by organisation would send those queries to every part of it, and refuse some.
"""

from copy import copy
from typing import Any

from django.db.backends.postgresql import compiler
from django.db.backends.postgresql.compiler import SQLAggregateCompiler, SQLInsertCompiler
from django.db.models.lookups import Exact
from django.db.models.sql import AND, Query
from django.db.models.sql.datastructures import BaseTable

__all__ = ["SQLAggregateCompiler", "SQLCompiler", "SQLDeleteCompiler", "SQLInsertCompiler", "SQLUpdateCompiler"]


class SQLCompiler(compiler.SQLCompiler):
    def __init__(self, query: Query, *args: Any, **options: Any) -> None:
        super().__init__(_named(query), *args, **options)

    def get_from_clause(self) -> Any:
        joins = self.query.alias_map  # here they are all in it, those of select_related() too
        joins.update({alias: _joined(part) for alias, part in joins.items()})
        return super().get_from_clause()


class SQLUpdateCompiler(compiler.SQLUpdateCompiler):
    def pre_sql_setup(self, *args: Any) -> Any:
        super().pre_sql_setup(*args)  # puts another WHERE in place where the update reads other tables
        self.query = _named(self.query)


class SQLDeleteCompiler(compiler.SQLDeleteCompiler):
    def _as_sql(self, query: Query) -> Any:
        return super()._as_sql(_named(query))  # type: ignore[misc]  # unknown to the stubs


def _named(query: Any) -> Any:
    """The query with the organisation in its WHERE: itself where it is there already, or none is active.

    Models of organisations tell it in `organization_named()`, which is None outside a scope.
    """
    active = getattr(query.model, "organization_named", None)
    organization_id = active() if active and not query.combinator else None
    if organization_id is None:
        return query
    query = query.clone()
    meta, alias = query.get_meta(), query.get_initial_alias()
    field = meta.get_field("organization")
    is_there = any(isinstance(child, Exact) and child.lhs == field.get_col(alias) for child in query.where.children)
    if not is_there and query.alias_map[alias].table_name == meta.db_table:
        query.where.add(field.get_lookup("exact")(field.get_col(alias), organization_id), AND)
    return query


def _joined(part: Any) -> Any:
    """A join of two tables of organisations compares the organisation as well."""
    if isinstance(part, BaseTable) or len(part.join_fields) > 1:
        return part
    models = [field.model for field in part.join_fields[0]]
    if not all(hasattr(model, "organization_named") for model in models):
        return part
    part = copy(part)
    part.join_fields = (*part.join_fields, tuple(model._meta.get_field("organization") for model in models))
    return part
