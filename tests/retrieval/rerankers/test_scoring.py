"""A rerank model outside: the organisation's own by the gateway, else the operator's; outside any transaction."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.forms import QuestionForm
from legalqa.llm.models import GatewaySettings
from legalqa.llm.types import Role
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.rerankers.scoring import scores_ask
from retrieval.scores import Scores
from retrieval.services.search import SearchResult, corpus_search
from tests.committed import committed_fixture
from tests.ingestion import Place, make_corpus
from tests.legalqa.llm.setting_up import calls, set_up
from tests.people import make_firm
from tests.provider import Reply, ScriptedProvider, Wire, fails, never_answers, provider_running, redirects, slow_loris

LEASE = "# Lease\n\n" + "\n\n".join(
    f"## Room {n}\n\nThe tenant pays {n} euros of rent for room {n} on day {n} of each month." for n in range(1, 7)
)
QUESTION = "What rent is paid for which room?"
STANDING = "The passages are in the order they were found."


def make_office() -> Place:
    firm = make_firm("scorers", "Scorer & Sons")
    corpus = make_corpus(firm, "Leases", files={"lease.md": LEASE})
    return Place(firm, corpus)


committed_office = committed_fixture(make_office)


@pytest.fixture
def office(committed_office: Place, db: None, settings: Settings, scripted_provider: ScriptedProvider) -> Place:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    settings.RERANK_URL = ""
    return committed_office


def scoring_room(number: int) -> Reply:
    """The room in question scores highest, the others by their length."""

    def reply(wire: Wire) -> None:
        texts = wire.asked.body["documents"]
        rows = [{"index": n, "relevance_score": float(f"room {number}" in text)} for n, text in enumerate(texts)]
        wire.document({"results": rows, "usage": {"total_tokens": 40}})

    return reply


def tei_scoring_room(number: int) -> Reply:
    """The same in the shape of text-embeddings-inference."""

    def reply(wire: Wire) -> None:
        texts = wire.asked.body["texts"]
        wire.document([{"index": n, "score": float(f"room {number}" in text)} for n, text in enumerate(texts)])

    return reply


def search(office: Place, **settings: str) -> SearchResult:
    return corpus_search(
        request=SearchRequest(
            **office.firm.by_lawyer,
            corpus_id=office.corpus.pk,
            text=QUESTION,
            preset=preset_get("fixed-5", {"reranker": "http", "rewriter": "off", **settings}),
        )
    )


def order(result: SearchResult) -> list[int]:
    return [passage.position.paragraph_id for passage in result.passages]


def notes(result: SearchResult) -> dict[str, str]:
    return {timed.stage: timed.note for timed in result.times if timed.note}


def test_the_organisations_own_model_orders_the_passages_through_the_gateway(
    office: Place, scripted_provider: ScriptedProvider
) -> None:
    set_up(office.firm, scripted_provider.url, role=Role.RERANK, model="rerank-1", price_in=1)
    scripted_provider.will(scoring_room(5))

    result = search(office)

    assert "room 5" in result.passages[0].text
    assert notes(result) == {"rerank-call": "by rerank-1 of First"}
    [asked], [call] = scripted_provider.asked, calls(office.firm)
    assert (asked.path, asked.body["query"]) == ("/v1/rerank", QUESTION)
    assert (call.role, call.outcome, call.user_id) == ("rerank", "ok", office.firm.lawyer.pk)
    assert (call.input_tokens, call.cost, call.reserved, call.is_estimated) == (40, 40, 0, False)


def test_no_transaction_is_open_while_the_model_is_asked(committed_db: None, settings: Settings) -> None:
    firm = make_firm("outside", "Outside & Co")
    corpus = make_corpus(firm, "Leases", files={"lease.md": LEASE})
    seen: list[Any] = []

    def looks(wire: Wire) -> None:
        with connection.cursor() as cursor:  # the server's thread has a connection of its own
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL "
                "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
            seen.append(cursor.fetchone()[0])
        connection.close()
        scoring_room(2)(wire)

    for provider in provider_running():
        settings.LLM_ADDRESSES, settings.RERANK_URL = [], f"{provider.url}/rerank"
        provider.will(looks)
        assert "room 2" in search(Place(firm, corpus)).passages[0].text
    assert seen == [0]


def test_without_a_model_of_its_own_the_operators_endpoint_is_asked(
    office: Place, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    settings.RERANK_URL = f"{scripted_provider.url}/rerank"
    scripted_provider.will(scoring_room(3))

    result = search(office)

    assert "room 3" in result.passages[0].text
    assert notes(result) == {"rerank-call": "by the operator's endpoint"}
    assert [(call.role, call.outcome, call.cost) for call in calls(office.firm)] == [("rerank", "ok", 0)]


def test_the_key_of_the_operators_endpoint_does_not_follow_a_redirect(
    office: Place, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    settings.RERANK_URL, settings.RERANK_API_KEY = f"{scripted_provider.url}/rerank", "rk-of-the-operator"
    for elsewhere in provider_running():
        scripted_provider.will(redirects(f"{elsewhere.url}/rerank"))

        result = search(office)

        assert elsewhere.asked == []
    assert scripted_provider.asked[0].headers["authorization"] == "Bearer rk-of-the-operator"
    assert "redirects elsewhere, which is not followed" in notes(result)["rerank-call"]


def test_a_proxy_of_the_environment_hears_nothing_of_the_passages(
    office: Place, scripted_provider: ScriptedProvider, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RERANK_URL = f"{scripted_provider.url}/rerank"
    for proxy in provider_running():
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.origin)  # that the environment is not read is tested here
        scripted_provider.will(scoring_room(3))

        assert "room 3" in search(office).passages[0].text
        assert proxy.asked == []


def test_an_endpoint_that_drips_ends_with_the_time_of_the_search(
    office: Place, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    settings.RERANK_URL, settings.RERANK_TIMEOUT_S = f"{scripted_provider.url}/rerank", 1
    scripted_provider.will(slow_loris)

    assert notes(search(office))["rerank-call"] == "The provider did not answer in time."


def test_the_operators_endpoint_may_speak_as_text_embeddings_inference_does(
    office: Place, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    settings.RERANK_URL, settings.RERANK_SHAPE = f"{scripted_provider.origin}/rerank?raw=1", "tei"
    scripted_provider.will(tei_scoring_room(4))

    result = search(office)

    assert "room 4" in result.passages[0].text
    [asked] = scripted_provider.asked
    assert (asked.path, set(asked.body)) == ("/rerank?raw=1", {"query", "texts"})


def test_a_model_that_speaks_as_text_embeddings_inference_does_is_understood_by_itself(
    office: Place, scripted_provider: ScriptedProvider
) -> None:
    set_up(office.firm, scripted_provider.url, role=Role.RERANK, model="bge-reranker")
    lacking = "Failed to deserialize the JSON body into the target type: missing field `texts` at line 1 column 99"
    scripted_provider.will(
        lambda wire: wire.document({"error": lacking, "error_type": "validation"}, 422), tei_scoring_room(2)
    )

    result = search(office)

    assert "room 2" in result.passages[0].text
    assert set(scripted_provider.asked[1].body) == {"query", "texts"}


def test_an_organisation_that_refuses_the_operators_models_sends_its_endpoint_nothing(
    office: Place, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    settings.RERANK_URL = f"{scripted_provider.url}/rerank"
    with organization_scope(office.firm.organization, user=office.firm.owner):
        GatewaySettings.objects.create(organization=office.firm.organization, uses_operator=False)

    result = search(office)

    assert "No rerank model is set up" in notes(result)["rerank-call"]
    assert scripted_provider.asked == []


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [(fails(401, code="invalid_api_key"), "unavailable"), (never_answers, "unavailable")],
    ids=["wrong key", "silence"],
)
def test_a_model_that_fails_leaves_the_order_and_nobody_else_is_asked(
    reply: Reply, outcome: str, office: Place, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    plain = search(office, reranker="off")
    settings.RERANK_URL, settings.RERANK_TIMEOUT_S = f"{scripted_provider.url}/operators", 1
    set_up(office.firm, scripted_provider.url, role=Role.RERANK)
    scripted_provider.will(reply)

    result = search(office)

    assert order(result) == order(plain)
    assert STANDING in notes(result)["http-rerank.v1"]
    assert [asked.path for asked in scripted_provider.asked] == ["/v1/rerank"]
    assert [call.outcome for call in calls(office.firm)] == [outcome]


def test_programs_read_why_a_model_did_not_score(office: Place, scripted_provider: ScriptedProvider) -> None:
    set_up(office.firm, scripted_provider.url, role=Role.RERANK)
    scripted_provider.will(fails(401))
    headers = office.firm.bearer(office.firm.lawyer, TokenScope.SEARCH)
    asked = {"corpus_id": str(office.corpus.pk), "query": QUESTION, "preset": "fixed-5", "set": {"reranker": "http"}}

    reply = Client().post(reverse("api_search"), asked, "application/json", headers=headers).json()

    assert [note["stage"] for note in reply["notes"]] == ["rerank-call", "http-rerank.v1"]
    assert reply["notes"][1]["note"].endswith(STANDING)
    assert reply["hits"]


def test_a_second_provider_scores_where_the_organisation_allows_it(
    office: Place, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    with organization_scope(office.firm.organization, user=office.firm.owner):
        GatewaySettings.objects.create(organization=office.firm.organization, allows_fallback=True)
    for second in provider_running():
        settings.LLM_ADDRESSES = [scripted_provider.url, second.url]
        set_up(office.firm, scripted_provider.url, role=Role.RERANK)
        set_up(office.firm, second.url, role=Role.RERANK, name="Second", model="m-2", place=1)
        scripted_provider.will(fails(401))
        second.will(scoring_room(4))

        result = search(office)

    assert "room 4" in result.passages[0].text
    assert "in place of the provider that is asked first" in notes(result)["rerank-call"]
    assert [(call.outcome, call.is_fallback) for call in calls(office.firm)] == [("unavailable", False), ("ok", True)]


def test_a_spent_budget_leaves_the_order_and_sends_nothing(office: Place, scripted_provider: ScriptedProvider) -> None:
    set_up(office.firm, scripted_provider.url, role=Role.RERANK, price_in=1)
    with organization_scope(office.firm.organization, user=office.firm.owner):
        GatewaySettings.objects.create(organization=office.firm.organization, cap_day=1)

    result = search(office)

    assert "used up" in notes(result)["http-rerank.v1"]
    assert scripted_provider.asked == []


def test_what_several_questions_lack_is_asked_within_one_deadline(
    office: Place, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    set_up(office.firm, scripted_provider.url, role=Role.RERANK)
    settings.RERANK_TIMEOUT_S = 1
    scripted_provider.will(never_answers)
    scores = Scores()
    for question in ("Which room?", "Which day?"):
        assert scores.of(question, ["Room 1"]) is None

    times = scores_ask(**office.firm.by_lawyer, scores=scores)

    assert [timed.note for timed in times] == [
        "The provider did not answer in time.",
        "No time was left to ask for the scores.",
    ]
    assert not scores.lacking


def test_a_rerank_service_is_offered_where_somebody_would_be_asked(
    office: Place, scripted_provider: ScriptedProvider
) -> None:
    def offered() -> list[str]:
        with organization_scope(office.firm.organization, user=office.firm.lawyer):
            return [key for key, _ in QuestionForm(organization=office.firm.organization).fields["reranker"].choices]  # type: ignore[attr-defined]  # a ChoiceField's

    before = offered()
    set_up(office.firm, scripted_provider.url, role=Role.RERANK)

    assert ("http" in before, "http" in offered()) == (False, True)
