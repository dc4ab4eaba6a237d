"""Requests that no honest program sends, and what must be left untouched by them."""

import json
from typing import Any
from uuid import uuid4

from django.urls import reverse

from tests.isolation.callers import Sent, client_make, token_header
from tests.isolation.world import House, World
from tests.uploads import file_path

LONG = "x" * 20_000


def body_cases(house: House, field: str) -> dict[str, tuple[object, int]]:
    """JSON bodies for an endpoint that takes a corpus and a text, each with the status it must get."""
    corpus = str(house.corpus.pk)
    good: dict[str, object] = {"corpus_id": corpus, field: "rent"}
    return {
        "an empty text": (good | {field: ""}, 400),
        "a blank text": (good | {field: " \n\t "}, 400),
        "20,000 characters": (good | {field: LONG}, 400),
        "NUL in the text": (good | {field: "re\x00nt"}, 400),
        "half a surrogate pair in the text": (good | {field: "rent \ud800"}, 400),
        "no text": ({"corpus_id": corpus}, 400),
        "a number for a text": (good | {field: {"a": 1}}, 400),
        "no corpus": ({field: "rent"}, 400),
        "a corpus that is no id": (good | {"corpus_id": "leases"}, 400),
        "a corpus that does not exist": (good | {"corpus_id": str(uuid4())}, 404),
        "a list": ([good], 400),
        "a string": ("rent", 400),
        "nothing": (None, 400),
        "an unknown preset": (good | {"preset": "magic"}, 400),
        "an unknown setting": (good | {"set": {"magic": "1"}}, 400),
        "a setting of the wrong type": (good | {"set": {"k": "many"}}, 400),
        "a huge k": (good | {"set": {"k": "999999999999999999999"}}, 400),
        "a k of none": (good | {"set": {"k": "0"}}, 400),
        "a weight that is no number": (good | {"set": {"rrf.weights": "nan,1"}}, 400),
        "infinite weights": (good | {"set": {"rrf.weights": "inf,1"}}, 400),
        "settings that are a list": (good | {"set": ["k"]}, 400),
        "NUL in a setting": (good | {"set": {"k": "1\x00"}}, 400),
        "an unknown filter": (good | {"filters": {"magic": 1}}, 400),
        "a filter of the wrong type": (good | {"filters": {"kinds": {"a": 1}}}, 400),
        "a document that is no id": (good | {"filters": {"document_ids": ["leases"]}}, 400),
        "an unknown format": (good | {"filters": {"kinds": ["PDF"]}}, 400),
        "two days": (good | {"filters": {"as_of": "2024-01-31"}, "as_of": "2025-01-31"}, 400),
        "an invalid date": (good | {"filters": {"date_from": "yesterday"}}, 400),
        "dates the wrong way round": (good | {"filters": {"date_from": "2025-01-02", "date_to": "2025-01-01"}}, 400),
        "NUL in a filter": (good | {"filters": {"heading": "a\x00"}}, 400),
        "half a surrogate pair in a filter": (good | {"filters": {"heading": "\udfff"}}, 400),
        "half a surrogate pair in the name of a filter": (good | {"filters": {"\udfff": "a"}}, 400),
        "filters that are a list": (good | {"filters": ["heading"]}, 400),
        "a thousand and one documents": (good | {"filters": {"document_ids": [str(uuid4())] * 1001}}, 400),
    }


RAW_BODIES = {
    "cut off": b'{"corpus_id": "',
    "no UTF-8": b'{"query": "\xff\xfe"}',
    "empty": b"",
    "nested a thousand times": b"[" * 1000 + b"]" * 1000,
    "nested a hundred thousand times": b"[" * 100_000,
    "not a number": b'{"corpus_id": NaN}',
    "a huge number": b'{"k": 1e999999}',
}


def post_json(world: World, name: str, body: object) -> Sent:
    """Post a body as our owner's program."""
    return post_raw(world, name, json.dumps(body).encode())


def post_raw(world: World, name: str, body: bytes, kind: str = "application/json") -> Sent:
    headers: Any = token_header(world, "owner")
    return client_make().post(reverse(name), body, content_type=kind, headers=headers)


def files_of(house: House) -> set[str]:
    """Names of the files stored for the organisation."""
    organization_id = house.firm.organization.pk
    return {file.name for file in file_path(organization_id=organization_id, file_id=organization_id).parent.iterdir()}
