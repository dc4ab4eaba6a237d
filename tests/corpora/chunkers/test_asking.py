"""Chunkers that ask a language model, with what it says given: where they cut, what they join, what silence leaves."""

from collections.abc import Sequence

import pytest

from corpora.chunkers import Decide, ParagraphText, chunker_build
from corpora.chunkers.perplexity import PerplexityChunker
from corpora.configs import ChunkerConfig, LumberChunking, MarginChunking, PerplexityChunking
from corpora.services.asking import margin_of, perplexity_of
from legalqa.llm.types import LLMReply, Outcome, Token
from tests.corpora.chunkers.documents import count_words, document, encode_words, text_of

SENTENCES = (
    "The rent is due monthly. ",
    "It is paid in advance. ",
    "The tenant may keep a dog. ",
    "Cats are allowed too. ",
)


def says(*values: float | None) -> Decide:
    """A model that says these, one after the other, of whatever it is asked."""
    left = list(values)

    def decide(groups: Sequence[tuple[str, ...]]) -> list[float | None]:
        return [left.pop(0) for _ in groups]

    return decide


def one_paragraph() -> tuple[ParagraphText, ...]:
    return document([("text", "".join(SENTENCES), ())])


def four_paragraphs() -> tuple[ParagraphText, ...]:
    return document([("text", sentence, ()) for sentence in SENTENCES])


def cut(paragraphs: Sequence[ParagraphText], config: ChunkerConfig, decide: Decide) -> list[str]:
    chunks = chunker_build(config, decide=decide).chunk(paragraphs, count_tokens=count_words, encode=encode_words)
    text = text_of(paragraphs)
    return [text[chunk.start : chunk.end] for chunk in chunks]


def joined(*places: int) -> str:
    return "".join(SENTENCES[place] for place in places).strip()


def test_a_sentence_that_a_model_would_split_off_begins_a_chunk_once_the_target_is_full() -> None:
    config = MarginChunking.model_construct(kind="margin.v1", threshold=0.0, size_tokens=12)

    assert cut(one_paragraph(), config, says(-0.8, 0.9, -0.2)) == [joined(0, 1), joined(2, 3)]


def test_pieces_are_joined_up_to_the_target_although_the_model_would_split_them() -> None:
    config = MarginChunking.model_construct(kind="margin.v1", threshold=0.0, size_tokens=16)

    assert cut(one_paragraph(), config, says(0.9, 0.9, 0.9)) == [joined(0, 1, 2), joined(3)]


def test_without_a_usable_reply_sentences_fill_the_target_and_nothing_is_lost() -> None:
    config = MarginChunking.model_construct(kind="margin.v1", threshold=0.0, size_tokens=12)

    assert cut(one_paragraph(), config, says(None, None, None)) == [joined(0, 1), joined(2, 3)]


def test_a_section_that_fits_into_one_chunk_is_not_asked_about() -> None:
    assert cut(one_paragraph(), MarginChunking(), says()) == [joined(0, 1, 2, 3)]


def test_a_group_of_paragraphs_ends_where_the_model_sees_the_content_change() -> None:
    config = LumberChunking.model_construct(kind="lumber.v1", size_tokens=16)

    assert cut(four_paragraphs(), config, says(2.0)) == [joined(0, 1), joined(2, 3)]


@pytest.mark.parametrize("reply", [None, 0.0, 7.0])
def test_a_group_without_a_usable_place_stays_whole(reply: float | None) -> None:
    config = LumberChunking.model_construct(kind="lumber.v1", size_tokens=16)

    assert cut(four_paragraphs(), config, says(reply)) == [joined(0, 1, 2), joined(3)]


@pytest.mark.parametrize(
    ("text", "likeliest", "margin"),
    [
        ("yes", (("yes", -0.2231436), ("no", -1.6094379)), 0.6),  # 0.8 and 0.2
        ("No.", (("No", -0.1053605), (" yes", -2.3025851)), -0.8),  # 0.9 and 0.1
        ("Yes", (), 1.0),
        ("no", (), -1.0),
        ("perhaps", (), None),
    ],
)
def test_the_margin_is_the_chance_of_yes_less_that_of_no(
    text: str, likeliest: tuple[tuple[str, float], ...], margin: float | None
) -> None:
    tops = (Token(text, likeliest),) if likeliest else ()

    found = margin_of(reply=LLMReply(Outcome.OK, text=text, tops=tops))

    assert found == (None if margin is None else pytest.approx(margin, abs=1e-6))


def test_a_piece_ends_behind_the_sentence_that_was_expected_most() -> None:
    """Perplexities of the second to the sixth sentence: 9, 2, 7, 6, 8: the third and the fifth are least."""
    chunker = PerplexityChunker(PerplexityChunking())

    assert chunker.splits([9.0, 2.0, 7.0, 6.0, 8.0]) == [3, 5]


@pytest.mark.parametrize(
    ("values", "starts"),
    [
        ([9.0, 6.0, 7.0], []),  # 3 and 1 below its neighbours: no more than the threshold on either side
        ([9.0, 5.0, 5.0], [3]),  # 4 below the one before, level with the next
        ([5.0, 5.0, 9.0], []),
        ([9.0, None, 9.0], []),
        ([9.0], []),
        ([], []),
    ],
)
def test_a_least_perplexity_counts_from_the_threshold_on(values: list[float | None], starts: list[int]) -> None:
    assert PerplexityChunker(PerplexityChunking(threshold=3.5)).splits(values) == starts


def test_by_perplexity_pieces_are_joined_up_to_the_target() -> None:
    config = PerplexityChunking.model_construct(kind="perplexity.v1", threshold=0.0, size_tokens=12)

    assert cut(one_paragraph(), config, says(9.0, 2.0, 9.0)) == [joined(0, 1), joined(2, 3)]


def test_the_perplexity_is_of_the_sentence_alone_given_the_text_before_it() -> None:
    tokens = (("The rent", -9.0), (" is due.", -9.0), (" It is", -1.0), (" paid.", -3.0))

    found = perplexity_of(reply=LLMReply(Outcome.OK, scored=tokens), sentence="It is paid.")

    assert found == pytest.approx(7.389056)  # e to the mean of 1 and 3
    assert perplexity_of(reply=LLMReply(Outcome.OK), sentence="It is paid.") is None
    assert perplexity_of(reply=LLMReply(Outcome.OK, scored=(("It is", -1.0),)), sentence="It is paid.") is None
