"""Archives and e-mails: every file in them becomes a document, or says why it did not."""

import io
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus, Document, DocumentVersion, Member
from corpora.parsers.reasons import REASONS
from corpora.services import document_ingest
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError
from legalqa.jobs.models import Job, JobState
from tests.corpora.parsers.builders import PDFS, encrypted_zip
from tests.ingestion import Ingested, ingest, positions, run_job, upload
from tests.pages import one_line
from tests.people import Firm

RULE = "The tenant pays the rent on the first day of each month."


def archive(files: dict[str, bytes | str], *, also: list[tuple[str, bytes]] = []) -> bytes:  # noqa: B006 - only read
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in (*files.items(), *also):
            out.writestr(name, content)
    return buffer.getvalue()


def mail(subject: str, body: str, *attachments: tuple[str, bytes]) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"] = "Ann Lee <ann@firm.example>", "bob@client.example"
    message["Date"], message["Subject"] = "Mon, 3 Jun 2024 10:15:00 +0200", subject
    message.set_content(body)
    for name, content in attachments:
        message.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    return message


def work_off(firm: Firm) -> None:
    """Work on all jobs, those of files in files too."""
    while waiting := list(Job.objects.filter(state=JobState.QUEUED, organization_id=firm.organization.pk)):
        for job in waiting:
            run_job(job)


def outcomes(firm: Firm, taken: Ingested) -> dict[str, str]:
    with organization_scope(firm.organization, user=None):
        return dict(Member.objects.filter(version=taken.version).order_by("ordinal").values_list("name", "reason"))


def states(firm: Firm) -> dict[str, tuple[str, str]]:
    with organization_scope(firm.organization, user=None):
        found = DocumentVersion.objects.select_related("document").order_by("document__name", "number")
        return {version.document.name: (version.state, version.reason) for version in found}


def test_each_file_of_an_archive_becomes_a_document_of_its_own(firm: Firm, corpus: Corpus) -> None:
    content = archive(
        {"leases/lease.txt": f"LEASE\n\n{RULE}\n", "notes.md": "# Notes\n\nThe roof leaks.\n", "README": RULE}
    )
    taken = ingest(firm, corpus, "matter.zip", content)
    work_off(firm)

    assert (taken.version.state, taken.version.n_paragraphs) == ("ready", 0)
    assert outcomes(firm, taken) == {"leases/lease.txt": "", "notes.md": "", "README": ""}
    assert states(firm) == {
        "matter.zip": ("ready", ""),
        "matter.zip – README.txt": ("ready", ""),
        "matter.zip – leases – lease.txt": ("ready", ""),
        "matter.zip – notes.md": ("ready", ""),
    }
    with organization_scope(firm.organization, user=None):
        assert set(Document.objects.filter(container=taken.document).values_list("title", flat=True)) == {
            "LEASE",
            "Notes",
            "matter.zip – README",
        }


def test_an_attachment_is_a_document_that_names_its_mail(firm: Firm, corpus: Corpus) -> None:
    message = mail("Lease, signed", f"Dear Bob,\n\n{RULE}\n", ("lease.txt", b"The landlord repairs the roof."))
    taken = ingest(firm, corpus, "mail.eml", message.as_bytes())
    work_off(firm)
    words = [" ".join(p.paragraph.text.split()) for p in positions(firm, taken.version)]

    assert taken.document.title == "Lease, signed"
    assert words == [
        "From: Ann Lee <ann@firm.example>",
        "To: bob@client.example",
        "Date: 2024-06-03 10:15 +0200",
        "Subject: Lease, signed",
        "Dear Bob,",
        RULE,
    ]
    with organization_scope(firm.organization, user=None):
        attached = Document.objects.get(container=taken.document)
    assert (attached.name, attached.title) == ("mail.eml – lease.txt", "lease.txt – in Lease, signed")
    assert states(firm)["mail.eml – lease.txt"] == ("ready", "")


UNREADABLE: dict[str, tuple[bytes, str]] = {
    "../out.txt": (b"words", "unsafe_path"),
    "/etc/cron.txt": (b"words", "unsafe_path"),
    "C:\\out.txt": (b"words", "unsafe_path"),
    "__MACOSX/._a.txt": (b"\x00\x05", "system_file"),
    "logo.png": (b"\x89PNG\r\n\x1a\n\x00\x00", "image"),
    "run.exe": (b"MZ\x90\x00\x03", "executable"),
    "sheet.xlsx": (archive({"[Content_Types].xml": "<a/>", "xl/workbook.xml": "<a/>"}), "unsupported_type"),
    "empty.txt": (b"", "empty_file"),
    "page.pdf": (b"<html>", "not_a_pdf"),
}


def test_what_cannot_be_taken_in_says_why_and_costs_the_others_nothing(firm: Firm, corpus: Corpus) -> None:
    content = archive(
        {name: content for name, (content, _) in UNREADABLE.items()},
        also=[("good.txt", RULE.encode()), ("GOOD.txt", b"other words"), ("again.txt", RULE.encode())],
    )
    taken = ingest(firm, corpus, "mixed.zip", content)
    work_off(firm)
    found = outcomes(firm, taken)

    expected = {name.replace("\\", "/"): reason for name, (_, reason) in UNREADABLE.items()}
    assert found == {**expected, "good.txt": "", "GOOD.txt": "same_name", "again.txt": "duplicate_file"}
    assert states(firm) == {"mixed.zip": ("ready", ""), "mixed.zip – good.txt": ("ready", "")}
    with organization_scope(firm.organization, user=None):
        refused = Member.objects.filter(version=taken.version).exclude(reason="")
        assert all(member.detail.endswith(".") for member in refused)


def test_an_encrypted_member_says_so(firm: Firm, corpus: Corpus) -> None:
    taken = ingest(firm, corpus, "locked.zip", encrypted_zip("lease.txt", RULE.encode()))

    assert outcomes(firm, taken) == {"lease.txt": "member_encrypted"}


def test_archives_are_opened_one_inside_another_and_no_deeper(firm: Firm, corpus: Corpus) -> None:
    deepest = archive({"deep.txt": "Too deep."})
    inner = archive({"inner.txt": "In an archive in an archive.", "deeper.zip": deepest})
    taken = ingest(firm, corpus, "outer.zip", archive({"inner.zip": inner}))
    work_off(firm)

    found = states(firm)
    assert found["outer.zip – inner.zip – inner.txt"] == ("ready", "")
    assert "outer.zip – inner.zip – deeper.zip" not in found
    with organization_scope(firm.organization, user=None):
        assert Member.objects.get(name="deeper.zip").reason == "nested_too_deep"
    assert outcomes(firm, taken) == {"inner.zip": ""}


def test_a_message_attached_to_a_message_is_opened_too(firm: Firm, corpus: Corpus) -> None:
    inner = mail("Earlier offer", "We offer a rent of 900.", ("offer.txt", b"The rent is 900 a month."))
    outer = mail("Fwd: offer", "See below.")
    outer.add_attachment(inner)
    ingest(firm, corpus, "fwd.eml", outer.as_bytes())
    work_off(firm)

    assert set(states(firm)) == {"fwd.eml", "fwd.eml – Earlier offer.eml", "fwd.eml – Earlier offer.eml – offer.txt"}
    with organization_scope(firm.organization, user=None):
        titles = set(Document.objects.values_list("title", flat=True))
    assert titles == {"Fwd: offer", "Earlier offer.eml – in Fwd: offer", "offer.txt – in Earlier offer"}


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("many.zip", archive({f"{n}.txt": str(n) for n in range(1001)}), "too_many_members"),
        ("cut.eml", b"Just words, no headers at all.", "wrong_extension"),
        ("bomb.zip", archive({"zeros.txt": bytes(20_000_000)}), "bomb"),
    ],
)
def test_a_container_that_asks_too_much_is_refused(
    name: str, content: bytes, reason: str, firm: Firm, corpus: Corpus
) -> None:
    try:
        taken = ingest(firm, corpus, name, content)
    except ApplicationError as refused:
        assert refused.code == reason
    else:
        assert (taken.version.state, taken.version.reason) == ("refused", reason)
    assert set(states(firm)) <= {name}


def test_work_that_was_cut_off_resumes_with_the_next_file(firm: Firm, corpus: Corpus, settings: Any) -> None:
    settings.JOB_SLICE_S = 0.2  # over before the archive is unpacked
    taken = ingest(firm, corpus, "many.zip", archive({f"{n}.txt": f"Words of file {n}." for n in range(30)}))

    assert outcomes(firm, taken) == {f"{n}.txt": "" for n in range(30)}
    assert len(states(firm)) == 31


def test_documents_of_one_upload_are_counted_over_all_levels(firm: Firm, corpus: Corpus, settings: Any) -> None:
    settings.UPLOAD_DOCUMENTS = 5
    inner = [archive({f"{n}-{m}.txt": f"Words of {n} and {m}." for m in range(3)}) for n in range(3)]
    taken = ingest(firm, corpus, "all.zip", archive({f"{n}.zip": content for n, content in enumerate(inner)}))
    work_off(firm)

    assert outcomes(firm, taken) == {"0.zip": "", "1.zip": "", "2.zip": ""}
    states_of = states(firm)
    assert len(states_of) == 1 + 5
    with organization_scope(firm.organization, user=None):
        refused = list(Member.objects.exclude(reason="").values_list("reason", "detail"))
    assert {reason for reason, _ in refused} == {"too_many_in_upload"}
    assert "5 documents" in refused[0][1]
    archives = sorted(states_of[f"all.zip – {n}.zip"] for n in range(3))
    assert archives == [("ready", ""), *[("refused", "too_many_in_upload")] * 2], "nothing of those was unpacked"


def test_an_archive_of_the_same_files_again_is_no_larger_upload(firm: Firm, corpus: Corpus, settings: Any) -> None:
    settings.UPLOAD_DOCUMENTS = 2
    ingest(firm, corpus, "matter.zip", archive({"a.txt": "First words.", "b.txt": "Second words."}))
    work_off(firm)
    settings.UPLOAD_DOCUMENTS = 3
    again = ingest(firm, corpus, "matter.zip", archive({"a.txt": "Third words.", "b.txt": "Fourth words."}))

    assert outcomes(firm, again) == {"a.txt": "", "b.txt": ""}


def test_an_archive_waits_while_too_much_work_is_open_and_then_goes_on(
    firm: Firm, corpus: Corpus, settings: Any
) -> None:
    settings.OPEN_JOBS = 2
    taken = upload(firm, corpus, "matter.zip", archive({f"{n}.txt": f"Words of file {n}." for n in range(6)}))
    document_ingest(job_id=taken.job.pk)
    waiting = Job.objects.get(pk=taken.job.pk)

    assert (waiting.state, waiting.attempts, Job.objects.count()) == (JobState.QUEUED, 0, 4)
    settings.OPEN_JOBS = 10
    Job.objects.filter(pk=waiting.pk).update(lease_until=None)
    work_off(firm)
    assert len(states(firm)) == 7


def test_a_locked_file_in_an_archive_waits_for_its_password(firm: Firm, corpus: Corpus) -> None:
    locked = (PDFS / "encrypted_user_password.pdf").read_bytes()
    ingest(firm, corpus, "matter.zip", archive({"locked.pdf": locked}))
    work_off(firm)

    assert states(firm)["matter.zip – locked.pdf"] == ("refused", "password_needed")


def test_the_page_of_an_archive_shows_what_became_of_each_file(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    taken = ingest(firm, corpus, "matter.zip", archive({"lease.txt": RULE, "logo.png": UNREADABLE["logo.png"][0]}))
    work_off(firm)
    page = client_of(firm.lawyer).get(reverse("document_detail", args=["harding", taken.document.pk])).content.decode()

    with organization_scope(firm.organization, user=None):
        lease = Document.objects.get(container=taken.document)
    link = reverse("document_detail", args=["harding", lease.pk])
    assert f'<a href="{link}">lease.txt</a>' in one_line(page)
    assert "logo.png" in page
    assert REASONS["image"] in page
    came_in = client_of(firm.lawyer).get(link).content.decode()
    assert reverse("document_detail", args=["harding", taken.document.pk]) in came_in


def test_the_page_of_an_email_lists_its_attachments(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    taken = ingest(firm, corpus, "mail.eml", mail("Lease", RULE, ("lease.txt", b"The roof.")).as_bytes())
    page = client_of(firm.lawyer).get(reverse("document_detail", args=["harding", taken.document.pk])).content.decode()

    assert "<h2>Attachments</h2>" in page
    assert "lease.txt" in page
