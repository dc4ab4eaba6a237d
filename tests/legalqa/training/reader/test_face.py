"""What a page and a program send to train a reader, and what they see of it."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.services.tokens import token_create
from legalqa.training.choices import MIN_QUESTIONS
from tests.ingestion import make_corpus
from tests.legalqa.training.library import Library
from tests.pages import one_line
from tests.people import signed_in
from tests.trained import trained_reader


def test_a_program_trains_a_reader_on_gold_sets_or_grades_and_activates_it(library: Library) -> None:
    with library.inside():
        organization, person = library.firm.organization, library.firm.manager
        _, secret = token_create(organization=organization, user=person, name="x", valid_days=1, scopes=ALL_SCOPES)

    def api(method: str, address: str, data: dict[str, Any] | None = None) -> Any:
        call, headers = getattr(Client(), method), {"Authorization": f"Bearer {secret}"}
        address = f"/api/v1/corpora/{library.corpus.pk}/readers/{address}"
        return call(address, data, content_type="application/json", headers=headers)

    assert "Choose a gold set" in api("post", "", {}).json()["message"]
    assert api("post", "", {"grades": True}).json()["code"] == "too_few_questions"
    body = {"gold_set_ids": [str(library.gold_set.pk)], "settings": {"steps": 7}}
    assert api("post", "", body | {"settings": {"steps": 0}}).json()["code"] == "bad_setting"
    begun = api("post", "", body)
    assert (begun.status_code, begun.json()["settings"]["steps"], begun.json()["state"]) == (202, 7, "building")

    version = trained_reader(library.firm, library.corpus, source="a test")
    assert api("get", "in-use/").json() == {"reader_id": None}
    assert api("post", "in-use/", {"reader_id": str(version.pk)}).json() == {"reader_id": str(version.pk)}
    shown = api("get", f"{version.pk}/").json()
    assert (shown["is_in_use"], shown["report"]["main"]) == (True, "first")
    assert api("post", "roll-back/").json() == {"reader_id": None}


def test_graded_answers_open_the_form_where_there_is_no_gold_set(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager, other = signed_in(library.firm.manager), make_corpus(library.firm, "Graded")
    address = reverse("encoder_list", args=(library.firm.organization.slug, other.pk))
    shown = one_line(manager.get(address).content.decode())
    assert "No gold set yet" in shown
    assert "reader-train" not in shown

    # Or it takes twenty answers.
    monkeypatch.setattr("legalqa.training.reader.face.graded_counts", lambda **_: Counts())
    shown = one_line(manager.get(address).content.decode())
    assert "No gold set yet" in shown
    assert 'id="reader-train"' in shown
    assert "Graded answers of this corpus" in shown
    assert "encoder-train" not in shown
    sent = manager.post(reverse("reader_train", args=(library.firm.organization.slug, other.pk)), {"grades": "on"})
    assert sent.status_code == 422
    assert "There are 0 questions with a passage that answers them" in one_line(sent.content.decode())


class Counts:
    """As many graded questions as a training takes."""

    n_answerable = MIN_QUESTIONS
