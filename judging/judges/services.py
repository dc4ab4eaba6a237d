"""Judges by name: the built-in ones and those that an organisation has set up, with or without law, tried and saved."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from judging.judges.asking import Ask, Bench, ModelSettings
from judging.judges.law import CorpusLaw
from judging.judges.registry import BUILT_IN, KINDS, Setup
from judging.judges.types import Judge, JudgedItem, Judgment
from judging.models import Judge as SavedJudge
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import audit
from legalqa.common.config import Config
from legalqa.common.errors import ApplicationError, Conflict, existing
from legalqa.llm.gateway import NOT_CONFIGURED, complete
from legalqa.llm.selectors import candidate_list
from legalqa.llm.types import LLMReply, LLMRequest, Outcome, Role

MAX_NAME = 60
_NAME = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")


def judge_make(
    *,
    organization: Organization,
    name: str,
    user: User | None = None,
    corpus_id: UUID | None = None,
    subject: str = "",
    repeat: int = 0,
    ask: Ask | None = None,
    setup: Setup | None = None,
) -> Judge:
    """The judge of a name, ready to judge.

    The model is fixed here: whatever is set up later, one judge asks one model and no other.

    Args:
        name: As people write it: `custom2`, or `custom2+law`, `custom2+unrelated` and `custom2+question-index` for
            the same judge with law.
        user: Who asks, for the ledger; None for background work.
        corpus_id: Whose law is shown.
        subject: What the calls are made for, such as "experiment:" and its id: their costs add up under it.
        repeat: Which repeat of the judgment this is; samples of different repeats are drawn apart.
        ask: In place of the gateway.
        setup: What the name stood for (`judge_now`); None for what it stands for now.

    Raises:
        ApplicationError: no judge has that name, it reads no law, or law is wanted and no corpus named.
        NotFound: no such corpus, or you have no access to it.
    """
    base, _, law = name.partition("+")
    setup = setup or setup_get(organization=organization, user=user, name=base)
    kind = KINDS.get(setup.kind)
    settings = settings_read(kind=setup.kind, values=setup.settings | ({"law": law} if law else {}))
    if not isinstance(settings, ModelSettings):
        return kind.make(name, settings, Bench(_nobody))
    source = None
    if settings.law:
        if corpus_id is None:
            raise ApplicationError(f"The judge {name} reads law. Name the corpus that holds it.", code="no_corpus")
        source = CorpusLaw(organization=organization, user=user, corpus_id=corpus_id, settings=settings)

    def gateway(request: LLMRequest) -> LLMReply:
        return complete(organization=organization, user=user, request=request)

    with organization_scope(organization, user=user):
        model = settings.model or _first_model(organization)
    return kind.make(name, settings, Bench(ask or gateway, source, model, repeat, subject))


def judge_now(*, organization: Organization, user: User | None, name: str, corpus_id: UUID) -> dict[str, Any]:
    """What the judge of a name is now, as JSON, so that the same can be made later, whatever is set up by then.

    Returns:
        `kind`, `settings` with the model named, `model` ("" for none) and `version`.

    Raises:
        ApplicationError, NotFound: as `judge_make`.
    """
    setup = setup_get(organization=organization, user=user, name=name.partition("+")[0])
    model = judge_model(organization=organization, name=name)
    settings = setup.settings | ({"model": model} if model else {})
    setup = replace(setup, settings=settings)
    judge = judge_make(organization=organization, name=name, user=user, corpus_id=corpus_id, setup=setup)
    return {"kind": setup.kind, "settings": settings, "model": model, "version": judge.version}


def judge_model(*, organization: Organization, name: str) -> str:
    """The language model that the judge of a name asks, in the caller's transaction; "" where it asks none."""
    base = name.partition("+")[0]
    for setup in setups_known(organization=organization):
        settings = settings_read(kind=setup.kind, values=setup.settings)
        if setup.name == base and isinstance(settings, ModelSettings):
            return settings.model or _first_model(organization)
    return ""


def _first_model(organization: Organization) -> str:
    candidates = candidate_list(organization=organization, role=Role.JUDGE)
    return candidates[0].model if candidates else ""


def name_with(*, name: str, law: str) -> str:
    """The name of a judge with the law that it is shown: `custom2+law`; "" for none."""
    return f"{name}+{law}" if law else name


def settings_read(*, kind: str, values: Mapping[str, Any]) -> Config:
    """The settings of a kind of judge.

    Raises:
        ApplicationError: there is no such kind, or a value does not fit; says which.
    """
    try:
        return KINDS.get(kind).settings.model_validate(values)
    except LookupError as error:
        raise ApplicationError(str(error), code="unknown_kind") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "settings"
        if place == "law" and first["type"] == "extra_forbidden":
            raise ApplicationError(
                "This judge asks no model, so it reads no law. Leave out the setting 'law'.", code="reads_no_law"
            ) from None
        raise ApplicationError(f"The setting {place!r} does not fit: {first['msg']}.", code="bad_setting") from None


def setup_get(*, organization: Organization, user: User | None, name: str) -> Setup:
    """What a judge's name stands for.

    Raises:
        ApplicationError: nothing has that name; lists what exists.
    """
    by_name = {setup.name: setup for setup in setup_list(organization=organization, user=user)}
    if name not in by_name:
        raise ApplicationError(
            f"No judge is called {name!r}; choose one of: {', '.join(by_name)}.", code="unknown_judge"
        )
    return by_name[name]


def setup_list(*, organization: Organization, user: User | None) -> list[Setup]:
    """All judges of an organisation: its own by name, then the built-in ones."""
    with organization_scope(organization, user=user):
        return setups_known(organization=organization)


def setups_known(*, organization: Organization) -> list[Setup]:
    """The same, in the caller's transaction."""
    rows = saved_list(organization=organization)
    own = (Setup(row.name, row.kind, row.settings, KINDS.get(row.kind).title, row.pk) for row in rows)
    return [*own, *BUILT_IN.values()]


def saved_list(*, organization: Organization) -> list[SavedJudge]:
    """The judges that the organisation has set up, in the versions that their names mean now."""
    rows = SavedJudge.objects.filter(organization=organization, is_active=True)
    return list(rows.select_related("created_by").order_by("name"))


def judge_save(
    *, organization: Organization, user: User | None, name: str, kind: str, settings: Mapping[str, Any]
) -> SavedJudge:
    """Set up a judge, or give a name that is taken a new version; the old versions stay as they are.

    Raises:
        ApplicationError: the name has another form, there is no such kind, or a setting does not fit.
        Conflict: a built-in judge has that name, or nothing differs from the version in use.
    """
    name = name.strip()
    if not _NAME.fullmatch(name) or len(name) > MAX_NAME:
        form = f"Use at most {MAX_NAME} lower-case letters, digits, dots and hyphens."
        raise ApplicationError(f"{name!r} is not a valid name for a judge. {form}", code="bad_name")
    if name in BUILT_IN:
        raise Conflict(f"{name} is a built-in judge. Choose another name.", code="name_taken")
    whole = settings_read(kind=kind, values=settings)
    version = KINDS.get(kind).make(name, whole, Bench(_nobody, model=getattr(whole, "model", ""))).version
    with organization_scope(organization, user=user):
        judge = SavedJudge.objects.filter(organization=organization, name=name, is_active=True).first()
        if judge is not None and (judge.kind, judge.version) == (kind, version):
            raise Conflict(
                f"{name} already has these settings, so nothing was saved. Change one, or leave it.",
                code="nothing_changed",
            )
        SavedJudge.objects.filter(organization=organization, name=name, is_active=True).update(is_active=False)
        row = SavedJudge.objects.create(
            organization=organization,
            name=name,
            kind=kind,
            settings=whole.model_dump(mode="json"),
            version=version,
            created_by=user,
        )
        audit(organization=organization, actor=user, action="judge.saved", subject_id=row.pk, kind=kind)
    return row


def judge_retire(*, organization: Organization, user: User | None, judge_id: UUID) -> SavedJudge:
    """Take a judge out of use; what it has judged stays.

    Raises:
        NotFound: no judge in use has that id.
    """
    row = existing(SavedJudge.objects.filter(organization=organization, pk=judge_id, is_active=True).first(), "judge")
    SavedJudge.objects.filter(pk=row.pk).update(is_active=False)
    audit(organization=organization, actor=user, action="judge.retired", subject_id=row.pk)
    return row


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a judge asked its model, and the reply."""

    prompt: str
    message: str
    reply: str


@dataclass(frozen=True, slots=True)
class Trial:
    """A judge tried on one item: what it says, what it asked, and what that cost."""

    judgments: Sequence[Judgment]
    exchanges: Sequence[Exchange]

    @property
    def cost(self) -> Decimal:
        return sum((each.cost for each in self.judgments), Decimal(0))


def judge_try(
    *, organization: Organization, user: User | None, name: str, item: JudgedItem, corpus_id: UUID | None = None
) -> Trial:
    """Judge one item and keep every prompt as it was sent; nothing is stored but the calls in the ledger.

    Raises:
        ScopeError: a transaction of an organisation is open.
        ApplicationError: as `judge_make`.
    """
    exchanges: list[Exchange] = []

    def ask(request: LLMRequest) -> LLMReply:
        reply = complete(organization=organization, user=user, request=request)
        prompt = "\n\n".join(message.content() for message in request.messages)
        exchanges.append(Exchange(request.prompt, prompt, reply.text or reply.reason))
        return reply

    judge = judge_make(
        organization=organization, name=name, user=user, corpus_id=corpus_id, subject="judge:try", ask=ask
    )
    return Trial(judge.judge(item), exchanges)


def _nobody(_request: LLMRequest) -> LLMReply:
    """Takes the place of a model, for judges by rule and for judges that are described and not used."""
    return LLMReply(Outcome.UNAVAILABLE, reason=NOT_CONFIGURED)
