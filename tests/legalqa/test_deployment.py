"""The settings of a real installation: nothing to complain of, and the headers that browsers need."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.core.checks import CheckMessage
from django.db import connections
from django.templatetags.static import static
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from legalqa.accounts import checks
from legalqa.accounts.checks import database_check, field_keys_check
from legalqa.accounts.models import User
from tests.environment import bare_environment
from tests.people import PASSWORD, Firm

ROOT = Path(__file__).resolve().parents[2]
CHECK = (
    "import django; django.setup();"
    "from django.db import connections; from tests.database import NAME;"
    "connections['default'].settings_dict['NAME'] = NAME;"
    "from django.core.management import call_command; call_command('check', deploy=True, fail_level='WARNING')"
)


@pytest.mark.usefixtures("django_db_setup")
def test_check_deploy_finds_nothing_in_a_real_installation() -> None:
    environment = bare_environment(
        DJANGO_SETTINGS_MODULE="legalqa.settings",
        LEGALQA_VAR=str(django_settings.VAR),
        LEGALQA_BASE_URL="https://law.example",
        LEGALQA_ALLOWED_HOSTS="law.example",
    )
    done = subprocess.run(
        [sys.executable, "-c", CHECK], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr.strip()) == (0, "")
    assert "no issues" in done.stdout


def ids(messages: list[CheckMessage]) -> list[str]:
    return [str(message.id) for message in messages]


def test_one_key_for_everything_is_found(settings: Settings) -> None:
    assert ids(field_keys_check(None)) == []
    settings.FIELD_KEYS = ["x" * 40, settings.SECRET_KEY]

    assert ids(field_keys_check(None)) == ["legalqa.E001"]


@pytest.mark.django_db(databases=["default", "owner"])
def test_the_owner_or_a_superuser_as_the_applications_role_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ids(database_check(None)) == []
    monkeypatch.setattr(checks, "connection", connections["owner"])  # an installation with one role
    assert ids(database_check(None)) == ["legalqa.E003"]


def test_pages_carry_the_headers_that_keep_browsers_strict(firm: Firm) -> None:
    response = Client().get(reverse("login"))

    assert response["Referrer-Policy"] == "same-origin"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    assert response["Cross-Origin-Resource-Policy"] == "same-origin"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert response["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"
    assert "camera=()" in response["Permissions-Policy"]
    policy = response["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_static_files_carry_them_too_and_are_for_our_own_pages(db: None, settings: Settings) -> None:
    settings.WHITENOISE_AUTOREFRESH = False
    response = Client().get(static("css/components.css"), headers={"Origin": "https://elsewhere.example"})
    response.close()

    assert response.status_code == 200
    assert "Access-Control-Allow-Origin" not in response
    assert response["Cross-Origin-Resource-Policy"] == "same-origin"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Permitted-Cross-Domain-Policies"] == "none"
    assert "camera=()" in response["Permissions-Policy"]
    assert "default-src 'none'" in response["Content-Security-Policy"]


@pytest.mark.parametrize("page", ["/sign-out/", "/operators/logout/"])
def test_signing_out_empties_the_browsers_cache(firm: Firm, page: str) -> None:
    User.objects.filter(pk=firm.lawyer.pk).update(is_staff=True)
    client = Client()
    client.post(reverse("login"), {"username": firm.lawyer.email, "password": PASSWORD})

    assert client.post(page)["Clear-Site-Data"] == '"cache"'
