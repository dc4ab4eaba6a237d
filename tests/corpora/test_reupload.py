"""A document uploaded again: untouched paragraphs keep their ids, and little is embedded again."""

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import fill

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Chunk, Corpus, Document, DocumentVersion, Embedding, VersionState
from corpora.services import document_remove
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Citation
from legalqa.answering.selectors import claim_list
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.common.errors import Conflict
from retrieval.pipelines.presets import preset_get
from tests.committed import committed_fixture
from tests.ingestion import Ingested, finished, ingest, make_corpus, paragraph_ids, paragraphs_of, run_job, upload
from tests.people import Firm, make_firm

pytestmark = pytest.mark.django_db  # what a test changes of the shared rows is rolled back

SMALL_CHUNKS = {"kind": "sentence.v1", "size_tokens": 40, "overlap_tokens": 10}

RENT = "The tenant pays a rent of 900 euros on the first day of each month, without being asked for it."
LATE = "A tenant who pays late owes interest of five percent a year on the sum that is late."
DEPOSIT = "The deposit is three rents, and the landlord keeps it apart from their own money."
ROOF = "The landlord repairs the roof, the windows and whatever else keeps the rain out of the house."
GARDEN = "The tenant mows the lawn of the garden and cuts its hedges twice a year."
NOTICE = "Either party may end the lease by a written notice of three months to the end of a month."
SIGNED = "Read, agreed and signed by both parties."
NEW = "The rent rises each January by the index of consumer prices that the statistics office publishes."


def lease(*, rent: str = RENT, late: str = LATE, top: str = "", garden: str = GARDEN, tail: str = "") -> str:
    """A lease of four sections in Markdown; "" leaves a paragraph out."""
    sections = {
        "# Lease": (top, SIGNED),
        "## Rent": (rent, late, DEPOSIT),
        "## Repairs": (ROOF, garden),
        "## End": (NOTICE, SIGNED, tail),
    }
    return "\n\n".join("\n\n".join((heading, *(p for p in body if p))) for heading, body in sections.items()) + "\n"


@dataclass(frozen=True)
class Edit:
    """A changed lease: the paragraphs that are new in it, and the sections in which anything changed."""

    text: str
    new: frozenset[str]
    sections: frozenset[str]


EDITS = {
    "nothing but blank lines": Edit(lease().replace("\n\n", "\n\n\n"), frozenset(), frozenset()),
    "a paragraph changed": Edit(
        lease(late=LATE.replace("five", "six")), frozenset({LATE.replace("five", "six")}), frozenset({"Rent"})
    ),
    "a paragraph inserted at the top": Edit(lease(top=NEW), frozenset({NEW}), frozenset({"Lease"})),
    "a paragraph deleted": Edit(lease(late=""), frozenset(), frozenset({"Rent"})),
    "a paragraph moved": Edit(lease(garden="", tail=GARDEN), frozenset(), frozenset({"Repairs", "End"})),
    "two paragraphs exchanged": Edit(lease(rent=LATE, late=RENT), frozenset(), frozenset({"Rent"})),
    "a third twin added": Edit(lease(top=SIGNED), frozenset({SIGNED}), frozenset({"Lease"})),
}


@dataclass(frozen=True)
class Office:
    firm: Firm
    corpus: Corpus
    first: Ingested


def make_office() -> Office:
    firm = make_firm("harding", "Harding & Stone")
    corpus = make_corpus(firm, chunker=SMALL_CHUNKS)
    return Office(firm, corpus, ingest(firm, corpus, "lease.md", lease()))


office = committed_fixture(make_office)


def hashes(firm: Firm, *, section: str = "") -> set[str]:
    """Hashes of all texts that were ever embedded and are live, of one section or of all."""
    with organization_scope(firm.organization, user=None):
        found = Embedding.objects.filter(is_live=True)
        return set((found.filter(chunk__heading=section) if section else found).values_list("text_hash", flat=True))


def flat(ids: dict[str, tuple[str, ...]]) -> list[str]:
    return [id_ for found in ids.values() for id_ in found]


def again(office: Office, text: str | bytes) -> Ingested:
    return ingest(office.firm, office.corpus, "lease.md", text)


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_untouched_paragraphs_keep_their_ids(edit: Edit, office: Office) -> None:
    before = paragraph_ids(office.firm, office.first.version)
    done = again(office, edit.text)
    after = paragraph_ids(office.firm, done.version)

    assert (done.version.number, done.version.state) == (2, VersionState.READY)
    for words in before.keys() & after.keys():
        assert set(before[words]) <= set(after[words]) or set(after[words]) <= set(before[words])
    known, present = set(flat(before)), flat(after)
    assert len(set(present)) == len(present)
    assert [words for words, ids in after.items() for id_ in ids if id_ not in known] == sorted(edit.new)


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_at_most_the_chunks_up_to_the_next_heading_are_embedded_again(edit: Edit, office: Office) -> None:
    before = hashes(office.firm)
    again(office, edit.text)
    fresh = hashes(office.firm) - before
    touched = set().union(*(hashes(office.firm, section=section) for section in edit.sections))

    assert fresh <= touched
    assert bool(fresh) == bool(edit.sections)
    assert len(hashes(office.firm)) > len(touched)


def test_two_identical_paragraphs_are_two_and_stay_two(office: Office) -> None:
    before = paragraph_ids(office.firm, office.first.version)
    after = paragraph_ids(office.firm, again(office, lease(late=NEW)).version)

    assert len(set(before[SIGNED])) == 2
    assert after[SIGNED] == before[SIGNED]


def test_a_reflow_over_pages_changes_no_id_and_embeds_nothing(office: Office) -> None:
    paragraphs = [fill(p, width=60) for p in (RENT, LATE, DEPOSIT, ROOF, GARDEN, NOTICE)]

    def paged(*breaks: int) -> str:
        return "".join(p + ("\n\n\f" if i in breaks else "\n\n") for i, p in enumerate(paragraphs))

    first = ingest(office.firm, office.corpus, "paged.txt", paged(1, 3))
    before, embedded = paragraph_ids(office.firm, first.version), hashes(office.firm)
    second = ingest(office.firm, office.corpus, "paged.txt", paged(0, 2, 4))

    assert (first.version.n_pages, second.version.n_pages) == (3, 4)
    assert paragraph_ids(office.firm, second.version) == before
    assert hashes(office.firm) - embedded == set()


def test_a_paragraph_that_comes_back_has_its_old_id(office: Office) -> None:
    before = paragraph_ids(office.firm, office.first.version)
    again(office, lease(late=""))
    after = paragraph_ids(office.firm, again(office, lease()).version)

    assert after == before


def test_only_the_newest_version_is_found(office: Office) -> None:
    done = again(office, lease(late=NEW))

    with organization_scope(office.firm.organization, user=None):
        versions = set(Chunk.objects.filter(is_live=True).values_list("version_id", flat=True))
        old = DocumentVersion.objects.get(pk=office.first.version.pk)
        assert Document.objects.get(pk=done.document.pk).current_id == done.version.pk
        assert old.text == office.first.version.text
    assert (versions, old.state) == ({done.version.pk}, VersionState.SUPERSEDED)


def test_the_same_file_again_is_a_duplicate_and_changes_nothing(office: Office) -> None:
    for name in ("lease.md", "other name.md"):
        with pytest.raises(Conflict) as refused:
            upload(office.firm, office.corpus, name, lease())
        assert refused.value.code == "duplicate_file"
    with organization_scope(office.firm.organization, user=None):
        assert (Document.objects.count(), DocumentVersion.objects.count()) == (1, 1)


def test_the_same_file_in_another_corpus_is_a_document_of_its_own(office: Office) -> None:
    other = make_corpus(office.firm, "Other")
    done = ingest(office.firm, other, "lease.md", lease())

    assert done.version.state == VersionState.READY
    assert not paragraphs_of(office.firm, done.document) & paragraphs_of(office.firm, office.first.document)


def test_a_version_that_was_overtaken_never_replaces_the_newer_one(office: Office) -> None:
    slow = upload(office.firm, office.corpus, "lease.md", lease(late=NEW))
    fast = finished(office.firm, upload(office.firm, office.corpus, "lease.md", lease(late="")))
    run_job(slow.job)

    with organization_scope(office.firm.organization, user=None):
        overtaken = DocumentVersion.objects.get(pk=slow.version.pk)
        assert (overtaken.number, overtaken.state) == (2, VersionState.SUPERSEDED)
        assert Document.objects.get(pk=fast.document.pk).current_id == fast.version.pk
        live = Chunk.objects.filter(is_live=True)
        assert set(live.values_list("version_id", flat=True)) == {fast.version.pk}


def test_a_removed_document_is_not_found_and_comes_back_with_its_old_ids(office: Office) -> None:
    before = paragraph_ids(office.firm, office.first.version)
    with organization_scope(office.firm.organization, user=office.firm.manager):
        document_remove(**office.firm.by_manager, document_id=office.first.document.pk)
        assert not Chunk.objects.exists()
    back = again(office, lease())

    assert back.document.pk == office.first.document.pk
    assert (back.version.number, back.version.state, back.document.removed_at) == (2, VersionState.READY, None)
    assert paragraph_ids(office.firm, back.version) == before


def test_a_document_removed_while_it_is_read_stays_removed(office: Office) -> None:
    taken = upload(office.firm, office.corpus, "late.md", lease(top=NEW))
    with organization_scope(office.firm.organization, user=office.firm.manager):
        document_remove(**office.firm.by_manager, document_id=taken.document.pk)
    done = finished(office.firm, taken)

    assert (done.version.state, done.document.current_id) == (VersionState.SUPERSEDED, None)


def test_old_citations_open_at_the_words_they_quoted(office: Office, client_of: Callable[[User], Client]) -> None:
    firm = office.firm
    answer = question_ask(
        question=Question(
            organization=firm.organization,
            user=firm.lawyer,
            corpus_id=office.corpus.pk,
            text="What interest does a tenant who pays late owe?",
            preset=preset_get("fixed-3"),
        )
    )
    again(office, lease(late=NEW, top=RENT))

    with organization_scope(firm.organization, user=firm.lawyer):
        citations = [c for view in claim_list(answer=answer) for c in view.citations]
        assert {c.version.number for c in citations} == {1}
        assert all(c.paragraph.text[c.start : c.end] == c.quote for c in citations)
        assert Citation.objects.count() == len(citations) > 0
    client = client_of(firm.lawyer)
    page = client.get(reverse("answer_detail", args=["harding", answer.pk]))
    for source in page.context["sources"]:
        reader = client.get(source["url"])
        marked = [s.text for p in reader.context["paragraphs"] for s in p.segments if s.is_highlighted]
        assert " ".join(" ".join(marked).split()) == source["quote"]
        assert reader.context["is_older_version"] is True
