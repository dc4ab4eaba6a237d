"""The outcome of a check."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    OK = "OK"
    WARN = "WARN"
    FAIL = "FAIL"


@dataclass(frozen=True, slots=True)
class Check:
    """The result of a check in a phrase, and a sentence that says what to do; no advice if all is well."""

    level: Level
    result: str
    advice: str = ""
    name: str = ""


def ok(result: str) -> Check:
    return Check(Level.OK, result)


def warn(result: str, advice: str) -> Check:
    return Check(Level.WARN, result, advice)


def fail(result: str, advice: str) -> Check:
    return Check(Level.FAIL, result, advice)
