"""A PostgreSQL server that is not ours: on TCP, with passwords, its databases made as the operator guide says."""

import os
import pwd
import subprocess
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from legalqa.common.database.embedded import OS_USER, binaries
from tests.faults.environment import free_port

PASSWORDS = {
    "postgres": "a superuser's",
    "legalqa_owner": "an owner's",
    "legalqa_app": "an app's",
    "backup": "a copy's",
}
ROLE = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE"


class ExternalServer:
    """The packaged PostgreSQL as a stranger: nothing of the embedded server's start code is used."""

    def __init__(self, folder: Path) -> None:
        self.port, self._data = free_port(), folder / "data"
        secret = folder / "password"
        secret.write_text(PASSWORDS["postgres"])
        self._who: dict[str, Any] = {}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            entry = pwd.getpwnam(OS_USER)
            self._who = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
            for path in (folder, secret):
                os.chown(path, entry.pw_uid, entry.pw_gid)
        self._folder = folder
        self._run("initdb", "-D", str(self._data), "-U", "postgres", "-A", "scram-sha-256", f"--pwfile={secret}")
        options = f"-c port={self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
        self._run("pg_ctl", "-D", str(self._data), "-w", "-l", str(folder / "log"), "-o", options, "start")
        for role, options in (("legalqa_owner", ""), ("legalqa_app", ""), ("backup", "BYPASSRLS")):
            self.execute(f"CREATE ROLE {role} {ROLE} {options} PASSWORD {{}}", sql.Literal(PASSWORDS[role]))
        self.execute("GRANT pg_read_all_data TO backup")

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [str(binaries(program)), *arguments],
            cwd=self._folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            check=True,
            **self._who,
        )

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self._data), "-w", "-m", "immediate", "stop")

    def url(self, role: str, database: str = "legalqa", *, password: str | None = None) -> str:
        secret = (PASSWORDS[role] if password is None else password).replace(" ", "%20").replace("'", "%27")
        return f"postgresql://{role}:{secret}@127.0.0.1:{self.port}/{database}"

    def urls(self, database: str = "legalqa") -> dict[str, str]:
        """The environment of an installation over that database."""
        roles = {"DATABASE_URL": "legalqa_app", "DATABASE_OWNER_URL": "legalqa_owner", "DATABASE_BACKUP_URL": "backup"}
        return {name: self.url(role, database) for name, role in roles.items()}

    def execute(self, query: str, *parts: sql.Composable, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Run as the superuser."""
        with psycopg.connect(self.url("postgres", database), autocommit=True) as connection:
            cursor = connection.execute(sql.SQL(query).format(*parts))
            return cursor.fetchall() if cursor.description else []

    def create(self, database: str, *, with_vector: bool = True) -> None:
        self.execute(f"CREATE DATABASE {database} OWNER legalqa_owner")
        if with_vector:
            self.execute("CREATE EXTENSION vector", database=database)
