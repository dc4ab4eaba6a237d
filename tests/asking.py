"""Asking as the firm's lawyer does, for quotations."""

from typing import Any

from corpora.models import Corpus
from legalqa.answering.models import Answer
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.pipelines.presets import preset_get
from tests.people import Firm


def quoted_answer(firm: Firm, corpus: Corpus, text: str, **more: Any) -> Answer:
    return question_ask(
        question=Question(
            organization=firm.organization,
            user=firm.lawyer,
            corpus_id=corpus.pk,
            text=text,
            preset=preset_get("fixed-5", {"answer.mode": "quoted"}),
            **more,
        )
    )
