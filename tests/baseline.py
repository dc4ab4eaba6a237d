"""What the migrations make of an empty database, as SQL: `make baseline` stores it for first runs to start from."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from legalqa.common.database.clients import client_command, client_environment
from tests.environment import bare_environment

OPTIONS = ("--schema-only", "--no-owner", "--no-privileges", "--exclude-extension=*")
# Settings of pg_dump's own session, its comments, and the key that is another one in each dump.
_OF_THE_DUMP = re.compile(r"^(?:--|SET |SELECT pg_catalog\.set_config|\\(?:un)?restrict ).*\n", re.MULTILINE)
# `IN` of a list: PostgreSQL writes it so after a migration, and with a cast at each value once it has read that.
_LIST_CAST = re.compile(r"\(ARRAY\[([^\]]*)\]\)::text\[\]")


def schema_text(database: Mapping[str, Any], migrations: list[tuple[str, str]]) -> str:
    """The schema of a database of the settings, and its applied migrations, in an order that is always the same."""
    command = client_command("pg_dump", database, *OPTIONS)
    done = subprocess.run(command, env=client_environment(database), capture_output=True, text=True, check=True)
    tables = re.sub(r"\n{2,}", "\n", _OF_THE_DUMP.sub("", done.stdout)).replace("public.", "")
    tables = _LIST_CAST.sub(_cast_each, tables)
    rows = ",\n".join(f"    ('{app}', '{name}', now())" for app, name in sorted(migrations))
    return f"{tables.strip()}\nINSERT INTO django_migrations (app, name, applied) VALUES\n{rows};\n"


def _cast_each(values: re.Match[str]) -> str:
    return f"ARRAY[{', '.join(f'({value})::text' for value in values[1].split(', '))}]"


def schema_of_migrations() -> str:
    """The schema after every migration, each run by Django, in a database of its own that goes again."""
    with tempfile.TemporaryDirectory(prefix="legalqa-baseline-") as folder:
        Path(folder).chmod(0o755)  # as root the server runs as another user, who must be able to reach its folder
        environment = bare_environment(DJANGO_SETTINGS_MODULE="legalqa.settings", LEGALQA_VAR=folder)
        command = [sys.executable, "-m", "tests.baseline", "here"]
        return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout


def _here() -> str:
    import django
    from django.core.management import call_command
    from django.core.management.commands import migrate
    from django.db import connections
    from django.db.migrations.recorder import MigrationRecorder

    django.setup()
    call_command(migrate.Command(), database="owner", verbosity=0)
    connection = connections["owner"]
    return schema_text(connection.settings_dict, list(MigrationRecorder(connection).applied_migrations()))


if __name__ == "__main__":
    sys.stdout.write(_here() if sys.argv[1:] == ["here"] else schema_of_migrations())
