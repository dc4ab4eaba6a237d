"""Grades from the ask page in a campaign: the stated rule, corrections as references, nobody named."""

from typing import Any

import pytest

from judging.campaigns.exports import long_rows
from judging.campaigns.lead import flagged_rows
from judging.campaigns.services.asked import campaign_of_asked
from judging.campaigns.services.queue import assignment_next
from judging.models import CampaignGrader, CampaignItem
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer
from legalqa.answering.services import answer_grade, question_ask
from legalqa.answering.types import SILENT, Question
from legalqa.common.errors import ApplicationError
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from tests.ingestion import make_corpus
from tests.people import Firm

LATE = "A tenant who pays late owes interest of five percent a year on the sum that is late."
LEASE = f"# Lease\n\n## Rent\n\nThe tenant pays a rent of 900 euros each month.\n\n{LATE}\n"
QUESTION = "What interest does a tenant who pays late owe?"
FAR_OFF = "Which team won the football world cup in France in 1998?"
CORRECTED = "Five percent a year, on what is late."


@pytest.fixture
def corpus(firm: Firm) -> Any:
    return make_corpus(firm, "Leases", files={"lease.md": LEASE})


def ask(firm: Firm, corpus: Any, text: str, preset: str, grade: str, **more: Any) -> Answer:
    asked: Any = {"organization": firm.organization, "user": firm.lawyer, "corpus_id": corpus.pk}
    answer = question_ask(question=Question(**asked, text=text, preset=preset_get(preset)))
    with organization_scope(firm.organization, user=firm.lawyer):
        answer_grade(**firm.by_lawyer, answer_id=answer.pk, grade=grade, **more)
    return answer


def test_grades_of_the_ask_page_enter_on_the_correctness_scale_under_a_pseudonym(firm: Firm, corpus: Any) -> None:
    ask(firm, corpus, QUESTION, "fixed-3", "partly", note="Of what?", correction=CORRECTED)
    ask(firm, corpus, FAR_OFF, DEFAULT_PRESET, "rightly_silent")
    acting: Any = {"organization": firm.organization, "user": firm.manager}
    with organization_scope(firm.organization, user=firm.manager):
        campaign = campaign_of_asked(**acting, corpus_id=corpus.pk, name="Asked", graders=[firm.lawyer.pk])
        items = list(CampaignItem.objects.filter(campaign=campaign).order_by("ordinal"))
        rows = long_rows(campaign=campaign)
        graders = list(CampaignGrader.objects.filter(campaign=campaign).order_by("pk").values_list("name", "user"))
        flagged = flagged_rows(campaign=campaign)

    assert [(row["grader"], row["value"]) for row in rows] == [("ask page 1", 3), ("ask page 1", 5)]
    assert not any(row["note"] for row in rows), "a note on the ask page is not for others"
    assert items[0].content["reference_answer"] == CORRECTED
    assert "five percent" in items[0].content["answers"][0]["text"]
    assert LATE in [" ".join(passage["text"].split()) for passage in items[0].content["answers"][0]["passages"]]
    assert items[1].content["answers"][0]["text"] == SILENT
    assert graders == [("G1", firm.lawyer.pk), ("ask page 1", None)]
    assert flagged == []
    with organization_scope(firm.organization, user=firm.lawyer):
        found = assignment_next(**firm.by_lawyer, campaign_id=campaign.pk)
    assert found is None, "each item has the grade that it needs"


def test_without_a_grade_there_is_nothing_to_make_a_campaign_of(firm: Firm) -> None:
    corpus = make_corpus(firm, "Leases")
    with organization_scope(firm.organization, user=firm.manager), pytest.raises(ApplicationError):
        campaign_of_asked(**firm.by_manager, corpus_id=corpus.pk, name="Asked")
