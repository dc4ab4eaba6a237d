"""Paragraph ids over versions of a document."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.alignment import Aligned, Incoming, Known, align, paragraph_hash


def known(hashes: str | Sequence[str], *, gone: str = "") -> list[Known]:
    """Ids old-0, old-1, … for the latest version; gone-x for paragraphs of older ones."""
    latest = [Known(f"old-{i}", letter, i) for i, letter in enumerate(hashes)]
    return latest + [Known(f"gone-{letter}", letter, None) for letter in gone]


def incoming(hashes: str | Sequence[str], *, per_page: int = 3) -> list[Incoming]:
    return [Incoming(letter, i // per_page + 1, i % per_page, i) for i, letter in enumerate(hashes)]


def aligned(old: str, new: str, *, gone: str = "", per_page: int = 3) -> tuple[Aligned, ...]:
    return align(known(old, gone=gone), incoming(new, per_page=per_page), doc_id="d")


def ids(old: str, new: str, *, gone: str = "") -> list[str]:
    return [paragraph.id for paragraph in aligned(old, new, gone=gone)]


def test_hash_is_twelve_hex_digits_of_the_text_without_its_line_breaks() -> None:
    assert paragraph_hash("§ 20-871\n  Requirements ") == paragraph_hash("§ 20-871 Requirements")
    assert paragraph_hash("§ 20-871 Requirements") != paragraph_hash("§ 20-870 Requirements")
    assert paragraph_hash("a") == "ca978112ca1b"


def test_first_version_gets_ids_of_page_index_and_hash() -> None:
    assert ids("", "abcd") == ["d::1::0::a", "d::1::1::b", "d::1::2::c", "d::2::0::d"]


def test_unchanged_version_keeps_every_id() -> None:
    assert {p.origin for p in aligned("abcabc", "abcabc")} == {"kept"}
    assert ids("abcabc", "abcabc") == [f"old-{i}" for i in range(6)]


def test_changed_paragraph_gets_a_new_id_and_the_others_keep_theirs() -> None:
    assert ids("abc", "aXc") == ["old-0", "d::1::1::X", "old-2"]


def test_insert_at_the_top_renames_nothing() -> None:
    assert ids("abc", "Xabc") == ["d::1::0::X", "old-0", "old-1", "old-2"]


def test_deletion_renames_nothing() -> None:
    assert ids("abcd", "acd") == ["old-0", "old-2", "old-3"]


def test_moved_paragraph_keeps_its_id() -> None:
    moved = aligned("abcde", "bcdea")

    assert [p.id for p in moved] == ["old-1", "old-2", "old-3", "old-4", "old-0"]
    assert [p.origin for p in moved] == ["kept", "kept", "kept", "kept", "moved"]


def test_reflow_over_pages_renames_nothing() -> None:
    assert [p.id for p in aligned("abcdef", "abcdef", per_page=1)] == [f"old-{i}" for i in range(6)]


def test_first_of_two_identical_paragraphs_deleted_leaves_the_second_its_id() -> None:
    assert ids("axbxc", "abxc") == ["old-0", "old-2", "old-3", "old-4"]


def test_second_of_two_identical_paragraphs_deleted_leaves_the_first_its_id() -> None:
    assert ids("axbxc", "axbc") == ["old-0", "old-1", "old-2", "old-4"]


def test_identical_paragraph_inserted_before_takes_a_new_id() -> None:
    assert ids("abxc", "xabxc") == ["d::1::0::x", "old-0", "old-1", "old-2", "old-3"]


def test_returning_paragraph_gets_its_old_id_back() -> None:
    returned = aligned("ac", "abc", gone="b")

    assert [p.id for p in returned] == ["old-0", "gone-b", "old-1"]
    assert returned[1].origin == "returned"


def test_moved_paragraph_is_preferred_to_a_returning_one() -> None:
    assert ids("abc", "bcaa", gone="a") == ["old-1", "old-2", "old-0", "gone-a"]


def test_new_id_avoids_every_id_that_is_taken() -> None:
    minted = align([Known(f"d::1::{index}::X", "y", None) for index in (0, 1)], incoming("X"), doc_id="d")

    assert minted == (Aligned(0, "d::1::2::X", "new"),)


def test_id_known_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="'old-0' occurs twice"):
        align([*known("a"), *known("b")], (), doc_id="d")


def test_result_is_in_reading_order_whatever_the_order_given() -> None:
    paragraphs = incoming("abc")[::-1]

    assert [p.ordinal for p in align(known("abc"), paragraphs, doc_id="d")] == [0, 1, 2]


def test_large_document_with_many_edits_keeps_every_surviving_id() -> None:
    random_source = random.Random(144)
    old = [paragraph_hash(str(i)) for i in range(5000)]
    survivors = [(i, h) for i, h in enumerate(old) if random_source.random() > 0.1]
    new = [(f"old-{i}", h) for i, h in survivors]
    for number in range(500):
        new.insert(random_source.randrange(len(new)), ("new", paragraph_hash(f"inserted {number}")))

    result = align(known(old), incoming([h for _, h in new]), doc_id="d")

    assert [p.id if p.origin == "kept" else p.origin for p in result] == [name for name, _ in new]


letters = st.text("abcdefgh", max_size=30)


@given(old=letters, new=letters, gone=st.sets(st.sampled_from("abcxyz")))
def test_no_id_is_given_twice_and_every_kept_id_has_the_same_text(old: str, new: str, gone: set[str]) -> None:
    everything = known(old, gone="".join(sorted(gone)))
    hash_of = {k.id: k.hash for k in everything}

    result = align(everything, incoming(new), doc_id="d")

    assert len({p.id for p in result}) == len(new)
    assert all((p.id not in hash_of) == (p.origin == "new") for p in result)
    assert all(hash_of[p.id] == letter for p, letter in zip(result, new, strict=True) if p.origin != "new")


@given(old=letters, new=letters)
def test_new_ids_are_given_only_when_all_equal_paragraphs_are_used(old: str, new: str) -> None:
    result = aligned(old, new)

    for letter in set(new):
        reused = sum(p.origin != "new" for p, n in zip(result, new, strict=True) if n == letter)
        assert reused == min(old.count(letter), new.count(letter))


@given(old=letters, new=letters)
def test_kept_paragraphs_keep_their_order(old: str, new: str) -> None:
    places = [int(p.id.removeprefix("old-")) for p in aligned(old, new) if p.origin == "kept"]

    assert places == sorted(places)
