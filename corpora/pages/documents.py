"""What the pages of corpora and documents show: words for states, rows, and the reader's context."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse, JsonResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from corpora import selectors
from corpora.choices import ids_in
from corpora.downloads import file_download
from corpora.filters import GROUPS, NOT_SEARCHED, DocumentFilter
from corpora.in_force import awaited_words
from corpora.models import Corpus, Document, DocumentVersion, VersionState
from corpora.pages import reader as reading
from corpora.parsers.reasons import CAN_BE_RETRIED, REASONS, pages_to_check, warning_text
from corpora.selectors import DocumentRow
from corpora.services import document_upload, version_download
from legalqa.accounts.access import MemberRequest
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.dates import day_words
from legalqa.common.errors import ApplicationError
from legalqa.common.numbers import whole_number
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.pages import reason_words
from legalqa.jobs.selectors import job_latest

ROWS_A_PAGE = 100


def readings_shown(*, jobs: Sequence[Job]) -> dict[UUID, dict[str, Any]]:
    """For the list of background work, by job: the document that is read, and why it was not read."""
    found = DocumentVersion.objects.filter(pk__in=[job.subject_id for job in jobs])
    versions = {version.pk: version for version in found.select_related("document").defer("text")}
    return {
        job.pk: {"document": versions[job.subject_id].document, "reason": _reading_words(job)}
        for job in jobs
        if job.subject_id in versions
    }


def _reading_words(job: Job) -> str:
    return REASONS.get(job.reason) or reason_words(job)


def row_state(row: DocumentRow) -> tuple[str, str]:
    """The state of a document as a code and a word: its version's and its job's, as one."""
    if row.version.reason in ("password_needed", "wrong_password"):
        return "password_needed", "Password needed"
    if row.version.state == VersionState.REFUSED:
        return "refused", "Rejected"
    if row.version.state in (VersionState.READY, VersionState.SUPERSEDED):
        return "ready", "Ready"
    if row.job is None or row.job.state == JobState.FAILED:
        return "failed", "Failed"
    if row.job.state == JobState.CANCELLED:
        return "cancelled", "Cancelled"
    if row.job.cancel_requested_at is not None:
        return "working", "Stopping"
    return ("waiting", "Waiting") if row.job.state == JobState.QUEUED and not row.job.stage else ("working", "Working")


def _is_worth_retrying(row: DocumentRow) -> bool:
    """Whether reading the same file again could end otherwise."""
    is_final = row.version.state == VersionState.REFUSED and row.version.reason not in CAN_BE_RETRIED
    return row.job is not None and row.job.can_retry and not is_final


def document_page(*, organization: Organization, corpus: Corpus, query: QueryDict) -> dict[str, Any]:
    """One page of the corpus's documents, filtered and sorted as `DocumentFilter` reads the query, with links to the
    groups; paged in the database."""
    documents = selectors.documents_in_groups(organization=organization).filter(corpus=corpus)
    counts = selectors.document_group_counts(documents=documents).get(corpus.pk, {})
    filters = DocumentFilter(query, documents)
    page = Paginator(filters.qs.values_list("pk", flat=True), ROWS_A_PAGE).get_page(query.get("page"))
    rows = _rows(organization, corpus, page.object_list)
    return {
        "rows": rows,
        "page_obj": page,
        "filters": _state_filters(counts, documents, query=query),
        "search": query.get("search", ""),
        "order": query.get("order", ""),
        "is_filtered": bool(query.get("state") or query.get("search")),
        "poll": poll_query(rows),
    }


def poll_query(rows: Sequence[dict[str, Any]]) -> str:
    """The rows that are at work, as the query by which the page asks how far they are; "" where none is."""
    return urlencode([("document", row["document"].pk) for row in rows if row["is_working"]])


def rows_asked(request: MemberRequest, corpus: Corpus) -> list[dict[str, Any]]:
    """The rows that the page's poll asks for; invalid ids, and those of other corpora, are left out."""
    return _rows(request.organization, corpus, ids_in(request.GET.getlist("document")[:ROWS_A_PAGE]))


def _state_filters(counts: dict[str, int], documents: QuerySet[Document], *, query: QueryDict) -> list[dict[str, Any]]:
    """Links that show the documents in one state, each with its count; empty ones are left out.

    Those that are not searched are in other groups, too: their link is there while they are shown.
    """
    filters = {name: query[name] for name in ("search", "order") if query.get(name)}
    chips = [(filters, "", "All", sum(counts.values()))]
    chips += [
        (filters | {"state": group}, group, GROUPS[group], counts[group]) for group in GROUPS if counts.get(group)
    ]
    active = query.get("state", "")
    if active == NOT_SEARCHED:
        chips.append((filters | {"state": active}, active, "Not searched", documents.filter(current=None).count()))
    return [
        {"url": f"?{urlencode(link)}", "label": label, "count": count, "is_active": active == group}
        for link, group, label, count in (chips if counts else ())
    ]


def _rows(organization: Organization, corpus: Corpus, document_ids: Iterable[UUID]) -> list[dict[str, Any]]:
    """Rows for the documents table, in words."""
    rows = selectors.document_rows(organization=organization, corpus=corpus, document_ids=document_ids)
    return [_row(row) for row in rows]


def _row(row: DocumentRow) -> dict[str, Any]:
    state, word = row_state(row)
    reason = row.version.detail or REASONS.get(row.version.reason, "")
    if not reason and row.job is not None and row.job.reason:
        reason = _reading_words(row.job)
    return {
        "document": row.document,
        "version": row.version,
        "job": row.job,
        "is_working": row.is_working,
        "can_retry": _is_worth_retrying(row),
        "state": state,
        "word": word,
        "reason": reason,
        "warnings": [warning_text(w) for w in row.version.warnings],
        "facts": facts(row.document, row.version),
    }


def guessed(document: Document, version: DocumentVersion) -> dict[str, str]:
    """The fields of a document that were guessed, under their names in the API, each with the reason."""
    names = {"kind": "document_kind"}
    reasons = {names.get(name, name): reason for name, reason in document.field_reasons.items()}
    return reasons | ({"effective_date": version.effective_date_reason} if version.effective_date_reason else {})


def facts(document: Document, version: DocumentVersion) -> list[dict[str, str]]:
    """The facts about a document in words; guessed ones with the reason."""
    reasons = guessed(document, version)
    day = version.effective_date
    entries = (
        ("Kind", document.get_kind_display(), "document_kind"),
        ("Jurisdiction", document.jurisdiction, "jurisdiction"),
        ("Authority", document.authority, "authority"),
        ("In effect from", day_words(day) if day else "", "effective_date"),
    )
    return [
        {"name": name, "value": str(value), "reason": reasons.get(key, "")} for name, value, key in entries if value
    ]


def corpus_cards(*, organization: Organization) -> list[Corpus]:
    """Corpora with how many documents are ready, at work, or need a look."""
    corpora = list(selectors.corpus_list(organization=organization))
    documents = selectors.documents_in_groups(organization=organization)
    counts = selectors.document_group_counts(documents=documents)
    for corpus in corpora:
        groups = counts.get(corpus.pk, {})
        corpus.n_working = groups.get("working", 0)  # type: ignore[attr-defined]  # for the card alone
        corpus.n_refused = groups.get("attention", 0)  # type: ignore[attr-defined]  # likewise
    return corpora


@dataclass(frozen=True, slots=True)
class UploadResult:
    """The result for one file of an upload."""

    name: str
    accepted: bool
    reason: str = ""


def upload_each(
    *, organization: Organization, user: User, corpus_id: UUID, files: Sequence["UploadedFile[bytes]"], password: str
) -> list[UploadResult]:
    """Take each file in on its own: one refused file costs the others nothing."""
    if not files:
        raise ApplicationError("No file was chosen. Choose at least one file and upload again.", code="no_file")
    results = []
    for file in files:
        name = file.name or ""
        try:
            upload = document_upload(
                organization=organization,
                user=user,
                corpus_id=corpus_id,
                name=name,
                parts=file.chunks(),
                password=password,
            )
        except ApplicationError as error:
            if error.status == 404:
                raise
            results.append(UploadResult(name, accepted=False, reason=error.message))
        else:
            results.append(UploadResult(upload.document.name, accepted=True))
    return results


def upload_response(request: MemberRequest, results: list[UploadResult], *, corpus_id: UUID) -> HttpResponse:
    """The results as a fragment for htmx; without JavaScript as a page, or back to the corpus if all went well."""
    status = 200 if all(r.accepted for r in results) else 422
    if request.htmx:
        return render(request, "corpora/upload_results.html#results", {"results": results}, status=status)
    if status == 200:
        return redirect("corpus_detail", request.organization.slug, corpus_id)
    context = {"results": results, "corpus_id": corpus_id}
    return render(request, "corpora/upload_results.html", context, status=status)


def reader(request: MemberRequest, *, version: DocumentVersion) -> dict[str, Any]:
    """The reader's context: a version, opened at the first marked words."""
    marks = reading.marks_parse(request.GET.getlist("at"))
    is_readable = version.n_paragraphs > 0
    kind = ("pdf" if version.kind == "pdf" else "text") if is_readable else "none"
    highlights = reading.highlight_list(version=version, marks=marks)
    query = urlencode([("v", version.number), *(("at", str(mark)) for mark in marks)])
    slug, document = request.organization.slug, version.document
    pages = selectors.page_list(version=version)
    to_check = pages_to_check(version.warnings)
    return {
        "corpus": document.corpus,
        "document": document,
        "version": _shown(version),
        "facts": facts(document, version),
        "awaited": awaited_words(document_id=document.pk),
        "is_older_version": version.state == VersionState.SUPERSEDED,
        "unread": _unread(request, version) if kind == "none" else None,
        "kind": kind,
        "pages": pages,
        "pages_to_check": [page for page in pages if page.number in to_check],
        "members": selectors.member_list(version=version),
        "is_archive": version.kind == "zip",
        "page": _page(request, highlights, version),
        "outline": reading.outline(version=version),
        "paragraphs": reading.paragraph_views(version=version, marks=marks) if kind == "text" else (),
        "highlights": highlights,
        "versions": _versions(version, slug),
        "file_url": f"{reverse('document_file', args=(slug, document.pk))}?v={version.number}",
        "rects_url": f"{reverse('document_rects', args=(slug, document.pk))}?{query}",
        "back_url": _back_url(request),
    }


def _unread(request: MemberRequest, version: DocumentVersion) -> dict[str, Any]:
    """Why there is nothing to read: the file was refused, or is still being read."""
    job = job_latest(organization=request.organization, subject_id=version.pk)
    row = _row(DocumentRow(version.document, version, job))
    headings = {
        "refused": "This file was rejected",
        "password_needed": "This file needs a password",
        "failed": "This file could not be read",
        "cancelled": "Reading this file was cancelled",
        "ready": "This file contains no text",
    }
    advice = {
        "refused": "It cannot be searched or cited. Upload a corrected file under the same name.",
        "password_needed": "Enter the password in the list of documents; it is used once and not stored.",
        "failed": "Choose “Try again” in the list of documents.",
        "cancelled": "Choose “Try again” in the list of documents.",
    }
    heading = headings.get(row["state"], "This file is being read")
    return row | {"heading": heading, "advice": advice.get(row["state"], "")}


def version_number(request: MemberRequest) -> int | None:
    """The number of the version that the address names; None where it names none.

    Raises:
        ApplicationError: it is no number.
    """
    raw = request.GET.get("v", "")
    number = whole_number(raw, digits=7)
    if raw and number is None:
        raise ApplicationError(
            f"The version {raw[:20]!r} is not a number. Open the document again.", code="bad_version"
        )
    return number


def _version(request: MemberRequest, document_id: UUID) -> DocumentVersion:
    number = version_number(request)
    document = selectors.document_get(
        organization=request.organization, document_id=document_id, even_removed=number is not None
    )
    return selectors.version_get(organization=request.organization, document=document, number=number)


def _shown(version: DocumentVersion) -> dict[str, Any]:
    return {
        "number": version.number,
        "n_pages": version.n_pages if version.kind == "pdf" else 0,
        "warnings": [warning_text(w) for w in version.warnings if not w.startswith("pages_to_check:")],
        "state": version.state,
        "get_state_display": version.get_state_display(),
    }


def _page(request: MemberRequest, highlights: Sequence[reading.Highlight], version: DocumentVersion) -> int:
    page = whole_number(request.GET.get("page", ""), digits=7)
    if page is None:
        page = highlights[0].page if highlights else 1
    return max(1, min(page, version.n_pages or 1))


def _versions(version: DocumentVersion, slug: str) -> list[dict[str, Any]]:
    url = reverse("document_detail", args=(slug, version.document_id))
    return [
        {"number": v.number, "created_at": v.created_at, "url": f"{url}?v={v.number}", "is_shown": v.pk == version.pk}
        for v in selectors.version_list(document=version.document)
    ]


def _back_url(request: MemberRequest) -> str:
    """The answer that the reader was opened from: an id becomes a link, a URL from outside does not."""
    try:
        return reverse("answer_detail", args=(request.organization.slug, UUID(request.GET.get("answer", ""))))
    except ValueError:
        return ""


def rects(request: MemberRequest, *, document_id: UUID) -> HttpResponse:
    """Rectangles of the marked words in points of the page as shown."""
    version = _version(request, document_id)
    marks = reading.marks_parse(request.GET.getlist("at"))
    rectangles = reading.highlight_rects(version=version, marks=marks)
    quotes = reading.highlight_list(version=version, marks=marks)
    return JsonResponse(
        {
            "rects": [
                {"quote": quote, "page": r.page, "x0": r.x0, "y0": r.y0, "x1": r.x1, "y1": r.y1}
                for quote, r in rectangles
            ],
            "quotes": [{"page": q.page, "text": q.text} for q in quotes],
        }
    )


def file_response(request: MemberRequest, *, document_id: UUID) -> StreamingHttpResponse:
    """The file of the version asked for."""
    version = _version(request, document_id)
    file = version_download(**request.acting, version=version)
    return file_download(request, file=file, name=version.document.name, kind=version.kind)


def corpus_of_document(request: MemberRequest, document_id: UUID) -> UUID:
    with organization_scope(request.organization, user=request.user):
        return selectors.document_get(organization=request.organization, document_id=document_id).corpus_id
