"""Solved cases and answers: an answer shows similar ones, and a right answer becomes one."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer
from legalqa.answering.services import answer_grade, question_ask
from legalqa.answering.services.cases import answer_keep
from legalqa.answering.types import Question
from legalqa.common.errors import Conflict
from retrieval.cases.selectors import case_list
from retrieval.pipelines.presets import preset_get
from tests.pages import one_line
from tests.people import signed_in
from tests.retrieval.cases.conftest import Base, base

__all__ = ["base"]
pytestmark = pytest.mark.django_db
QUESTION = "How often must a hiring tool be audited for bias?"


def asked(base: Base, **more: Any) -> Answer:
    question: Any = {"text": QUESTION, "preset": preset_get("casebase")} | base.acting | more
    return question_ask(question=Question(**question))


def keep_of(base: Base, answer: Answer) -> dict[str, Any]:
    return {"organization": base.firm.organization, "user": base.firm.owner, "answer_id": answer.pk}


def test_a_similar_solved_question_is_shown_beside_the_answer_and_is_no_source_of_it(base: Base) -> None:
    answer = asked(base)
    client = signed_in(base.firm.owner)
    page = one_line(
        client.get(reverse("answer_detail", args=(base.firm.organization.slug, answer.pk))).content.decode()
    )

    assert len(answer.made_from["cases"]) == 2
    similar = page.partition('id="similar-cases"')[2].partition("</section>")[0]
    assert "How often must an employer audit a hiring tool?" in similar
    assert "Was the search of the plaintiff lawful?" not in page
    assert "Not law, and not a source of this answer." in similar
    assert "It must be audited within one year before use." not in page.partition('id="similar-cases"')[0]


def test_a_program_of_somebody_who_asks_reads_what_the_page_shows_of_similar_questions(base: Base) -> None:
    asker = base.firm.annotator
    answer = asked(base, user=asker)
    headers: Any = base.firm.bearer(asker, TokenScope.ANSWERS_READ, TokenScope.CORPORA_READ)
    document = Client().get(reverse("api_answer_detail", args=[answer.pk]), headers=headers).json()

    first = document["similar"]["cases"][0]
    assert first["question"] == "How often must an employer audit a hiring tool?"
    assert first["answer"] == "It must be audited within one year before use."
    assert {"hiring", "tool"} <= set(first["alike"]) and "employer" in first["only_case"]
    case = Client().get(reverse("api_case_detail", args=[first["case_id"]]), headers=headers)
    assert (case.status_code, case.json()["question"]) == (200, first["question"])


def test_a_follow_up_is_kept_as_it_was_read_and_not_at_all_where_it_was_not(base: Base) -> None:
    first = asked(base)
    of = {"text": "And for employers?", "follows": first.question_id}
    read = asked(base, **of)
    unread = asked(base, **of, preset=preset_get("fixed-5"))
    with organization_scope(base.firm.organization, user=base.firm.owner):
        for answer in (read, unread):
            answer_grade(**keep_of(base, answer), grade="right")
        (case,) = answer_keep(**keep_of(base, read)).cases
        with pytest.raises(Conflict, match="cannot be read without it"):
            answer_keep(**keep_of(base, unread))
    keep = reverse("answer_keep", args=(base.firm.organization.slug, unread.pk))
    page = signed_in(base.firm.owner).post(keep, follow=True).content.decode()
    assert "Ask it in full, then keep that answer." in page

    assert "audited for bias" in case.question and "employers" in case.question


def test_a_follow_up_that_reads_alone_is_kept_where_nothing_rewrites_it(base: Base) -> None:
    text = "How often must an employer audit a hiring tool?"
    answer = asked(base, text=text, follows=asked(base).question_id, preset=preset_get("fixed-5"))
    with organization_scope(base.firm.organization, user=base.firm.owner):
        answer_grade(**keep_of(base, answer), grade="right")
        (case,) = answer_keep(**keep_of(base, answer)).cases

    assert case.question == text


def test_an_answer_that_was_kept_shows_its_case_in_place_of_the_offer(base: Base) -> None:
    answer = asked(base)
    slug, client = base.firm.organization.slug, signed_in(base.firm.owner)
    with organization_scope(base.firm.organization, user=base.firm.owner):
        answer_grade(**keep_of(base, answer), grade="right")
    offered = client.get(reverse("answer_detail", args=(slug, answer.pk))).content.decode()
    kept = one_line(client.post(reverse("answer_keep", args=(slug, answer.pk)), follow=True).content.decode())
    with organization_scope(base.firm.organization, user=base.firm.owner):
        cases = case_list(organization=base.firm.organization, corpus_id=base.corpus.pk)
        case_url = reverse("case_detail", args=(slug, cases.get(origin_id=answer.pk).pk))

    assert ("Keep as solved case" in offered, "Keep as solved case" in kept) == (True, False)
    assert f'Kept as a <a href="{case_url}">solved case</a>.' in kept
    assert "Waits for review" in kept.partition('id="kept-case"')[2].partition("</p>")[0]


def test_an_answer_that_says_the_same_as_a_kept_one_links_to_its_case(base: Base) -> None:
    first, second = asked(base), asked(base)
    slug, client = base.firm.organization.slug, signed_in(base.firm.owner)
    with organization_scope(base.firm.organization, user=base.firm.owner):
        for answer in (first, second):
            answer_grade(**keep_of(base, answer), grade="right")
        (case,) = answer_keep(**keep_of(base, first)).cases
    page = one_line(client.get(reverse("answer_detail", args=(slug, second.pk))).content.decode())

    assert f'Kept as a <a href="{reverse("case_detail", args=(slug, case.pk))}">solved case</a>.' in page
    assert "Keep as solved case" not in page


def test_an_answer_is_kept_with_its_sources_once_it_was_graded_right_and_waits(base: Base) -> None:
    answer = asked(base)
    with organization_scope(base.firm.organization, user=base.firm.owner):
        with pytest.raises(Conflict, match="graded right"):
            answer_keep(**keep_of(base, answer))
        answer_grade(**keep_of(base, answer), grade="right")
        (case,) = answer_keep(**keep_of(base, answer)).cases
        again = answer_keep(**keep_of(base, answer))
        assert again.known == (case,)
        found = case_list(organization=base.firm.organization, corpus_id=base.corpus.pk).get(pk=case.pk)

    assert (again.cases, again.n_known) == ((), 1)
    assert (found.origin, found.origin_id, found.state, found.question) == ("answer", answer.pk, "waiting", QUESTION)
    assert "within one year before its use" in found.support
    assert "within one year" in found.answer
