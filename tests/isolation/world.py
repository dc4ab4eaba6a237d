"""Two organisations with everything in them, each marked by words that are nowhere else."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.utils import timezone

from corpora.models import (
    AddedEncoder,
    ChunkAdvice,
    ChunkSet,
    Corpus,
    DocumentVersion,
    EncoderActivation,
    Member,
    PassageVector,
    Position,
    Recognition,
    TrainedEncoder,
    WatchedFolder,
)
from corpora.services import corpus_member_add, folder_look, folder_watch
from judging.models import CaseEvaluation, Experiment, Judge, TuningRun
from legalqa.accounts.models import Invitation, KeptReply, Membership, RequestCount, Role, User
from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import (
    member_add,
    member_invite,
    member_remove,
    sign_in_link_create,
    token_create,
    token_revoke,
)
from legalqa.answering.clauses.models import ClauseQuestion, ClauseVerdict
from legalqa.answering.models import (
    Answer,
    AnswerGrade,
    Contradiction,
    ConversationShare,
    ReaderActivation,
    TrainedReader,
)
from legalqa.answering.services import answer_grade, question_ask
from legalqa.answering.types import Question
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.services import job_cancel, job_run
from legalqa.llm.gateway import complete
from legalqa.llm.models import BudgetWindow, Provider, RoleModel
from legalqa.llm.services.budgets import settings_save
from legalqa.llm.services.providers import provider_create, role_model_create
from legalqa.llm.types import LLMRequest, Message
from legalqa.llm.types import Role as LLMRole
from legalqa.training.classifier.fitting import TrainingSettings
from legalqa.training.classifier.services import CLASSIFIER, ClassifierChoices
from legalqa.webhooks.models import Delivery, DeliveryState, Webhook
from legalqa.webhooks.services import webhook_create, webhook_test
from retrieval.complexity.types import LabelledText
from retrieval.models import (
    CaseEntry,
    ComplexityActivation,
    ComplexityClassifier,
    GraphEntity,
    IndexedQuestion,
    RankerActivation,
    SavedPreset,
    TrainedRanker,
)
from retrieval.pipelines.presets import preset_get
from retrieval.services.lab import relevance_set
from retrieval.services.presets import preset_save
from tests.indexes import index_rows
from tests.ingestion import Ingested, ingest, make_corpus, positions, upload
from tests.isolation.annotated import Annotated, make_annotated
from tests.isolation.graphed import make_graph
from tests.isolation.judged import Gold, measured_rows, own_clause_of, reviewed_grade, saved_judge
from tests.people import PASSWORD, Firm, make_firm
from tests.trained import report_of, row_of, trained_encoder, trained_ranker, trained_reader

LOCKED_PDF = Path(__file__).parents[1] / "data" / "pdfs" / "encrypted_user_password.pdf"
ROLES = ("owner", "manager", "lawyer", "annotator")


@dataclass(frozen=True)
class House:
    """An organisation with real content; `inside` its wall are its owner and its lawyer, nobody else."""

    firm: Firm
    marker: str
    wall_marker: str
    removed: User
    colleague: User
    corpus: Corpus
    walled: Corpus
    document: Ingested
    walled_document: Ingested
    waiting: Ingested
    cancelled: Ingested
    locked: Ingested
    answers: dict[str, Answer]
    walled_answer: Answer
    invitation: Invitation
    invitation_secret: str
    sign_in_secret: str
    member_row: Membership
    tokens: dict[str, tuple[UUID, str]]
    webhook: Webhook
    delivery: Delivery
    preset: SavedPreset
    folder: WatchedFolder
    classifier: ComplexityClassifier
    walled_classifier: ComplexityClassifier
    role_model: RoleModel
    tuning: TuningRun
    walled_tuning: TuningRun
    experiment: Experiment
    walled_experiment: Experiment
    gold: Gold
    walled_gold: Gold
    encoder: TrainedEncoder
    walled_encoder: TrainedEncoder
    ranker: TrainedRanker
    walled_ranker: TrainedRanker
    reader: TrainedReader
    walled_reader: TrainedReader
    contradiction: Contradiction
    walled_contradiction: Contradiction
    verdict: ClauseVerdict
    walled_verdict: ClauseVerdict
    clause: ClauseQuestion
    case: CaseEntry
    walled_case: CaseEntry
    evaluation: CaseEvaluation
    walled_evaluation: CaseEvaluation
    entity: GraphEntity
    walled_entity: GraphEntity
    grade: AnswerGrade
    walled_grade: AnswerGrade
    annotated: Annotated
    walled_annotated: Annotated
    judge: Judge
    kept_set: ChunkSet
    walled_kept_set: ChunkSet
    added: AddedEncoder
    walled_added: AddedEncoder
    indexed: IndexedQuestion
    walled_indexed: IndexedQuestion

    @property
    def slug(self) -> str:
        return self.firm.organization.slug

    def person(self, role: str) -> User:
        return self.removed if role == "removed" else getattr(self.firm, role)

    def markers_hidden_from(self, role: str) -> tuple[str, ...]:
        """The words that must not reach a person of this house in that role."""
        if role in ("owner", "lawyer"):
            return ()
        return (self.wall_marker,) if role in ROLES else (self.marker, self.wall_marker)


@dataclass(frozen=True)
class World:
    ours: House
    theirs: House
    operator: User


def make_world() -> World:
    operator = User.objects.create_user("operator@platform.example", PASSWORD, name="Platform operator", is_staff=True)
    return World(
        make_house("harding", "Harding & Stone", "quillwort", "saxifrage"),
        make_house("rivals", "Rival Chambers", "pennycress", "toadflax"),
        operator,
    )


def _read_from(firm: Firm, corpus: Corpus, document: Ingested, marker: str, prefix: str = "") -> dict[str, Any]:
    """What was measured on a corpus, and an entity of its graph."""
    measured = measured_rows(firm, corpus, document, marker, prefix=prefix)
    return measured | {f"{prefix}entity": make_graph(firm, corpus, marker)}


def make_house(slug: str, name: str, marker: str, wall_marker: str) -> House:
    firm = make_firm(slug, name)
    removed, removed_token = _former_member(firm, slug)
    colleague = colleague_of(firm, slug)
    corpus = make_corpus(firm, f"Leases {marker}")
    walled = make_corpus(firm, f"Matter {wall_marker}", is_walled=True, user=firm.owner)
    _name_lawyer(firm, corpus, walled)
    document = ingest(firm, corpus, f"{marker}.md", lease(marker))
    walled_document = ingest(firm, walled, f"{wall_marker}.md", lease(wall_marker), user=firm.owner)
    waiting = upload(firm, corpus, "waiting.txt", f"A waiting note about {marker}.")
    cancelled = cancelled_note(firm, corpus, marker)
    locked = ingest(firm, corpus, "locked.pdf", LOCKED_PDF.read_bytes())
    _half_read(firm, waiting.version, document.version, marker)
    invitation, invitation_path, member_row = membership_rows(firm, slug)
    trained = trained_of(firm, corpus, marker, elsewhere=walled)
    trained |= trained_of(firm, walled, wall_marker, elsewhere=corpus, prefix="walled_")
    answers = _shared_answers(firm, corpus, marker, colleague)
    walled_answer = ask(firm, firm.lawyer, walled, wall_marker)
    share_with(walled_answer, colleague)
    return House(
        firm,
        marker,
        wall_marker,
        removed,
        colleague,
        corpus,
        walled,
        document,
        walled_document,
        Ingested(waiting.document, waiting.version, waiting.job),
        cancelled,
        locked,
        answers,
        walled_answer,
        invitation,
        _last(invitation_path),
        _last(sign_in_link_create(user=firm.annotator)[1]),
        member_row,
        tokens_of(firm) | {"removed": removed_token},
        **webhook_of(firm),
        preset=lab_of(firm, corpus, document, marker),
        folder=folder_of(firm, corpus, marker),
        classifier=classifier_of(firm, corpus, marker),
        walled_classifier=classifier_of(firm, walled, wall_marker),
        role_model=_language_model(firm, marker),
        **_read_from(firm, corpus, document, marker),
        **_read_from(firm, walled, walled_document, wall_marker, prefix="walled_"),
        **trained,
        grade=reviewed_grade(firm, answers["lawyer"], marker),
        walled_grade=reviewed_grade(firm, walled_answer, wall_marker),
        annotated=make_annotated(firm, corpus, marker, ROLES),
        walled_annotated=make_annotated(firm, walled, wall_marker, ("owner", "lawyer")),
        judge=saved_judge(firm, marker),
        **index_rows(firm, {"": (corpus, marker), "walled_": (walled, wall_marker)}),
        clause=own_clause_of(firm, marker),
    )


def _name_lawyer(firm: Firm, corpus: Corpus, walled: Corpus) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        for named in (corpus, walled):  # named in the open one too, where it changes nothing
            corpus_member_add(**firm.by_owner, corpus_id=named.pk, member_id=firm.lawyer.pk)


def trained_of(firm: Firm, corpus: Corpus, marker: str, *, elsewhere: Corpus, prefix: str = "") -> dict[str, Any]:
    """An encoder, a ranker and a reader that bear the marker; the packaged ones were chosen since."""
    other = row_of("Meaning search alone", gain=-0.01, name=f"On {elsewhere.name}", corpus=elsewhere.slug)
    report = report_of(elsewhere=(other,))
    encoder = trained_encoder(firm, corpus, source=f"gold set On {marker}", report=report)
    ranker = trained_ranker(firm, corpus, source=f"gold set On {marker}", report=report)
    reader = trained_reader(firm, corpus, source=f"gold set On {marker}")
    with organization_scope(firm.organization, user=firm.owner):
        of: Any = {"organization": firm.organization, "corpus": corpus, "created_by": firm.owner}
        EncoderActivation.objects.create(**of, switched_at=timezone.now())
        RankerActivation.objects.create(**of, encoder=corpus.encoder)
        ReaderActivation.objects.create(**of)
    return {f"{prefix}encoder": encoder, f"{prefix}ranker": ranker, f"{prefix}reader": reader}


def classifier_of(firm: Firm, corpus: Corpus, marker: str) -> ComplexityClassifier:
    """A ready version that learnt nothing, from questions that bear the marker; the packaged one was chosen since."""
    acting: Any = {"organization": firm.organization, "user": firm.owner, "corpus_id": corpus.pk}
    rows = [LabelledText(f"What of the {marker} garden is number {n}?", n % 3) for n in range(30)]
    with organization_scope(firm.organization, user=firm.owner):
        wanted = TrainingSettings(kind="random")
        choices = ClassifierChoices(rows, f"questions on {marker}", wanted)
        version, job = CLASSIFIER.start(**acting, choices=choices)
        ComplexityActivation.objects.create(
            organization=firm.organization, corpus=corpus, n_classes=3, created_by=firm.owner
        )
    job_run(job_id=job.pk, work=CLASSIFIER.slice)
    return version


def _language_model(firm: Firm, marker: str) -> RoleModel:
    """A model that bears the marker, at an address that the operator has taken from the list, and a call of it."""
    acting: Any = {"organization": firm.organization, "user": firm.owner}
    provider = provider_create(**acting, name=f"At {marker}", base_url="https://api.openai.com/v1", key="sk-of-a-house")
    with organization_scope(firm.organization, user=firm.owner):
        row = role_model_create(**acting, role=LLMRole.EXTRACT, provider_id=provider.pk, model=f"{marker}-1")
        Provider.objects.filter(pk=provider.pk).update(base_url="https://taken-away.example/v1")
        settings_save(**acting, cap_day=1_000_000)
        BudgetWindow.objects.create(organization=firm.organization, kind="day", starts=timezone.now().date())
    request = LLMRequest(LLMRole.EXTRACT, (Message("user", marker),), "isolation@1", "0" * 64)
    complete(**firm.by_lawyer, request=request)
    return row


def folder_of(firm: Firm, corpus: Corpus, marker: str) -> WatchedFolder:
    """A watched folder that bears the marker in its name, with a file that is new in it."""
    path = Path(settings.WATCH_ROOT) / firm.organization.slug / marker
    path.mkdir(parents=True, exist_ok=True)
    (path / f"{marker}.txt").write_text(f"A new note about {marker}.")
    with organization_scope(firm.organization, user=firm.manager):
        folder = folder_watch(**firm.by_manager, corpus_id=corpus.pk, path=marker, removes_missing=True)
    folder_look(organization=firm.organization, folder_id=folder.pk)
    return folder


def lab_of(firm: Firm, corpus: Corpus, document: Ingested, marker: str) -> SavedPreset:
    """A setting kept in the search lab, and a passage marked there."""
    paragraph = positions(firm, document.version)[1].paragraph_id
    acting: Any = {"organization": firm.organization, "user": firm.manager, "corpus_id": corpus.pk}
    with organization_scope(firm.organization, user=firm.manager):
        relevance_set(**acting, text=f"rent of {marker}", paragraph_id=paragraph, is_relevant=True)
        return preset_save(**acting, name=f"for-{marker}", base="fixed-10", overrides={"rrf.k": "20"})


def _half_read(firm: Firm, scan: DocumentVersion, archive: DocumentVersion, marker: str) -> None:
    """What is in these tables only while a scan is read, where an archive held what is no document, a model was
    asked how to split one, or the corpus is large.
    """
    with organization_scope(firm.organization, user=None):
        Recognition.objects.create(organization=firm.organization, version=scan, number=1, text=marker)
        Member.objects.create(
            organization=firm.organization, version=archive, ordinal=0, name=f"{marker}.png", reason="image"
        )
        ChunkAdvice.objects.create(
            organization=firm.organization, corpus_id=archive.corpus_id, key="0" * 64, value=f"On {marker}."
        )
        PassageVector.objects.create(
            organization=firm.organization,
            corpus_id=archive.corpus_id,
            position=Position.objects.filter(version__corpus=archive.corpus_id)[0],
            digest="0" * 32,
            vector=[1.0] + [0.0] * 383,
        )


def lease(marker: str) -> str:
    """A short lease about a garden plant; the marker is in its title, a heading and its paragraphs."""
    return (
        f"# Lease of the {marker} garden\n\n"
        f"The tenant of the {marker} garden pays a rent of 900 euros each month.\n\n"
        f"## Notice and {marker}\n\n"
        f"Either party may end the lease of the {marker} garden by a notice of three months.\n\n"
        "The landlord repairs the roof.\n"
    )


def ask(firm: Firm, user: User, corpus: Corpus, marker: str) -> Answer:
    """An answer that the person has graded, with a note that bears the marker and a word on a passage."""
    answer = question_ask(
        question=Question(
            organization=firm.organization,
            user=user,
            corpus_id=corpus.pk,
            text=f"What rent does the tenant of the {marker} garden pay each month?",
            preset=preset_get("fixed-3"),
        )
    )
    with organization_scope(firm.organization, user=user):
        answer_grade(
            organization=firm.organization,
            user=user,
            answer_id=answer.pk,
            grade="right",
            note=f"As the lease of {marker} says.",
            passages={answer.evidence[0]["paragraph_id"]: True},
        )
    return answer


def _former_member(firm: Firm, slug: str) -> tuple[User, tuple[UUID, str]]:
    """A person who was a member, with a token of that time."""
    person = User.objects.create_user(f"former@{slug}.example", PASSWORD, name="Former member")
    with organization_scope(firm.organization, user=firm.owner):
        membership = member_add(organization=firm.organization, user=person, role=Role.LAWYER, actor=firm.owner)
        token, secret = token_create(
            organization=firm.organization, user=person, name="old", valid_days=30, scopes=ALL_SCOPES
        )
        member_remove(organization=firm.organization, actor=firm.owner, membership_id=membership.pk)
    return person, (token.pk, secret)


def colleague_of(firm: Firm, slug: str) -> User:
    """A lawyer outside the wall, with whom every answer is shared."""
    person = User.objects.create_user(f"colleague@{slug}.example", PASSWORD, name="Colleague")
    with organization_scope(firm.organization, user=firm.owner):
        member_add(organization=firm.organization, user=person, role=Role.LAWYER, actor=firm.owner)
    return person


def _last(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1]


def cancelled_note(firm: Firm, corpus: Corpus, marker: str) -> Ingested:
    note = upload(firm, corpus, "cancelled.txt", f"A cancelled note about {marker}.")
    job_cancel(organization=firm.organization, job_id=note.job.pk)
    return Ingested(note.document, note.version, Job.objects.get(pk=note.job.pk))


def _shared_answers(firm: Firm, corpus: Corpus, marker: str, colleague: User) -> dict[str, Answer]:
    answers = {role: ask(firm, getattr(firm, role), corpus, marker) for role in ROLES}
    for answer in answers.values():
        share_with(answer, colleague)
    return answers


def share_with(answer: Answer, member: User) -> None:
    """As if the member had been inside the wall when it was shared."""
    question = answer.question
    assert question.asker is not None
    with organization_scope(answer.organization, user=question.asker):
        ConversationShare.objects.create(
            organization=answer.organization,
            corpus=question.corpus,
            question=question,
            member=member,
            shared_by=question.asker,
        )


def webhook_of(firm: Firm) -> dict[str, Any]:
    """A webhook with one event that has been given up; a numeric address needs no look-up."""
    webhook, _ = webhook_create(**firm.by_manager, url="https://93.184.216.34/in", events=["document.ready"])
    with organization_scope(firm.organization, user=firm.manager):
        delivery = webhook_test(**firm.by_manager, webhook_id=webhook.pk)
        Delivery.objects.filter(pk=delivery.pk).update(state=DeliveryState.DEAD)
        Job.objects.filter(subject_id=delivery.pk).update(state=JobState.DONE)
        _replies(firm)
    return {"webhook": webhook, "delivery": delivery}


def _replies(firm: Firm) -> None:
    """What is remembered of the organisation's programs."""
    now = timezone.now()
    KeptReply.objects.create(
        organization=firm.organization,
        user=firm.manager,
        endpoint="POST /api/v1/questions/",
        key="kept",
        digest="0" * 64,
        lease=uuid4(),
        lease_until=now,
        created_at=now,
    )
    RequestCount.objects.create(
        organization=firm.organization, subject_id=uuid4(), kind="any", period=0, day=0, n=1, n_before=0
    )


def membership_rows(firm: Firm, slug: str) -> tuple[Invitation, str, Membership]:
    with organization_scope(firm.organization, user=firm.owner):
        invitation, path = member_invite(
            organization=firm.organization, actor=firm.owner, email=f"invited@{slug}.example", role=Role.LAWYER
        )
        return invitation, path, Membership.objects.get(user=firm.annotator)


def tokens_of(firm: Firm) -> dict[str, tuple[UUID, str]]:
    """A token a role, and a revoked one of the lawyer."""
    made = {}
    for role in (*ROLES, "revoked"):
        person = getattr(firm, "lawyer" if role == "revoked" else role)
        with organization_scope(firm.organization, user=person):
            token, secret = token_create(
                organization=firm.organization, user=person, name=role, valid_days=30, scopes=ALL_SCOPES
            )
            if role == "revoked":
                token_revoke(organization=firm.organization, user=person, token_id=token.pk)
        made[role] = (token.pk, secret)
    return made
