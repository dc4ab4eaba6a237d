"""Judges by name: with law and without, set up, tried, and taken out of use; by page, endpoint and command alike."""

import json
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus, DocumentVersion, Paragraph
from judging.judges.services import judge_make, judge_save, judge_try, setup_list
from judging.models import Judge
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from legalqa.llm.models import LLMCall
from tests.commands import told
from tests.ingestion import ingest, make_corpus
from tests.judging.judges.items import item, judged
from tests.people import Firm
from tests.provider import ScriptedProvider, says

pytestmark = pytest.mark.django_db
ANSWER = "Within one year before use."
RULE = "A bias audit is valid for one year."
FEE = "The harbour fee is ten euros for each day at the quay.\n\nA gardener waters the roses at dawn."


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_corpus(firm, "City rules", files={"rule.txt": RULE, "fee.txt": FEE})


def shown(firm: Firm, ids: tuple[int, ...]) -> list[str]:
    with organization_scope(firm.organization, user=firm.owner):
        return list(Paragraph.objects.filter(pk__in=ids).values_list("text", flat=True))


def test_a_judge_with_law_is_shown_what_its_own_search_finds_and_says_which(
    firm: Firm, bench: ScriptedProvider, corpus: Corpus
) -> None:
    bench.always = says("4")
    law, unrelated, bare = (
        judged(firm, name, item(ANSWER), corpus_id=corpus.pk)
        for name in ("custom2+law", "custom2+unrelated", "custom2")
    )

    [on_the_question], [elsewhere] = shown(firm, law[0].law), shown(firm, unrelated[0].law)
    texts = [asked.text for asked in bench.asked]
    assert "bias audit" in on_the_question
    assert "bias audit" not in elsewhere
    assert bare[0].law == ()
    assert on_the_question.strip() in texts[0]
    assert elsewhere.strip() in texts[1]
    assert [text.count("The Start of Relevant Law of City rules") for text in texts] == [1, 1, 0]


def test_a_judge_is_shown_the_law_in_force_on_the_day_of_the_answer(
    firm: Firm, bench: ScriptedProvider, corpus: Corpus
) -> None:
    bench.always = says("4")
    ingest(firm, corpus, "rule.txt", "A bias audit is valid for two years.")
    ingest(firm, corpus, "fee.txt", "The harbour fee is ninety euros.")
    with organization_scope(firm.organization, user=firm.owner):
        for number, day in ((1, date(2020, 1, 1)), (2, date(2025, 1, 1))):
            DocumentVersion.objects.filter(corpus=corpus, number=number).update(effective_date=day)

    then, now, unrelated = (
        shown(firm, judged(firm, name, item(ANSWER, as_of=day), corpus_id=corpus.pk)[0].law)
        for name, day in (
            ("custom2+law", date(2024, 12, 31)),
            ("custom2+law", None),
            ("custom2+unrelated", date(2024, 12, 31)),
        )
    )

    assert then == [RULE]
    assert now == ["A bias audit is valid for two years."]
    assert unrelated[0].startswith("The harbour fee is ten euros")


def test_the_same_unrelated_law_is_shown_again(firm: Firm, bench: ScriptedProvider, corpus: Corpus) -> None:
    bench.always = says("4")
    first, again = (judged(firm, "binary+unrelated", item(ANSWER), corpus_id=corpus.pk)[0].law for _ in range(2))

    assert first == again != ()


def test_law_settings_and_prompts_make_another_version(firm: Firm, bench: ScriptedProvider, corpus: Corpus) -> None:
    names = ("custom2", "custom1", "custom2+law", "custom2+unrelated", "custom2-x8")
    versions = [judge_make(organization=firm.organization, name=n, corpus_id=corpus.pk).version for n in names]

    assert len(set(versions)) == len(names)
    assert judge_make(organization=firm.organization, name="custom2").version == versions[0]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("custom9", "No judge is called 'custom9'"),
        ("custom2+law", "Name the corpus that holds it."),
        ("custom2+magic", "The setting 'law' does not fit"),
        ("length+law", "This judge asks no model, so it reads no law. Leave out the setting 'law'."),
    ],
)
def test_what_is_no_judge_is_said_in_a_sentence(firm: Firm, name: str, sentence: str) -> None:
    with pytest.raises(ApplicationError, match=sentence):
        judge_make(organization=firm.organization, name=name)


def test_a_corpus_behind_a_wall_lends_no_law(firm: Firm) -> None:
    walled = make_corpus(firm, "Matter", is_walled=True, user=firm.owner)

    with pytest.raises(NotFound):
        judge_make(**firm.by_manager, name="custom2+law", corpus_id=walled.pk)


def test_a_name_that_is_taken_gets_a_new_version_and_keeps_the_old_one(firm: Firm) -> None:
    acting: dict[str, Any] = {
        "organization": firm.organization,
        "user": firm.manager,
        "name": "ours",
        "kind": "correctness.v1",
    }
    first = judge_save(**acting, settings={"samples": 3})
    second = judge_save(**acting, settings={"samples": 5})

    with organization_scope(firm.organization, user=firm.manager):
        rows = {row.pk: row.is_active for row in Judge.objects.all()}
    assert rows == {first.pk: False, second.pk: True}
    assert setup_list(**firm.by_manager)[0].settings["samples"] == 5
    with pytest.raises(Conflict, match="already has these settings"):
        judge_save(**acting, settings={"samples": 5})
    with pytest.raises(Conflict, match="built-in"):
        judge_save(**(acting | {"name": "custom2"}), settings={})
    with pytest.raises(ApplicationError, match="'samples' does not fit"):
        judge_save(**acting, settings={"samples": 0})


def test_a_trial_shows_the_prompt_and_what_it_cost(firm: Firm, bench: ScriptedProvider) -> None:
    bench.will(says("4\nRight."))

    trial = judge_try(**firm.by_manager, name="custom2", item=item(ANSWER))

    [exchange] = trial.exchanges
    assert (exchange.prompt, exchange.reply, str(trial.cost)) == ("custom2@1", "4\nRight.", "0.000005")
    assert ANSWER in exchange.message
    with organization_scope(firm.organization, user=firm.owner):
        call = LLMCall.objects.get()
    assert (call.role, call.subject, call.is_evaluation, call.user) == ("judge", "judge:try", True, firm.manager)


def test_the_page_saves_tries_and_retires_a_judge(
    firm: Firm, bench: ScriptedProvider, client_of: Callable[[User], Client]
) -> None:
    client, slug = client_of(firm.manager), firm.organization.slug
    wrong = client.post(
        reverse("judge_list", args=[slug]), {"name": "ours", "kind": "correctness.v1", "settings": '{"samples": 0}'}
    )
    saved = client.post(
        reverse("judge_list", args=[slug]), {"name": "ours", "kind": "correctness.v1", "settings": '{"samples": 1}'}
    )
    bench.will(says("4\nRight."))
    tried = client.post(
        reverse("judge_try", args=[slug]),
        {"judge": "ours", "question": "When?", "answer": ANSWER, "reference": "Within one year."},
    )
    page = client.get(reverse("judge_list", args=[slug])).content.decode()
    with organization_scope(firm.organization, user=firm.manager):
        judge = Judge.objects.get(name="ours")
    listed = client.get("/api/v1/judges/", headers=firm.bearer(firm.manager, TokenScope.CORPORA_READ)).json()
    retired = client.post(reverse("judge_retire", args=[slug, judge.pk]))

    assert (wrong.status_code, saved.status_code, tried.status_code, retired.status_code) == (422, 302, 200, 302)
    assert "does not fit" in wrong.content.decode()
    assert "ours" in page
    assert [row["id"] for row in listed if row["name"] in ("ours", "custom2")] == [str(judge.pk), None]
    assert all(words in tried.content.decode() for words in ("correctness", "Right.", "custom2@1", "cost 0.000005"))


command = partial(told, "judge")


def test_the_command_judges_a_file_and_counts_what_has_no_value(firm: Firm, tmp_path: Path) -> None:
    rows = [
        {"id": 1, "question": "When?", "reference_answer": "Within one year.", "answers": ["Within one year.", None]},
        {"id": "b", "question": "Who?", "answers": [{"text": "The auditor.", "passages": ["The auditor."]}]},
    ]
    file = tmp_path / "items.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows))

    document = command(items=str(file), judge="words", organization=firm.organization.slug)

    first = document["judgments"][0]
    assert (first["id"], first["answer"], first["measure"], first["value"]) == ("1", 0, "token F1", 1.0)
    assert document["counts"] == {"judged": 3, "not applicable": 6}


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({"id": "a", "question": "When?"}, "Item 'a': answers does not fit"),
        ({"id": "a", "question": "When?", "answers": []}, "Item 'a': answers does not fit"),
        ({"id": "a", "question": "When?", "answers": [3]}, "Item 'a': answers.0"),
        ({"id": "a", "question": "When?", "answers": ["Now."], "reference": "Now."}, "there is no key 'reference'"),
        ({"id": "a", "question": "When?", "answers": [{"text": "", "silent": True}]}, "no key 'answers.0.silent'"),
    ],
)
def test_a_line_that_is_no_item_is_said(firm: Firm, tmp_path: Path, row: dict[str, object], sentence: str) -> None:
    file = tmp_path / "items.jsonl"
    file.write_text(json.dumps(row))

    with pytest.raises(CommandError, match=sentence) as raised:
        command(items=str(file), judge="length", organization=firm.organization.slug)
    assert raised.value.returncode == 2
