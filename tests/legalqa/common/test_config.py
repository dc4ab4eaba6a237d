"""Fingerprints of settings."""

import hashlib

import pytest
from pydantic import ValidationError

from legalqa.common.config import Config, fingerprint_of


class Reader(Config):
    size: int = 512
    ratio: float = 1.0


def test_fingerprint_is_the_sha256_of_sorted_json_with_defaults() -> None:
    assert Reader().fingerprint() == hashlib.sha256(b'{"ratio":1.0,"size":512}').hexdigest()


def test_spelling_out_a_default_changes_no_fingerprint() -> None:
    assert Reader(size=512, ratio=1).fingerprint() == Reader().fingerprint()


def test_another_value_has_another_fingerprint() -> None:
    assert Reader(size=511).fingerprint() != Reader().fingerprint()


@pytest.mark.parametrize("values", [{"sise": 1}, {"ratio": float("nan")}, {"ratio": float("inf")}])
def test_unknown_and_infinite_settings_are_refused(values: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        Reader.model_validate(values)


def test_settings_cannot_be_changed_in_place() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Reader().size = 3  # type: ignore[misc]  # what is tested


def test_fingerprint_of_infinity_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        fingerprint_of(float("inf"))
