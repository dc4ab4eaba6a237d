"""Base class of every stored setting: frozen, closed and fingerprinted."""

import hashlib
import json

from pydantic import BaseModel, ConfigDict, ValidationError


class Config(BaseModel):
    """Plain values that describe a component, so that a run can be stored, compared and repeated.

    A subclass holds no secrets, clients, paths or callables. Changing a default changes
    fingerprints, so a new default means a new version of the component.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def fingerprint(self) -> str:
        """Return the SHA-256 of the canonical JSON of all fields, defaults included, as 64 hex digits."""
        return fingerprint_of(self.model_dump(mode="json"))


def fingerprint_of(value: object) -> str:
    """Return the SHA-256 of a JSON value with sorted keys and no blanks, as 64 hex digits.

    Raises:
        TypeError: the value holds something JSON has no word for.
        ValueError: the value holds infinity or NaN.
    """
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return bytes_fingerprint(canonical.encode())


def bytes_fingerprint(data: bytes) -> str:
    """Return the SHA-256 of bytes, as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def misfit_words(error: ValidationError, *, whole: str) -> str:
    """Where values do not fit a setting, and why; `whole` names the place of errors that belong to no single field."""
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"])) or whole
    return f"{place}: {first['msg'].removeprefix('Value error, ')}"
