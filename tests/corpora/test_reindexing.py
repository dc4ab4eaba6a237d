"""Chunking a corpus again while it is searched: one whole set at any time, and nothing embedded twice."""

from collections.abc import Callable

import pytest
from django.test import override_settings

from corpora.models import Chunk, ChunkSet, Corpus, Document, Embedding
from corpora.services import corpus_reindex, document_remove, reindex_work
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_cancel
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import corpus_search
from tests.corpora.switching import again
from tests.ingestion import finished, ingest, make_corpus, upload
from tests.people import Firm

SMALL = {"kind": "sentence.v1", "size_tokens": 24, "overlap_tokens": 0}
NESTED = {"kind": "hierarchical.v1", "child_tokens": 24, "min_tokens": 4, "parent_tokens": 60}
RENT = "# Lease\n\nThe tenant pays a rent of 900 euros each month.\n\n"
LATE = "A tenant who pays late owes an interest of five percent a year.\n\n"
ROOF = "## Repairs\n\nThe landlord repairs the roof. The tenant keeps the garden in good order.\n\n"


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    made = make_corpus(firm)
    ingest(firm, made, "lease.md", RENT + LATE + ROOF)
    ingest(firm, made, "notice.md", "# Notice\n\nEither party may end the lease by a notice of three months.\n")
    return made


def reindex(firm: Firm, corpus: Corpus, chunker: dict[str, object] | None = None) -> Job:
    with organization_scope(firm.organization, user=firm.manager):
        return corpus_reindex(**firm.by_manager, corpus_id=corpus.pk, chunker=chunker or SMALL)


def work(job: Job, *, steps: int = 0) -> Job:
    """Work on the job until it has ended, or for a number of single steps."""
    for _ in range(steps or 200):
        with override_settings(JOB_SLICE_S=0 if steps else 60):
            reindex_work(job_id=job.pk)
        job = Job.objects.get(pk=job.pk)
        if not job.is_open:
            break
    return job


def found(firm: Firm, corpus: Corpus, words: str = "What interest does a tenant who pays late owe?") -> list[str]:
    result = corpus_search(
        request=SearchRequest(**firm.by_lawyer, corpus_id=corpus.pk, text=words, preset=preset_get("fixed-5"))
    )
    return [passage.text for passage in result.passages]


def live(firm: Firm) -> dict[str, set[str]]:
    """The live chunks' texts by the name of their document."""
    with organization_scope(firm.organization, user=None):
        texts: dict[str, set[str]] = {}
        for name, text in Chunk.objects.filter(is_live=True).values_list("document__name", "text"):
            texts.setdefault(name, set()).add(text)
        return texts


def test_the_new_set_takes_the_place_of_the_old_and_nothing_of_that_is_left(firm: Firm, corpus: Corpus) -> None:
    before = live(firm)
    job = work(reindex(firm, corpus))

    assert (job.state, job.reason) == ("done", "")
    assert live(firm).keys() == before.keys()
    assert live(firm) != before
    with organization_scope(firm.organization, user=None):
        [chunk_set] = ChunkSet.objects.filter(retired_at=None)
        assert (chunk_set.pk, chunk_set.is_live) == (job.subject_id, True)
        assert set(Chunk.objects.values_list("chunk_set_id", "is_live")) == {(chunk_set.pk, True)}
        assert set(Embedding.objects.values_list("is_live", flat=True)) == {True}
        assert Embedding.objects.values("chunk_id").distinct().count() == Chunk.objects.count()
        assert Corpus.objects.get(pk=corpus.pk).chunker == SMALL | {"kind": "sentence.v1"}
        assert {v.n_chunks for v in (d.current for d in Document.objects.select_related("current")) if v} == {
            len(texts) for texts in live(firm).values()
        }


def test_a_search_sees_the_old_set_whole_until_it_sees_the_new_one_whole(firm: Firm, corpus: Corpus) -> None:
    before, answers = live(firm), [found(firm, corpus)]
    job = reindex(firm, corpus)
    seen = []
    while job.is_open:
        job = work(job, steps=1)
        seen.append(live(firm))
        answers.append(found(firm, corpus))

    switches = sum(a != b for a, b in zip([before, *seen], seen, strict=False))
    assert (seen[0], switches) == (before, 1)
    assert len(seen) > 4
    assert all(any("five percent" in text for text in answer) for answer in answers)


def test_what_is_uploaded_changed_and_removed_meanwhile_is_in_the_new_set(firm: Firm, corpus: Corpus) -> None:
    job = work(reindex(firm, corpus), steps=3)
    ingest(firm, corpus, "lease.md", RENT + ROOF)
    ingest(firm, corpus, "deposit.md", "# Deposit\n\nThe tenant leaves a deposit of two rents.\n")
    with organization_scope(firm.organization, user=firm.manager):
        notice = Document.objects.get(name="notice.md")
        document_remove(**firm.by_manager, document_id=notice.pk)
    assert work(job).state == "done"

    assert live(firm).keys() == {"lease.md", "deposit.md"}
    assert not any("five percent" in text for text in live(firm)["lease.md"])
    with organization_scope(firm.organization, user=None):
        assert set(Chunk.objects.values_list("chunk_set_id", flat=True)) == {job.subject_id}
        assert Embedding.objects.values("chunk_id").distinct().count() == Chunk.objects.count()


def test_a_document_cut_for_the_old_set_is_cut_again_when_it_is_published_after_the_switch(
    firm: Firm, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    from corpora.services import ingestion

    switched: list[Job] = []

    def switch_once(name: str) -> None:
        if name == "publish.before" and not switched:
            switched.append(work(reindex(firm, corpus)))

    taken = upload(firm, corpus, "late.md", "# Late\n\nLate rent bears interest. It is paid with the next rent.\n")
    monkeypatch.setattr(ingestion, "crash_point", switch_once)  # the one place to step between two transactions
    done = finished(firm, taken)

    assert (switched[0].state, done.version.state) == ("done", "ready")
    with organization_scope(firm.organization, user=None):
        assert set(Chunk.objects.values_list("chunk_set_id", flat=True)) == {switched[0].subject_id}
        assert Chunk.objects.filter(document=done.document, is_live=True).exists()


def test_a_text_that_is_embedded_already_is_not_embedded_again(
    firm: Firm, corpus: Corpus, encoded: Callable[[], int]
) -> None:
    work(reindex(firm, corpus))
    first = encoded()
    work(reindex(firm, corpus))

    assert (first > 0, encoded()) == (True, first)


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many texts the encoder has been given since the test began."""
    from legalqa.encoder import client as encoder

    real, given = encoder.encoder(), []

    class Counting:
        def encode(self, texts: list[str], *, is_urgent: bool = False) -> encoder.FloatMatrix:
            given.extend(texts)
            return real.encode(texts, is_urgent=is_urgent)

    monkeypatch.setattr(encoder, "encoder", Counting)  # the real one, counted: rows do not say who made them
    return lambda: len(given)


def test_a_cancelled_build_changes_nothing_and_goes_on_when_tried_again(firm: Firm, corpus: Corpus) -> None:
    before = live(firm)
    job = work(reindex(firm, corpus), steps=2)
    job_cancel(organization=firm.organization, job_id=job.pk)
    job = work(job)
    assert (job.state, live(firm)) == ("cancelled", before)

    assert work(again(firm, job)).state == "done"
    assert live(firm) != before


def test_a_build_that_another_one_replaced_cannot_come_back(firm: Firm, corpus: Corpus) -> None:
    first = work(reindex(firm, corpus), steps=2)
    job_cancel(organization=firm.organization, job_id=first.pk)
    work(reindex(firm, corpus, NESTED))
    with pytest.raises(Conflict, match="Newer settings for splitting documents replaced these"):
        again(firm, first)

    with organization_scope(firm.organization, user=None):
        assert Corpus.objects.get(pk=corpus.pk).chunker["kind"] == "hierarchical.v1"
        assert ChunkSet.objects.get(is_live=True).chunker["kind"] == "hierarchical.v1"


def test_two_builds_at_once_are_refused(firm: Firm, corpus: Corpus) -> None:
    reindex(firm, corpus)
    with pytest.raises(Conflict) as refused:
        reindex(firm, corpus)

    assert refused.value.code == "reindex_open"


@pytest.mark.parametrize(
    ("chunker", "words"),
    [
        ({"kind": "magic.v1"}, "There is no chunker 'magic.v1'"),
        ({"kind": "pattern.v1", "pattern": "("}, "Close all brackets"),
        ({"kind": "pattern.v1", "pattern": "x*"}, "matches empty text"),
        ({"kind": "sentence.v1", "magic": 1}, "has no setting 'magic'"),
        ({"kind": "semantic.v1", "threshold": "much"}, "'threshold' is wrong"),
        ({"kind": "hierarchical.v1", "child_tokens": 600}, "must not be below"),
    ],
)
def test_wrong_settings_are_refused_in_words(
    firm: Firm, corpus: Corpus, chunker: dict[str, object], words: str
) -> None:
    with pytest.raises(ApplicationError, match=words.replace("(", r"\(")):
        reindex(firm, corpus, chunker)


def test_larger_pieces_are_stored_around_the_chunks_and_never_searched(firm: Firm, corpus: Corpus) -> None:
    work(reindex(firm, corpus, NESTED))

    with organization_scope(firm.organization, user=None):
        parents = {(p.version_id, p.ordinal): p for p in Chunk.objects.filter(is_parent=True)}
        children = list(Chunk.objects.filter(is_parent=False))
        assert parents
        assert not any(parent.is_live or parent.length for parent in parents.values())
        assert not Embedding.objects.filter(chunk__is_parent=True).exists()
        for chunk in (*children, *parents.values()):
            if chunk.parent_ordinal is None:
                continue
            around = parents[chunk.version_id, chunk.parent_ordinal]
            assert around.start <= chunk.start < chunk.end <= around.end
            assert around.end - around.start > chunk.end - chunk.start
    assert any("five percent" in text for text in found(firm, corpus))


def test_an_empty_corpus_is_reindexed_at_once(firm: Firm) -> None:
    empty = make_corpus(firm, "Empty")

    assert work(reindex(firm, empty)).state == "done"
    ingest(firm, empty, "lease.md", RENT)
    with organization_scope(firm.organization, user=None):
        assert Chunk.objects.filter(corpus=empty).values_list("chunk_set__chunker__size_tokens", flat=True)[0] == 24
