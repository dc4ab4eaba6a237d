"""Run inside an installation: makes the people, corpora and links that the journeys use, and prints them as JSON."""

import json
import sys
from typing import Any

import django


def make_firm(slug: str, name: str) -> tuple[Any, dict[str, Any]]:
    """An organisation with one person a role, all with the password that the journeys know."""
    from legalqa.accounts.models import Organization, Role, User
    from legalqa.accounts.scoping import organization_scope
    from legalqa.accounts.services import member_add
    from tests.functional.product import PASSWORD

    organization = Organization.objects.create(slug=slug, name=name)
    people = {}
    for role in Role:
        person = User.objects.create_user(
            f"{role.value}@{slug}.example", PASSWORD, name=f"{name.split(maxsplit=1)[0]} {role.label}"
        )
        with organization_scope(organization, user=person):
            member_add(organization=organization, user=person, role=role, actor=None)
        people[role.value] = person
    return organization, people


def make_corpora(organization: Any, manager: Any) -> dict[str, Any]:
    """The law of the demo, ready to be asked, and a corpus behind a wall."""
    from corpora.services import corpus_create
    from legalqa.accounts.scoping import organization_scope
    from legalqa.dashboard.demo import LL144, demo_corpus, demo_wait

    law = demo_corpus(organization=organization, user=manager, demo=LL144)
    demo_wait(organization=organization, corpus=law, on_progress=lambda _: None)
    with organization_scope(organization, user=manager):
        walled = corpus_create(organization=organization, user=manager, name="Project Larch", is_walled=True)
    return {"law": law, "walled": walled}


def make_judging(organization: Any, people: dict[str, Any], law: Any) -> dict[str, str]:
    """A gold set, two experiments that have ended, and a campaign half graded; made in bulk. Returns their ids."""
    from legalqa.accounts.scoping import organization_scope
    from tests.judging.experiments.figures.made import experiment_made, gold_set_made
    from tests.people import Firm

    firm = Firm(organization, *(people[role] for role in ("owner", "corpus_manager", "lawyer", "annotator")))
    with organization_scope(organization, user=firm.manager):
        gold_set, questions = gold_set_made(firm, law, n=24)
        cells = ["naive", "hybrid", "hybrid k=3"]
        before = experiment_made(firm, gold_set, questions, cells=cells, name="Before")
        experiment = experiment_made(firm, gold_set, questions, cells=cells)
    return {
        "gold_set": str(gold_set.pk),
        "gold_question": str(questions[0].pk),
        "before": str(before.pk),
        "experiment": str(experiment.pk),
        "evaluation": make_evaluation(firm, law),
        **make_campaign(firm, law),
    }


def make_evaluation(firm: Any, law: Any) -> str:
    """An evaluation of two solved cases that has ended, with a model's answers. Returns its id."""
    from judging.models import CaseEvaluation
    from legalqa.accounts.scoping import organization_scope
    from retrieval.cases.files import CaseRow
    from retrieval.cases.services import cases_add
    from retrieval.cases.similarity import WEIGHTINGS

    acting: dict[str, Any] = {"organization": firm.organization, "user": firm.manager}
    rows = [CaseRow(f"What does rule {n} ask for?", "An audit.", f"Rule {n} asks for an audit.") for n in (1, 2)]
    with organization_scope(firm.organization, user=firm.manager):
        ids = [str(case.pk) for case in cases_add(**acting, corpus_id=law.pk, rows=rows).cases]
        question = {"question": "What do both rules ask for?", "answer": "An audit.", "cases": ids, "act": "Audit Act"}
        ranks = {name: [[1, 2 + n % 3] for n in range(12)] for name in WEIGHTINGS}
        tests = {"paired_t_p": {"no retrieval": 0.03}, "anova_p": 0.04, "best": "MiniLM, k = 1, support"}
        cosine = {"MiniLM, k = 1, support": 0.81, "no retrieval": 0.62}
        answers = {"cosine": cosine, "questions": 12, "left_out": 0, **tests}
        made = CaseEvaluation.objects.create(
            organization=firm.organization,
            corpus=law,
            questions=[question] * 12,
            chosen=list(range(12)),
            replies=[dict.fromkeys(cosine, "An audit of both.")] * 12,
            with_answers=True,
            report={"cases": 40, "found": {"MiniLM": ranks}, "near": {}, "answers": answers},
        )
    return str(made.pk)


def make_campaign(firm: Any, law: Any) -> dict[str, str]:
    """Two items graded by two people who do not agree, and a third item open for one of them. Returns the ids."""
    from judging.campaigns.items import item_rows_read
    from judging.campaigns.rubrics import FORMS
    from judging.campaigns.services.campaigns import Plan, campaign_create
    from judging.campaigns.services.grading import Action, Change, assignment_act
    from judging.campaigns.services.queue import assignment_next
    from legalqa.accounts.scoping import organization_scope

    answers = [{"system": "ours", "text": "Within one year [1].", "passages": [{"title": "Rule", "text": "One year."}]}]
    lines = [json.dumps({"question": f"When is audit {n} due?", "answers": answers}) for n in range(3)]
    form: Any = FORMS["correctness"]
    acting: dict[str, Any] = {"organization": firm.organization}
    with organization_scope(firm.organization, user=firm.manager):
        campaign = campaign_create(
            **acting,
            user=firm.manager,
            corpus_id=law.pk,
            name="Audits",
            form=form,
            rows=item_rows_read("\n".join(lines), form=form),
            graders=[firm.manager.pk, firm.lawyer.pk],
            plan=Plan(overlap=2),
        )
    for person, grades in ((firm.manager, (5, 4)), (firm.lawyer, (1, 2))):
        of: dict[str, Any] = {**acting, "user": person}
        with organization_scope(firm.organization, user=person):
            for grade in grades:
                given: Any = assignment_next(**of, campaign_id=campaign.pk)
                change = Change(grades={"correctness": grade})
                assignment_act(**of, assignment_id=given.pk, action=Action.SUBMIT, change=change)
            given = assignment_next(**of, campaign_id=campaign.pk)
    return {"campaign": str(campaign.pk), "assignment": str(given.pk)}


def describe(organization: Any, people: dict[str, Any], corpora: dict[str, Any]) -> dict[str, Any]:
    """What the journeys need to know: addresses, ids, and one-time links."""
    from corpora.selectors import document_rows
    from legalqa.accounts.scoping import organization_scope
    from legalqa.accounts.services import sign_in_link_create

    documents: dict[str, str] = {}
    for corpus in corpora.values():
        with organization_scope(organization, user=None):
            rows = document_rows(organization=organization, corpus=corpus)
        documents |= {row.document.name: str(row.document.pk) for row in rows}
    return {
        "slug": organization.slug,
        "people": {role: person.email for role, person in people.items()},
        "links": {role: sign_in_link_create(user=person)[1] for role, person in people.items()},
        "corpora": {key: str(corpus.pk) for key, corpus in corpora.items()},
        "documents": documents,
    }


def across_pages(organization: Any, document_id: str) -> list[str]:
    """Marks, as in `?at=`, of the paragraphs of a document that run over a page break."""
    from corpora.models import Document, Page, Position
    from legalqa.accounts.scoping import organization_scope

    with organization_scope(organization, user=None):
        version = Document.objects.get(pk=document_id).current_id
        ends = dict(Page.objects.filter(version_id=version).values_list("number", "end"))
        positions = Position.objects.filter(version_id=version).select_related("paragraph").order_by("ordinal")
        found = [
            (p.ordinal, len(p.paragraph.text.rstrip()))
            for p in positions
            if p.start + len(p.paragraph.text.rstrip()) > ends[p.page]
        ]
    return [f"{ordinal}:0-{length}" for ordinal, length in found]


def main() -> None:
    django.setup()
    firm, people = make_firm("harding", "Harding & Stone")
    rivals, rival_people = make_firm("rivals", "Rival Chambers")
    corpora = make_corpora(firm, people["corpus_manager"])
    described = describe(firm, people, corpora)
    described["judging"] = make_judging(firm, people, corpora["law"])
    described["across_pages"] = across_pages(firm, described["documents"]["int_1894-a_local_law_text.pdf"])
    json.dump({"firm": described, "rivals": describe(rivals, rival_people, {})}, sys.stdout)


if __name__ == "__main__":
    main()
