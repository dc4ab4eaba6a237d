"""A case base whose corpus is searched by an encoder of a folder or an endpoint: it takes cases, and finds them."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from corpora.models import AddedEncoder, Corpus, EncoderSource
from corpora.services import encoder_add, encoder_fill_work, encoder_remove
from corpora.services.added_encoders import EndpointSettings
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.encoder.client import NAME
from legalqa.jobs.models import Job
from legalqa.llm.types import Role
from retrieval.cases.files import case_rows_read
from retrieval.cases.indexing import case_index_build, case_index_list
from retrieval.cases.pages import encoders
from retrieval.cases.services import cases_add, cases_approve_waiting
from retrieval.models import CaseVector
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import corpus_search
from tests.encoders import mini_128
from tests.ingestion import ingest, make_corpus
from tests.legalqa.llm.setting_up import set_up
from tests.people import Firm
from tests.provider import ScriptedProvider, embeds
from tests.retrieval.cases.conftest import LAW, embed

CASE = {"question": "Who pays the fine?", "support": "The employer pays the fine.", "answer": "The employer."}
pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    made = make_corpus(firm, "Hiring law")
    ingest(firm, made, "rules.md", LAW)
    return made


@pytest.fixture
def folder(firm: Firm, corpus: Corpus, tmp_path: Path) -> Iterator[AddedEncoder]:
    with override_settings(ENCODERS=str(mini_128(tmp_path))):
        yield added(firm, corpus, folder="mini-128")


def added(firm: Firm, corpus: Corpus, **given: Any) -> AddedEncoder:
    row, _ = encoder_add(organization=firm.organization, user=firm.manager, corpus_id=corpus.pk, **given)
    return row


def first_case(firm: Firm, corpus: Corpus) -> str:
    """Bring a case in, approve and encode it; gives the encoder that it is compared by."""
    acting: dict[str, Any] = {"organization": firm.organization, "user": firm.owner, "corpus_id": corpus.pk}
    with organization_scope(firm.organization, user=firm.owner):
        cases_add(**acting, rows=case_rows_read(json.dumps(CASE)))
        cases_approve_waiting(**acting)
    embed(firm)
    with organization_scope(firm.organization, user=firm.owner):
        (state,) = case_index_list(organization=firm.organization, corpus_id=corpus.pk)
    assert state.n_cases == 1
    return state.index.encoder


def searched_by(firm: Firm, corpus: Corpus, encoder: str) -> Corpus:
    with organization_scope(firm.organization, user=None):
        Corpus.objects.filter(pk=corpus.pk).update(encoder=encoder)
        corpus.refresh_from_db()
    return corpus


def sides(firm: Firm, corpus: Corpus, **settings: str) -> list[str]:
    """The cases beside a search."""
    preset = preset_get("casebase", settings)
    acting: dict[str, Any] = {"organization": firm.organization, "user": firm.lawyer, "corpus_id": corpus.pk}
    found = corpus_search(request=SearchRequest(**acting, text="Who has to pay the fine?", preset=preset))
    return [side.text for side in found.side if side.source.kind == "case"]


def test_the_first_case_of_a_corpus_with_an_encoder_in_a_folder_is_encoded_by_it(
    firm: Firm, corpus: Corpus, folder: AddedEncoder
) -> None:
    searched_by(firm, corpus, folder.name)

    assert first_case(firm, corpus) == folder.name
    with organization_scope(firm.organization, user=None):
        assert {len(vector) for vector in CaseVector.objects.values_list("vector", flat=True)} == {128}


def test_a_corpus_with_its_own_encoder_finds_cases_by_one_in_a_folder(
    firm: Firm, corpus: Corpus, folder: AddedEncoder
) -> None:
    first_case(firm, corpus)
    with organization_scope(firm.organization, user=firm.owner):
        case_index_build(organization=firm.organization, user=firm.owner, corpus_id=corpus.pk, encoder=folder.name)
    embed(firm)

    assert sides(firm, corpus, **{"cases.intra": folder.name, "cases.inter": folder.name}) == ["Who pays the fine?"]


def test_an_endpoint_is_sent_questions_and_passages_each_with_its_cue_and_asked_outside_every_transaction(
    firm: Firm, corpus: Corpus, scripted_provider: ScriptedProvider, settings: Any
) -> None:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(firm, scripted_provider.url, role=Role.EMBED, model="embed-1")
    scripted_provider.will(embeds([3.0, 4.0]))  # a probe
    given = EndpointSettings("First/embed-1", cue_query="Q: ", cue_passage="P: ", licence="MIT")
    row = added(firm, corpus, endpoint=given)
    assert row.source == EncoderSource.ENDPOINT
    first_case(firm, corpus)
    scripted_provider.will(embeds([0.0, 1.0]), embeds([1.0, 0.0]), embeds([0.0, 1.0]))
    with organization_scope(firm.organization, user=firm.owner):
        case_index_build(organization=firm.organization, user=firm.owner, corpus_id=corpus.pk, encoder=row.name)
    embed(firm)
    texts = [call.body["input"] for call in scripted_provider.asked[-2:]]
    assert texts == [["Q: Who pays the fine?"], ["P: The employer pays the fine."]]

    assert sides(firm, corpus, **{"cases.intra": row.name}) == ["Who pays the fine?"]
    assert scripted_provider.asked[-1].body["input"] == ["Q: Who has to pay the fine?"]


def test_the_page_offers_the_encoders_that_the_corpus_has_and_no_others_are_taken(
    firm: Firm, corpus: Corpus, folder: AddedEncoder
) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        assert encoders(corpus) == [(NAME, "The packaged encoder"), (folder.name, "MiniLM, 128")]
        with pytest.raises(ApplicationError, match="has no encoder 'folder:other'"):
            case_index_build(
                organization=firm.organization, user=firm.owner, corpus_id=corpus.pk, encoder="folder:other"
            )


def test_an_encoder_by_which_cases_are_compared_is_removed_after_their_index_only(
    firm: Firm, corpus: Corpus, folder: AddedEncoder, client_of: Callable[[User], Client]
) -> None:
    encoder_fill_work(job_id=Job.objects.get(subject_id=folder.pk).pk)
    searched_by(firm, corpus, folder.name)
    first_case(firm, corpus)
    searched_by(firm, corpus, NAME)
    acting: dict[str, Any] = {"organization": firm.organization, "user": firm.manager, "corpus_id": corpus.pk}
    with organization_scope(firm.organization, user=firm.manager):
        with pytest.raises(Conflict, match="solved cases are compared by this encoder"):
            encoder_remove(**acting, encoder_id=folder.pk)
    browser, of = client_of(firm.manager), [firm.organization.slug, corpus.pk]
    assert (
        "no longer compared"
        in browser.post(reverse("case_index_remove", args=of), {"removed": folder.name}, follow=True).content.decode()
    )
    with organization_scope(firm.organization, user=firm.manager):
        assert not CaseVector.objects.exists()
        encoder_remove(**acting, encoder_id=folder.pk)
