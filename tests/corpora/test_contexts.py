"""What is before a chunk's text when it is embedded: by rules, by a model, and what a rebuilt index redoes."""

from typing import Any

import pytest
from django.test import override_settings

from corpora.configs import CONTEXTS
from corpora.models import Chunk, ChunkAdvice, Corpus, Embedding
from corpora.services import corpus_reindex, reindex_work
from corpora.services.contexts import MAX_CHARS, context_line
from corpora.services.indexing import text_hash
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError
from legalqa.jobs.models import Job
from legalqa.llm.types import Role
from tests.ingestion import ingest, make_corpus
from tests.legalqa.llm.setting_up import set_up
from tests.people import Firm
from tests.provider import ScriptedProvider, fails, says, says_json

RULES = "# House Rules\n\n## Animals\n\n### Dogs\n\nA dog is allowed.\n\n## Noise\n\nMusic ends at ten.\n"


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_corpus(firm, "Rules", files={"rules.md": RULES})


def rebuild(firm: Firm, corpus: Corpus, *, slices: int = 20, **settings: object) -> Job:
    with organization_scope(firm.organization, user=firm.manager):
        job = corpus_reindex(**firm.by_manager, corpus_id=corpus.pk, **settings)  # type: ignore[arg-type]  # each test gives what it is about
    for _ in range(slices):
        if job.is_open:
            reindex_work(job_id=job.pk)
            job = Job.objects.get(pk=job.pk)
    return job


def live(firm: Firm, corpus: Corpus) -> list[Chunk]:
    with organization_scope(firm.organization, user=None):
        return list(Chunk.objects.filter(corpus=corpus, is_live=True).order_by("ordinal"))


def test_the_line_is_the_document_and_its_headings_each_once() -> None:
    assert context_line(title="House Rules", path=["House Rules", "Animals", "Dogs"]) == "House Rules › Animals › Dogs"


def test_a_line_that_would_be_too_long_loses_the_outer_headings_first() -> None:
    line = context_line(title="House Rules", path=["a" * 200, "b" * 100, "Dogs"])

    assert line == f"House Rules › {'b' * 100} › Dogs"
    assert len(context_line(title="t" * 400, path=[])) == MAX_CHARS


@pytest.mark.django_db
def test_the_headings_above_a_chunk_are_embedded_before_its_text_which_is_shown_as_it_was(
    firm: Firm, corpus: Corpus
) -> None:
    before = [chunk.text for chunk in live(firm, corpus)]

    assert rebuild(firm, corpus, context="path").state == "done"

    dogs, _ = chunks = live(firm, corpus)
    with organization_scope(firm.organization, user=None):
        hashes = set(Embedding.objects.filter(chunk=dogs).values_list("text_hash", flat=True))
    assert dogs.context == "House Rules › Animals › Dogs"
    assert hashes == {text_hash(text=f"House Rules › Animals › Dogs\n{dogs.text}")}
    assert [chunk.text for chunk in chunks] == before


@pytest.mark.django_db
def test_an_index_rebuilt_with_another_context_and_back_keeps_the_setting_it_was_given(
    firm: Firm, corpus: Corpus
) -> None:
    rebuild(firm, corpus, context="path")
    rebuild(firm, corpus)
    assert {bool(chunk.context) for chunk in live(firm, corpus)} == {True}

    rebuild(firm, corpus, context="heading")
    assert {chunk.context for chunk in live(firm, corpus)} == {""}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"context": "moon"}, "There is no context 'moon'"),
        ({"context": "summary"}, "asks a language model"),
        ({"chunker": {"kind": "lumber.v1"}}, "asks a language model"),
    ],
)
def test_what_cannot_be_built_is_refused_in_a_sentence(
    firm: Firm, corpus: Corpus, settings: dict[str, Any], sentence: str
) -> None:
    assert "moon" not in CONTEXTS
    with pytest.raises(ApplicationError, match=sentence):
        rebuild(firm, corpus, **settings)


@pytest.mark.django_db
def test_a_models_line_comes_before_the_text_is_asked_for_once_and_an_outage_makes_the_job_wait(
    firm: Firm, corpus: Corpus, scripted_provider: ScriptedProvider
) -> None:
    with override_settings(LLM_ADDRESSES=[scripted_provider.url]):
        set_up(firm, scripted_provider.url, role=Role.REWRITE)
        scripted_provider.will(says_json({"line": "Which animals a tenant may keep."}))
        scripted_provider.always = fails(401)

        waiting = rebuild(firm, corpus, slices=1, context="summary")

        assert (waiting.is_open, waiting.waits) == (True, 1)
        with organization_scope(firm.organization, user=None):
            assert ChunkAdvice.objects.filter(corpus=corpus).count() == 1


@pytest.mark.django_db
def test_a_reply_that_cannot_be_used_leaves_the_line_by_rules(
    firm: Firm, corpus: Corpus, scripted_provider: ScriptedProvider
) -> None:
    with override_settings(LLM_ADDRESSES=[scripted_provider.url]):
        set_up(firm, scripted_provider.url, role=Role.REWRITE)
        scripted_provider.will(says_json({"line": "Which animals are allowed."}))
        scripted_provider.always = says("no object")
        job = rebuild(firm, corpus, context="summary")
        n_asked = len(scripted_provider.asked)

        again = rebuild(firm, corpus, context="summary")

    first, second = live(firm, corpus)
    assert (job.state, again.state, len(scripted_provider.asked)) == ("done", "done", n_asked)
    assert first.context.endswith("Dogs\nWhich animals are allowed.")
    assert second.context == "House Rules › Noise"


@pytest.mark.django_db
def test_a_models_boundaries_are_stored_and_a_rebuilt_index_asks_nothing_twice(
    firm: Firm, scripted_provider: ScriptedProvider
) -> None:
    corpus = make_corpus(firm, "Leases")
    matters = ("roof", "walls", "garden", "garage")
    ingest(
        firm, corpus, "lease.md", "\n\n".join(f"The landlord looks after the {one} of the house." for one in matters)
    )
    chunker = {"kind": "lumber.v1", "size_tokens": 36}
    with override_settings(LLM_ADDRESSES=[scripted_provider.url]):
        set_up(firm, scripted_provider.url, role=Role.REWRITE)
        scripted_provider.always = says_json({"first": 2})
        rebuild(firm, corpus, chunker=chunker)
        n_asked = len(scripted_provider.asked)
        rebuild(firm, corpus, chunker=chunker)

    assert n_asked == len(scripted_provider.asked) == 1
    assert [chunk.text.count("landlord") for chunk in live(firm, corpus)] == [2, 2]
