"""What the pages of judges show."""

import json
from typing import Any

from django.http import QueryDict
from django.urls import reverse

from corpora.models import Paragraph
from corpora.selectors import corpus_list
from judging.judges.forms import TryForm
from judging.judges.registry import BUILT_IN, KINDS, Setup
from judging.judges.services import Trial, saved_list, setup_list
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.llm.gateway import role_is_configured
from legalqa.llm.types import Role


def judge_page(*, organization: Organization, user: User) -> dict[str, Any]:
    """The organisation's own judges, the built-in ones, and the kinds with their usual settings."""
    with organization_scope(organization, user=user):
        saved = saved_list(organization=organization)
    kinds = [(name, KINDS.get(name)) for name in KINDS.names()]
    return {
        "saved": [{"row": row, "settings": json.dumps(row.settings, indent=1)} for row in saved],
        "built_in": [{"setup": setup, "needs_model": KINDS.get(setup.kind).needs_model} for setup in BUILT_IN.values()],
        "kinds": [
            {
                "name": name,
                "title": kind.title,
                "settings": json.dumps(kind.settings().model_dump(mode="json"), indent=1),
            }
            for name, kind in kinds
            if kind.needs_model
        ],
        "has_model": role_is_configured(organization=organization, role=Role.JUDGE),
    }


def try_form(data: QueryDict | None, *, organization: Organization, user: User, initial: dict[str, Any]) -> TryForm:
    """The form that tries a judge: the judges and the corpora that the person may see."""
    setups: list[Setup] = setup_list(organization=organization, user=user)
    with organization_scope(organization, user=user):
        corpora = list(corpus_list(organization=organization))
    return TryForm(data, setups=setups, corpora=corpora, initial=initial)


def trial_shown(trial: Trial, *, organization: Organization, user: User) -> dict[str, Any]:
    """What a judge said, with links to the law that it was shown."""
    ids = sorted({key for judgment in trial.judgments for key in judgment.law})
    with organization_scope(organization, user=user):
        paragraphs = list(Paragraph.objects.filter(pk__in=ids).select_related("document"))
    return {
        "judgments": [
            {
                "answer": "AB"[judgment.answer] if judgment.answer < 2 else judgment.answer + 1,
                "measure": judgment.measure,
                "value": None if judgment.value is None else f"{judgment.value:.4g}",
                "status": judgment.status.value,
                "words": judgment.warning or judgment.reason,
            }
            for judgment in trial.judgments
        ],
        "exchanges": trial.exchanges,
        "cost": trial.cost,
        "n_tokens": sum(judgment.n_tokens for judgment in trial.judgments),
        "law": [
            {
                "title": paragraph.document.title,
                "text": paragraph.text.strip(),
                "url": reverse("document_detail", args=[organization.slug, paragraph.document_id]),
            }
            for paragraph in paragraphs
        ],
    }
