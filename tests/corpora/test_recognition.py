"""Scanned pages, from the upload to words that can be found, marked and doubted."""

import difflib
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus, DocumentVersion, Page, Recognition, VersionState
from corpora.pages.reader import Mark, highlight_rects
from corpora.parsers import ocr
from corpora.parsers.limits import Limits
from corpora.parsers.reasons import pages_to_check, warning_text
from corpora.services import document_ingest
from corpora.types import RecognisedPage
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.services import job_cancel, job_retry
from tests.corpora.parsers.builders import PDFS, find, parse, scanned_copy
from tests.ingestion import ingest, positions, run_job, upload
from tests.pages import one_line
from tests.people import Firm

SCAN = (PDFS / "scan_final_rule_4p.pdf").read_bytes()
RULE = parse((PDFS / "bad_xref_final_rule.pdf").read_bytes(), "rule.pdf")
SENTENCE = "All rules are prospective only."


@pytest.fixture
def without_ocr(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which tesseract is not installed."""
    monkeypatch.setattr(ocr, "_path", lambda: "")  # it may be installed here


def words(text: str) -> list[str]:
    for fancy, plain in (("’", "'"), ("“", '"'), ("”", '"')):
        text = text.replace(fancy, plain)
    return re.sub(r"[_•]+", " ", text).split()


def test_a_scan_is_read_and_nearly_all_of_its_words_are_right(firm: Firm, corpus: Corpus) -> None:
    done = ingest(firm, corpus, "scan.pdf", SCAN)
    with organization_scope(firm.organization, user=None):
        pages = list(Page.objects.filter(version=done.version).order_by("number"))
        left = Recognition.objects.count()

    printed = words(RULE.text[: RULE.pages[3].end])
    matcher = difflib.SequenceMatcher(None, printed, words(done.version.text), autojunk=False)
    right = sum(block.size for block in matcher.get_matching_blocks())
    assert right / len(printed) >= 0.97
    assert (done.version.state, done.version.warnings) == ("ready", ["recognised:4"])
    assert [page.number for page in pages] == [1, 2, 3, 4]
    assert all(page.confidence is not None and page.confidence > ocr.NEEDS_A_LOOK for page in pages)
    assert left == 0


def test_quoted_words_are_marked_on_the_picture_of_the_page(firm: Firm, corpus: Corpus) -> None:
    done = ingest(firm, corpus, "scan.pdf", scanned_copy([["The tenant pays the rent", "on the first day of June."]]))
    [place] = [p for p in positions(firm, done.version) if "tenant" in p.paragraph.text]
    start = place.paragraph.text.index("tenant")
    with organization_scope(firm.organization, user=None):
        [(_, rect)] = highlight_rects(version=done.version, marks=[Mark(place.ordinal, start, start + len("tenant"))])

    # The builder prints 24 points high at x 72 and baseline y 700 of 792: "The " is about 46 points wide.
    assert rect.page == 1
    assert rect.x0 == pytest.approx(72 + 46, abs=6)
    assert rect.y1 == pytest.approx(92, abs=4)
    assert 60 < rect.x1 - rect.x0 < 95


def test_scanned_pages_among_others_are_read_and_said(firm: Firm, corpus: Corpus) -> None:
    mixed = scanned_copy([["A page with characters in it."], ["A page that is a picture."]], only=(2,))
    done = ingest(firm, corpus, "mixed.pdf", mixed)
    with organization_scope(firm.organization, user=None):
        known = list(Page.objects.filter(version=done.version).order_by("number").values_list("confidence", flat=True))

    assert done.version.text.split("\n\n") == ["A page with characters in it.", "A page that is a picture."]
    assert known[0] is None
    assert (known[1] or 0.0) > 0.8
    assert done.version.warnings == ["recognised:1"]


def test_an_empty_scanned_page_costs_nothing_and_needs_no_look(firm: Firm, corpus: Corpus) -> None:
    done = ingest(firm, corpus, "verso.pdf", scanned_copy([["The lease ends in June."], []]))

    assert done.version.text == "The lease ends in June."
    assert done.version.warnings == ["recognised:1"]


def test_a_crooked_scan_is_set_level_and_its_boxes_stay_where_the_words_are(firm: Firm, corpus: Corpus) -> None:
    lines = [f"Line {n} of the lease says that the tenant pays." for n in range(12)]
    straight = ingest(firm, corpus, "straight.pdf", scanned_copy([lines], size=14))
    crooked = ingest(firm, corpus, "crooked.pdf", scanned_copy([lines], size=14, degrees=3.0))

    found = difflib.SequenceMatcher(None, straight.version.text.split(), crooked.version.text.split()).ratio()
    assert found >= 0.97


def test_pages_of_which_recognition_is_unsure_are_named(firm: Firm, corpus: Corpus, monkeypatch: Any) -> None:
    monkeypatch.setattr("corpora.parsers.pdf.NEEDS_A_LOOK", 1.0)  # recognition is too sure of this page
    page = ocr.page_recognise(PDFS / "court_scan_2p.pdf", page=1, limits=Limits())
    rest = RecognisedPage(2, "", ocr.EMPTY_BOXES, 0.0)
    document = parse((PDFS / "court_scan_2p.pdf").read_bytes(), "scan.pdf", recognised=(page, rest))

    assert document.warnings == ("recognised:2", "pages_to_check:1-2")
    assert pages_to_check(document.warnings) == {1, 2}
    assert warning_text(document.warnings[1]).endswith("(pages 1-2).")
    assert find(document, "The syllabus constitutes").page == 1


def test_reading_goes_on_at_the_page_at_which_it_was_stopped(firm: Firm, corpus: Corpus, settings: Any) -> None:
    settings.JOB_SLICE_S = 0.01  # one step a slice
    taken = upload(firm, corpus, "scan.pdf", scanned_copy([["Page one says yes."], ["Page two says no."]]))
    seen: list[tuple[str, int, int]] = []
    while (job := Job.objects.get(pk=taken.job.pk)).is_open and len(seen) < 20:
        document_ingest(job_id=job.pk)
        job.refresh_from_db()
        seen.append((job.stage, job.cursor, job.total))
    assert seen[:3] == [
        ("page 0 of 2 read by OCR", 0, 2),
        ("page 1 of 2 read by OCR", 1, 2),
        ("page 2 of 2 read by OCR", 2, 2),
    ]
    assert job.state == JobState.DONE


def test_a_cancelled_reading_keeps_the_pages_that_were_read(firm: Firm, corpus: Corpus, settings: Any) -> None:
    settings.JOB_SLICE_S = 0.01
    taken = upload(firm, corpus, "scan.pdf", scanned_copy([["Page one says yes."], ["Page two says no."]]))
    for _ in range(2):
        document_ingest(job_id=taken.job.pk)
    job_cancel(organization=firm.organization, job_id=taken.job.pk)
    document_ingest(job_id=taken.job.pk)
    assert Job.objects.get(pk=taken.job.pk).state == JobState.CANCELLED
    with organization_scope(firm.organization, user=None):
        done = list(Recognition.objects.exclude(confidence=None).values_list("number", flat=True))
    assert done == [1]
    assert run_job(job_retry(organization=firm.organization, job_id=taken.job.pk)).state == JobState.DONE


@pytest.mark.usefixtures("without_ocr")
def test_without_tesseract_a_scan_says_what_is_missing_and_can_be_tried_again(firm: Firm, corpus: Corpus) -> None:
    done = ingest(firm, corpus, "scan.pdf", scanned_copy([["The lease ends in June."]]))

    assert (done.version.state, done.version.reason) == ("refused", "ocr_missing")
    assert "text recognition" in done.version.detail


@pytest.mark.usefixtures("without_ocr")
def test_without_tesseract_the_other_pages_are_read(firm: Firm, corpus: Corpus) -> None:
    mixed = scanned_copy([["A page with characters in it."], ["A page that is a picture."]], only=(2,))
    done = ingest(firm, corpus, "mixed.pdf", mixed)

    assert done.version.text == "A page with characters in it."
    assert done.version.warnings == ["pages_without_text:1", "ocr_missing"]


def test_pictures_without_words_are_refused_as_having_none(firm: Firm, corpus: Corpus) -> None:
    done = ingest(firm, corpus, "blank.pdf", scanned_copy([[], []]))

    assert (done.version.state, done.version.reason) == (VersionState.REFUSED, "no_text")
    with organization_scope(firm.organization, user=None):
        assert DocumentVersion.objects.get(pk=done.version.pk).n_chunks == 0


def test_the_reader_names_the_pages_that_need_a_look_and_links_to_them(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    done = ingest(firm, corpus, "scan.pdf", scanned_copy([["Page one says yes."], ["Page two says no."]]))
    with organization_scope(firm.organization, user=None):
        DocumentVersion.objects.filter(pk=done.version.pk).update(warnings=["recognised:2", "pages_to_check:2"])
    reader = client_of(firm.lawyer).get(reverse("document_detail", args=["harding", done.document.pk]))
    page = one_line(reader.content.decode())

    assert "1 page needs a look" in page
    assert 'href="#page-2" data-goto-page="2"><span>Page 2</span>' in page
    assert "read by text recognition (OCR)" in page
