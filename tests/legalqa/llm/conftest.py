"""Providers on loopback that the operator has listed, with nothing remembered from the test before."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from legalqa.llm.wire import sdk_load
from tests.provider import ScriptedProvider, provider_running


@pytest.fixture(scope="session", autouse=True)
def sdk() -> None:
    sdk_load()


@pytest.fixture(autouse=True)
def listed(settings: Settings, scripted_provider: ScriptedProvider, tmp_path: Path) -> None:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    settings.LLM_RECORDINGS = tmp_path / "recordings"


@pytest.fixture
def second_provider(settings: Settings, listed: None) -> Iterator[ScriptedProvider]:
    for provider in provider_running():
        settings.LLM_ADDRESSES = [*settings.LLM_ADDRESSES, provider.url]
        yield provider
