"""The API's one error shape, also where no endpoint is reached and where one breaks down."""

from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from legalqa.accounts.api import MeApi
from legalqa.accounts.models import User
from legalqa.accounts.scopes import ALL_SCOPES
from tests.ingestion import make_corpus
from tests.people import Firm

NESTED = [b"[" * 30_000, b"[" * 30_000 + b"]" * 30_000, b'{"query": ' + b"[" * 30_000]


@pytest.fixture
def bearer(firm: Firm) -> dict[str, str]:
    return firm.bearer(firm.owner, *ALL_SCOPES)


def error_of(response: Any) -> dict[str, Any]:
    error: dict[str, Any] = response.json()
    assert response["Content-Type"] == "application/json"
    assert set(error) == {"message", "code", "extra"}
    assert error["message"].endswith(".")
    return error


@pytest.mark.parametrize("address", ["/api/v1/search/", "/api/v1/questions/", "/api/v1/corpora/"])
@pytest.mark.parametrize("body", NESTED, ids=["open", "closed", "in a field"])
def test_json_nested_thirty_thousand_times_is_a_bad_request(address: str, body: bytes, bearer: dict[str, str]) -> None:
    response = Client().post(address, body, content_type="application/json", headers=bearer)

    assert response.status_code == 400
    assert error_of(response)["code"] == "parse_error"


@pytest.mark.parametrize("depth", [100, 900, 980])
def test_json_that_is_just_readable_is_refused_by_its_field(depth: int, bearer: dict[str, str]) -> None:
    for address, field in (("/api/v1/search/", "filters"), ("/api/v1/corpora/", "chunker"), ("/api/v1/search/", "set")):
        body = b'{"name": "New", "query": "rent", "%s": {"kind": %s}}' % (field.encode(), b"[" * depth + b"]" * depth)
        response = Client().post(address, body, content_type="application/json", headers=bearer)
        assert response.status_code == 400
        error_of(response)


def test_a_field_that_is_missing_or_empty_is_named_with_what_to_do(bearer: dict[str, str]) -> None:
    for body, message in (({}, "name: It is missing. Add it."), ({"name": ""}, "name: It is empty. Fill it in.")):
        response = Client().post("/api/v1/corpora/", body, content_type="application/json", headers=bearer)
        assert error_of(response)["message"] == message


@pytest.mark.parametrize("body", [b"not json", b'{"text": ', b""], ids=["words", "half an object", "nothing"])
def test_a_body_that_is_no_json_is_told_in_a_sentence(body: bytes, bearer: dict[str, str]) -> None:
    response = Client().post("/api/v1/questions/", body, content_type="application/json", headers=bearer)

    assert response.status_code == 400
    error_of(response)


def test_a_number_that_python_does_not_read_is_told_without_the_words_of_python(bearer: dict[str, str]) -> None:
    body = f'{{"text": {"9" * 5000}}}'
    response = Client().post("/api/v1/questions/", body, content_type="application/json", headers=bearer)
    sentence = "The body is not valid JSON (a number has too many digits). Send one JSON object."

    assert (response.status_code, error_of(response)["message"]) == (400, sentence)


@pytest.mark.parametrize(("address", "field"), [("/api/v1/questions/", "text"), ("/api/v1/search/", "query")])
def test_a_number_is_not_taken_for_a_text(address: str, field: str, bearer: dict[str, str]) -> None:
    body = {"corpus_id": "00000000-0000-4000-8000-000000000000", field: 5}
    response = Client().post(address, body, content_type="application/json", headers=bearer)

    assert (response.status_code, error_of(response)["message"]) == (400, f"{field}: This is not text. Send a string.")


@pytest.mark.parametrize(
    "query", ["limit=x", "limit=0", "limit=", "offset=-1", "offset=1.5", "offset=²", "limit=" + "9" * 41]
)
def test_a_page_of_a_list_that_does_not_exist_is_refused(query: str, bearer: dict[str, str]) -> None:
    response = Client().get(f"/api/v1/questions/?{query}", headers=bearer)
    name, value = query.split("=")

    assert response.status_code == 400
    assert error_of(response)["message"].startswith(f"{name}: '{value[:40]}' is not a whole number of at least ")


def test_a_state_of_contradictions_that_does_not_exist_is_named_with_those_that_do(
    firm: Firm, bearer: dict[str, str]
) -> None:
    address = reverse("api_contradiction_list", args=[make_corpus(firm, "Leases").pk])
    message = error_of(Client().get(address, {"state": "x"}, headers=bearer))["message"]

    assert message.startswith("state: 'x' does not exist; choose one of: open, ")


@pytest.mark.parametrize(
    ("method", "address", "sent", "sentence"),
    [
        ("get", "/api/v1/dashboard/?weeks=5", {}, 'weeks: "5" is not a valid choice. Choose one of: 4, 12, 52.'),
        ("get", "/api/v1/llm/costs/?by=week", {}, 'by: "week" is not a valid choice. Choose one of: day, role, '),
        (
            "post",
            "/api/v1/question-types/",
            {"name": "Dates", "targets": ["x"]},
            'targets: 0: "x" is not a valid choice. Choose one of: ',
        ),
        ("put", "/api/v1/me/", {}, 'Method "PUT" not allowed. Use GET, HEAD.'),
    ],
)
def test_a_choice_that_does_not_exist_is_refused_with_those_that_do(
    method: str, address: str, sent: dict[str, Any], sentence: str, bearer: dict[str, str]
) -> None:
    response = getattr(Client(), method)(address, sent, content_type="application/json", headers=bearer)

    assert response.status_code in (400, 405)
    assert error_of(response)["message"].startswith(sentence)


def test_what_to_send_is_said_where_a_body_or_a_reply_is_of_another_kind(bearer: dict[str, str]) -> None:
    form = Client().post("/api/v1/search/", {"query": "rent"}, headers=bearer)
    page = Client().get("/api/v1/me/", headers=bearer | {"Accept": "text/html"})

    assert (form.status_code, page.status_code) == (415, 406)
    assert error_of(form)["message"].endswith("Send application/json.")
    assert error_of(page)["message"].endswith("Accept application/json.")


@pytest.mark.parametrize("address", ["/api/", "/api/v1/nothing/", "/api/v2/corpora/", "/api/v1/corpora/1/"])
def test_an_address_of_the_api_that_leads_nowhere_says_so_in_the_one_shape(address: str) -> None:
    for response in (Client().get(address), Client().post(address, b"{}", content_type="application/json")):
        assert response.status_code == 404
        assert error_of(response)["code"] == "not_found"


@pytest.mark.parametrize("address", ["/nothing/", "/apiary/", "/o/harding/nothing/"])
def test_other_addresses_that_lead_nowhere_get_a_page(address: str) -> None:
    response = Client().get(address)

    assert response.status_code == 404
    assert "Page not found" in response.content.decode()


def test_an_endpoint_that_breaks_down_says_so_in_the_one_shape(
    bearer: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MeApi, "get", broken)  # a fault in our code has to be made
    response = Client(raise_request_exception=False).get("/api/v1/me/", headers=bearer)

    assert response.status_code == 500
    assert error_of(response)["code"] == "fault"
    assert "secret" not in response.content.decode()


def test_a_page_that_breaks_down_is_a_page(
    firm: Firm, client_of: Callable[[User], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(firm.owner)
    client.raise_request_exception = False
    monkeypatch.setattr("legalqa.accounts.views.accounts.membership_list_of_user", broken)  # likewise
    response = client.get("/")

    assert response.status_code == 500
    assert "Something went wrong" in response.content.decode()


def broken(*_: object, **__: object) -> HttpResponse:
    raise RuntimeError("a secret detail")
