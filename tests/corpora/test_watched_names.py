"""Names of files in watched folders: bytes that are no text, ways that are too long, and two that lead to one name."""

import os
import unicodedata
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus, WatchedFile
from corpora.services import folders_available, folders_look
from corpora.services.watched_names import MAX_WAY, way_shown
from legalqa.accounts.scoping import organization_scope
from tests.corpora.test_missing_files import write
from tests.corpora.test_watching import LEASE, documents, documents_of_any_state, look, watch
from tests.ingestion import make_corpus
from tests.people import Firm

ACCENT = "Verträge.md"
LATIN = os.fsdecode("Verträge.txt".encode("latin-1"))  # as old archives have them
TWIN = LATIN.replace("\udce4", "\udce5")


def refusals(firm: Firm) -> dict[str, str]:
    with organization_scope(firm.organization, user=None):
        return dict(WatchedFile.objects.filter(state="refused").values_list("name", "reason"))


def test_a_file_name_that_is_no_utf8_is_refused_and_stops_nobody(
    firm: Firm, rivals: Firm, corpus: Corpus, home: Path
) -> None:
    theirs = home.parent / "rivals"
    theirs.mkdir()
    watch(firm, corpus)
    watch(rivals, make_corpus(rivals), ".")
    for file in (home / "leases" / LATIN, home / "leases" / "lease.md", theirs / "lease.md"):
        file.write_text(LEASE)

    assert [folders_look(), folders_look()] == [2, 2]

    assert documents_of_any_state(firm) == documents_of_any_state(rivals) == ["lease.md"]
    assert refusals(firm) == {
        "Vertr\ufffdge.txt": "The name of the file or of its folder is not valid UTF-8. Rename it."
    }
    (home / "leases" / LATIN).rename(home / "leases" / "renamed.md").write_text(LEASE + "\nRenamed.\n")
    folders_look()
    folders_look()
    assert documents_of_any_state(firm) == ["lease.md", "renamed.md"]
    assert refusals(firm) == {}


def test_two_names_that_are_shown_alike_are_listed_apart(firm: Firm, corpus: Corpus, home: Path) -> None:
    folder = watch(firm, corpus)
    for name in (LATIN, TWIN):
        (home / "leases" / name).write_text(LEASE)

    look(firm, folder, times=2)

    first, second = sorted(refusals(firm), key=len)
    assert first == "Vertr\ufffdge.txt"
    assert second.startswith("Vertr\ufffdge.txt… (")


def test_the_page_shows_refused_names_and_offers_no_folder_whose_name_is_no_text(
    firm: Firm, corpus: Corpus, home: Path, client: Client
) -> None:
    (home / LATIN).mkdir()
    (home / "leases" / LATIN).write_text(LEASE)
    look(firm, watch(firm, corpus), times=2)
    client.force_login(firm.manager)

    page = client.get(reverse("corpus_detail", args=[firm.organization.slug, corpus.pk]))

    assert folders_available(organization=firm.organization) == [".", "leases"]
    assert "Vertr\ufffdge.txt" in page.content.decode()


def test_paths_that_are_too_long_to_be_kept_are_refused_each_on_its_own(firm: Firm, corpus: Corpus, home: Path) -> None:
    folder = watch(firm, corpus)
    write((home / "leases").joinpath(*["d" * 200] * (MAX_WAY // 200)), ["a.md", "b.md"])

    assert len(look(firm, folder, times=2).refused) == 2

    reasons = refusals(firm)
    assert [len(name) for name in reasons] == [MAX_WAY, MAX_WAY]
    assert all("the limit is 1,000. Move the file, or shorten the names of its folders." in r for r in reasons.values())
    assert documents_of_any_state(firm) == []


@pytest.mark.parametrize(
    "names",
    [
        ("Smith/lease.md", "Smith – lease.md"),
        (unicodedata.normalize("NFC", ACCENT), unicodedata.normalize("NFD", ACCENT)),
    ],
    ids=["dash", "accent"],
)
def test_two_files_that_lead_to_one_name_are_two_documents_for_good(
    names: tuple[str, str], firm: Firm, corpus: Corpus, home: Path
) -> None:
    folder = watch(firm, corpus, removes_missing=True)
    files = write(home / "leases", names)
    for number, file in enumerate([*files, *write(home / "leases", ["other.md"])]):
        file.write_text(f"{LEASE}\nLease number {number}.\n")
    look(firm, folder, times=2)

    _, plain, marked = sorted(documents(firm), key=lambda name: (name != "other.md", len(name)))
    assert marked.removesuffix(".md")[: -len(" (12345678)")] == plain.removesuffix(".md")
    for file in files:
        file.write_text(file.read_text() + "\nPets are allowed.\n")
    look(firm, folder, times=2)
    assert documents(firm) == {"other.md": 1, plain: 2, marked: 2}
    files[0].unlink()
    look(firm, folder, times=2)
    assert len(documents(firm)) == 2
    files[0].parent.mkdir(exist_ok=True)
    files[0].write_text(f"{LEASE}\nBack again.\n")
    look(firm, folder, times=2)
    assert documents(firm).keys() == {"other.md", plain, marked}


def test_files_that_shared_a_document_before_get_one_each_when_they_change(
    firm: Firm, corpus: Corpus, home: Path
) -> None:
    folder = watch(firm, corpus)
    write(home / "leases", ["Smith/lease.md", "Smith – lease.md"])
    look(firm, folder, times=2)
    with organization_scope(firm.organization, user=None):
        shared = WatchedFile.objects.get(name="Smith – lease.md").document
        WatchedFile.objects.update(document=shared)
    for number, name in enumerate(("Smith/lease.md", "Smith – lease.md")):
        (home / "leases" / name).write_text(f"{LEASE}\nChange number {number}.\n")

    look(firm, folder, times=2)

    with organization_scope(firm.organization, user=None):
        assert WatchedFile.objects.values("document").distinct().count() == 2


def test_a_name_that_can_be_kept_is_shown_as_it_is() -> None:
    assert way_shown(way="2024/lease.md", others=()) == "2024/lease.md"
