"""Stored secrets: encrypted under the first key, readable under each, rotated without a gap."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django.fixtures import Settings

from legalqa.accounts.models import SecondFactor
from legalqa.common.encryption import SecretUnreadable, decrypt, encrypt
from legalqa.env import env_secrets
from tests.factors import enrol
from tests.people import Firm

OLD, NEW, OTHER = "an-old-key-" * 4, "a-new-key--" * 4, "another-key" * 4


def stored() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM accounts_secondfactor")
        return str(cursor.fetchone()[0])


def test_a_secret_is_unreadable_without_its_key_and_never_stored_the_same(settings: Settings) -> None:
    settings.FIELD_KEYS = [OLD]
    first, second = encrypt("naïve 𝔘 secret"), encrypt("naïve 𝔘 secret")

    assert first != second
    assert "secret" not in first
    assert decrypt(first) == decrypt(second) == "naïve 𝔘 secret"
    settings.FIELD_KEYS = [OTHER]
    with pytest.raises(SecretUnreadable):
        decrypt(first)


def test_a_secret_that_was_changed_is_refused(settings: Settings) -> None:
    settings.FIELD_KEYS = [OLD]
    whole = encrypt("secret")

    for changed in (whole[:-4], whole[:20] + ("A" if whole[20] != "A" else "B") + whole[21:], "", "secret"):
        with pytest.raises(SecretUnreadable):
            decrypt(changed)


def test_a_new_key_takes_over_without_a_gap(firm: Firm, settings: Settings) -> None:
    settings.FIELD_KEYS = [OLD]
    enrol(firm.lawyer)
    secret, before = SecondFactor.objects.get().secret, stored()
    settings.FIELD_KEYS = [NEW, OLD]
    assert SecondFactor.objects.get().secret == secret
    out = StringIO()
    call_command("field_keys", "--json", stdout=out)
    assert out.getvalue().strip() == '{"secrets": 1}'
    assert stored() != before

    settings.FIELD_KEYS = [NEW]
    assert SecondFactor.objects.get().secret == secret
    settings.FIELD_KEYS = [OLD]
    with pytest.raises(SecretUnreadable):
        SecondFactor.objects.get()


def test_a_key_that_is_missing_stops_the_rotation_and_changes_nothing(firm: Firm, settings: Settings) -> None:
    settings.FIELD_KEYS = [OLD]
    enrol(firm.lawyer)
    before = stored()
    settings.FIELD_KEYS = [NEW]

    with pytest.raises(CommandError, match="Put back the key") as error:
        call_command("field_keys")
    assert error.value.returncode == 2
    assert stored() == before


def test_keys_are_long_or_the_start_stops(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KEYS", f"{NEW}, {OLD}")  # the environment is what is read here
    assert env_secrets("KEYS", tmp_path / "keys") == [NEW, OLD]
    monkeypatch.setenv("KEYS", f"{NEW},short")  # likewise
    with pytest.raises(ImproperlyConfigured, match="shorter than 32"):
        env_secrets("KEYS", tmp_path / "keys")
    monkeypatch.delenv("KEYS")  # likewise
    kept = env_secrets("KEYS", tmp_path / "keys")
    assert kept == env_secrets("KEYS", tmp_path / "keys")
    assert (tmp_path / "keys").stat().st_mode & 0o077 == 0
