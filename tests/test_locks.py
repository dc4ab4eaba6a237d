"""The locks hold what the project asks for, in the versions of constraints.txt, each file with its hash."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
STALE = "Run `make lock` and commit what it writes."
LOCKS = {"run": [], "dev": PROJECT["optional-dependencies"]["dev"]}


def pins(text: str) -> dict[str, str]:
    return {canonicalize_name(name): version for name, version in re.findall(r"^([\w.-]+)==([^\s;\\]+)", text, re.M)}


def needed(asked: list[str]) -> dict[str, list[Requirement]]:
    """Every package that these bring along, by what is installed, with all that is asked of its version."""
    found: dict[str, list[Requirement]] = {}
    open_requests, seen = [(Requirement(line), "") for line in asked], set[tuple[str, str]]()
    while open_requests:
        request, extra = open_requests.pop()
        if request.marker and not request.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(request.name)
        found.setdefault(name, []).append(request)
        for wanted in {"", *request.extras}:
            if (name, wanted) not in seen:
                seen.add((name, wanted))
                open_requests += [(Requirement(line), wanted) for line in requires(name) or ()]
    del found["torch"]  # its file is another one on each index, so no hash can be locked
    return found


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_every_package_that_is_needed_and_no_other(name: str) -> None:
    locked = pins((ROOT / "requirements" / f"{name}.txt").read_text())
    asked = needed(PROJECT["dependencies"] + LOCKS[name])

    assert set(locked) == set(asked), STALE
    wrong = [str(request) for key in asked for request in asked[key] if locked[key] not in request.specifier]
    assert wrong == [], STALE


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_the_versions_of_the_constraints_and_a_hash_for_each(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    pinned, locked = pins((ROOT / "constraints.txt").read_text()), pins(text)
    entries = re.split(r"^(?=[a-z])", text, flags=re.M)[1:]

    assert {key: pinned.get(key) for key in locked} == locked, STALE
    assert len(entries) == len(locked)
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []
