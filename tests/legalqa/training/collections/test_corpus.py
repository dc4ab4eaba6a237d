"""Corpora in memory search as the product does."""

import json
from pathlib import Path

import numpy as np
import pytest

from legalqa.common.errors import ApplicationError
from legalqa.encoder import client as encoder
from legalqa.training.collections.corpus import MemoryCorpus, rows

PASSAGES = (
    "The tenant shall pay the rent on the first day of each month.",
    "Either party may terminate the lease on three months' notice in writing.",
    "The landlord keeps the roof and the outer walls in repair.",
)


@pytest.fixture(scope="module")
def corpus() -> MemoryCorpus:
    return MemoryCorpus.build(PASSAGES)


def test_the_passage_that_answers_comes_first(corpus: MemoryCorpus) -> None:
    question = "How long is the notice to terminate the lease?"

    pool, fusion = corpus.pool(question, encoder.encoder().encode([question])[0])

    assert pool.ranking.hits[0].chunk_id == 1
    assert fusion.hits[0].chunk_id == 1


def test_a_passage_that_was_taken_out_is_not_found(corpus: MemoryCorpus) -> None:
    question = "How long is the notice to terminate the lease?"

    pool, fusion = corpus.pool(question, encoder.encoder().encode([question])[0], allowed=np.array([0, 2]))

    assert 1 not in {hit.chunk_id for ranking in (pool.ranking, fusion) for hit in ranking.hits}


def test_a_missing_collection_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ApplicationError, match="LEGALQA_DATA"):
        list(rows(tmp_path, "questions.jsonl"))


def test_rows_are_read_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "questions.jsonl").write_text("".join(json.dumps({"id": n}) + "\n" for n in range(3)))

    assert [row["id"] for row in rows(tmp_path, "questions.jsonl")] == [0, 1, 2]
