"""PostgreSQL's own programs (pg_dump, pg_restore, psql) on any of our databases; no password on a command line."""

import os
from collections.abc import Mapping
from typing import Any

from psycopg.conninfo import make_conninfo

from legalqa.common.database.embedded import binaries

_OF_DJANGO = {"pool"}  # options of Django's, which libpq does not know


def conninfo(database: Mapping[str, Any], *, with_password: bool) -> str:
    """The libpq connection string of a database of the settings."""
    options = {k: v for k, v in database.get("OPTIONS", {}).items() if k not in _OF_DJANGO}
    parts = {
        "host": database["HOST"],
        "port": database["PORT"],
        "dbname": database["NAME"],
        "user": database["USER"],
        "password": database["PASSWORD"] if with_password else "",
    }
    return make_conninfo(**{key: str(value) for key, value in parts.items() if value}, **options)


def client_command(program: str, database: Mapping[str, Any], *arguments: str) -> list[str]:
    return [str(binaries(program)), f"--dbname={conninfo(database, with_password=False)}", *arguments]


def client_environment(database: Mapping[str, Any]) -> dict[str, str]:
    """The part of our environment that the program needs, without our other secrets, and its password."""
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    password = {"PGPASSWORD": str(database["PASSWORD"])} if database["PASSWORD"] else {}
    return environment | password
