"""Vectors of the passages of large corpora, made in the background for answers."""

from collections.abc import Sequence

import numpy as np
import pytest

from corpora.models import Corpus, Document, PassageVector, Position
from corpora.provisions.around import text_read
from corpora.services import document_remove, passages, passages_encode, passages_sweep
from corpora.services.passages import TASK, passage_digest, passage_vectors
from corpora.services.provisions import provisions_around
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.encoder import client as encoder
from legalqa.encoder.client import FloatMatrix
from legalqa.jobs.models import Job, JobState
from retrieval.pipelines.presets import preset_get
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
    monkeypatch.setattr(passages, "LARGE", 3)


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that the packaged encoder is asked for."""
    texts: list[str] = []
    real = encoder.encoder

    class Counting:
        def encode(self, given: Sequence[str], *, is_urgent: bool = False) -> FloatMatrix:
            texts.extend(given)
            return real().encode(given, is_urgent=is_urgent)

    monkeypatch.setattr(
        encoder, "encoder", lambda name=encoder.NAME: Counting() if name == encoder.NAME else real(name)
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
    assert set(stored) == {passage_digest(text) for text in texts}
    for text, vector in zip(texts, encoder.encoder().encode(texts), strict=True):
        assert np.abs(stored[passage_digest(text)] - vector).max() < 2e-3


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
    monkeypatch.setattr(passages, "LARGE", 3)
    passages_sweep()

    assert work(corpus).state == JobState.DONE
    passages_sweep()
    assert Job.objects.filter(task=TASK, subject_id=corpus.pk).count() == 1
