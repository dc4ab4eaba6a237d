"""The search lab: two settings side by side, right passages marked, settings kept and chosen."""

from dataclasses import dataclass

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from legalqa.accounts.models import AuditEvent
from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.services import token_create
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from retrieval.models import RelevantPassage, SavedPreset
from retrieval.pages.lab import trials_shown
from retrieval.pipelines.changing import PresetError
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from retrieval.rerankers.features import GROUPS
from retrieval.services.lab import Trial, lab_search, relevance_set
from retrieval.services.presets import preset_resolve, preset_save, saved_preset_remove
from tests.committed import committed_fixture
from tests.ingestion import Place, ingest, make_corpus
from tests.pages import one_line
from tests.people import make_firm, signed_in

pytestmark = pytest.mark.django_db  # what a test changes of the shared rows is rolled back

QUERY = "How much notice ends the lease?"
LEASE = """# Lease

## Rent

The tenant pays a rent of 900 euros on the first day of each month.

## Notice

Either party may end the lease by a written notice of three months.

## Repairs

The landlord repairs the roof and the windows of the house.
"""


@dataclass(frozen=True)
class Office(Place):
    other: Corpus


def make_office() -> Office:
    firm = make_firm("harding", "Harding & Stone")
    corpus, other = make_corpus(firm, "Leases"), make_corpus(firm, "Letters")
    ingest(firm, corpus, "lease.md", LEASE)
    ingest(firm, other, "letter.md", "# Letter\n\nWe shall meet on Monday at the office of the landlord.\n")
    return Office(firm, corpus, other)


office = committed_fixture(make_office)


@pytest.fixture
def manager(office: Office) -> Client:
    return signed_in(office.firm.manager)


def tried(office: Office, *names: str, text: str = QUERY) -> tuple[Trial, ...]:
    return lab_search(**office.acting, text=text, presets=[(preset_get(name), "") for name in names])


def notice(office: Office) -> int:
    """The paragraph that answers QUERY."""
    passages = tried(office, "fixed-10")[0].result.passages
    return next(p.position.paragraph_id for p in passages if "three months" in p.text)


def marked(office: Office, paragraph: int, *, text: str = QUERY, is_relevant: bool = True) -> None:
    with office.inside():
        relevance_set(**office.acting, text=text, paragraph_id=paragraph, is_relevant=is_relevant)


def address(office: Office) -> str:
    return reverse("search_lab", args=(office.firm.organization.slug, office.corpus.pk))


def fields(**more: str) -> dict[str, str]:
    return {"text": QUERY, "left": "fixed-10", "right": "naive", **more}


def test_two_settings_answer_the_same_query(office: Office) -> None:
    hybrid, meaning = tried(office, "fixed-10", "naive")

    assert {name for name, _ in meaning.result.passages[0].parts} == {"dense.rank", "dense.score"}
    assert "bm25.rank" in dict(hybrid.result.passages[0].parts)
    assert {t.stage for t in hybrid.result.times} >= {"encode", "bm25.v1", "dense.v1"}


def test_a_mark_counts_for_every_setting_and_however_the_query_is_typed(office: Office) -> None:
    right = notice(office)
    marked(office, right, text="  how much NOTICE ends   the lease? ")

    for trial in tried(office, "fixed-10", "naive"):
        assert trial.relevant == {right}
        assert trial.found == 1
        assert trial.rank_of(right) == 1


def test_a_mark_is_set_once_and_can_be_taken_back(office: Office) -> None:
    right = notice(office)
    for _ in range(2):
        marked(office, right)
    with office.inside():
        assert RelevantPassage.objects.count() == 1
    for _ in range(2):
        marked(office, right, is_relevant=False)

    assert tried(office, "fixed-10")[0].relevant == frozenset()


def test_a_passage_of_another_corpus_cannot_be_marked(office: Office) -> None:
    with pytest.raises(NotFound), office.inside():
        relevance_set(
            **office.acting | {"corpus_id": office.other.pk}, text=QUERY, paragraph_id=notice(office), is_relevant=True
        )


def kept(office: Office, name: str = "long-leases", base: str = "fixed-10", **overrides: str) -> SavedPreset:
    with office.inside():
        return preset_save(**office.acting, name=name, base=base, overrides=overrides or {"rrf.k": "20"})


def test_a_kept_setting_is_chosen_by_its_name_with_further_changes_on_top(office: Office) -> None:
    kept(office)
    preset = preset_resolve(**office.acting, name="long-leases", overrides={"bm25.b": "0.5"})

    assert (preset.name, preset.title) == ("long-leases", "long-leases")
    assert preset.fingerprint() == preset_get("fixed-10", {"rrf.k": "20", "bm25.b": "0.5"}).fingerprint()


def test_a_kept_setting_belongs_to_its_corpus(office: Office) -> None:
    kept(office)

    with pytest.raises(PresetError, match="No preset of this corpus is called 'long-leases'"):
        preset_resolve(**office.acting | {"corpus_id": office.other.pk}, name="long-leases")


@pytest.mark.parametrize("name", ["naive", "long-leases"])
def test_a_name_is_given_once(name: str, office: Office) -> None:
    kept(office)

    with pytest.raises(Conflict, match="is taken"):
        kept(office, name)


@pytest.mark.parametrize("name", ["", "a", "Long Leases", "läse", "-x", "x" * 41])
def test_a_name_that_could_not_be_typed_after_an_option_is_refused(name: str, office: Office) -> None:
    with pytest.raises(PresetError, match="small letters"):
        kept(office, name)


def test_a_setting_that_does_not_fit_is_not_kept(office: Office) -> None:
    with pytest.raises(PresetError, match="has no bm25 stage"):
        kept(office, base="naive", **{"bm25.b": "0.5"})
    with office.inside():
        assert not SavedPreset.objects.exists()


def test_keeping_and_forgetting_are_in_the_log(office: Office) -> None:
    saved = kept(office)
    with office.inside():
        saved_preset_remove(**office.acting, preset_id=saved.pk)
        with pytest.raises(NotFound):
            saved_preset_remove(**office.acting, preset_id=saved.pk)
        actions = set(AuditEvent.objects.filter(subject_id=saved.pk).values_list("action", flat=True))

    assert actions == {"preset.saved", "preset.removed"}


def test_the_page_shows_both_settings_with_their_stages_and_no_query_in_its_address(
    office: Office, manager: Client
) -> None:
    page = manager.post(address(office), fields())
    body = page.content.decode()

    assert page.status_code == 200
    assert "A · Hybrid, 10 passages" in body
    assert "B · Naive" in body
    assert "Words" in body
    assert "Meaning" in body
    assert body.count("written notice of three months") == 2
    assert "method=post" in body.replace('"', "")


def test_the_ranker_gives_its_chance_for_the_question_and_its_reasons_for_each_passage(office: Office) -> None:
    ranked, plain = trials_shown(trials=tried(office, "cited-or-silent", "fixed-10"), slug="harding")

    assert 0 < ranked["probability"] < 1
    assert {reason["name"] for reason in ranked["passages"][0]["reasons"]} == set(GROUPS)
    assert (plain["probability"], plain["passages"][0]["reasons"]) == (None, [])


def test_a_passage_that_another_one_led_to_says_which_one_in_which_hop_and_why(office: Office, manager: Client) -> None:
    changes = "retrievers=bm25 bm25.top_k=1 expanders=neighbours"
    body = manager.post(address(office), fields(left_settings=changes)).content.decode()

    assert body.count("Hop 1, from passage 1: is next to it.") == 2
    assert "2 passages added" in body


def test_marking_on_the_page_counts_the_right_passage_in_both_columns(office: Office, manager: Client) -> None:
    body = manager.post(address(office), fields(mark=str(notice(office)))).content.decode()

    assert one_line(body).count("Right passage</span>") == 2
    assert one_line(body).count('<strong class="num">1</strong> of <span class="num">1</span>') == 2


def test_keeping_on_the_page_offers_the_setting_where_questions_are_asked(office: Office, manager: Client) -> None:
    page = manager.post(
        address(office),
        fields(keep="left", left=DEFAULT_PRESET, left_settings="rrf.k=20, bm25.b=0.4", left_name="long-leases"),
    )
    asking = manager.get(reverse("question_ask", args=(office.firm.organization.slug,)))

    assert page.status_code == 200
    assert "Saved as long-leases" in page.content.decode()
    assert 'value="long-leases"' in asking.content.decode()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"text": " "}, "The query is empty."),
        ({"left_settings": "rrf.k"}, "is not of the form key=value"),
        ({"left_settings": "nonsense=1"}, "No setting is called"),
        ({"mark": "none"}, "That passage is not in this corpus."),
        ({"keep": "left", "left_name": "Not so"}, "small letters"),
        ({"left": "nothing"}, "Select a valid choice"),
    ],
)
def test_what_does_not_fit_is_said_in_a_sentence(
    wrong: dict[str, str], sentence: str, office: Office, manager: Client
) -> None:
    page = manager.post(address(office), fields(**wrong))

    assert page.status_code == 422
    assert sentence in page.content.decode()


def test_an_empty_query_is_refused_by_the_service_too(office: Office) -> None:
    with pytest.raises(ApplicationError, match="empty"):
        marked(office, notice(office), text="  ")


def test_a_program_keeps_lists_chooses_and_forgets_a_setting(office: Office) -> None:
    with office.inside():
        _, secret = token_create(**office.firm.by_manager, name="lab", valid_days=1, scopes=ALL_SCOPES)
    program = Client(headers={"Authorization": f"Bearer {secret}"})
    presets = reverse("api_preset_list", args=(office.corpus.pk,))
    made = program.post(
        presets, {"name": "by-a-program", "base": "fixed-5", "set": {"rrf.k": "10"}}, content_type="application/json"
    )
    listed = {row["name"]: row for row in program.get(presets).json()}
    found = program.post(
        reverse("api_search"),
        {"corpus_id": str(office.corpus.pk), "query": QUERY, "preset": "by-a-program"},
        content_type="application/json",
    )
    gone = program.delete(reverse("api_preset_detail", args=(office.corpus.pk, made.json()["id"])))

    assert made.status_code == 201
    assert listed["by-a-program"]["set"] == {"rrf.k": "10"}
    assert listed["cited-or-silent"]["id"] is None
    assert found.json()["settings"]["name"] == "by-a-program"
    assert gone.status_code == 204
    assert "by-a-program" not in {row["name"] for row in program.get(presets).json()}


def test_a_name_that_is_refused_leaves_the_results_in_sight(office: Office, manager: Client) -> None:
    sent = fields(keep="left", left_name="Walk setting")
    response = manager.post(address(office), sent)

    html = response.content.decode()
    assert response.status_code == 422
    assert 'role="alert"' in html
    assert html.count("lab-pair section-tight") == 1
    assert "Nothing searched yet" not in html


def test_a_setting_that_was_kept_is_in_the_list_without_loading_the_page_again(office: Office, manager: Client) -> None:
    response = manager.post(address(office), fields(keep="left", left_name="walk"), headers={"HX-Request": "true"})

    html = response.content.decode()
    assert '<div id="lab-kept" hx-swap-oob="true">' in html
    assert "None yet" not in html
    assert "walk" in html.split('id="lab-kept"')[1]
