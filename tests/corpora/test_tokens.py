"""Terms of statutes, amounts and words."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.tokens import term_counts_unpack, term_ids, term_ids_unpack, terms_and_counts, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("§ 20-871", ["§20-871", "20-871", "section"]),
        ("s. 12(3)", ["§12(3)", "§12", "12(3)", "12", "section"]),
        ("Article 5(1)(a)", ["art5(1)(a)", "art5(1)", "art5", "5(1)(a)", "5", "articl"]),
        ("12(3)", ["12(3)", "12"]),
        ("2%", ["2%", "2"]),
        ("$500", ["$500", "500"]),
        ("1,500", ["1500"]),
        ("$1,500.00", ["$1500", "1500"]),
        ("10 business days", ["10", "busi", "day"]),
        ("cross-border", ["crossbord", "cross", "border"]),
        ("the employer's audits", ["employ", "audit"]),
        ("29 C.F.R. § 1607.4.", ["29", "cfr", "§1607.4", "1607.4", "section"]),
        ("2023-07-05", ["2023-07-05", "2023"]),
        ("10-K", ["10k", "10", "k"]),
        ("shall not", ["shall", "not"]),
        ("", []),
    ],
)
def test_text_has_these_terms(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("§ 20-871", "section 20-871"),
        ("s. 12(3)", "Section 12 (3)"),
        ("Art. 5(1)", "article 5(1)"),
        ("1,500", "1500"),
        ("2 percent", "2%"),
        ("the employer’s duty", "the employer's duty"),
        ("20–871", "20-871"),
        ("ﬁnancial re\u00adport", "financial report"),
        ("U.S.C.", "USC"),
    ],
)
def test_spellings_of_one_thing_have_the_same_terms(one: str, other: str) -> None:
    assert tokens(one) == tokens(other)


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("20-871", "under § 20-871 of the code"),
        ("crossborder", "cross-border transfer"),
        ("cross border", "a cross-border transfer"),
        ("section 12", "see s. 12(3)(a)"),
        ("fined 500", "a penalty of $500"),
        ("audit", "the auditing of tools"),
        ("Act", "the Act² applies"),
    ],
)
def test_question_finds_another_spelling(question: str, passage: str) -> None:
    assert set(tokens(question)) & set(tokens(passage))


def test_languages_have_their_own_stems_and_stop_words() -> None:
    assert tokens("l’article de la loi", language="fr") == ["articl", "loi"]
    assert tokens("die Häuser", language="german") == ["haus"]
    assert tokens("az épületek", language="hu") == ["az", "épület"]


def test_unknown_language_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"no stemmer for the language 'klingon'.*english"):
        tokens("x", language="klingon")


def test_term_id_is_the_blake2b_digest_of_the_term() -> None:
    digest = hashlib.blake2b("§20-871".encode(), digest_size=8).digest()

    assert term_ids(["§20-871"]).tolist() == [int.from_bytes(digest, "little", signed=True)]


def test_counts_are_beside_sorted_distinct_ids() -> None:
    terms = terms_and_counts("audit the audits, bias audit")

    assert terms.length == 4
    assert dict(zip(terms.ids.tolist(), terms.counts.tolist(), strict=True)) == {
        int(term_ids(["audit"])[0]): 3,
        int(term_ids(["bias"])[0]): 1,
    }


def test_counts_above_the_storable_are_clipped_and_the_length_is_not() -> None:
    terms = terms_and_counts("audit " * 70_000)

    assert (terms.counts.tolist(), terms.length) == ([65_535], 70_000)


@given(st.text(max_size=200) | st.text("§ 12(a)-%$,.'’sArt", max_size=60))
def test_any_text_survives_packing(text: str) -> None:
    terms = terms_and_counts(text)

    assert np.array_equal(term_ids_unpack(terms.ids_bytes()), terms.ids)
    assert np.array_equal(term_counts_unpack(terms.counts_bytes()), terms.counts)
    assert terms.ids.tolist() == sorted(set(terms.ids.tolist()))
    assert terms.length == len(tokens(text)) == terms.counts.sum()
