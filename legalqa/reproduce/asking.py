"""Asking as a user would: by the default preset, and the answer as the API gives it."""

from collections.abc import Mapping
from typing import Any

from corpora.models import Corpus
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer, AnswerState
from legalqa.answering.pages.answer import answer_document
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get

SLUG, TITLE = "measure", "Measure"  # the organisation that measuring asks in
SAID = (AnswerState.ANSWERED, AnswerState.PARTIAL)


def answer_asked(
    *, organization: Organization, corpus: Corpus, text: str, settings: Mapping[str, str] | None = None
) -> tuple[Answer, dict[str, Any]]:
    """The answer to a question, and its document; `settings` are those of the preset that are changed."""
    answer = question_ask(
        question=Question(
            organization=organization,
            user=None,
            corpus_id=corpus.pk,
            text=text,
            preset=preset_get(DEFAULT_PRESET, settings),
        )
    )
    with organization_scope(organization, user=None):
        return answer, answer_document(answer=answer)
