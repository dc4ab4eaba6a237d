"""A law office with committed rows and a model for its answers, so that threads of the product see them."""

from collections.abc import Iterator

import pytest
from django.db import connections
from pytest_django import Settings
from pytest_django.plugin import DjangoDbBlocker

from legalqa.accounts.scoping import organization_scope
from tests.committed import committed_fixture
from tests.legalqa.answering import writing as w
from tests.legalqa.answering.writing import Office
from tests.legalqa.llm.setting_up import set_up
from tests.provider import ScriptedProvider

committed_office = committed_fixture(w.make_office)


@pytest.fixture
def office(
    committed_office: Office,
    django_db_blocker: DjangoDbBlocker,
    settings: Settings,
    scripted_provider: ScriptedProvider,
) -> Iterator[Office]:
    """The office with a model for answers; threads of the product see its rows, because they are committed."""
    settings.LLM_ADDRESSES = [scripted_provider.url]
    with django_db_blocker.unblock():
        row = set_up(committed_office.firm, scripted_provider.url)
        yield committed_office
        with organization_scope(committed_office.firm.organization, user=None):
            row.delete()
            row.provider.delete()
        for connection in connections.all():
            connection.close()
