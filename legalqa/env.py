"""Typed reading of environment variables: a wrong value stops the start with one sentence."""

import os
from decimal import Decimal, InvalidOperation
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from legalqa.common.numbers import whole_number


def _wrong(name: str, value: str, rule: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{name} is {value!r}, but must be {rule}. Correct it and start again.")


def env_str(name: str, default: str = "") -> str:
    return os.environ.get(name, default).strip()


def env_bool(name: str, *, default: bool) -> bool:
    raw = env_str(name)
    if raw == "":
        return default
    if raw.lower() in {"true", "1", "yes"}:
        return True
    if raw.lower() in {"false", "0", "no"}:
        return False
    raise _wrong(name, raw, "true or false")


def env_int(name: str, default: int, *, low: int, high: int) -> int:
    raw = env_str(name)
    if raw == "":
        return default
    try:
        value = int(raw)
    except ValueError:
        value = low - 1
    if not low <= value <= high:
        raise _wrong(name, raw, f"a whole number from {low} to {high}")
    return value


def env_decimal(name: str, default: str) -> Decimal:
    """A number of money, at least 0 and below 100,000."""
    raw = env_str(name, default) or default
    try:
        value = Decimal(raw)
    except InvalidOperation:
        value = Decimal(-1)
    if not (value.is_finite() and 0 <= value < 100_000):
        raise _wrong(name, raw, "a number from 0 to 100000, such as 2.5")
    return value


def env_rate(name: str, default: str) -> tuple[int, int]:
    """`600/minute` as (600, 60): the number, and in how many seconds."""
    raw = env_str(name, default) or default
    number, _, period = raw.partition("/")
    count = whole_number(number, digits=8)
    if count is None or not 1 <= count <= 10_000_000 or period not in _PERIODS:
        raise _wrong(name, raw, "a rate such as 600/minute (second, minute, hour or day)")
    return count, _PERIODS[period]


_PERIODS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}


def env_choice(name: str, default: str, choices: tuple[str, ...]) -> str:
    value = env_str(name, default) or default
    if value not in choices:
        raise _wrong(name, value, f"one of {', '.join(choices)}")
    return value


def env_list(name: str, default: str) -> list[str]:
    return [part.strip() for part in (env_str(name) or default).split(",") if part.strip()]


def env_path(name: str, default: Path) -> Path:
    raw = env_str(name)
    path = Path(raw).expanduser() if raw else default
    if raw and not path.is_absolute():
        raise _wrong(name, raw, "an absolute path")
    return path.resolve()


def env_secret(name: str, fallback_file: Path) -> str:
    """The secret from `NAME`, else from the file that `NAME_FILE` names, else one made once and kept."""
    value = env_str(name)
    if not value and (file := env_str(f"{name}_FILE")):
        if not Path(file).is_file():
            raise ImproperlyConfigured(f"{name}_FILE names {file!r}, which is not a file. Correct it and start again.")
        value = Path(file).read_text().strip()
    if not value:
        value = _kept_secret(fallback_file)
    if len(value) < 32:
        raise ImproperlyConfigured(
            f"{name} is shorter than 32 characters. Choose a longer random value and start again."
        )
    return value


def env_secrets(name: str, fallback_file: Path) -> list[str]:
    """Secrets with commas between them, the one in use first; each as long as `env_secret` wants it."""
    values = [part.strip() for part in env_secret(name, fallback_file).split(",") if part.strip()]
    if not values or any(len(value) < 32 for value in values):
        raise ImproperlyConfigured(
            f"{name} holds a key that is shorter than 32 characters. Choose longer random values and start again."
        )
    return values


def _kept_secret(file: Path) -> str:
    import secrets

    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        # O_EXCL: of several processes that start at once, one writes and the others read what it wrote.
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return file.read_text().strip()
    with os.fdopen(descriptor, "w") as handle:
        handle.write(secrets.token_urlsafe(48))
    return file.read_text().strip()
