"""The ask page and the forms under an answer: nothing typed or chosen is lost, nothing forbidden is offered."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from corpora.models import Corpus
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.languages import languages_differ
from legalqa.answering.models import Answer, AnswerState
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.pipelines.presets import DEFAULT_PRESET, PRESETS, preset_get
from retrieval.services.presets import preset_save
from retrieval.types import Filters
from tests.ingestion import ingest, make_corpus
from tests.pages import one_line
from tests.people import Firm

LEASE = (
    "# Lease\n\n## 1. Rent of the flat\n\nThe tenant pays the rent of 900 euros on the first day of each month.\n\n"
    "## 2. Repairs of the house\n\nThe landlord repairs the roof and the windows of the house.\n"
)
SALE = "# Sale\n\n## 1. Price of the van\n\nThe buyer pays the price of the van within thirty days of the delivery.\n"
FAR_OFF = "Which team won the football world cup in France in 1998?"
pytestmark = pytest.mark.django_db


@pytest.fixture
def leases(firm: Firm) -> Corpus:
    corpus = make_corpus(firm, "Leases")
    ingest(firm, corpus, "lease.md", LEASE)
    return corpus


@pytest.fixture
def sales(firm: Firm) -> Corpus:
    corpus = make_corpus(firm, "Agreements of sale")  # the first by name
    ingest(firm, corpus, "sale.md", SALE)
    return corpus


@pytest.fixture
def client(firm: Firm, client_of: Callable[[User], Client]) -> Client:
    return client_of(firm.lawyer)


@pytest.mark.parametrize("mode", ["written", "auto"])
def test_quotations_in_place_of_what_no_model_can_write_say_so(
    mode: str, firm: Firm, leases: Corpus, client: Client
) -> None:
    answer = ask(firm, leases, preset=preset_get("cited-or-silent", {"answer.mode": mode}))
    page = one_line(client.get(reverse("answer_detail", args=(firm.organization.slug, answer.pk))).content.decode())
    given = client.get(reverse("answer_pack_json", args=(firm.organization.slug, answer.pk))).content.decode()

    said = "No language model is set up for answers; quoted from the documents instead."
    assert (said in page) == (said in given) == (mode == "written")


def ask(firm: Firm, corpus: Corpus, text: str = "When is the rent paid?", **more: Any) -> Answer:
    more.setdefault("preset", preset_get("cited-or-silent"))
    return question_ask(
        question=Question(organization=firm.organization, user=firm.lawyer, corpus_id=corpus.pk, text=text, **more)
    )


def page(client: Client, firm: Firm, name: str, *ids: object, **query: str) -> str:
    return one_line(client.get(reverse(name, args=[firm.organization.slug, *ids]), query).content.decode())


def hidden_fields(html: str, form: str) -> dict[str, str]:
    """The hidden fields of a form, as a browser sends them."""
    inside = html.split(form, 1)[1].split("</form>", 1)[0]
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', inside)
    return {name: value for name, value in fields if name != "csrfmiddlewaretoken"}


def last_answer(firm: Firm) -> Answer:
    with organization_scope(firm.organization, user=firm.lawyer):
        return Answer.objects.select_related("question").order_by("-created_at")[0]


def test_a_follow_up_keeps_method_documents_class_and_temperature(firm: Firm, leases: Corpus, client: Client) -> None:
    ingest(firm, leases, "other.md", SALE)
    chosen: dict[str, Any] = {
        "preset": preset_get("pa-2", {"k": "3", "answer.mode": "quoted"}),
        "filters": Filters.parse({"heading": "Rent"}),
        "complexity": 1,
        "temperature": 0.5,
    }
    first = ask(firm, leases, **chosen)
    fields = hidden_fields(page(client, firm, "answer_detail", first.pk), 'id="follow-up"')
    client.post(reverse("question_ask", args=[firm.organization.slug]), fields | {"text": "And on which day?"})

    second = last_answer(firm)
    assert second.question.follows_id == first.question_id
    kept = ("preset", "filters", "complexity", "temperature")
    assert {key: second.asked[key] for key in kept} == {key: first.asked[key] for key in kept}


def test_a_corrected_follow_up_stays_in_its_conversation(firm: Firm, leases: Corpus, client: Client) -> None:
    """ "Ask instead" began a conversation of its own."""
    first = ask(firm, leases)
    misspelt = ask(firm, leases, "And who repairs the ruf?", follows=first.question_id, complexity=1)
    with organization_scope(firm.organization, user=firm.lawyer):
        composition = {"silence": "misspelt", "suggestion": "And who repairs the roof?"}
        Answer.objects.filter(pk=misspelt.pk).update(state="insufficient_evidence", composition=composition)
    html = page(client, firm, "answer_detail", misspelt.pk)
    client.post(
        reverse("question_ask", args=[firm.organization.slug]), hidden_fields(html, '<form class="did-you-mean"')
    )

    corrected = last_answer(firm)
    assert corrected.question.text == "And who repairs the roof?"
    assert corrected.question.follows_id == first.question_id
    assert (corrected.asked["former"], corrected.asked["complexity"]) == ([first.question.text], 1)


def test_asking_again_after_a_fault_keeps_the_settings(firm: Firm, leases: Corpus, client: Client) -> None:
    first = ask(firm, leases, preset=preset_get("fixed-3", {"k": "4"}), filters=Filters.parse({"heading": "Rent"}))
    with organization_scope(firm.organization, user=firm.lawyer):
        Answer.objects.filter(pk=first.pk).update(state=AnswerState.FAILED)
    html = page(client, firm, "answer_detail", first.pk)
    fields = hidden_fields(html, '<form class="answer-actions"')
    client.post(reverse("question_ask", args=[firm.organization.slug]), fields)

    second = last_answer(firm)
    assert second.pk != first.pk
    assert (second.question.text, second.asked["preset"]) == (first.question.text, first.asked["preset"])
    assert second.asked["filters"] == {"heading": "Rent"}


def test_changing_a_question_offers_to_keep_its_settings(firm: Firm, leases: Corpus, client: Client) -> None:
    first = ask(firm, leases, preset=preset_get("fixed-3"))
    html = page(client, firm, "question_ask", like=str(first.pk), corpus=str(leases.pk))

    assert f'<input type="checkbox" name="like" value="{first.pk}" checked>' in html


def test_the_settings_of_somebody_elses_answer_are_not_found(firm: Firm, leases: Corpus, client: Client) -> None:
    theirs = question_ask(
        question=Question(
            organization=firm.organization,
            user=firm.owner,
            corpus_id=leases.pk,
            text="When is the rent paid?",
            preset=preset_get("fixed-3"),
        )
    )
    fields = {"corpus": str(leases.pk), "text": "And on which day?", "like": str(theirs.pk)}
    response = client.post(reverse("question_ask", args=[firm.organization.slug]), fields)

    assert response.status_code in (404, 422)
    assert 'name="like"' not in page(client, firm, "question_ask", like=str(theirs.pk))


def test_a_question_that_is_too_long_is_kept_whole_and_told_with_both_numbers(
    firm: Firm, leases: Corpus, client: Client
) -> None:
    text = "word " * 900 + "and at last: when is the rent paid?"
    html = page(client, firm, "question_ask")
    response = client.post(
        reverse("question_ask", args=[firm.organization.slug]), {"corpus": str(leases.pk), "text": text}
    )

    assert "maxlength" not in html.split('id="question-text"')[1].split(">")[0]
    assert response.status_code == 422
    assert f"The question has {len(text)} characters; at most 4,000 are read." in response.content.decode()
    assert text in response.content.decode()


def test_line_breaks_count_once(firm: Firm, leases: Corpus, client: Client) -> None:
    text = "When is the rent paid?" + "\r\n" * 1 + "word\r\n" * 790
    response = client.post(
        reverse("question_ask", args=[firm.organization.slug]), {"corpus": str(leases.pk), "text": text}
    )

    assert response.status_code == 302


def offered(html: str) -> set[str]:
    """The methods to choose from on the ask page."""
    _, select = html.split('name="preset"', 1)
    return set(re.findall(r'<option value="([^"]*)"', select.partition("</select>")[0]))


def test_methods_that_check_nothing_are_not_offered_to_a_lawyer(firm: Firm, leases: Corpus, client: Client) -> None:
    acting: Any = {"organization": firm.organization, "user": firm.manager, "corpus_id": leases.pk}
    with organization_scope(firm.organization, user=firm.manager):
        preset_save(**acting, name="checked", base=DEFAULT_PRESET, overrides={"k": "20"})
        preset_save(**acting, name="unchecked-base", base="fixed-10", overrides={"rrf.k": "20"})
        preset_save(**acting, name="gate-taken-off", base=DEFAULT_PRESET, overrides={"gate": "off"})

    methods = offered(page(client, firm, "question_ask", corpus=str(leases.pk)))

    assert {DEFAULT_PRESET, "multi-hop", "checked"} <= methods
    assert not methods & {"naive", "fixed-3", "fixed-5", "fixed-7", "fixed-10", "unchecked-base", "gate-taken-off"}
    assert {"naive", "fixed-10"} <= PRESETS.keys(), "they exist, for the search lab and programs"


@pytest.mark.parametrize("method", ["naive", "fixed-10"])
def test_a_method_that_checks_nothing_is_refused_when_a_browser_sends_it_all_the_same(
    method: str, firm: Firm, leases: Corpus, client: Client
) -> None:
    form = {"corpus": str(leases.pk), "text": "When is the rent paid?", "preset": method}
    refused = client.post(reverse("question_ask", args=[firm.organization.slug]), form)

    assert refused.status_code == 422
    with organization_scope(firm.organization, user=firm.lawyer):
        assert not Answer.objects.exists()


def test_a_long_question_is_folded_as_heading_and_in_the_history(firm: Firm, leases: Corpus, client: Client) -> None:
    text = "When is the rent paid? " + "The house stands in a quiet street. " * 90
    answer = ask(firm, leases, text)
    html = page(client, firm, "answer_detail", answer.pk)
    heading = html.split('id="question"')[1].split("</h1>")[0].split(">", 1)[1]

    assert len(heading.strip()) <= 300
    assert f"Show all {len(text.strip())} characters" in html
    assert text.strip() not in page(client, firm, "question_list")


def test_the_placeholder_and_the_examples_are_of_the_corpus_that_is_chosen(
    firm: Firm, leases: Corpus, sales: Corpus, client: Client
) -> None:
    html = page(client, firm, "question_ask", corpus=str(leases.pk))

    examples = re.findall(r'data-example="([^"]*)"', html)
    assert examples
    assert "Rent of the flat" in html.split('id="question-text"')[1].split(">")[0]
    assert not any("Price of the van" in example for example in examples)
    assert "bias audit" not in html


def test_the_corpus_asked_last_is_chosen_and_without_one_the_first(
    firm: Firm, leases: Corpus, sales: Corpus, client: Client
) -> None:
    before = page(client, firm, "question_ask")
    ask(firm, leases)
    after = page(client, firm, "question_ask")

    assert f'<option value="{leases.pk}" selected>' not in before
    assert f'<option value="{leases.pk}" selected>' in after


def test_adding_documents_is_offered_to_those_who_may_and_others_read_whom_to_ask(
    firm: Firm, leases: Corpus, client: Client, client_of: Callable[[User], Client]
) -> None:
    asked = {
        user: question_ask(
            question=Question(
                organization=firm.organization,
                user=user,
                corpus_id=leases.pk,
                text=FAR_OFF,
                preset=preset_get("cited-or-silent"),
            )
        )
        for user in (firm.lawyer, firm.manager)
    }
    lawyer = page(client, firm, "answer_detail", asked[firm.lawyer].pk)
    manager = page(client_of(firm.manager), firm, "answer_detail", asked[firm.manager].pk)

    assert "Add documents to Leases" in manager
    assert "Add documents to Leases" not in lawyer
    assert escape(str(firm.manager)) in lawyer.split("Documents are added by")[1].split("</p>")[0]


def test_a_question_in_another_language_is_told_so_and_no_common_word_is_a_reason(
    firm: Firm, leases: Corpus, client: Client
) -> None:
    answer = ask(firm, leases, "Wie hoch ist die Geldbuße, wenn der Mieter das Dach nicht repariert?")
    html = page(client, firm, "answer_detail", answer.pk)

    assert answer.state == AnswerState.INSUFFICIENT_EVIDENCE
    assert "The question is in German, the passages found are in English. Ask in English." in html
    assert "does not mention" not in html
    assert "A document that mentions" not in html


def test_markup_and_common_words_are_no_reasons(firm: Firm, leases: Corpus, client: Client) -> None:
    answer = ask(firm, leases, "<img src=x onerror=alert(1)> Wie is a penguin fed in Antarctica? <b>Please</b>")
    reasons = {word for row in answer.evidence for word in (*row["missing"], *row["unknown"])}

    assert answer.state == AnswerState.INSUFFICIENT_EVIDENCE
    assert {"penguin", "Antarctica"} <= reasons
    assert not reasons & {"Wie", "<img", "img", "src=x", "b"}
    assert languages_differ(answer) == ""
