"""From a file to a searchable document, or to a refusal with its reason; the real reader and encoder."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.urls import reverse

from corpora.models import Chunk, Corpus, Document, DocumentVersion, Embedding, Page
from corpora.parsers.reasons import REASONS, FileRefused
from corpora.services import document_upload, files_sweep, version_unlock
from legalqa.accounts.models import AuditEvent
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from legalqa.encoder import client as encoder
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.services import job_retry
from tests.corpora.parsers.builders import scanned_copy
from tests.ingestion import Ingested, finished, ingest, make_corpus, positions, run_job, upload, word_file
from tests.people import Firm
from tests.uploads import file_path

PDFS = Path(__file__).parents[1] / "data" / "pdfs"
PASSWORD = "correct-horse"
RULE = "The tenant pays the rent on the first day of each month."

READABLE: dict[str, bytes] = {
    "lease.txt": f"LEASE\n\n{RULE}\n\nThe landlord repairs the roof.\n".encode(),
    "lease.md": f"# Lease\n\n{RULE}\n\n## Repairs\n\nThe landlord repairs the roof.\n".encode(),
    "lease.html": f"<html><body><h1>Lease</h1><p>{RULE}</p><p>The landlord repairs.</p></body></html>".encode(),
    "lease.docx": word_file(("Heading 1", "Lease"), ("Normal", RULE), ("Normal", "The landlord repairs the roof.")),
    "lease.jsonl": f'{{"id": "L-1", "text": "{RULE}"}}\n{{"id": "L-2", "text": "The landlord repairs."}}\n'.encode(),
    "opinion.pdf": (PDFS / "state_opinion_missouri.pdf").read_bytes(),
}
REFUSED: dict[str, tuple[bytes, str]] = {
    "blank.pdf": (scanned_copy([[]]), "no_text"),
    "fuzzed.pdf": ((PDFS / "fuzzed_395.pdf").read_bytes(), "damaged"),
    "locked.pdf": ((PDFS / "encrypted_user_password.pdf").read_bytes(), "password_needed"),
    "lines.jsonl": (b'{"id": "1", "text": "one"}\n{"id": "2"}\n', "bad_line"),
    "blank.txt": (b" \n\n \n", "no_text"),
}
TURNED_AWAY: dict[str, tuple[bytes, str]] = {
    "empty.pdf": (b"", "empty_file"),
    "page.pdf": ((PDFS / "html_named_pdf.pdf").read_bytes(), "not_a_pdf"),
    "program.exe": (b"MZ\x90\x00\x03\x00\x00\x00", "executable"),
    "picture.png": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "image"),
    "old.doc": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old_word"),
    "notes.pages": (b"some words", "unsupported_type"),
    "words.pdf": (b"just words", "not_a_pdf"),
}


def rows_left(firm: Firm) -> tuple[int, int, int, int]:
    """Documents, versions, jobs and stored files of the firm."""
    folder = file_path(organization_id=firm.organization.pk, file_id=firm.organization.pk).parent
    with organization_scope(firm.organization, user=None):
        return (
            Document.objects.count(),
            DocumentVersion.objects.count(),
            Job.objects.filter(organization_id=firm.organization.pk).count(),
            len(list(folder.iterdir())) if folder.is_dir() else 0,
        )


@pytest.mark.parametrize("name", READABLE)
def test_a_readable_file_becomes_searchable(name: str, firm: Firm, corpus: Corpus) -> None:
    done = ingest(firm, corpus, name, READABLE[name])

    assert (done.version.state, done.job.state, done.version.reason) == ("ready", "done", "")
    assert done.document.current_id == done.version.pk
    with organization_scope(firm.organization, user=None):
        chunks = Chunk.objects.filter(version=done.version)
        assert chunks.count() == done.version.n_chunks > 0
        assert not chunks.filter(is_live=False).exists()
        embedded = Embedding.objects.filter(chunk__in=chunks, encoder=encoder.NAME, is_live=True)
        assert embedded.values("chunk").distinct().count() == done.version.n_chunks
        assert Corpus.objects.get(pk=corpus.pk).version == 1


@pytest.mark.parametrize("name", READABLE)
def test_paragraphs_tile_the_text_and_pages_cover_it(name: str, firm: Firm, corpus: Corpus) -> None:
    done = ingest(firm, corpus, name, READABLE[name])
    found = positions(firm, done.version)
    with organization_scope(firm.organization, user=None):
        pages = list(Page.objects.filter(version=done.version).order_by("number"))

    assert "".join(p.paragraph.text for p in found) == done.version.text
    assert [p.start for p in found[1:]] == [p.end for p in found[:-1]]
    assert (pages[0].start, pages[-1].end) == (0, len(done.version.text))
    assert len({p.paragraph.public_id for p in found}) == len(found) == done.version.n_paragraphs


@pytest.mark.parametrize("name", REFUSED)
def test_an_unreadable_file_is_refused_with_its_reason(name: str, firm: Firm, corpus: Corpus) -> None:
    content, reason = REFUSED[name]
    done = ingest(firm, corpus, name, content)

    assert (done.version.state, done.version.reason) == ("refused", reason)
    assert done.version.detail.endswith(".")
    assert (done.job.state, done.job.reason) == (JobState.FAILED, reason)
    assert done.document.current_id is None
    with organization_scope(firm.organization, user=None):
        assert not Chunk.objects.exists()


@pytest.mark.parametrize("name", TURNED_AWAY)
def test_what_cannot_be_a_document_is_turned_away_and_leaves_nothing(name: str, firm: Firm, corpus: Corpus) -> None:
    content, reason = TURNED_AWAY[name]
    before = rows_left(firm)

    with pytest.raises(FileRefused) as refused:
        upload(firm, corpus, name, content)
    assert (refused.value.code, refused.value.message) == (reason, REASONS[reason])
    assert rows_left(firm) == before


def test_a_file_over_the_limit_is_turned_away_while_it_arrives(firm: Firm, corpus: Corpus, settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 1000
    before, taken = rows_left(firm), []

    def parts() -> Any:
        for _ in range(100):
            taken.append(1)
            yield b"x" * 400

    with pytest.raises(FileRefused) as refused:
        document_upload(**firm.by_manager, corpus_id=corpus.pk, name="long.txt", parts=parts())
    assert refused.value.code == "too_large"
    assert len(taken) == 3
    assert rows_left(firm) == before


def test_a_file_without_a_usable_name_is_turned_away(firm: Firm, corpus: Corpus) -> None:
    before = rows_left(firm)
    for name in ("", "..", "/", "\x00\u202e"):
        with pytest.raises(ApplicationError) as refused:
            upload(firm, corpus, name, "words")
        assert refused.value.code == "name_needed"
    assert rows_left(firm) == before


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("../../etc/passwd.txt", "passwd.txt"),
        ("C:\\Users\\x\\lease.txt", "lease.txt"),
        ("le\x00a\nse\u202e.txt", "lease.txt"),
        ("half\ud800.txt", "half?.txt"),
        ("“quoted” & <b>.txt", "“quoted” & <b>.txt"),
    ],
)
def test_a_name_is_data_and_never_a_path(raw: str, kept: str, firm: Firm, corpus: Corpus) -> None:
    taken = upload(firm, corpus, raw, f"Some words for {len(raw)}.")

    assert taken.document.name == kept
    path = file_path(organization_id=firm.organization.pk, file_id=taken.version.file_id)
    assert path.is_file()
    assert path.parent.parent == Path(settings.FILES_ROOT)


def test_long_names_are_cut_to_200_bytes_and_stay_apart(firm: Firm, corpus: Corpus) -> None:
    names = [upload(firm, corpus, "é" * 200 + f"{n}.txt", f"Words of file {n}.").document.name for n in range(2)]

    assert len(set(names)) == 2
    assert all(name.startswith("é" * 80) and name.endswith(".txt") and len(name.encode()) <= 200 for name in names)


def test_an_unknown_corpus_takes_no_file(firm: Firm, rivals: Firm) -> None:
    theirs = make_corpus(rivals)
    before = rows_left(firm)

    with pytest.raises(NotFound):
        upload(firm, theirs, "lease.txt", RULE)
    assert rows_left(firm) == before


def test_a_refused_file_says_the_same_when_it_is_tried_again(firm: Firm, corpus: Corpus) -> None:
    done = ingest(firm, corpus, "blank.pdf", REFUSED["blank.pdf"][0])
    job = run_job(job_retry(organization=firm.organization, job_id=done.job.pk))

    assert (job.state, job.reason) == (JobState.FAILED, "no_text")


class TestPasswords:
    def locked(self, firm: Firm, corpus: Corpus, name: str = "locked.pdf") -> Ingested:
        return ingest(firm, corpus, name, REFUSED["locked.pdf"][0])

    def unlock(self, firm: Firm, locked: Ingested, password: str) -> Job:
        return version_unlock(**firm.by_manager, document_id=locked.document.pk, password=password)

    def test_a_wrong_password_is_said_to_be_wrong_and_the_file_still_waits(self, firm: Firm, corpus: Corpus) -> None:
        locked = self.locked(firm, corpus)

        for password, code in (("battery-staple", "wrong_password"), ("", "password_needed")):
            with pytest.raises(FileRefused) as refused:
                self.unlock(firm, locked, password)
            assert refused.value.code == code
        assert run_job(self.unlock(firm, locked, PASSWORD)).state == JobState.DONE

    def test_the_right_password_makes_the_document_ready_and_is_kept_nowhere(self, firm: Firm, corpus: Corpus) -> None:
        locked = self.locked(firm, corpus)
        job = run_job(self.unlock(firm, locked, PASSWORD))
        with organization_scope(firm.organization, user=None):
            opened = DocumentVersion.objects.get(pk=locked.version.pk)
        path = file_path(organization_id=firm.organization.pk, file_id=opened.file_id)

        assert job.state == JobState.DONE
        assert b"/Encrypt" not in path.read_bytes()
        assert PASSWORD.encode() not in path.read_bytes()
        assert everything_stored(firm).count(PASSWORD) == 0
        with organization_scope(firm.organization, user=None):
            assert Document.objects.get(pk=locked.document.pk).current is not None

    def test_a_password_given_with_the_file_opens_it_at_once(self, firm: Firm, corpus: Corpus) -> None:
        done = ingest(firm, corpus, "locked.pdf", REFUSED["locked.pdf"][0], password=PASSWORD)

        assert done.version.state == "ready"
        assert everything_stored(firm).count(PASSWORD) == 0

    def test_a_wrong_password_given_with_the_file_leaves_nothing(self, firm: Firm, corpus: Corpus) -> None:
        before = rows_left(firm)

        with pytest.raises(FileRefused) as refused:
            upload(firm, corpus, "locked.pdf", REFUSED["locked.pdf"][0], password="battery-staple")
        assert refused.value.code == "wrong_password"
        assert rows_left(firm) == before

    def test_a_document_that_is_open_needs_no_password(self, firm: Firm, corpus: Corpus) -> None:
        done = ingest(firm, corpus, "lease.txt", READABLE["lease.txt"])

        with pytest.raises(Conflict) as refused:
            self.unlock(firm, done, PASSWORD)
        assert refused.value.code == "no_password_needed"

    def test_a_locked_file_that_was_taken_in_elsewhere_is_a_duplicate(self, firm: Firm, corpus: Corpus) -> None:
        locked = self.locked(firm, corpus, "one.pdf")
        ingest(firm, corpus, "two.pdf", REFUSED["locked.pdf"][0], password=PASSWORD)

        with pytest.raises(Conflict) as refused:
            self.unlock(firm, locked, PASSWORD)
        assert refused.value.code == "duplicate_file"


def everything_stored(firm: Firm) -> str:
    """Every row of every table that this test wrote, as text."""
    found = []
    with organization_scope(firm.organization, user=None), connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        for (table,) in cursor.fetchall():
            if table not in ("django_migrations", "django_q_schedule", "django_q_task"):  # closed to the application
                cursor.execute(f"SELECT t::text FROM {table} t")
                found += [row for (row,) in cursor.fetchall()]
    return "\n".join(found)


def test_every_upload_is_written_down(firm: Firm, corpus: Corpus) -> None:
    taken = upload(firm, corpus, "lease.txt", RULE)

    with organization_scope(firm.organization, user=None):
        event = AuditEvent.objects.get(action="document.uploaded")
    assert (event.actor_id, event.subject_id) == (firm.manager.pk, taken.version.pk)
    assert RULE not in str(event.details)


def test_orphaned_files_are_swept_and_others_stay(firm: Firm, corpus: Corpus) -> None:
    import os

    taken = upload(firm, corpus, "lease.txt", RULE)
    kept = file_path(organization_id=firm.organization.pk, file_id=taken.version.file_id)
    orphan, fresh = kept.with_name("0" * 8), kept.with_name("1" * 8)
    for file in (orphan, fresh):
        file.write_bytes(b"left behind")
    for file in (kept, orphan):
        os.utime(file, (0, 0))

    assert files_sweep() >= 1
    assert (kept.is_file(), orphan.is_file(), fresh.is_file()) == (True, False, True)


def test_the_file_comes_back_as_it_was_sent(firm: Firm, corpus: Corpus, client_of: Any) -> None:
    done = ingest(firm, corpus, "lease.html", READABLE["lease.html"])
    response = client_of(firm.lawyer).get(reverse("document_file", args=["harding", done.document.pk]))

    assert b"".join(response.streaming_content) == READABLE["lease.html"]
    assert response["Content-Type"] == "application/octet-stream"
    assert response["Content-Disposition"].startswith("attachment")
    assert "sandbox" in response["Content-Security-Policy"]
    assert finished(firm, upload(firm, corpus, "other.txt", RULE)).version.state == "ready"


def test_a_file_that_takes_too_much_computing_time_is_refused_at_its_first_try(
    firm: Firm, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []

    def out_of_time(*_: Any, **more: Any) -> Any:
        tries.append(more["limits"].cpu_seconds)
        raise FileRefused("cpu")

    monkeypatch.setattr("corpora.services.ingestion.parse_file", out_of_time)  # or it would compute for a minute
    done = ingest(firm, corpus, "slow.html", "<html><body><p>Slow.</p></body></html>")

    assert (done.version.state, done.version.reason) == ("refused", "cpu")
    assert tries == [25]


@pytest.mark.parametrize(
    ("name", "content", "lane"),
    [
        ("note.txt", "The tenant pays the rent.", "short"),
        ("page.html", "<html><body><p>The tenant pays.</p></body></html>", "short"),
        ("long.txt", "The tenant pays the rent. " * 2_000, "long"),
        ("note.docx", word_file(("Normal", "The tenant pays the rent.")), "long"),
    ],
)
def test_a_small_text_is_read_beside_long_work(
    name: str, content: str | bytes, lane: str, firm: Firm, corpus: Corpus
) -> None:
    assert upload(firm, corpus, name, content).job.lane == lane
