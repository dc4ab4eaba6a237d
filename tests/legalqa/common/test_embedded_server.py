"""The account that runs the embedded server where we are root."""

import os
import pwd
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from legalqa.common.database import embedded

# As the system's own: it looks, takes its time, then replaces the list and any account of the same name.
USERADD = """#!/bin/sh
for name; do :; done
echo "$name" >> "$CALLS"
next=$(($(wc -l < "$CALLS") + 900))
sleep 0.3
grep -v "^$name:" "$ACCOUNTS" > "$ACCOUNTS.$$"
echo "$name:x:$next:$next::/:/usr/sbin/nologin" >> "$ACCOUNTS.$$"
mv "$ACCOUNTS.$$" "$ACCOUNTS"
"""


def test_processes_that_start_at_once_add_one_account(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    accounts, calls, program = tmp_path / "passwd", tmp_path / "calls", tmp_path / "useradd"
    accounts.write_text("root:x:0:0:root:/root:/bin/sh\n")
    calls.write_text("")
    program.write_text(USERADD)
    program.chmod(0o755)

    def entry_of(name: str) -> pwd.struct_passwd:
        for line in accounts.read_text().splitlines():
            if line.startswith(f"{name}:"):
                fields = line.split(":")
                return pwd.struct_passwd((*fields[:2], int(fields[2]), int(fields[3]), *fields[4:]))
        raise KeyError(name)

    # Adding an account to the machine that tests run on is not undone, and only root may.
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("CALLS", str(calls))
    monkeypatch.setenv("ACCOUNTS", str(accounts))
    monkeypatch.setattr(embedded, "ACCOUNTS", accounts)
    monkeypatch.setattr(pwd, "getpwnam", entry_of)
    with ThreadPoolExecutor(4) as processes:
        numbers = [entry.pw_uid for entry in processes.map(lambda _: embedded.system_account(), range(4))]

    assert numbers == [901] * 4
    assert calls.read_text().split() == [embedded.OS_USER]
