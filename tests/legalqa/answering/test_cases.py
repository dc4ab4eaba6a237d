"""Solved cases and answers: an answer shows similar ones, and a right answer becomes one."""

from typing import Any

import pytest
from django.urls import reverse

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


def asked(base: Base) -> Answer:
    return question_ask(question=Question(**base.acting, text=QUESTION, preset=preset_get("casebase")))


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
