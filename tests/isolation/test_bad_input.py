"""Bad input on pages and endpoints: one sentence, the right code, and nothing lost or left behind."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.urls import reverse
from pytest_django.plugin import DjangoDbBlocker

from corpora.models import Corpus
from corpora.parsers.reasons import REASONS
from legalqa.accounts.scoping import organization_scope
from tests.isolation.bad_input import LONG, RAW_BODIES, body_cases, files_of, post_json, post_raw
from tests.isolation.callers import (
    Callers,
    Sent,
    api_data,
    body_of,
    client_make,
    ids_of,
    parameters,
    token_header,
    undone,
)
from tests.isolation.page_doors import PAGES
from tests.isolation.rules import API
from tests.isolation.test_foreign_ids import fingerprint
from tests.isolation.world import LOCKED_PDF, House, World, lease

TEXT_FIELDS = {"api_search": "query", "api_question_list": "text"}
FILES: dict[str, tuple[str, bytes, str]] = {
    "empty": ("empty.pdf", b"", "empty_file"),
    "of a wrong type": ("page.pdf", b"<html><body>No PDF</body></html>", "not_a_pdf"),
    "a program": ("setup.exe", b"MZ\x90\x00", "executable"),
    "of an unknown kind": ("notes.xyz", b"words", "unsupported_type"),
    "too large": ("long.txt", b"word " * 1000, "too_large"),
    "with a wrong password": ("locked.pdf", LOCKED_PDF.read_bytes(), "wrong_password"),
    "a duplicate": ("again.md", b"", "duplicate_file"),
    "without a name": ("\u202e", b"words", "name_needed"),
}
Rows = dict[str, tuple[int, str]]


def rows_written() -> dict[str, int]:
    """How many rows of each table this transaction has written, rolled back or not: PostgreSQL counts them."""
    query = "SELECT relname, n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_xact_user_tables"
    with connection.cursor() as cursor:
        cursor.execute(query)
        return {str(table): int(n_rows) for table, n_rows in cursor.fetchall()}


@pytest.fixture(scope="module")
def untouched(committed_world: World, django_db_blocker: DjangoDbBlocker) -> list[tuple[Rows, set[str]]]:
    """Every row and every stored file of both organisations."""
    with django_db_blocker.unblock():
        houses = (committed_world.ours, committed_world.theirs)
        return [(fingerprint(house), files_of(house)) for house in houses]


@pytest.fixture(autouse=True)
def nothing_lost(untouched: list[tuple[Rows, set[str]]], world: World) -> Iterator[None]:
    """Whatever a test of this file sends: every row and every file stays as it was."""
    before = rows_written()
    yield
    written = {table for table, n_rows in rows_written().items() if n_rows != before.get(table, 0)}
    for house, (rows, files) in zip((world.ours, world.theirs), untouched, strict=True):
        known = written & set(rows)
        assert fingerprint(house, known) == {table: rows[table] for table in known}
        assert files_of(house) == files


def test_a_row_that_is_written_is_counted_also_where_that_was_rolled_back(world: World) -> None:
    before = rows_written().get("corpora_corpus", 0)
    with undone(), organization_scope(world.ours.firm.organization, user=world.ours.firm.owner):
        Corpus.objects.filter(pk=world.ours.corpus.pk).update(description="changed")

    assert rows_written()["corpora_corpus"] == before + 1


def says_one_sentence(response: Sent) -> dict[str, Any]:
    """The one error shape, in words."""
    error: dict[str, Any] = response.json()
    assert set(error) == {"message", "code", "extra"}
    assert error["message"] and "Traceback" not in error["message"] and len(error["message"]) < 500
    assert error["code"]
    return error


@pytest.mark.parametrize("name", TEXT_FIELDS)
def test_bodies_that_cannot_be_meant_are_refused(name: str, world: World) -> None:
    wrong = []
    for case, (body, status) in body_cases(world.ours, TEXT_FIELDS[name]).items():
        response = post_json(world, name, body)
        if response.status_code != status:
            wrong.append(f"{case}: {response.status_code} {body_of(response)[:200]}")
        else:
            says_one_sentence(response)

    assert wrong == []


@pytest.mark.parametrize("name", [*TEXT_FIELDS, "api_corpus_list"])
@pytest.mark.parametrize("case", RAW_BODIES)
def test_bodies_that_are_no_json_are_refused(name: str, case: str, world: World) -> None:
    response = post_raw(world, name, RAW_BODIES[case])

    assert response.status_code == 400
    says_one_sentence(response)


@pytest.mark.parametrize("name", TEXT_FIELDS)
def test_a_body_of_another_type_is_refused(name: str, world: World) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        response = post_raw(world, name, b"corpus_id=1", kind=kind)
        assert response.status_code == 415
        says_one_sentence(response)


@pytest.mark.parametrize("k", [0, -1, 201, 10**30, "ten", 1.5, None])
def test_a_number_of_hits_out_of_range_is_refused(k: object, world: World) -> None:
    response = post_json(world, "api_search", {"corpus_id": str(world.ours.corpus.pk), "query": "rent", "k": k})

    assert response.status_code == 400
    assert says_one_sentence(response)["message"].startswith("k: ")


@pytest.mark.parametrize(
    "body",
    [
        {"name": ""},
        {"name": "§§§"},
        {"name": "x" * 121},
        {"name": "a\x00b"},
        {"name": "a\ud800b"},
        {"name": "New", "chunker": {"kind": "magic"}},
        {"name": "New", "chunker": {"kind": "sentence.v1", "size_tokens": -1}},
        {"name": "New", "chunker": {"kind": "recursive.v1", "separators": ["\x00"]}},
        {"name": "New", "chunker": {"kind": "recursive.v1", "separators": ["\ud800"]}},
        {"name": "New", "chunker": "sentence.v1"},
        {"name": "New", "is_walled": "perhaps"},
    ],
    ids=str,
)
def test_a_corpus_that_cannot_be_made_is_refused(body: dict[str, object], world: World) -> None:
    response = post_json(world, "api_corpus_list", body)

    assert response.status_code == 400
    says_one_sentence(response)


@pytest.mark.parametrize("name", API)
def test_an_endpoint_takes_no_name_that_it_does_not_declare(name: str, world: World) -> None:
    wrong = []
    address = reverse(name, kwargs=ids_of(world.ours, name, "owner"))
    for method in API[name]:
        send = getattr(client_make(), method.lower())
        headers: Any = token_header(world, "owner")
        cases = {"unknown_parameter": send(f"{address}?valid_on=2022-01-01", headers=headers)}
        if name == "api_document_list" and method == "POST":  # a file goes as multipart
            cases["unknown_field"] = send(address, {"valid_on": "2022-01-01"}, headers=headers)
        elif method in ("POST", "PUT", "PATCH"):
            data = api_data(world.ours, name, method) | {"valid_on": "2022-01-01"}
            cases["unknown_field"] = send(address, json.dumps(data), content_type="application/json", headers=headers)
        for code, response in cases.items():
            error = says_one_sentence(response)
            if (response.status_code, error["code"]) != (400, code) or "'valid_on'" not in error["message"]:
                wrong.append(f"{method} {name}: {response.status_code} {error}")

    assert wrong == []


@pytest.mark.parametrize("name", API)
def test_an_endpoint_answers_head_as_get_and_knows_no_options(name: str, callers: Callers) -> None:
    ids = ids_of(callers.world.ours, name, "owner")
    got, head, options = (callers.api("owner", method, name, ids) for method in ("GET", "HEAD", "OPTIONS"))

    assert head.status_code == got.status_code < 500
    assert options.status_code == 405
    assert says_one_sentence(options)["code"] == "method_not_allowed"


def test_a_field_that_a_question_does_not_know_is_named_with_those_it_knows(world: World) -> None:
    body = {"corpus_id": str(world.ours.corpus.pk), "text": "What is the rent?", "valid_on": "2022-01-01"}
    response = post_json(world, "api_question_list", body)

    message = says_one_sentence(response)["message"]
    assert message.startswith(
        "There is no field 'valid_on' here; accepted: preset, set, filters, as_of, corpus_id, text"
    )


def test_a_field_inside_a_list_of_objects_is_checked_too(world: World) -> None:
    address = reverse("api_answer_grade", kwargs=ids_of(world.ours, "api_answer_grade", "owner"))
    judged = [{"paragraph_id": "x", "is_support": True, "weight": 2}]
    response = client_make().put(
        address,
        json.dumps({"grade": "right", "passages": judged}),
        content_type="application/json",
        headers=token_header(world, "owner"),
    )

    assert says_one_sentence(response)["message"].startswith("There is no field of passages 'weight' here")


def test_a_query_parameter_that_is_there_twice_is_refused(world: World) -> None:
    address = reverse("api_document_list", args=[world.ours.corpus.pk])
    response = client_make().get(f"{address}?state=ready&state=failed", headers=token_header(world, "owner"))

    assert response.status_code == 400
    assert says_one_sentence(response) == {
        "message": "The query parameter 'state' occurs 2 times but takes one value. Send it once.",
        "code": "repeated",
        "extra": {},
    }


def test_a_second_file_of_an_upload_is_refused_with_the_first(world: World) -> None:
    response = client_make().post(
        reverse("api_document_list", args=[world.ours.corpus.pk]),
        {"file": [SimpleUploadedFile("rents.txt", b"The rent is due."), SimpleUploadedFile("roofs.txt", b"A roof.")]},
        headers=token_header(world, "owner"),
    )

    assert response.status_code == 400
    error = says_one_sentence(response)
    assert error["code"] == "repeated"
    assert error["message"] == "The field 'file' occurs 2 times but takes one value. Send it once."


def test_a_key_that_a_body_says_twice_is_refused(world: World) -> None:
    corpus = str(world.ours.corpus.pk).encode()
    body = b'{"corpus_id": "%b", "text": "What is the rent?", "text": "And the deposit?"}' % corpus
    response = post_raw(world, "api_question_list", body)

    assert response.status_code == 400
    message = says_one_sentence(response)["message"]
    assert message == "The body is not valid JSON (the key 'text' occurs twice in an object). Send one JSON object."


def test_a_corpus_of_a_taken_name_is_a_conflict(world: World) -> None:
    response = post_json(world, "api_corpus_list", {"name": world.ours.corpus.name})

    assert response.status_code == 409
    assert says_one_sentence(response)["code"] == "name_taken"


def file_of(house: House, case: str) -> tuple[SimpleUploadedFile, str]:
    name, content, code = FILES[case]
    if case == "a duplicate":
        content = lease(house.marker).encode()
    return SimpleUploadedFile(name, content), code


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_cannot_be_taken_in_is_refused_by_the_endpoint(case: str, world: World, settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 1000 if case == "too large" else settings.MAX_UPLOAD_BYTES
    file, code = file_of(world.ours, case)
    response = client_make().post(
        reverse("api_document_list", args=[world.ours.corpus.pk]),
        {"file": file, "password": "battery-staple"},
        headers=token_header(world, "owner"),
    )

    assert response.status_code == (409 if case == "a duplicate" else 400)
    error = says_one_sentence(response)
    assert error["code"] == code or case == "without a name"


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_cannot_be_taken_in_is_refused_by_the_page(case: str, callers: Callers, settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 1000 if case == "too large" else settings.MAX_UPLOAD_BYTES
    file, code = file_of(callers.world.ours, case)
    response = callers.browser("owner").post(
        reverse("document_upload", args=[callers.world.ours.slug, callers.world.ours.corpus.pk]),
        {"files": file, "password": "battery-staple"},
    )

    assert response.status_code in (400, 422)
    if code in REASONS and code != "too_large":  # that one names the limit of this installation
        assert REASONS[code].split(":")[0] in response.content.decode()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "multipart/form-data"),
        (b"--x\r\nbroken", "multipart/form-data; boundary=x"),
        (b"--x\r\n", "multipart/form-data; boundary=" + "x" * 300),
        (b"{}", "application/json"),
        (b"\x00" * 100, "multipart/form-data; boundary=x"),
    ],
    ids=["no boundary", "cut off", "long boundary", "json", "nul bytes"],
)
def test_an_invalid_multipart_body_is_refused(body: bytes, kind: str, callers: Callers) -> None:
    house = callers.world.ours
    endpoint = client_make().post(
        reverse("api_document_list", args=[house.corpus.pk]),
        body,
        content_type=kind,
        headers=token_header(callers.world, "owner"),
    )
    page = callers.browser("owner").post(
        reverse("document_upload", args=[house.slug, house.corpus.pk]), body, content_type=kind
    )

    assert endpoint.status_code in (400, 415)
    says_one_sentence(endpoint)
    assert page.status_code == 400


def test_an_upload_into_no_corpus_is_not_found(callers: Callers) -> None:
    house, file = callers.world.ours, SimpleUploadedFile("a.txt", b"A note.")
    page = callers.browser("owner").post(reverse("document_upload", args=[house.slug, uuid4()]), {"files": file})
    file.seek(0)
    endpoint = client_make().post(
        reverse("api_document_list", args=[uuid4()]), {"file": file}, headers=token_header(callers.world, "owner")
    )

    assert (page.status_code, endpoint.status_code) == (404, 404)


@pytest.mark.parametrize(
    "data",
    [
        {"text": ""},
        {"text": " \n "},
        {"text": LONG},
        {"text": "re\x00nt"},
        {"corpus": ""},
        {"corpus": "leases"},
        {"corpus": "\x00"},
        {"preset": "magic"},
        {"k": "0"},
        {"k": "51"},
        {"k": "9" * 400},
        {"k": "ten"},
    ],
    ids=lambda data: str(data)[:40],
)
def test_a_question_that_cannot_be_asked_comes_back_with_a_sentence(data: dict[str, str], callers: Callers) -> None:
    house = callers.world.ours
    sent = {"text": "What rent is due?", "corpus": str(house.corpus.pk), **data}
    response = callers.browser("lawyer").post(reverse("question_ask", args=[house.slug]), sent)

    assert response.status_code == 422
    assert all(message for messages in response.context["form"].errors.values() for message in messages)


@pytest.mark.parametrize("query", ["v=x", "v=99999999999", "v=-1", "at=1", "at=%00", "at=1:2-3&v=%00"])
def test_an_invalid_place_is_refused_by_the_reader(query: str, callers: Callers) -> None:
    house = callers.world.ours
    for name in ("document_detail", "document_rects"):
        address = reverse(name, args=[house.slug, house.document.document.pk])
        assert callers.browser("lawyer").get(f"{address}?{query}").status_code == 400


@pytest.mark.parametrize("query", ["at=9999999:0-999999999", "at=0:5-1", "page=-1", "page=" + "9" * 30, "answer=x"])
def test_a_place_outside_the_document_opens_it_without_marks(query: str, callers: Callers) -> None:
    house = callers.world.ours
    address = reverse("document_detail", args=[house.slug, house.document.document.pk])

    assert callers.browser("lawyer").get(f"{address}?{query}").status_code == 200


@pytest.mark.parametrize("name", [*PAGES, *API])
def test_nul_in_an_address_is_refused_or_leads_nowhere(name: str, callers: Callers) -> None:
    """In the query and in the path, on every page and endpoint."""
    ids = ids_of(callers.world.ours, name, "owner")
    address = reverse(name, kwargs=ids)
    headers = token_header(callers.world, "owner") if name in API else {}
    for bad in (f"{address}?x=%00", f"{address}%00/", f"{address}?state=a%00b"):
        response = callers.browser("owner").get(bad, headers=headers)
        assert response.status_code == 400, bad


@pytest.mark.parametrize("name", [name for name in (*PAGES, *API) if set(parameters(name)) - {"slug"}])
def test_an_invalid_id_gives_404(name: str, callers: Callers) -> None:
    ids = ids_of(callers.world.ours, name, "owner")
    address = reverse(name, kwargs=ids)
    for key, value in ids.items():
        if key != "slug" and not isinstance(value, int):  # every number is well-formed
            for bad in ("1", "x" * 36, "%ff", "..%2f..%2fetc", "0" * 400):
                response = callers.browser("owner").get(address.replace(str(value), bad))
                assert response.status_code == 404, bad


@pytest.mark.parametrize("query", ["limit=x", "limit=-1", "offset=999999999999999999999", "limit=1e9", "offset=-5"])
def test_pages_of_a_list_out_of_range_are_no_fault(query: str, world: World) -> None:
    for name in ("api_corpus_list", "api_question_list"):
        response = client_make().get(f"{reverse(name)}?{query}", headers=token_header(world, "owner"))
        assert response.status_code in (200, 400)
