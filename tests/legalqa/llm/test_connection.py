"""Trying a model, saved or not: one sentence of ours says what is wrong, and nothing is stored."""

import re
import socket
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from legalqa.accounts.models import AuditEvent, User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError
from legalqa.llm import connection
from legalqa.llm.models import Provider, RoleModel
from legalqa.llm.services.providers import provider_create
from legalqa.llm.types import Role
from tests.legalqa.llm.setting_up import KEY, set_up
from tests.people import Firm
from tests.provider import Reply, ScriptedProvider, fails, html, never_answers, redirects, refuses_key, reranks, says

pytestmark = pytest.mark.django_db
NO_MODEL = {"error": {"message": "model 'lama3' not found, try pulling it first", "type": "api_error"}}


def tried(firm: Firm, **values: Any) -> str:
    given = {"model": "m-1"} | values
    return connection.connection_test(**firm.by_owner, **given).message


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (says("yes"), "It works."),
        (refuses_key, "It does not work: the provider does not accept the key."),
        (
            lambda wire: wire.document(NO_MODEL, 404),
            (
                "It does not work: the provider has no model of this name. Spell it as the provider does; with "
                "Ollama, pull it first."
            ),
        ),
        (
            fails(404, message="File Not Found"),
            (
                "It does not work: the provider does not accept the request; check the model's name. Check the end "
                "of the address, usually /v1, and the model's name."
            ),
        ),
        (
            html,
            (
                "It does not work: the reply did not come from a language model. The address must go up to /v1 of "
                "a server that speaks the OpenAI protocol."
            ),
        ),
        (
            redirects("http://10.0.0.7/v1"),
            (
                "It does not work: the provider's address redirects elsewhere, which is not followed. Enter the "
                "address that it redirects to."
            ),
        ),
    ],
    ids=["works", "wrong key", "no such model", "wrong path", "wrong shape", "redirect"],
)
def test_one_sentence_says_what_is_wrong(
    firm: Firm, scripted_provider: ScriptedProvider, reply: Reply, said: str
) -> None:
    scripted_provider.will(reply)

    assert tried(firm, base_url=scripted_provider.url, key=KEY) == said


def test_a_slow_server_is_called_slow(
    firm: Firm, scripted_provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LOCAL_DEADLINE_S", 1.0)  # or it waits for a minute
    scripted_provider.will(never_answers)

    assert tried(firm, base_url=scripted_provider.url, is_local=True) == (
        "It does not work: no complete reply within 1 seconds. It is too slow, or still loading the model; try again "
        "in a minute."
    )


def test_a_port_where_nothing_listens_and_a_name_that_leads_nowhere_are_told_apart(
    firm: Firm, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("legalqa.llm.calling.MAX_TRIES", 1)  # or it waits between tries
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and never listens
        closed = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        settings.LLM_ADDRESSES = [closed, "http://ollama.invalid:11434/v1"]

        assert "refused the connection. Check the port, and whether the server is running." in tried(
            firm, base_url=closed
        )
    assert "address does not resolve. Check the spelling of the address." in tried(
        firm, base_url="http://ollama.invalid:11434/v1"
    )


def test_an_address_that_is_not_listed_is_not_called_and_the_operators_line_is_said(
    firm: Firm, settings: Settings
) -> None:
    settings.LLM_ADDRESSES = ["https://api.openai.com/v1"]

    with pytest.raises(
        ApplicationError,
        match=re.escape("ADDRESSES=https://api.openai.com/v1, http://localhost:11434/v1 and restarts LegalQA"),
    ):
        tried(firm, base_url="http://localhost:11434/v1", is_local=True)


def test_a_stored_key_is_not_tried_at_another_address(
    firm: Firm, scripted_provider: ScriptedProvider, second_provider: ScriptedProvider
) -> None:
    stored = provider_create(**firm.by_owner, name="Ours", base_url=scripted_provider.url, key=KEY)
    scripted_provider.will(says("yes"), reranks(0.1, 0.2))

    assert tried(firm, provider_id=stored.pk) == "It works."
    assert tried(firm, provider_id=stored.pk, base_url=stored.base_url, role=Role.RERANK) == "It works."
    with pytest.raises(ApplicationError, match="Enter the key again"):
        tried(firm, provider_id=stored.pk, base_url=second_provider.url)
    assert {asked.headers["authorization"] for asked in scripted_provider.asked} == {f"Bearer {KEY}"}


def test_page_and_program_try_before_anything_is_saved(
    firm: Firm, client_of: Callable[[User], Client], scripted_provider: ScriptedProvider
) -> None:
    scripted_provider.will(says("yes"), says("yes"))
    page = reverse("llm_test", kwargs={"slug": firm.organization.slug})
    typed = {"name": "", "base_url": scripted_provider.url, "model": "m-1", "is_local": "on"}

    whole = client_of(firm.owner).post(page, typed).content.decode()
    part = client_of(firm.owner).post(page, typed, headers={"HX-Request": "true"}).content.decode()
    unnamed = client_of(firm.owner).post(page, typed | {"model": ""}).content.decode()

    assert "It works." in whole
    assert (part.count("It works."), "<html" in part) == (1, False)
    assert "Enter a model to test." in unnamed
    with organization_scope(firm.organization, user=firm.owner):
        assert not Provider.objects.exists()
        assert not RoleModel.objects.exists()
        assert AuditEvent.objects.filter(action="llm.model_tested").count() == 2


def test_a_saved_model_is_tried_from_its_row(
    firm: Firm, client_of: Callable[[User], Client], scripted_provider: ScriptedProvider
) -> None:
    row = set_up(firm, scripted_provider.url)
    scripted_provider.will(refuses_key)
    ids = {"slug": firm.organization.slug, "role_model_id": row.pk}

    page = client_of(firm.owner).post(reverse("llm_model_test", kwargs=ids), follow=True).content.decode()

    assert "does not accept the key" in page
    assert "Incorrect API key" not in page
