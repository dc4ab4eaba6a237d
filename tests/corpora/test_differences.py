"""Pairing the paragraphs of two versions, and marking the words of those that were reworded."""

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from corpora.alignment import Incoming, Known, align, paragraph_hash
from corpora.differences import PAGE_STEPS, Difference, VersionParagraph, Words, compare, counts, word_marks
from corpora.parsers.limits import Limits
from corpora.parsers.plain import plain_parse
from legalqa.common.work import Work

RENT = "The tenant pays a rent of 900 euros each month."
HIGHER = "The tenant pays a rent of 950 euros each month."
ROOF = "The landlord repairs the roof."
GARDEN = "The tenant keeps the garden in good order."
NOTICE = "Either party may end the lease by a notice of three months."


def version(*texts: str) -> list[VersionParagraph]:
    """Paragraphs whose id is that of their words, as ids are carried from version to version."""
    return [VersionParagraph(hash(text), ordinal, text) for ordinal, text in enumerate(texts)]


def changes(old: list[VersionParagraph], new: list[VersionParagraph]) -> tuple[Difference, ...]:
    return compare(old, new, work=Work(PAGE_STEPS))


def told(differences: tuple[Difference, ...]) -> list[tuple[str, str]]:
    return [(d.origin, (d.new or d.old or version("")[0]).text) for d in differences if d.origin != "same"]


def test_a_reworded_paragraph_is_changed_and_not_removed_and_added() -> None:
    [difference] = [d for d in changes(version(RENT, ROOF), version(HIGHER, ROOF)) if d.origin != "same"]

    assert (difference.origin, difference.old, difference.new) == ("changed", version(RENT)[0], version(HIGHER)[0])
    assert [(w.mark, w.text) for w in difference.words if w.mark != "kept"] == [("removed", "900"), ("added", "950")]


def test_added_and_removed_paragraphs_are_where_they_were() -> None:
    found = changes(version(RENT, GARDEN, NOTICE), version(RENT, ROOF, NOTICE))

    assert sorted(told(found)) == [("added", ROOF), ("removed", GARDEN)]
    assert found[0].origin == found[-1].origin == "same"


def test_a_paragraph_that_is_elsewhere_is_moved_and_the_others_stay() -> None:
    found = changes(version(RENT, ROOF, GARDEN, NOTICE), version(NOTICE, RENT, ROOF, GARDEN))

    assert told(found) == [("moved", NOTICE)]
    assert counts(found) == {"same": 3, "moved": 1, "changed": 0, "added": 0, "removed": 0}


def test_two_reworded_neighbours_are_paired_by_their_likeness() -> None:
    new = [f"{text} This is agreed." for text in (ROOF, NOTICE)]
    found = changes(version(GARDEN, ROOF, NOTICE), version(*new))

    assert [(d.origin, (d.old or d.new).text) for d in found] == [  # type: ignore[union-attr]  # one of them is there
        ("removed", GARDEN),
        ("changed", ROOF),
        ("changed", NOTICE),
    ]


texts = st.lists(st.sampled_from([RENT, HIGHER, ROOF, GARDEN, NOTICE, "One.", "Two.", "Three."]), unique=True)


@given(before=texts, after=texts)
def test_every_paragraph_of_either_version_is_told_once(before: list[str], after: list[str]) -> None:
    found = changes(version(*before), version(*after))

    assert [d.new.text for d in found if d.new] == after
    assert sorted(d.old.text for d in found if d.old) == sorted(before)
    assert all(d.old.text == d.new.text for d in found if d.origin in ("same", "moved") and d.old and d.new)


@given(before=texts)
def test_a_version_does_not_differ_from_itself(before: list[str]) -> None:
    assert {d.origin for d in changes(version(*before), version(*before))} <= {"same"}


@given(before=st.text("ab. ", max_size=60), after=st.text("ab. ", max_size=60))
def test_the_marked_words_give_back_both_texts(before: str, after: str) -> None:
    marks = word_marks(before, after, work=Work(PAGE_STEPS))
    assert marks is not None

    assert "".join(w.text for w in marks if w.mark != "added") == " ".join(before.split())
    assert "".join(w.text for w in marks if w.mark != "removed") == " ".join(after.split())


LINES = (
    RENT,
    ROOF,
    NOTICE,
    "1. Rent",
    "(a) in writing;",
    "- by mail",
    "Pets",
    "12",
    "A   B   C",
    "Signed in London, 1 May",
)


def read(text: str, known: list[Known]) -> tuple[list[VersionParagraph], list[Known]]:
    """The paragraphs of a text file with the ids that they have or are given, and what the next version knows."""
    parsed = plain_parse(text.encode(), name="lease.txt", limits=Limits())
    texts = [parsed.text[span.start : span.end] for span in parsed.paragraphs]
    incoming = [Incoming(paragraph_hash(words), 1, place, place) for place, words in enumerate(texts)]
    aligned = align(known, incoming, doc_id="lease")
    paragraphs = [VersionParagraph(int(a.id.encode().hex(), 16), a.ordinal, texts[a.ordinal]) for a in aligned]
    return paragraphs, [Known(a.id, incoming[a.ordinal].hash, a.ordinal) for a in aligned]


@given(
    lines=st.lists(st.sampled_from(LINES), min_size=1, max_size=8),
    breaks=st.lists(st.sampled_from(["\n", "\n\n", "\r\n", "\n    "]), min_size=8, max_size=8),
    last=st.sampled_from(LINES),
    end=st.sampled_from(["", "\n"]),
)
def test_a_line_added_at_the_end_of_a_text_is_told_however_it_is_set(
    lines: list[str], breaks: list[str], last: str, end: str
) -> None:
    text = "".join(line + after for line, after in zip(lines, breaks, strict=False))
    old, known = read(text.rstrip() + end, [])
    new, _ = read(text + last + end, known)

    told_words: Counter[str] = Counter()
    for difference in changes(old, new):
        if difference.origin == "added" and difference.new:
            told_words.update(difference.new.text.split())
        told_words.update(word for run in difference.words if run.mark == "added" for word in run.text.split())
    assert {word.strip("|;.") for word in last.split()} <= {word.strip("|;.") for word in told_words}


def hostile(*, seed: int) -> list[VersionParagraph]:
    """A version of 120 long paragraphs of three words in any order: every one differs in most places."""
    draw = random.Random(seed)
    return [
        VersionParagraph(seed * 1000 + n, n, f"Clause {n} says " + " ".join(draw.choices(["the", "of", "and"], k=1500)))
        for n in range(120)
    ]


def test_two_versions_made_to_be_slow_are_compared_within_the_budget_and_nothing_is_lost() -> None:
    old, new, work = hostile(seed=1), hostile(seed=2), Work(PAGE_STEPS)
    found = compare(old, new, work=work)

    assert work.is_spent
    assert 0 <= work.left < PAGE_STEPS
    assert [d.new for d in found if d.new] == new
    assert [d.old for d in found if d.old] == old
    assert {d.origin for d in found} == {"changed", "added", "removed"}
    assert all(bool(d.words) == (d.origin == "changed") for d in found)


def test_who_has_no_budget_sees_a_reworded_paragraph_as_removed_and_added() -> None:
    found = compare(version(RENT, ROOF), version(HIGHER, ROOF), work=Work(0))

    assert sorted(told(found)) == [("added", HIGHER), ("removed", RENT)]


def test_versions_are_counted_without_marking_their_words() -> None:
    work = Work(PAGE_STEPS)
    found = compare(hostile(seed=1), hostile(seed=2), work=work, with_words=False)

    assert counts(found) == {"same": 0, "moved": 0, "changed": 120, "added": 0, "removed": 0}
    assert not work.is_spent


def test_what_was_removed_is_told_before_what_was_added() -> None:
    assert word_marks("pays 900 euros", "pays 950 euros", work=Work(100)) == (
        Words("kept", "pays "),
        Words("removed", "900"),
        Words("added", "950"),
        Words("kept", " euros"),
    )


def test_a_paragraph_in_which_every_other_word_changed_is_shown_as_removed_and_added() -> None:
    old = " ".join(f"kept{n} old{n}" for n in range(200))
    new = " ".join(f"kept{n} new{n}" for n in range(200))

    assert word_marks(old, new, work=Work(PAGE_STEPS)) == (Words("removed", old), Words("added", new))
