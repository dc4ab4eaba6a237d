"""The outcome of a check."""

from dataclasses import dataclass, replace
from enum import StrEnum


class Level(StrEnum):
    OK = "OK"
    WARN = "WARN"
    FAIL = "FAIL"


@dataclass(frozen=True, slots=True)
class Check:
    """What a check found, in a phrase, and in one sentence what to do; no advice where all is well."""

    level: Level
    found: str
    advice: str = ""
    name: str = ""

    def named(self, name: str) -> "Check":
        return replace(self, name=name)


def ok(found: str) -> Check:
    return Check(Level.OK, found)


def warn(found: str, advice: str) -> Check:
    return Check(Level.WARN, found, advice)


def fail(found: str, advice: str) -> Check:
    return Check(Level.FAIL, found, advice)
