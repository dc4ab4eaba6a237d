"""The demo organisation: real law, one person per role, and a first cited answer. Running it twice changes nothing."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import Any

from corpora.models import Corpus, Paragraph
from corpora.selectors import corpus_by_name, document_rows
from corpora.services import corpus_create, document_ingest, document_upload
from judging.experiments.services import EXPERIMENTS, experiment_start
from judging.experiments.settings import experiment_settings
from judging.gold.files import GoldRow, GoldSpan
from judging.gold.services.sets import gold_set_import, gold_set_list
from judging.models import Experiment, GoldSet
from legalqa.accounts.models import Membership, Organization, Role, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import member_add, sign_in_link_create
from legalqa.answering.models import Answer
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.jobs.models import Job
from legalqa.jobs.waiting import job_worked
from legalqa.reproduce.intake import file_parts
from legalqa.reproduce.ll144 import overlaps, words
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get

FOLDER = Path(__file__).resolve().parents[2] / "corpora" / "demo_data"
SLUG, NAME = "demo", "Demo & Partners"
QUESTION = "How many business days before use must candidates be notified?"
GOLD_FILE, GOLD_NAME = "ll144_questions.jsonl", "Local Law 144, 23 questions"
COMPARED = ("naive", "policy-copilot", DEFAULT_PRESET)
PEOPLE = {
    Role.OWNER: ("owner@demo.example", "Olivia Owner"),
    Role.CORPUS_MANAGER: ("manager@demo.example", "Max Manager"),
    Role.LAWYER: ("lawyer@demo.example", "Laura Lawyer"),
    Role.ANNOTATOR: ("annotator@demo.example", "Anna Annotator"),
}


@dataclass(frozen=True, slots=True)
class DemoCorpus:
    name: str
    description: str
    files: tuple[str, ...]


LL144 = DemoCorpus(
    "NYC Local Law 144",
    "Automated employment decision tools: the final rule, the code with the rule, and the bill.",
    ("dcwp_final_rule.pdf", "admin_code_20-870_and_rule.pdf", "int_1894-a_local_law_text.pdf"),
)
AI_ACT = DemoCorpus(
    "EU AI Act",
    "The Artificial Intelligence Act as adopted by the Parliament, corrigendum of 19 April 2024.",
    ("eu_ai_act_ep_corrigendum_2024-04-19.pdf",),
)


def demo_people() -> tuple[Organization, dict[Role, User]]:
    """The demo organisation and its people."""
    organization, _ = Organization.objects.get_or_create(slug=SLUG, defaults={"name": NAME})
    people = {}
    for role, (email, name) in PEOPLE.items():
        user = User.objects.filter(email=email).first() or User.objects.create_user(email, name=name)
        with organization_scope(organization, user=user):
            if not Membership.objects.filter(user=user).exists():
                member_add(organization=organization, user=user, role=role, actor=None)
        people[role] = user
    return organization, people


def demo_corpus(*, organization: Organization, user: User, demo: DemoCorpus) -> Corpus:
    """The corpus with its files uploaded; existing files stay as they are."""
    with organization_scope(organization, user=user):
        try:
            corpus = corpus_by_name(organization=organization, name=demo.name)
        except ApplicationError:
            corpus = corpus_create(organization=organization, user=user, name=demo.name, description=demo.description)
    for file in demo.files:
        try:
            document_upload(
                organization=organization, user=user, corpus_id=corpus.pk, name=file, parts=file_parts(FOLDER / file)
            )
        except Conflict:
            continue  # uploaded by an earlier run
    return corpus


def demo_wait(*, organization: Organization, corpus: Corpus, on_progress: Callable[[str], None]) -> None:
    """Return when every document of the corpus is ready; works on the jobs here if no worker does.

    Raises:
        ApplicationError: a document was refused or could not be read.
    """
    while True:
        with organization_scope(organization, user=None):
            rows = document_rows(organization=organization, corpus=corpus)
        waiting = [row for row in rows if row.is_working]
        if not waiting:
            break
        job = waiting[0].job
        assert job is not None  # a row that is working has one
        on_progress(f"{len(rows) - len(waiting)} of {len(rows)} documents ready")
        document_ingest(job_id=job.pk)
        sleep(0.2)
    failures = [row.document.name for row in rows if row.document.current_id is None]
    if failures:
        raise ApplicationError(
            f"The demo's document {failures[0]} could not be read. See the log of the worker.", code="demo"
        )


def demo_answer(*, organization: Organization, user: User, corpus: Corpus) -> Answer:
    """The first cited answer."""
    return question_ask(
        question=Question(
            organization=organization, user=user, corpus_id=corpus.pk, text=QUESTION, preset=preset_get(DEFAULT_PRESET)
        )
    )


def demo_gold_set(*, organization: Organization, user: User, corpus: Corpus) -> GoldSet:
    """The gold set of the corpus: questions with the paragraphs of every file that contain their quotes."""
    with organization_scope(organization, user=user):
        for row in gold_set_list(organization=organization, corpus_id=corpus.pk):
            if row.gold_set.name == GOLD_NAME:
                return row.gold_set
        paragraphs = list(Paragraph.objects.filter(document__corpus=corpus, document__removed_at=None))
        lines = (FOLDER / GOLD_FILE).read_text("utf-8").splitlines()
        return gold_set_import(
            organization=organization,
            user=user,
            corpus_id=corpus.pk,
            name=GOLD_NAME,
            rows=[question_row(number, json.loads(line), paragraphs) for number, line in enumerate(lines, start=1)],
        )


def demo_experiment(*, organization: Organization, user: User, gold_set: GoldSet) -> Experiment:
    """Three presets compared on the gold set, in the background; if the demo ran before, its existing experiment."""
    with organization_scope(organization, user=user):
        experiment = EXPERIMENTS.of_corpus(gold_set.corpus_id).first()
        return experiment or experiment_start(
            organization=organization,
            user=user,
            gold_set_id=gold_set.pk,
            settings=experiment_settings(presets=COMPARED),
        )


def demo_experiment_finish(*, experiment: Experiment, on_progress: Callable[[str], None]) -> None:
    """Work on the experiment here until it has ended."""
    job = Job.objects.filter(subject_id=experiment.pk).first()
    if job is not None:
        job_worked(job, note=on_progress)


def demo_links(*, people: dict[Role, User], base_url: str) -> dict[str, str]:
    """A one-time sign-in link for each role."""
    return {role.value: base_url + sign_in_link_create(user=user)[1] for role, user in people.items()}


def question_row(number: int, row: dict[str, Any], paragraphs: list[Paragraph]) -> GoldRow:
    """A line of the gold file with the paragraphs that contain its quotes; none for questions without an answer."""
    ids: dict[str, None] = {}
    for evidence in row["evidence"] if row["answerable"] else ():
        quote = " ".join(words(evidence["quote"]))
        whole = [p for p in paragraphs if quote in " ".join(words(p.text))]
        # A quote that continues in the next paragraph is in both.
        ids |= dict.fromkeys(p.public_id for p in whole or paragraphs if whole or overlaps(p.text, evidence["quote"]))
    return GoldRow(
        line=number,
        id=row["id"],
        question=row["question"],
        reference_answer=row["reference_answer"] if row["answerable"] else "",
        references=tuple(GoldSpan(public_id) for public_id in ids),
        question_type="simple" if row["complexity"] == "1" else "complex",
        is_answerable=row["answerable"],
        history=(),
    )
