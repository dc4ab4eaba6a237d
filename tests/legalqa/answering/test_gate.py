"""The gate: what it sees of a question and the sentences found, and when it opens."""

from collections.abc import Sequence

import numpy as np
import pytest

from corpora.tokens import tokens
from legalqa.answering.extraction import candidate_sentences, question_parts, score_sentences
from legalqa.answering.gate import NAMES, Decision, GateModel, gate_features, gate_load, subject_words, words_said
from legalqa.answering.types import QuestionTerms, ReadPassage
from legalqa.encoder import client as encoder
from retrieval.rerankers.model import ModelError

RULE = (
    "A bias audit must have been conducted no more than one year before the tool is used. "
    "Any person that violates any provision of this subchapter is liable for a civil penalty of not more than $500 for "
    "a first violation. Notices must be given at least ten business days before use of the tool."
)


def tokenise(text: str) -> Sequence[str]:
    return tokens(text, language="english")


def measured(text: str, passage: str = RULE) -> dict[str, float]:
    weights = dict.fromkeys(tokenise(text), 1.0)
    shared = encoder.encoder()
    parts = question_parts(text)
    found = candidate_sentences([ReadPassage(passage, "", 0)], question=QuestionTerms(weights), tokenise=tokenise)
    ranked = score_sentences(found, parts=parts, encode=shared.encode)
    values = gate_features(
        text,
        parts,
        ranked,
        tokenise=tokenise,
        encode_tokens=shared.encode_tokens,
        offsets=lambda words: encoder.token_offsets([words])[0],
    )
    return dict(zip(NAMES, values.tolist(), strict=True))


def chance(text: str) -> float:
    return float(gate_load().chances(np.array([list(measured(text).values())]))[0])


def test_a_question_that_the_words_answer_is_likelier_than_one_on_the_same_matter_that_they_do_not() -> None:
    answered = chance("What is the civil penalty for a first violation?")
    unsaid = chance("Which accredited firms has the city approved for a bias audit?")

    assert answered > gate_load().threshold > unsaid


def test_words_said_in_one_sentence_count_for_more_than_words_said_in_several() -> None:
    across = measured("Which penalty follows an audit ten days late?")

    assert across["said_together"] < across["said_at_all"]


def test_a_question_of_several_parts_is_judged_by_the_part_that_comes_off_best() -> None:
    alone = measured("What is the civil penalty for a first violation?")
    both = measured("Which countries have ratified the treaty, and what is the civil penalty for a first violation?")

    assert both["said_together"] > 0.8 * alone["said_together"]


def test_nothing_found_says_nothing_and_keeps_the_gate_shut() -> None:
    assert list(measured("What is the civil penalty?", "Too short.").values()) == [0.0] * len(NAMES)
    assert not Decision(0.0, gate_load().threshold).is_open


def test_scaffolding_and_stop_words_are_no_subject() -> None:
    text = "What is the civil penalty for a first violation?"

    assert [text[w.start : w.end] for w in subject_words(text, tokenise=tokenise)] == ["civil", "penalty", "violation"]


def test_a_word_beyond_what_the_encoder_reads_counts_as_unsaid() -> None:
    text = "notice " * 400 + "penalty"
    words = subject_words(text, tokenise=tokenise)
    question, sentence = encoder.encoder().encode_tokens([text, "The penalty is small."])
    said = words_said(question, encoder.token_offsets([text])[0], words, sentence)

    assert len(question) == encoder.WINDOW_TOKENS
    assert said[0] > 0 and said[-1] == 0


def test_a_better_fit_never_makes_an_answer_less_likely() -> None:
    assert (gate_load().odds.weights >= 0).all()


def test_a_model_of_other_features_is_refused() -> None:
    data = gate_load().as_mapping() | {"features": ["cosine"]}

    with pytest.raises(ModelError, match="ranker train"):
        GateModel.read(data)
