"""The entities of cases read by a language model: what it names must be in the case, and nothing is asked twice."""

from collections.abc import Callable, Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from corpora.models import Corpus
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_run
from legalqa.llm.types import Role
from legalqa.llm.wire import sdk_load
from retrieval.cases.asking import ACTS, CaseModel
from retrieval.cases.files import CaseRow
from retrieval.cases.reading import TASK, case_entities_slice
from retrieval.cases.services import cases_add
from retrieval.models import CaseEntry
from tests.ingestion import make_corpus
from tests.legalqa.llm.setting_up import set_up
from tests.people import Firm
from tests.provider import ScriptedProvider, Wire, fails, says_json

SUPPORT = "Under the Fair Wages Ordinance of 1931 the warden of Elmfield keeps register 7-B."
READ = {"acts": ["Fair Wages Ordinance of 1931", "Invented Act 1999"], "entities": ["register 7-B", "a dragon"]}
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="session", autouse=True)
def sdk() -> None:
    """Loaded before any transaction is open: it takes seconds, once."""
    sdk_load()


@pytest.fixture
def model(firm: Firm, settings: Settings, scripted_provider: ScriptedProvider) -> ScriptedProvider:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(firm, scripted_provider.url, role=Role.EXTRACT)
    return scripted_provider


@pytest.fixture
def corpus(firm: Firm) -> Iterator[Corpus]:
    made = make_corpus(firm, "Wages")
    rows = [
        CaseRow("Who keeps the register?", "The warden.", SUPPORT, id="ours"),
        CaseRow("Who pays?", "Nobody.", "Nobody pays.", entities={"concept": ("payment",)}, id="theirs"),
    ]
    with organization_scope(firm.organization, user=firm.owner):
        cases_add(organization=firm.organization, user=firm.owner, corpus_id=made.pk, rows=rows)
    yield made


def begin(firm: Firm, corpus: Corpus, client: Client) -> None:
    headers = firm.bearer(firm.manager, TokenScope.CORPORA_WRITE)
    response = client.post(
        f"/api/v1/corpora/{corpus.pk}/cases/entities/", content_type="application/json", headers=headers
    )
    assert response.status_code == 202, response.content


def read(firm: Firm) -> Job:
    job = Job.objects.get(organization_id=firm.organization.pk, task=TASK)
    job_run(job_id=job.pk, work=case_entities_slice)
    return Job.objects.get(pk=job.pk)


def entities(firm: Firm, name: str) -> tuple[str, dict[str, list[str]]]:
    with organization_scope(firm.organization, user=None):
        case = CaseEntry.objects.get(external_id=name)
    return case.entities_by, case.entities


def test_what_the_model_names_and_the_case_says_is_kept(
    firm: Firm, client_of: Callable[[User], Client], corpus: Corpus, model: ScriptedProvider
) -> None:
    model.always = says_json(READ)
    page = {"slug": firm.organization.slug, "corpus_id": corpus.pk}
    manager = client_of(firm.owner)
    offered = manager.get(reverse("case_list", kwargs=page)).content.decode()

    manager.post(reverse("case_entities", kwargs=page))
    job = read(firm)

    assert "Read with the model" in offered
    assert job.state == "done"
    by, found = entities(firm, "ours")
    assert by == "model"
    assert found["act"] == ["Fair Wages Ordinance of 1931"]
    assert "register 7-B" in found["concept"]
    assert "a dragon" not in str(found)


def test_entities_that_a_file_gave_are_left_as_they_are(
    firm: Firm, corpus: Corpus, model: ScriptedProvider, client: Client
) -> None:
    model.always = says_json(READ)
    begin(firm, corpus, client)
    read(firm)

    assert entities(firm, "theirs") == ("file", {"concept": ["payment"]})
    assert len(model.asked) == 2  # acts and entities, of one case


def test_a_silent_model_ends_the_job_with_a_reason_and_the_rules_entities_stay(
    firm: Firm, corpus: Corpus, model: ScriptedProvider, client: Client
) -> None:
    before = entities(firm, "ours")
    model.always = fails(400)
    begin(firm, corpus, client)

    assert read(firm).reason == "model_silent"
    assert entities(firm, "ours") == before


@pytest.mark.parametrize("phrase", ["", "x" * 301])
def test_a_reply_that_cannot_be_used_leaves_its_case_as_it_is_and_the_others_are_read(
    firm: Firm, corpus: Corpus, model: ScriptedProvider, client: Client, phrase: str
) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        row = CaseRow("Who keeps the second register?", "The warden.", f"{SUPPORT} He keeps 8-B.", id="second")
        cases_add(organization=firm.organization, user=firm.owner, corpus_id=corpus.pk, rows=[row])
    before = {name: entities(firm, name)[1] for name in ("ours", "second")}

    def reply(wire: Wire) -> None:
        is_second = "8-B" in wire.asked.text
        says_json(READ | {"acts": [phrase]} if is_second else READ)(wire)

    model.always = reply
    begin(firm, corpus, client)

    job = read(firm)

    assert (job.state, job.cursor, job.total) == ("done", 2, 2)
    assert entities(firm, "second") == ("model", before["second"])
    assert entities(firm, "ours")[1] != before["ours"]
    asked = len(model.asked)
    begin(firm, corpus, client)
    assert len(model.asked) == asked


def test_without_a_model_it_is_not_offered_and_refused_with_a_sentence(
    firm: Firm, client_of: Callable[[User], Client], corpus: Corpus
) -> None:
    page = client_of(firm.owner).get(
        reverse("case_list", kwargs={"slug": firm.organization.slug, "corpus_id": corpus.pk})
    )
    assert "Read with the model" not in page.content.decode()
    with pytest.raises(CommandError, match="No language model is set up"):
        call_command("cases", "entities", str(corpus.pk), organization=firm.organization.slug)


def test_the_words_of_the_paper_reach_the_model_with_the_text(firm: Firm, model: ScriptedProvider) -> None:
    model.always = says_json({"acts": []})

    assert CaseModel(firm.organization).acts(SUPPORT) == ()
    assert "Extract the legal act(s) in this text" in model.asked[0].text
    assert SUPPORT in model.asked[0].text
    assert ACTS.label == "acts@1"


def test_a_state_that_does_not_exist_is_refused_and_lists_no_cases(firm: Firm, corpus: Corpus, client: Client) -> None:
    headers = firm.bearer(firm.manager, TokenScope.CORPORA_READ)
    response = client.get(f"/api/v1/corpora/{corpus.pk}/cases/?state=bogus", headers=headers)

    assert (response.status_code, response.json()["code"]) == (400, "unknown_state")


def test_a_file_with_a_line_that_is_no_case_is_refused_in_its_form(
    firm: Firm, client_of: Callable[[User], Client], corpus: Corpus
) -> None:
    file = SimpleUploadedFile("cases.jsonl", b'{"question": 3}')
    address = reverse("case_import", kwargs={"slug": firm.organization.slug, "corpus_id": corpus.pk})
    response = client_of(firm.owner).post(address, {"file": file})

    page = response.content.decode()
    assert (response.status_code, "Line 1" in page, 'id="case-import"' in page) == (422, True, True)
