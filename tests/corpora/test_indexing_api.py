"""Cutting, indexing and versions for programs: by the API and by the command."""

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse

from corpora.models import ChunkSet, Corpus
from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job
from tests.commands import told
from tests.ingestion import Ingested, ingest
from tests.people import Firm

SMALL = {"kind": "sentence.v1", "size_tokens": 16, "overlap_tokens": 0}


class Api:
    """A program with a manager's token."""

    def __init__(self, firm: Firm) -> None:
        self._headers: Any = firm.bearer(firm.manager, *ALL_SCOPES)

    def get(self, name: str, object_id: object, **query: str) -> Any:
        return Client().get(reverse(name, args=[object_id]), query, headers=self._headers)

    def post(self, name: str, object_id: object, **data: object) -> Any:
        address = reverse(name, args=[object_id])
        return Client().post(address, json.dumps(data), "application/json", headers=self._headers)


@pytest.fixture
def api(firm: Firm) -> Api:
    return Api(firm)


def test_a_program_sees_the_chunks_first_and_starts_the_build(
    firm: Firm, corpus: Corpus, lease: Ingested, api: Api
) -> None:
    preview = api.post("api_chunking_preview", corpus.pk, chunker=SMALL).json()
    assert [chunk["number"] for chunk in preview["chunks"]] == list(range(1, len(preview["chunks"]) + 1))
    assert (len(preview["chunks"]) > preview["n_live"], preview["document_id"]) == (True, str(lease.document.pk))

    started = api.post("api_corpus_reindex", corpus.pk, chunker=SMALL)
    assert (started.status_code, started.json()["state"]) == (202, "queued")
    assert Job.objects.filter(pk=started.json()["id"]).exists()
    assert api.post("api_corpus_reindex", corpus.pk).json()["code"] == "reindex_open"
    assert api.get("api_job_detail", started.json()["id"]).status_code == 200


@pytest.mark.parametrize("name", ["api_corpus_reindex", "api_chunking_preview"])
@pytest.mark.parametrize(
    "chunker",
    [
        {"kind": ["sentence.v1"]},
        {"kind": "sentence.v1", "size_tokens": {"a": 1}},
        {"kind": "pattern.v1", "pattern": "(" * 50},
        {"kind": "pattern.v1", "pattern": "a\x00"},
        {"kind": "pattern.v1", "pattern": "a\ud800"},
        {"kind": "recursive.v1", "separators": ["\x00"]},
        {"kind": "semantic.v1", "threshold": "NaN"},
        {"kind": "recursive.v1", "separators": [""]},
    ],
)
def test_settings_that_no_honest_program_sends_are_refused(
    name: str, chunker: dict[str, object], corpus: Corpus, lease: Ingested, api: Api
) -> None:
    refused = api.post(name, corpus.pk, chunker=chunker)

    assert (refused.status_code, refused.json()["code"]) == (400, "chunker")


def test_a_preview_of_an_empty_corpus_is_refused_in_words(corpus: Corpus, api: Api) -> None:
    refused = api.post("api_chunking_preview", corpus.pk)

    assert (refused.status_code, refused.json()["code"]) == (409, "corpus_empty")


def test_versions_their_dates_and_what_changed(lease: Ingested, api: Api) -> None:
    dated = api.post("api_effective_date", lease.document.pk, number=2, effective_date="2024-07-01")
    assert dated.json()["effective_date"] == "2024-07-01"
    versions = api.get("api_version_list", lease.document.pk).json()["results"]
    assert [(v["number"], v["effective_date"]) for v in versions] == [(2, "2024-07-01"), (1, None)]

    changes = api.get("api_changes", lease.document.pk, old="1", new="2").json()["results"]
    assert [(c["origin"], c["old_ordinal"], c["new_ordinal"]) for c in changes] == [
        ("changed", 1, 1),
        ("added", None, 3),
    ]
    assert [w["text"] for w in changes[0]["words"] if w["mark"] == "added"] == ["950"]


def test_the_command_builds_and_switches(firm: Firm, corpus: Corpus, lease: Ingested) -> None:
    options = ["--chunker=hierarchical", "--set=child_tokens=24", "--set=min_tokens=4", "--wait"]
    document = told("index", "policies", *options, organization="harding")

    assert (document["state"], document["is_live"], document["documents"]) == ("done", True, 1)
    assert document["chunker"]["child_tokens"] == 24
    assert document["embeddings"] == document["chunks"] > 1
    with organization_scope(firm.organization, user=None):
        assert ChunkSet.objects.get(is_live=True).chunker["kind"] == "hierarchical.v1"


def test_the_command_also_builds_the_graph_and_the_question_index(firm: Firm, corpus: Corpus) -> None:
    ingest(firm, corpus, "duties.md", "# Duties\n\nThe landlord must repair the roof within ten days.\n")
    told("index", "policies", "--graph", "--questions", "--wait", organization="harding")
    again = ["--chunker=hierarchical", "--graph", "--questions", "--wait"]  # the switch itself begins to build both
    document = told("index", "policies", *again, organization="harding")

    assert document["is_live"] and document["questions"]["questions"] > 0
    assert (
        document["graph"]["statements"] == told("graph", "show", "policies", organization="harding")["statements"] > 0
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "There is no corpus"),
        (["policies", "--chunker=magic"], "There is no chunker 'magic'"),
        (["policies", "--set=size_tokens"], "'size_tokens' is not of the form key=value"),
        (["policies", "--set=size_tokens=9", "--set=size_tokens=8"], "'size_tokens' is given twice"),
        (["policies", "--set=size_tokens=-1"], "greater than or equal to 1"),
        (["policies", "--list", "--graph", "--questions"], "--list does not go with --graph and --questions"),
        (["policies", "--use=live", "--chunker=semantic", "--beside"], "--use does not go with --chunker and --beside"),
        (["policies", "--encoder=small", "--use=live"], "--use does not go with --encoder"),
    ],
)
def test_the_command_refuses_bad_input_with_one_sentence(arguments: list[str], words: str, corpus: Corpus) -> None:
    with pytest.raises(CommandError, match=words) as refused:
        call_command("index", *arguments, organization="harding")
    assert refused.value.returncode == 2
