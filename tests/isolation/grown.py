"""A house made three times as full: to every list of it, and under every object whose page lists something."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from corpora.models import ChunkAdvice, DocumentVersion, Member, PassageVector, Position, Recognition
from corpora.services import corpus_member_add, folder_look
from judging.campaigns.services.adjudication import grade_adjudicate
from judging.campaigns.services.campaigns import graders_add
from judging.campaigns.services.grading import Action, Change, assignment_act
from judging.campaigns.services.queue import assignment_next
from judging.gold.services.reviewing import gold_question_edit, gold_question_review, reference_report
from judging.gold.services.sets import gold_questions, gold_questions_add, referenced_paragraphs
from judging.models import Campaign, CampaignItem, ExperimentAnswer, ExperimentScore, TunedSearch
from legalqa.accounts.models import KeptReply, Membership, Organization, RequestCount, Role, User
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer, Contradiction
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_run
from legalqa.llm.gateway import complete
from legalqa.llm.models import BudgetWindow
from legalqa.llm.services.providers import provider_create, role_model_create
from legalqa.llm.types import LLMRequest, Message
from legalqa.llm.types import Role as LLMRole
from legalqa.webhooks.services import webhook_create, webhook_test
from retrieval.cases.files import CaseRow, CaseSpan
from retrieval.cases.indexing import TASK, cases_embed_slice
from retrieval.cases.services import case_review, cases_add
from retrieval.graph.building import graph_work
from retrieval.graph.reviewing import graph_decide
from retrieval.graph.selectors import graph_job
from retrieval.models import AskedParagraph, CaseIndex, GraphEntity
from retrieval.pipelines.presets import preset_get
from retrieval.questions.files import Pair
from retrieval.questions.services import pairs_add
from tests.indexes import added_encoder, kept_set
from tests.ingestion import Ingested, ingest, make_corpus, positions, upload
from tests.isolation.annotated import item_of, make_annotated
from tests.isolation.judged import (
    clause_verdict_of,
    contradiction_of,
    evaluation_of,
    experiment_of,
    gold_of,
    own_clause_of,
    reviewed_grade,
    saved_judge,
    tuning_of,
)
from tests.isolation.world import (
    ROLES,
    House,
    ask,
    cancelled_note,
    classifier_of,
    colleague_of,
    folder_of,
    lab_of,
    lease,
    membership_rows,
    share_with,
    tokens_of,
    trained_of,
)
from tests.judging.gold.reading import gold_rows_read
from tests.people import signed_in

WAYS = ("now", "later", "early", "in summer")


def grow(house: House, marker: str) -> None:
    """About as much again as the house had at first, under a word of its own; `grow` it twice for three times."""
    people = _people(house, marker)
    document = _documents(house, marker, people)
    _answers(house, marker, people)
    _learning(house, marker, document)
    _gold(house, marker)
    _experiment(house, marker)
    _campaigns(house, marker, people)
    _knowledge(house, marker, document)
    _doors(house, marker)


def _acting(house: House) -> dict[str, Any]:
    return {"organization": house.firm.organization, "user": house.firm.owner}


def _people(house: House, marker: str) -> User:
    firm = house.firm
    colleague, other, *_ = [colleague_of(firm, f"{marker}{number}") for number in range(5)]
    membership_rows(firm, marker)
    tokens_of(firm)
    with organization_scope(firm.organization, user=firm.owner):
        for corpus in (house.corpus, house.walled):
            for person in (colleague, other):
                corpus_member_add(**_acting(house), corpus_id=corpus.pk, member_id=person.pk)
    elsewhere = Organization.objects.create(slug=marker, name=f"{marker.title()} & Co")
    with organization_scope(elsewhere, user=firm.owner):
        Membership.objects.create(organization=elsewhere, user=firm.owner, role=Role.LAWYER)
    signed_in(firm.owner)
    return colleague


def _documents(house: House, marker: str, colleague: User) -> Ingested:
    firm, corpus = house.firm, house.corpus
    for number in range(2):
        make_corpus(firm, f"More {marker} {number}")
    text = lease(marker) + f"\nThe {marker} company may end the lease by a notice of two months.\n"
    document = ingest(firm, corpus, f"{marker}.md", text)
    ingest(firm, house.walled, f"walled-{marker}.md", lease(f"other {marker}"), user=firm.owner)
    waiting = upload(firm, corpus, f"{marker}.txt", f"A waiting note about {marker}.")
    for number in range(2):
        upload(firm, corpus, f"{marker}-{number}.txt", f"Waiting note {number} about {marker}.")
    cancelled_note(firm, corpus, marker)
    version = renew(house, marker, n_members=3)
    with organization_scope(firm.organization, user=None):
        of: Any = {"organization": firm.organization}
        Recognition.objects.create(**of, version=waiting.version, number=1, text=marker)
        ChunkAdvice.objects.create(**of, corpus=corpus, key=marker.ljust(64, "0")[:64], value=f"On {marker}.")
        for position in Position.objects.filter(version__in=(document.version, version))[:2]:
            PassageVector.objects.create(
                **of, corpus=corpus, position=position, digest="0" * 32, vector=[1.0] + [0.0] * 383
            )
    note = Path(settings.WATCH_ROOT) / firm.organization.slug / house.marker / f"{marker}.txt"
    note.write_text(f"A new note about {marker}.")
    folder_look(organization=firm.organization, folder_id=house.folder.pk)
    note.unlink()  # this folder is the world's, and stays
    folder_of(firm, corpus, marker)
    for kept in (corpus, house.walled):
        for number in range(2):
            kept_set(firm, kept, f"{marker}{number}")
        added_encoder(firm, kept, marker)
    return document


def renew(house: House, marker: str, *, n_members: int) -> DocumentVersion:
    """A new version of the house's document, which leaves answers from the one before behind; with files in it, read
    for a clause.
    """
    text = lease(house.marker).replace("900 euros", f"900 euros and a {marker}")
    made = ingest(house.firm, house.corpus, f"{house.marker}.md", text)
    with organization_scope(house.firm.organization, user=house.firm.owner):
        # What contradicts each other is in the new version, too: else the few rows of the report would be none.
        first, second = Position.objects.filter(version=made.version).order_by("-ordinal")[:2]
        of_house = Contradiction.objects.filter(pk=house.contradiction.pk)
        of_house.update(paragraph_a=first.paragraph_id, paragraph_b=second.paragraph_id)
    with organization_scope(house.firm.organization, user=None):
        for ordinal in range(n_members):
            Member.objects.create(
                organization=house.firm.organization,
                version=made.version,
                ordinal=ordinal,
                name=f"{marker}-{ordinal}.png",
                reason="image",
            )
    clause_verdict_of(house.firm, house.corpus, made)
    return made.version


def _answers(house: House, marker: str, colleague: User) -> None:
    """Conversations of everybody's own, and one more question in each that the world began."""
    firm = house.firm
    for role in ROLES:
        answer = ask(firm, getattr(firm, role), house.corpus, marker)
        share_with(answer, house.colleague)
        share_with(house.answers[role], colleague)
        _follow_up(house, house.answers[role], marker)
        reviewed_grade(firm, answer, marker)
    ask(firm, firm.owner, house.corpus, f"other {marker}")
    walled = ask(firm, firm.lawyer, house.walled, marker)
    share_with(walled, house.colleague)
    reviewed_grade(firm, walled, marker)


def _follow_up(house: House, answer: Answer, marker: str) -> None:
    asker = answer.question.asker
    assert asker is not None
    question_ask(
        question=Question(
            organization=house.firm.organization,
            user=asker,
            corpus_id=answer.question.corpus_id,
            text=f"And the notice of the {marker} garden?",
            preset=preset_get("fixed-3"),
            follows=answer.question_id,
        )
    )


def _learning(house: House, marker: str, document: Ingested) -> None:
    firm = house.firm
    for corpus, elsewhere in ((house.corpus, house.walled), (house.walled, house.corpus)):
        trained_of(firm, corpus, marker, elsewhere=elsewhere)
        classifier_of(firm, corpus, marker)
    lab_of(firm, house.corpus, document, marker)


def _gold(house: House, marker: str) -> None:
    """One more question in each gold set, and one more word on the question that people have spoken about."""
    firm = house.firm
    on: Any = {**_acting(house), "question_id": house.gold.report.question_id}
    paragraph = positions(firm, house.document.version)[0].paragraph.public_id
    with organization_scope(firm.organization, user=firm.owner):
        gold_question_edit(**on, changes={"topic": marker})
        gold_question_review(**on, state="approved", grades={"clarity": 4}, note=f"Right on {marker}.")
        reference_report(**on, note=f"{marker} is elsewhere, too.")
        gold_set = house.tuning.gold_set
        rows = gold_rows_read(
            json.dumps({"question": f"What of the {marker} garden?", "reference_paragraph_ids": [paragraph]})
        )
        paragraphs = referenced_paragraphs(organization=firm.organization, corpus=house.corpus, rows=rows)
        (question,) = gold_questions_add(gold_set=gold_set, rows=rows, paragraphs=paragraphs)
        TunedSearch.objects.create(organization=firm.organization, run=house.tuning, question=question, found={})
        gold_question_review(
            **_acting(house), question_id=question.pk, state="approved", grades={"clarity": 4}, note="As it says."
        )
        reference_report(**_acting(house), question_id=question.pk, note=f"{marker} is elsewhere.")


def _experiment(house: House, marker: str) -> None:
    """An answer with its score to each new question of the gold set, in the experiment of the world."""
    of: Any = {"organization": house.firm.organization, "experiment": house.experiment}
    with organization_scope(house.firm.organization, user=house.firm.owner):
        question = gold_questions(gold_set=house.tuning.gold_set).order_by("-ordinal")[0]
        answer = ExperimentAnswer.objects.create(
            **of, question=question, cell="naive", fingerprint=marker.ljust(64, "0")[:64], reason=marker
        )
        ExperimentScore.objects.create(**of, answer=answer, measure="right", status="judged", value=1.0)


def _campaigns(house: House, marker: str, colleague: User) -> None:
    firm, graded = house.firm, house.annotated.graded
    make_annotated(firm, house.corpus, marker, ROLES)
    make_annotated(firm, house.walled, f"other {marker}", ("owner", "lawyer"))
    for campaign in (graded, house.annotated.open):
        _item(house, campaign, marker, colleague)
    with organization_scope(firm.organization, user=firm.lawyer):
        acting: Any = {"organization": firm.organization, "user": firm.lawyer}
        given = assignment_next(**acting, campaign_id=graded.pk)
        assert given is not None
        change = Change(grades={"correctness": 5}, note=f"As {marker} says.", is_flagged=True)
        assignment_act(**acting, assignment_id=given.pk, action=Action.SUBMIT, change=change)
    with organization_scope(firm.organization, user=firm.owner):
        decided = {"criterion": "correctness", "answer": 0, "value": 4, "reason": f"For {marker}."}
        grade_adjudicate(**_acting(house), campaign_id=graded.pk, item=given.item.ordinal, decided=decided)
    saved_judge(firm, marker)


def _item(house: House, campaign: Campaign, marker: str, colleague: User) -> None:
    with organization_scope(house.firm.organization, user=house.firm.owner):
        first = CampaignItem.objects.get(campaign=campaign, ordinal=1)
        first.pk, first.ordinal = None, CampaignItem.objects.filter(campaign=campaign).count() + 1
        first.content = first.content | {"question": item_of(marker)["question"]}
        first.save(force_insert=True)
        graders_add(campaign=campaign, user_ids=[colleague.pk])


def _knowledge(house: House, marker: str, document: Ingested) -> None:
    """What is known of the corpora: measurements, contradictions, clauses, cases, questions and the graph."""
    firm = house.firm
    for corpus, of in ((house.corpus, document), (house.walled, house.walled_document)):
        tuning = tuning_of(firm, corpus, of, marker)
        gold_of(firm, tuning, marker)
        experiment_of(firm, tuning, marker)
    contradiction_of(firm, house.corpus, document)
    clause_verdict_of(firm, house.corpus, document)
    own_clause_of(firm, marker)
    paragraph = positions(firm, document.version)[1].paragraph
    with organization_scope(firm.organization, user=firm.owner):
        on: Any = {**_acting(house), "corpus_id": house.corpus.pk}
        spans = (CaseSpan(paragraph.public_id),)
        rows = [CaseRow(f"What is due for the {marker} garden {way}?", "900.", spans=spans) for way in WAYS]
        one, other, *more = cases_add(**on, rows=rows).cases
        for case in (one, other, *more):
            case_review(**_acting(house), case_id=case.pk, decision="approve", note=f"Right on {marker}.")
        evaluation_of(firm, house.corpus, (str(one.pk), str(other.pk)), marker)
        pair = Pair(f"Who may sit in the {marker} garden?", paragraph.pk, 0, len(paragraph.text), f"file of {marker}")
        pairs_add(**on, pairs=[pair], left_out=())
        AskedParagraph.objects.create(
            organization=firm.organization, corpus=house.corpus, paragraph=paragraph, basis="0" * 64
        )
        embedding = Job.objects.filter(task=TASK, subject_id=CaseIndex.objects.get(corpus=house.corpus).pk)
        job = graph_job(organization=firm.organization, corpus=house.corpus)  # each new document asks for one
    assert job is not None
    graph_work(job_id=job.pk)
    job_run(job_id=embedding.latest("created_at").pk, work=cases_embed_slice)
    with organization_scope(firm.organization, user=firm.owner):
        entity = GraphEntity.objects.filter(corpus=house.corpus, name__contains=marker).first()
        assert entity is not None
        graph_decide(**on, action="reject", entity_id=entity.pk)


def _doors(house: House, marker: str) -> None:
    """Webhooks, models and programs."""
    firm = house.firm
    webhook, _ = webhook_create(**firm.by_manager, url=f"https://93.184.216.34/{marker}", events=["document.ready"])
    provider = provider_create(
        **_acting(house), name=f"At {marker}", base_url="https://api.openai.com/v1", key="sk-of-a-house"
    )
    with organization_scope(firm.organization, user=firm.manager):
        for one in (webhook, house.webhook):
            webhook_test(**firm.by_manager, webhook_id=one.pk)
        _replies(house, marker, provider.pk)
    with organization_scope(firm.organization, user=firm.owner):
        role_model_create(**_acting(house), role=LLMRole.EXTRACT, provider_id=provider.pk, model=f"{marker}-1")
        earlier = (timezone.now() - timedelta(days=1 + BudgetWindow.objects.count())).date()
        BudgetWindow.objects.create(organization=firm.organization, kind="day", starts=earlier)
    request = LLMRequest(LLMRole.EXTRACT, (Message("user", marker),), "isolation@1", "0" * 64)
    complete(**firm.by_lawyer, request=request)


def _replies(house: House, marker: str, subject_id: UUID) -> None:
    of: Any = {"organization": house.firm.organization}
    KeptReply.objects.create(
        **of,
        user=house.firm.manager,
        endpoint="POST /api/v1/questions/",
        key=marker,
        digest="0" * 64,
        lease=subject_id,
        lease_until=timezone.now(),
        created_at=timezone.now(),
    )
    RequestCount.objects.create(**of, subject_id=subject_id, kind="any", period=0, day=0, n=1, n_before=0)
