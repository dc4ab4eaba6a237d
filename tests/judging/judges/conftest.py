"""A firm with a model that judges, at a provider that says what it is told to."""

import pytest
from pytest_django import Settings

from legalqa.llm.types import Role
from tests.legalqa.llm.setting_up import set_up
from tests.people import Firm
from tests.provider import ScriptedProvider


@pytest.fixture
def bench(firm: Firm, scripted_provider: ScriptedProvider, settings: Settings) -> ScriptedProvider:
    """The provider of the firm's judge `m-1`; a token that it writes costs a millionth, and it writes five."""
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(firm, scripted_provider.url, role=Role.JUDGE)
    return scripted_provider
