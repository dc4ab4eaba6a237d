"""Storing what was read: pages, and paragraphs that keep their ids from version to version."""

from bisect import bisect_right
from dataclasses import asdict
from typing import Any

from corpora.alignment import Aligned, Incoming, Known, align, paragraph_hash
from corpora.describing import describe
from corpora.models import (
    VERSION_TRANSITIONS,
    Document,
    DocumentVersion,
    Page,
    Paragraph,
    Position,
    Recognition,
    VersionState,
)
from corpora.provisions.roles import roles_of
from corpora.provisions.types import Part
from corpora.services.describing import description_guess
from corpora.types import ParsedDocument
from legalqa.accounts.scoping import organization_scope
from legalqa.common.transitions import moved
from legalqa.jobs.services import JobLost, Lease

BATCH = 1000


def version_store(*, version: DocumentVersion, parsed: ParsedDocument, lease: Lease) -> None:
    """Store a parsed document as the content of its version, in one transaction.

    Paragraphs are aligned with every id that the document ever had: unchanged ones keep theirs.

    Raises:
        JobLost, JobCancelled: nothing was stored.
    """
    description = describe(title=parsed.title, text=parsed.text)
    with organization_scope(lease.organization_id, user=None):
        document = Document.objects.select_for_update().get(pk=version.document_id)
        lease.advance(stage="indexing")
        Page.objects.filter(version=version).delete()
        Position.objects.filter(version=version).delete()
        Recognition.objects.filter(version=version).delete()  # its words are in the pages from here on
        _store_pages(version, parsed)
        _store_paragraphs(document, version, parsed)
        version_move(
            version=version,
            expected=VersionState.RECEIVED,
            state=VersionState.PARSED,
            text=parsed.text,
            warnings=list(parsed.warnings),
            n_pages=len(parsed.pages),
            n_paragraphs=len(parsed.paragraphs),
        )
        is_from_mail = document.container_id is not None and document.title != document.name
        if not (document.is_title_given or is_from_mail):
            document.title = parsed.title[:300] or document.name
            document.save(update_fields=["title"])
        description_guess(document=document, version=version, description=description)


def version_move(*, version: DocumentVersion, expected: VersionState, state: VersionState, **changes: Any) -> None:
    """Change a version that is still where the step found it; one that was removed or refused meanwhile stays so.

    Raises:
        JobLost: it is somewhere else now; the surrounding transaction stores nothing.
    """
    state = moved(VERSION_TRANSITIONS, expected, state)
    if not DocumentVersion.objects.filter(pk=version.pk, state=expected).update(state=state, **changes):
        raise JobLost


def _store_pages(version: DocumentVersion, parsed: ParsedDocument) -> None:
    Page.objects.bulk_create(
        (
            Page(organization_id=version.organization_id, version=version, **asdict(page) | {"label": page.label[:40]})
            for page in parsed.pages
        ),
        batch_size=100,
    )


def _store_paragraphs(document: Document, version: DocumentVersion, parsed: ParsedDocument) -> None:
    texts = [parsed.text[p.start : p.end] for p in parsed.paragraphs]
    # A passage is itself by its id and its words: the same words under another id are another passage.
    hashes = [
        paragraph_hash(f"{span.external_id} {text}" if span.external_id else text)
        for span, text in zip(parsed.paragraphs, texts, strict=True)
    ]
    aligned = _aligned(document, parsed, hashes)
    ids = {p.public_id: p.pk for p in Paragraph.objects.filter(document=document).only("public_id")}
    fresh = [
        Paragraph(
            organization_id=version.organization_id,
            document=document,
            public_id=place.id,
            external_id=parsed.paragraphs[i].external_id[:200],
            hash=hashes[i],
            text=texts[i],
        )
        for i, place in enumerate(aligned)
        if place.id not in ids
    ]
    ids |= {p.public_id: p.pk for p in Paragraph.objects.bulk_create(fresh, batch_size=BATCH)}
    page_starts = [page.start for page in parsed.pages]
    roles = roles_of(
        [
            Part(i, texts[i], span.kind, span.label, span.heading_path, span.level, page=span.page)
            for i, span in enumerate(parsed.paragraphs)
        ]
    )
    Position.objects.bulk_create(
        (
            Position(
                organization_id=version.organization_id,
                version=version,
                paragraph_id=ids[aligned[i].id],
                ordinal=i,
                start=span.start,
                end=span.end,
                page=span.page,
                page_label=parsed.pages[max(0, bisect_right(page_starts, span.start) - 1)].label[:40],
                kind=span.kind,
                level=span.level,
                heading_path=list(span.heading_path),
                label=span.label[:60],
                role=roles[i],
            )
            for i, span in enumerate(parsed.paragraphs)
        ),
        batch_size=BATCH,
    )


def _aligned(document: Document, parsed: ParsedDocument, hashes: list[str]) -> tuple[Aligned, ...]:
    # Twins are told apart by where they were last, so they are handed over in that order, oldest version last.
    last_places = (
        Position.objects.filter(version__document=document)
        .order_by("paragraph_id", "-version__number")
        .distinct("paragraph_id")
        .values_list(
            "version__number", "ordinal", "version_id", "paragraph_id", "paragraph__public_id", "paragraph__hash"
        )
    )
    placed = sorted(last_places, key=lambda place: (-place[0], place[1]))
    paragraphs = [
        Known(public_id, hash_, ordinal if version_id == document.current_id else None)
        for _, ordinal, version_id, _, public_id, hash_ in placed
    ]
    seen_on_page: dict[int, int] = {}
    incoming = []
    for ordinal, span in enumerate(parsed.paragraphs):
        index = seen_on_page[span.page] = seen_on_page.get(span.page, -1) + 1
        incoming.append(Incoming(hashes[ordinal], span.page, index, ordinal))
    return align(paragraphs, incoming, doc_id=str(document.pk))
