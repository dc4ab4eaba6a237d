"""Files that a watched folder no longer holds, and folders that only look empty."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from corpora.models import Corpus, Document
from corpora.services import document_remove, document_upload, folder_look
from corpora.services.missing_files import FEW
from corpora.services.watching import Look
from legalqa.accounts.scoping import organization_scope
from tests.corpora.test_watching import LEASE, documents, documents_of_any_state, look, watch
from tests.people import Firm


def write(place: Path, names: Iterable[str]) -> list[Path]:
    """A file of each name, with its name in its text."""
    files = [place / name for name in names]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{LEASE}\nThe lease of {file.name}.\n")
    return files


def remove_document(firm: Firm, name: str) -> None:
    with organization_scope(firm.organization, user=firm.manager):
        document = Document.objects.get(name=name)
        document_remove(**firm.by_manager, document_id=document.pk)


@pytest.mark.parametrize(("removes", "left"), [(False, {"a.md": 1, "b.md": 1}), (True, {"b.md": 1})])
def test_a_file_that_goes_missing_is_reported_and_removed_at_the_second_look_where_the_folder_says_so(
    removes: bool, left: dict[str, int], firm: Firm, corpus: Corpus, home: Path
) -> None:
    folder = watch(firm, corpus, removes_missing=removes)
    gone, _ = write(home / "leases", ["a.md", "b.md"])
    look(firm, folder, times=2)
    gone.unlink()

    assert look(firm, folder) == Look(missing=("a.md",))
    assert documents(firm) == {"a.md": 1, "b.md": 1}
    assert look(firm, folder) == (Look(removed=("a.md",)) if removes else Look())
    assert documents(firm) == left
    assert look(firm, folder) == Look()
    gone.write_text(LEASE + "\nPets are allowed.\n")
    look(firm, folder, times=2)
    assert documents(firm) == {"a.md": 2, "b.md": 1}


def test_a_file_that_one_look_misses_and_the_next_one_finds_keeps_its_document(
    firm: Firm, corpus: Corpus, home: Path
) -> None:
    folder = watch(firm, corpus, removes_missing=True)
    file, _ = write(home / "leases", ["a.md", "b.md"])
    look(firm, folder, times=2)
    for _ in range(2):
        file.rename(home / "away.md")
        assert look(firm, folder).missing == ("a.md",)
        (home / "away.md").rename(file)
        assert look(firm, folder).waiting == ("a.md",)

    assert documents(firm) == {"a.md": 1, "b.md": 1}


@pytest.mark.parametrize("n_files", [1, FEW, FEW + 3])
def test_a_share_that_is_not_mounted_removes_nothing_and_goes_on_when_it_is_back(
    n_files: int, firm: Firm, corpus: Corpus, home: Path
) -> None:
    folder, share = watch(firm, corpus, removes_missing=True), home / "leases"
    names = [f"{number}.md" for number in range(n_files)]
    write(share, names)
    look(firm, folder, times=2)
    share.rename(home / "disk")
    share.mkdir()

    for _ in range(2):
        problem = look(firm, folder, times=2).problem
        assert f"{n_files} of {n_files} documents are missing at once, so none was removed" in problem
        assert "Check that the folder is mounted" in problem
    share.rmdir()
    (home / "disk").rename(share)
    assert look(firm, folder, times=2).problem == ""
    assert documents(firm) == dict.fromkeys(names, 1)


@pytest.mark.parametrize(("n_files", "n_gone", "goes"), [(FEW, FEW - 1, True), (FEW + 1, 3, True), (FEW + 1, 4, False)])
def test_more_than_half_of_many_files_are_not_removed_at_once(
    n_files: int, n_gone: int, goes: bool, firm: Firm, corpus: Corpus, home: Path
) -> None:
    folder = watch(firm, corpus, removes_missing=True)
    files = write(home / "leases", (f"{number}.md" for number in range(n_files)))
    for _ in range(2):  # unread: nothing here asks what they say
        folder_look(organization=firm.organization, folder_id=folder.pk)
    for file in files[:n_gone]:
        file.unlink()

    done = look(firm, folder, times=2)

    assert (len(done.removed), bool(done.problem)) == ((n_gone, False) if goes else (0, True))
    assert len(documents_of_any_state(firm)) == n_files - len(done.removed)


def test_a_folder_that_a_person_has_tidied_up_by_hand_has_no_problem_any_more(
    firm: Firm, corpus: Corpus, home: Path
) -> None:
    folder = watch(firm, corpus, removes_missing=True)
    files = write(home / "leases", ["a.md", "b.md"])
    look(firm, folder, times=2)
    for file in files:
        file.unlink()
    assert look(firm, folder, times=2).problem
    for name in documents(firm):
        remove_document(firm, name)

    assert look(firm, folder) == Look()
    with organization_scope(firm.organization, user=firm.manager):
        document_upload(**firm.by_manager, corpus_id=corpus.pk, name="a.md", parts=[LEASE.encode()])
    assert look(firm, folder, times=2) == Look()
    assert documents_of_any_state(firm) == ["a.md"]


def test_a_document_stays_while_one_of_two_equal_files_is_there(firm: Firm, corpus: Corpus, home: Path) -> None:
    folder = watch(firm, corpus, removes_missing=True)
    write(home / "leases", ["other.md", "another.md"])
    first, second = home / "leases" / "a.md", home / "leases" / "b.md"
    for file in (first, second):
        file.write_text(LEASE)
    look(firm, folder, times=2)
    first.unlink()

    assert look(firm, folder, times=3) == Look()
    assert "a.md" in documents(firm)
    second.unlink()
    assert look(firm, folder, times=2).removed == ("a.md", "b.md")
    assert "a.md" not in documents(firm)


def test_a_document_stays_while_another_watched_folder_has_its_file(firm: Firm, corpus: Corpus, home: Path) -> None:
    (home / "copies").mkdir()
    ours, copies = watch(firm, corpus, removes_missing=True), watch(firm, corpus, "copies", removes_missing=True)
    [file, _] = write(home / "leases", ["a.md", "b.md"])
    [copy, _] = write(home / "copies", ["a.md", "c.md"])
    for folder in (ours, copies):
        look(firm, folder, times=2)
    file.unlink()

    assert look(firm, ours, times=3) == Look()
    assert documents(firm) == {"a.md": 1, "b.md": 1, "c.md": 1}
    copy.unlink()
    assert look(firm, copies, times=2).removed == ("a.md",)
    assert documents(firm) == {"b.md": 1, "c.md": 1}
