"""Vectors of the passages of large corpora, made in the background for answers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from corpora.models import Chunk, Corpus, Document, Paragraph, PassageVector, Position
from corpora.provisions.around import text_read
from corpora.services import document_remove, passages, passages_encode, passages_sweep
from corpora.services.passages import TASK, passage_digest, passage_vectors, passages_nearest
from corpora.services.provisions import provisions_around
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.encoder import client as encoder
from legalqa.encoder.client import FloatMatrix
from legalqa.jobs.models import Job, JobState
from retrieval.pipelines.presets import preset_changed, preset_get
from tests.ingestion import ingest
from tests.people import Firm

pytestmark = pytest.mark.django_db

LAW = """# House rules

## Pets

A tenant shall not keep:

(a) a dog that weighs more than twenty kilograms;

(b) a cat that leaves the flat.

## Rent

The rent is 900 euros a month.
"""
CHANGED = LAW.replace("900 euros", "950 euros")


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passages, "LARGE", 3)  # or it takes a corpus of 240 paragraphs


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that the encoder of passages is asked for."""
    texts: list[str] = []
    real = encoder.encoder

    class Counting:
        def encode(self, given: Sequence[str], *, is_urgent: bool = False) -> FloatMatrix:
            texts.extend(given)
            return real(encoder.PASSAGES).encode(given, is_urgent=is_urgent)

    # The real one, counted: a row does not say how often its text was encoded.
    monkeypatch.setattr(
        encoder, "encoder", lambda name=encoder.NAME: Counting() if name == encoder.PASSAGES else real(name)
    )
    return texts


def job_of(corpus: Corpus) -> Job | None:
    return Job.objects.filter(task=TASK, subject_id=corpus.pk).order_by("-created_at").first()


def work(corpus: Corpus) -> Job:
    job = job_of(corpus)
    assert job is not None
    while job.is_open:
        passages_encode(job_id=job.pk)
        job.refresh_from_db()
    return job


def paragraphs(firm: Firm, corpus: Corpus) -> list[Position]:
    with organization_scope(firm.organization, user=None):
        current = Document.objects.filter(corpus=corpus).values("current")
        found = Position.objects.filter(version__in=current).exclude(kind="heading")
        return list(found.select_related("paragraph").order_by("ordinal"))


def test_a_small_corpus_has_no_such_job(firm: Firm, corpus: Corpus) -> None:
    ingest(firm, corpus, "rules.md", LAW)

    assert job_of(corpus) is None


def test_every_paragraph_gets_the_vector_of_its_text_with_the_stem_of_its_list(
    firm: Firm, corpus: Corpus, large: None
) -> None:
    ingest(firm, corpus, "rules.md", LAW)

    assert work(corpus).state == JobState.DONE
    with organization_scope(firm.organization, user=None):
        positions = paragraphs(firm, corpus)
        provisions = provisions_around(positions=positions)
        texts = [text_read(provisions[p.version_id, p.ordinal], p.ordinal, p.paragraph.text) for p in positions]
        stored = passage_vectors(positions=positions)
    assert texts[1].strip() == "Pets. A tenant shall not keep: (a) a dog that weighs more than twenty kilograms;"
    assert set(stored) == {passage_digest(text=text) for text in texts}
    for text, vector in zip(texts, encoder.encoder(encoder.PASSAGES).encode(texts), strict=True):
        assert np.abs(stored[passage_digest(text=text)] - vector).max() < 2e-3


def test_of_a_new_version_only_what_changed_is_encoded(
    firm: Firm, corpus: Corpus, large: None, encoded: list[str]
) -> None:
    ingest(firm, corpus, "rules.md", LAW)
    work(corpus)
    ingest(firm, corpus, "rules.md", CHANGED)
    encoded.clear()
    work(corpus)

    assert [text.strip() for text in encoded] == ["Rent. The rent is 950 euros a month."]
    with organization_scope(firm.organization, user=None):
        assert len(passage_vectors(positions=paragraphs(firm, corpus))) == len(paragraphs(firm, corpus))


def test_an_answer_encodes_its_question_only(firm: Firm, corpus: Corpus, large: None, encoded: list[str]) -> None:
    ingest(firm, corpus, "rules.md", LAW)
    work(corpus)
    encoded.clear()
    question = "How much is the rent a month?"
    preset = preset_get("fixed-3")
    question_ask(
        question=Question(
            organization=firm.organization, user=firm.lawyer, corpus_id=corpus.pk, text=question, preset=preset
        )
    )

    assert set(encoded) == {question}


def nearest(firm: Firm, corpus: Corpus, question: str, **limits: Any) -> list[str]:
    (vector,) = encoder.encoder(encoder.PASSAGES).encode([question])
    with organization_scope(firm.organization, user=None):
        rows = passages_nearest(corpus=corpus, vector=vector, **({"most": 2} | limits))
        texts = dict(Paragraph.objects.filter(pk__in=rows).values_list("pk", "text"))
        return [texts[row].strip() for row in rows]


def test_the_paragraphs_nearest_to_a_question_are_those_in_force_that_may_be_searched(
    firm: Firm, corpus: Corpus, large: None
) -> None:
    asked = "What do I pay every month?"
    taken = ingest(firm, corpus, "rules.md", LAW)
    work(corpus)
    assert nearest(firm, corpus, asked)[0] == "The rent is 900 euros a month."

    ingest(firm, corpus, "rules.md", CHANGED)
    work(corpus)
    with organization_scope(firm.organization, user=None):
        chunks = list(Chunk.objects.filter(document=taken.document).values_list("pk", flat=True))
    assert nearest(firm, corpus, asked)[0] == "The rent is 950 euros a month."
    assert len(nearest(firm, corpus, asked, most=9, chunk_ids=chunks)) == 4
    assert nearest(firm, corpus, asked, chunk_ids=[]) == []


def test_an_answer_reads_the_nearest_paragraphs_beside_those_that_the_search_opened(
    firm: Firm, corpus: Corpus, large: None
) -> None:
    ingest(firm, corpus, "rules.md", LAW)
    work(corpus)
    preset = preset_changed(preset_get("cited-or-silent"), {"k": "1", "nearest": "3"})
    asked = question_ask(
        question=Question(
            organization=firm.organization, user=firm.lawyer, corpus_id=corpus.pk, text="Dogs?", preset=preset
        )
    )
    (step,) = [step for step in asked.trace if step["step"] == "nearest"]

    assert step["hits"] <= 3
    assert len({row["paragraph_id"] for row in asked.evidence}) == len(asked.evidence)


def test_a_removed_document_s_vectors_go_with_it(firm: Firm, corpus: Corpus, large: None) -> None:
    taken = ingest(firm, corpus, "rules.md", LAW)
    work(corpus)
    with organization_scope(firm.organization, user=None):
        document_remove(organization=firm.organization, user=None, document_id=taken.document.pk)

        assert not PassageVector.objects.exists()


def test_the_sweep_finds_a_corpus_of_an_earlier_version_of_the_program(
    firm: Firm, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest(firm, corpus, "rules.md", LAW)
    monkeypatch.setattr(passages, "LARGE", 3)  # or it takes a corpus of 240 paragraphs
    passages_sweep()

    assert work(corpus).state == JobState.DONE
    passages_sweep()
    assert Job.objects.filter(task=TASK, subject_id=corpus.pk).count() == 1
