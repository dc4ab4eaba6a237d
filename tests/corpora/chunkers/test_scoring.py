"""Chunks by perplexity, with a provider that scores prompts: where they end by hand, and nothing asked twice."""

import pytest
from pytest_django import Settings

from corpora.chunkers import chunker_build
from corpora.configs import PerplexityChunking
from corpora.services.asking import decider_make
from legalqa.llm.types import Role
from tests.corpora.chunkers.documents import count_words, document, encode_words, text_of
from tests.ingestion import make_corpus
from tests.legalqa.llm.setting_up import set_up
from tests.people import Firm
from tests.provider import ScriptedProvider, Wire, completion

pytestmark = pytest.mark.django_db
SENTENCES = (
    "The rent is due monthly.",
    "It is paid in advance.",
    "The tenant may keep a dog.",
    "Cats are allowed too.",
)
SURPRISE = dict(zip(SENTENCES, (1.0, 3.0, 0.5, 2.0), strict=True))  # nats a token, the first one coming a second time


def scores(wire: Wire) -> None:
    """Every token of the sentence is as surprising as said; those before it are not looked at."""
    text = wire.asked.text
    sentence = next(one for one in SENTENCES if text.endswith(one))
    tokens = [(text.removesuffix(sentence), -30.0), *((sign, -SURPRISE[sentence]) for sign in sentence)]
    places = [None, *({"1": {"decoded_token": said, "logprob": chance}} for said, chance in tokens)]
    wire.document(completion("x", "length") | {"prompt_logprobs": places})


def test_a_chunk_ends_behind_the_sentence_that_the_model_expected_most(
    firm: Firm, settings: Settings, scripted_provider: ScriptedProvider
) -> None:
    settings.LLM_ADDRESSES = [scripted_provider.url]
    set_up(firm, scripted_provider.url, role=Role.REWRITE)
    corpus = make_corpus(firm)
    scripted_provider.always = scores
    paragraphs = document([("text", " ".join((*SENTENCES, SENTENCES[0])), ())])
    decide = decider_make(organization_id=firm.organization.pk, corpus_id=corpus.pk, kind="perplexity.v1")
    config = PerplexityChunking.model_construct(kind="perplexity.v1", threshold=0.0, size_tokens=20)

    chunker = chunker_build(config, decide=decide)
    first = chunker.chunk(paragraphs, count_tokens=count_words, encode=encode_words)
    again = chunker.chunk(paragraphs, count_tokens=count_words, encode=encode_words)

    # e to the 3, 0.5, 2 and 1: the third sentence is the one below both of its neighbours.
    text = text_of(paragraphs)
    assert [text[chunk.start : chunk.end].endswith(SENTENCES[2]) for chunk in first] == [True, False]
    assert again == first
    assert len(scripted_provider.asked) == 4
