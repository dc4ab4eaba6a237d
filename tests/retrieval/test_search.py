"""Searching a real opinion: word search and meaning search against brute force, filters, the index."""

import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext

from corpora.hnsw import index_build, index_is_ready, index_name
from corpora.models import Chunk, Corpus, Embedding, Position
from corpora.services import document_remove
from corpora.tokens import tokens
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, NotFound
from legalqa.encoder import client as encoder
from legalqa.encoder.client import EncoderDown
from retrieval.indexes.cache import matrix_current
from retrieval.pipelines import rewriting
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.rerankers import scoring
from retrieval.rerankers.scoring import scores_ask
from retrieval.retrievers import Bm25, Dense
from retrieval.rewriters import by_rules
from retrieval.scores import READER, Scored, Scores
from retrieval.services.search import MAX_QUERY_CHARS, SearchResult, corpus_search
from retrieval.stages import Resources
from retrieval.types import Filters, Query, Ranking
from tests.committed import committed_fixture
from tests.ingestion import Ingested, ingest, make_corpus
from tests.people import Firm, make_firm

pytestmark = pytest.mark.django_db  # what a test changes of the shared rows is rolled back

PDF = Path(__file__).parents[1] / "data" / "pdfs" / "scotus_slip_opinion_2012.pdf"
SMALL_CHUNKS: dict[str, object] = {"kind": "recursive.v1", "size_chars": 220, "overlap_chars": 20}
QUERIES = (
    "What did the Court of Appeals hold?",
    "burden of proof on the petitioner",
    "the statute of limitations and when it begins to run",
    "dissenting opinion of a Justice",
    "ineffective assistance of counsel",
    "the judgment is reversed and the case remanded",
)
HANDBOOK = (
    "# Handbook\n\n## Leave\n\nEmployees take thirty days of leave a year.\n\n"
    "## Sickness\n\nWho falls ill tells the office before ten in the morning.\n"
)


@dataclass(frozen=True)
class Library:
    """A corpus of about 300 chunks with a handbook beside the opinion, and a small corpus of somebody else."""

    firm: Firm
    corpus: Corpus
    opinion: Ingested
    handbook: Ingested
    other_firm: Firm
    other_corpus: Corpus


def make_library() -> Library:
    firm, other = make_firm("harding", "Harding & Stone"), make_firm("rivals", "Rival Chambers")
    corpus, other_corpus = make_corpus(firm, chunker=SMALL_CHUNKS), make_corpus(other)
    opinion = ingest(firm, corpus, "opinion.pdf", PDF.read_bytes())
    handbook = ingest(firm, corpus, "handbook.md", HANDBOOK)
    ingest(other, other_corpus, "handbook.md", HANDBOOK)
    index_build(corpus=corpus)
    connections["owner"].close()
    return Library(firm, corpus, opinion, handbook, other, other_corpus)


library = committed_fixture(make_library)


def find(library: Library, text: str, preset: str = "fixed-10", filters: Filters | None = None, **settings: str) -> Any:
    return corpus_search(
        request=SearchRequest(
            **library.firm.by_lawyer,
            corpus_id=library.corpus.pk,
            text=text,
            preset=preset_get(preset, {key.replace("__", "."): value for key, value in settings.items()}),
            filters=filters or Filters(),
        )
    )


def live_texts(corpus: Corpus) -> dict[int, list[str]]:
    """Index terms of every live chunk, heading included, read from the rows themselves."""
    chunks = Chunk.objects.filter(corpus=corpus, is_live=True)
    return {c.pk: tokens(f"{c.heading}\n{c.text}", language=corpus.language) for c in chunks}


def brute_force_bm25(texts: dict[int, list[str]], text: str, *, k1: float = 1.2, b: float = 0.75) -> dict[int, float]:
    average = sum(map(len, texts.values())) / len(texts)
    df = Counter(term for words in texts.values() for term in set(words))
    scores = {}
    for pk, words in texts.items():
        counts, score = Counter(words), 0.0
        for term in set(tokens(text)) & set(words):
            idf = math.log(1 + (len(texts) - df[term] + 0.5) / (df[term] + 0.5))
            score += idf * counts[term] * (k1 + 1) / (counts[term] + k1 * (1 - b + b * len(words) / average))
        if score > 0:
            scores[pk] = score
    return scores


def assert_words_rank_as_by_hand(library: Library) -> None:
    texts = live_texts(library.corpus)
    resources = Resources(now(library.corpus), None, None)
    for query in QUERIES:
        expected = brute_force_bm25(texts, query)
        ranking = Bm25(top_k=100).search(Query(query), resources)
        assert {hit.chunk_id: hit.score for hit in ranking.hits} == pytest.approx(
            dict(sorted(expected.items(), key=lambda kv: (-round(kv[1], 9), kv[0]))[:100])
        )


def inside(firm: Firm, user: User | None = None) -> Any:
    return organization_scope(firm.organization, user=user or firm.lawyer)


def test_the_corpus_has_some_three_hundred_chunks(library: Library) -> None:
    with inside(library.firm):
        assert 200 <= Chunk.objects.filter(corpus=library.corpus, is_live=True).count() <= 600


def test_word_search_equals_brute_force_over_the_rows(library: Library) -> None:
    with inside(library.firm):
        assert_words_rank_as_by_hand(library)


def test_word_search_equals_brute_force_after_every_change(library: Library) -> None:
    ingest(library.firm, library.corpus, "more.md", "# More\n\nThe burden of proof lies on the petitioner alone.\n")
    with inside(library.firm):
        assert_words_rank_as_by_hand(library)
    ingest(library.firm, library.corpus, "more.md", "# More\n\nThe burden of proof lies on the Court of Appeals.\n")
    with inside(library.firm):
        assert_words_rank_as_by_hand(library)
    with inside(library.firm, library.firm.manager):
        document_remove(**library.firm.by_manager, document_id=library.handbook.document.pk)
    with inside(library.firm):
        assert_words_rank_as_by_hand(library)


def test_the_matrix_is_the_same_object_until_something_changes(library: Library) -> None:
    with inside(library.firm):
        first = matrix_current(corpus=now(library.corpus))
        assert matrix_current(corpus=now(library.corpus)) is first
    ingest(library.firm, library.corpus, "more.md", "# More\n\nA few words more.\n")
    with inside(library.firm):
        assert len(matrix_current(corpus=now(library.corpus)).chunk_ids) == len(first.chunk_ids) + 1


def now(corpus: Corpus) -> Corpus:
    return Corpus.objects.get(pk=corpus.pk)


def dense(corpus: Corpus, vector: Any, *, k: int) -> Ranking:
    return Dense(top_k=k).search(Query("by its vector"), Resources(now(corpus), vector, None))


def exact(library: Library, vector: Any, k: int) -> list[int]:
    """The k best chunks by cosine, computed outside the database."""
    best: dict[int, float] = {}
    rows = Embedding.objects.filter(corpus=library.corpus, encoder=encoder.NAME, is_live=True)
    for chunk_id, stored in rows.values_list("chunk_id", "vector"):
        best[chunk_id] = max(best.get(chunk_id, -2.0), float(np.dot(np.asarray(stored), vector)))
    return sorted(best, key=lambda pk: (-round(best[pk], 6), pk))[:k]


def test_meaning_search_equals_a_scan_in_numpy(library: Library) -> None:
    vectors = encoder.encoder().encode(QUERIES)
    with inside(library.firm):
        for vector in vectors:
            ranking = dense(library.corpus, vector, k=20)
            assert {h.chunk_id for h in ranking.hits[:10]} == set(exact(library, vector, 10))
            assert [hit.rank for hit in ranking.hits] == list(range(1, 21))


def test_above_the_limit_the_index_answers_nearly_as_exactly(library: Library, settings: Any) -> None:
    settings.EXACT_SEARCH_MAX = 10
    vectors = encoder.encoder().encode(QUERIES)
    found = wanted = 0
    with inside(library.firm):
        assert index_is_ready(corpus=library.corpus)
        for vector in vectors:
            ranking = dense(library.corpus, vector, k=10)
            best = exact(library, vector, 10)
            found += len(set(best) & {hit.chunk_id for hit in ranking.hits})
            wanted += len(best)

    assert found / wanted >= 0.95


def test_the_index_is_used_and_covers_its_corpus_only(library: Library, settings: Any) -> None:
    settings.EXACT_SEARCH_MAX = 10
    vector = encoder.encoder().encode(["leave"])[0]
    with inside(library.firm), connections["default"].cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = %s", [index_name(library.corpus)])
        (definition,) = cursor.fetchone()
        with CaptureQueriesContext(connections["default"]) as asked:
            dense(library.corpus, vector, k=5)

    assert "hnsw" in definition
    assert str(library.corpus.pk) in definition
    assert any("hnsw.ef_search" in query["sql"] for query in asked)


def test_a_small_corpus_of_another_organisation_is_complete_beside_the_index(library: Library, settings: Any) -> None:
    settings.EXACT_SEARCH_MAX = 1
    vector = encoder.encoder().encode(["days of leave"])[0]
    with inside(library.other_firm):
        chunks = set(Chunk.objects.filter(corpus=library.other_corpus, is_live=True).values_list("pk", flat=True))
        ranking = dense(library.other_corpus, vector, k=50)

    assert {hit.chunk_id for hit in ranking.hits} == chunks
    assert len(chunks) >= 2


def test_after_a_change_the_index_finds_the_new_and_not_the_old(library: Library, settings: Any) -> None:
    settings.EXACT_SEARCH_MAX = 10
    ingest(library.firm, library.corpus, "handbook.md", HANDBOOK.replace("thirty", "forty"))
    found = find(library, "How many days of leave do employees take?", "naive")

    assert "forty" in found.passages[0].text
    assert not any("thirty days" in passage.text for passage in found.passages)


class TestFilters:
    def test_a_document_that_is_chosen_is_the_only_one_searched(self, library: Library) -> None:
        only = Filters.parse({"document_ids": [str(library.handbook.document.pk)]})
        found: SearchResult = find(library, QUERIES[0], filters=only)

        assert {p.document.pk for p in found.passages} == {library.handbook.document.pk}

    def test_only_files_of_the_chosen_kind_are_searched(self, library: Library) -> None:
        for kind in ("pdf", "markdown"):
            found = find(library, QUERIES[0], filters=Filters.parse({"kinds": [kind]}))
            assert {p.kind for p in found.passages} == {kind}

    def test_a_heading_in_any_case(self, library: Library) -> None:
        found = find(library, "who tells whom", filters=Filters.parse({"heading": "SICK"}))

        assert {p.heading.rsplit(" › ", 1)[-1] for p in found.passages} == {"Sickness"}

    def test_an_excluded_paragraph_is_left_out_and_its_neighbours_stay(self, library: Library) -> None:
        first = find(library, QUERIES[0])
        without = find(
            library, QUERIES[0], filters=Filters.parse({"excluded_paragraph_ids": [first.passages[0].paragraph_id]})
        )

        assert first.passages[0].paragraph_id not in {p.paragraph_id for p in without.passages}
        assert {p.paragraph_id for p in first.passages[1:]} <= {p.paragraph_id for p in without.passages}

    def test_a_chunk_of_excluded_paragraphs_takes_no_other_ones_place(self, library: Library) -> None:
        first = find(library, QUERIES[0], "fixed-3", k="1")
        excluded = [p.paragraph_id for p in first.passages]
        without = find(
            library, QUERIES[0], "fixed-3", k="1", filters=Filters.parse({"excluded_paragraph_ids": excluded})
        )

        assert without.passages
        assert not {p.paragraph_id for p in without.passages} & set(excluded)

    def test_a_date_leaves_out_what_has_none(self, library: Library) -> None:
        assert find(library, QUERIES[0], filters=Filters.parse({"date_from": "2020-01-01"})).passages == ()

    def test_conditions_that_exclude_each_other_find_nothing(self, library: Library) -> None:
        wanted = {"document_ids": [str(library.handbook.document.pk)], "kinds": ["pdf"]}

        assert find(library, QUERIES[0], filters=Filters.parse(wanted)).passages == ()


@pytest.mark.parametrize(
    "preset", ["naive", "fixed-3", "fixed-5", "fixed-7", "fixed-10", "cited-or-silent", "multi-hop"]
)
def test_every_preset_ranks_paragraphs_once_and_from_one(preset: str, library: Library) -> None:
    found = find(library, "How many days of leave do employees take?", preset)

    assert [p.rank for p in found.passages] == list(range(1, len(found.passages) + 1))
    assert len({p.paragraph_id for p in found.passages}) == len(found.passages) > 0
    assert [p.score for p in found.passages] == sorted((p.score for p in found.passages), reverse=True)
    assert "thirty days" in found.passages[0].text
    assert all(p.position.kind != "heading" and p.parts for p in found.passages)


def test_a_question_that_is_not_rewritten_looks_its_corpus_up_once(library: Library) -> None:
    find(library, "days of leave")  # reads the vectors, which cannot be done while queries are written down
    with CaptureQueriesContext(connections["default"]) as asked:
        find(library, "days of leave")

    assert sum('FROM "corpora_corpus"' in query["sql"] for query in asked) == 1


def test_a_judged_search_keeps_what_the_reader_says_answers(library: Library) -> None:
    found = find(library, "How many days of leave do employees take?", second="bm25", master__k="3", master__rounds="2")
    steps = {timed.stage: timed for timed in found.times}

    assert "thirty days" in found.passages[0].text
    assert all((dict(p.parts)["master.score"]) >= 0.05 for p in found.passages)
    assert "passages kept in" in steps["master.v1"].note
    # Three judged at first, of which one or two were dropped: as many more as were kept, and three.
    first, more = (timed.n_hits for timed in found.times if timed.stage == "read-call")
    assert first == 3
    assert 4 <= more <= 5


def test_where_nothing_answers_the_second_search_is_used_and_the_trace_says_so(library: Library) -> None:
    found = find(library, "How many days of leave do employees take?", second="bm25", master__relevant_from="1")
    note = next(timed.note for timed in found.times if timed.stage == "master.v1")

    assert note.endswith("passages answers. The second search was used instead.")
    assert all("bm25.rank" in dict(p.parts) for p in found.passages)
    assert not any("dense.rank" in dict(p.parts) for p in found.passages)


def test_a_reader_that_does_not_answer_is_waited_for_once(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[int] = []

    def away(pairs: list[Any], *, is_urgent: bool) -> Any:
        waits.append(len(pairs))
        raise EncoderDown

    monkeypatch.setattr(scoring, "reading", away)  # counts how often the reader is asked
    scores = Scores()
    for question in ("How much leave is there?", "Who approves it?"):
        scores.of(question, ["Thirty days."], by=READER)
    scores_ask(**library.firm.by_lawyer, scores=scores)

    assert waits == [1]
    for question in ("How much leave is there?", "Who approves it?"):
        scored = scores.of(question, ["Thirty days."], by=READER)
        assert scored == Scored((), "The reader does not answer, so passages cannot be judged.")


def test_where_the_encoder_is_away_the_second_search_is_used_and_without_one_nothing_is_said_to_be_found(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(texts: object, by: object) -> Any:
        raise EncoderDown

    monkeypatch.setattr(rewriting, "queries_encoded", away)  # the shared encoder process cannot be stopped
    monkeypatch.setattr(by_rules, "queries_encoded", away)  # likewise
    found = find(library, "How many days of leave do employees take?", "cited-or-silent", second="bm25")

    assert "thirty days" in found.passages[0].text
    note = next(timed.note for timed in found.times if timed.stage == "master.v1")
    assert note == "The encoder does not answer. The second search was used instead."
    with pytest.raises(EncoderDown):
        find(library, "How many days of leave do employees take?", "cited-or-silent")
    with pytest.raises(EncoderDown):
        find(library, "How many days of leave do employees take?", "cited-or-silent", second="dense")


def test_the_same_search_twice_is_the_same(library: Library) -> None:
    one, two = find(library, QUERIES[1]), find(library, QUERIES[1])

    assert [(p.paragraph_id, p.score) for p in one.passages] == [(p.paragraph_id, p.score) for p in two.passages]


def test_paragraphs_slice_out_of_the_text_of_their_version(library: Library) -> None:
    with inside(library.firm):
        positions = list(Position.objects.filter(version=library.opinion.version).select_related("paragraph"))

    assert all(library.opinion.version.text[p.start : p.end] == p.paragraph.text for p in positions)


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_an_empty_query_is_refused(text: str, library: Library) -> None:
    with pytest.raises(ApplicationError) as refused:
        find(library, text)
    assert refused.value.code == "empty_question"


def test_a_query_may_have_four_thousand_characters_and_no_more(library: Library) -> None:
    assert find(library, "leave " * (MAX_QUERY_CHARS // 6)).passages
    with pytest.raises(ApplicationError) as refused:
        find(library, "x" * 20_000)
    assert refused.value.code == "question_too_long"
    assert "20,000" in refused.value.message


@pytest.mark.parametrize("text", ["\ud800 half", "leave \udfff", "lea\x00ve", "\x00"])
def test_what_cannot_be_stored_is_refused(text: str, library: Library) -> None:
    with pytest.raises(ApplicationError) as refused:
        find(library, text)
    assert refused.value.code == "unstorable_character"


def test_a_corpus_of_others_is_not_found(library: Library) -> None:
    with pytest.raises(NotFound):
        corpus_search(
            request=SearchRequest(
                **library.firm.by_lawyer, corpus_id=library.other_corpus.pk, text="leave", preset=preset_get("naive")
            )
        )
