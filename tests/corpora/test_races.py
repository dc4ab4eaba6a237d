"""Uploads and searches at the same moment, on connections of their own, with transactions that really commit."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import Any

from django.db import connection, connections

from corpora.models import Corpus, Document, DocumentVersion
from corpora.services import document_ingest
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import Conflict
from legalqa.jobs.models import Job
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import corpus_search
from tests.ingestion import finished, ingest, make_corpus, run_job, upload
from tests.people import Firm, make_firm
from tests.uploads import file_path

AT_ONCE = 6
LEASE = "# Lease\n\nThe tenant pays the rent on the first day of each month.\n"
OLD, NEW = (
    "# Lease\n\n" + "\n\n".join(f"The {word} rent of house {n} is due on the first Monday of March." for n in range(40))
    for word in ("old", "new")
)


def in_threads(act: Callable[[int], str]) -> list[str]:
    """Run `act` in AT_ONCE threads that start together; what each returned."""
    barrier = Barrier(AT_ONCE)

    def run(place: int) -> str:
        barrier.wait()
        try:
            return act(place)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return sorted(pool.map(run, range(AT_ONCE)))


def uploaded(firm: Firm, corpus: Corpus, name: str, text: str) -> str:
    try:
        upload(firm, corpus, name, text)
    except Conflict as conflict:
        return conflict.code
    return "accepted"


def stored(firm: Firm) -> tuple[int, int, int, int]:
    folder = file_path(organization_id=firm.organization.pk, file_id=firm.organization.pk).parent
    with organization_scope(firm.organization, user=None):
        n_jobs = Job.objects.filter(organization_id=firm.organization.pk).count()
        return Document.objects.count(), DocumentVersion.objects.count(), n_jobs, len(list(folder.iterdir()))


def test_the_same_file_at_once_is_one_document(committed_db: None) -> None:
    firm = make_firm("harding", "Harding & Stone")
    corpus = make_corpus(firm)
    outcomes = in_threads(lambda _: uploaded(firm, corpus, "lease.md", LEASE))

    assert outcomes == ["accepted"] + ["duplicate_file"] * (AT_ONCE - 1)
    assert stored(firm) == (1, 1, 1, 1)


def test_the_same_file_at_once_under_many_names_is_one_document(committed_db: None) -> None:
    firm = make_firm("harding", "Harding & Stone")
    corpus = make_corpus(firm)
    outcomes = in_threads(lambda place: uploaded(firm, corpus, f"lease {place}.md", LEASE))

    assert outcomes.count("accepted") == 1
    assert stored(firm) == (1, 1, 1, 1)


def test_other_files_of_one_name_at_once_are_versions_of_one_document(committed_db: None) -> None:
    firm = make_firm("harding", "Harding & Stone")
    corpus = make_corpus(firm)
    outcomes = in_threads(lambda place: uploaded(firm, corpus, "lease.md", f"{LEASE}\nAnnex {place}.\n"))

    assert outcomes == ["accepted"] * AT_ONCE
    assert stored(firm) == (1, AT_ONCE, AT_ONCE, AT_ONCE)
    with organization_scope(firm.organization, user=None):
        assert sorted(DocumentVersion.objects.values_list("number", flat=True)) == list(range(1, AT_ONCE + 1))


def test_one_job_delivered_many_times_at_once_is_done_once(committed_db: None) -> None:
    firm = make_firm("harding", "Harding & Stone")
    corpus = make_corpus(firm)
    taken = upload(firm, corpus, "lease.md", LEASE)

    def deliver(_: int) -> str:
        document_ingest(job_id=taken.job.pk)
        return "delivered"

    in_threads(deliver)
    done = finished(firm, taken) if Job.objects.get(pk=taken.job.pk).is_open else None
    with organization_scope(firm.organization, user=None):
        version = DocumentVersion.objects.get()
        assert version.state == "ready"
        assert Corpus.objects.get(pk=corpus.pk).version == 1
    assert done is None or done.job.state == "done"


def test_a_search_never_sees_half_a_version(committed_db: None) -> None:
    """Searches run while four versions are published one after the other; each sees one version, and all of it."""
    firm = make_firm("harding", "Harding & Stone")
    corpus = make_corpus(firm, chunker={"kind": "sentence.v1", "size_tokens": 20, "overlap_tokens": 0})
    ingest(firm, corpus, "lease.md", OLD)
    is_over = Event()

    def look() -> set[tuple[int, ...]]:
        """(chunks, passages, versions) of every search."""
        seen = set()
        try:
            while not is_over.is_set():
                found = corpus_search(
                    request=SearchRequest(
                        **firm.by_lawyer,
                        corpus_id=corpus.pk,
                        text="rent of the house in March",
                        preset=preset_get("fixed-10", {"k": "50"}),
                    )
                )
                versions = {p.version_number for p in found.passages}
                seen.add((found.statistics.size, len(found.passages), *versions))
        finally:
            connections.close_all()
        return seen

    with ThreadPoolExecutor(2) as pool:
        looking = [pool.submit(look) for _ in range(2)]
        try:
            for text in (NEW, OLD, NEW, OLD):
                ingest(firm, corpus, "lease.md", text)
        finally:
            is_over.set()
        seen = set().union(*(search.result() for search in looking))

    assert {len(what) for what in seen} == {3}
    assert {what[:2] for what in seen} == {(40, 40)}
    assert {version for _, _, version in seen} > {1}


def test_a_version_published_in_the_middle_of_a_search_is_found_whole(committed_db: None) -> None:
    """The new version comes exactly between ranking the chunks and opening them, when the old chunks are gone."""
    firm = make_firm("harding", "Harding & Stone")
    corpus = make_corpus(firm, chunker={"kind": "sentence.v1", "size_tokens": 20, "overlap_tokens": 0})
    ingest(firm, corpus, "lease.md", OLD)
    taken = upload(firm, corpus, "lease.md", NEW)
    published: list[str] = []

    def publish() -> str:
        try:
            return run_job(taken.job).state
        finally:
            connections.close_all()

    def between(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not published and 'FROM "corpora_chunk" INNER JOIN "corpora_document"' in sql:
            with ThreadPoolExecutor(1) as pool:
                published.append(pool.submit(publish).result())
        return execute(sql, params, many, context)

    with connection.execute_wrapper(between):
        found = corpus_search(
            request=SearchRequest(
                **firm.by_lawyer,
                corpus_id=corpus.pk,
                text="rent of the house in March",
                preset=preset_get("fixed-10", {"k": "50"}),
            )
        )

    assert published == ["done"]
    assert [p.version_number for p in found.passages] == [2] * 40
