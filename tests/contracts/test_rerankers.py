"""What every reranker keeps: the same hits, its depth, the earlier parts; and that a failed one leaves the order."""

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from corpora.models import Chunk, Corpus
from legalqa.accounts.scoping import organization_scope
from legalqa.encoder import client as encoder
from retrieval.rerankers import RERANKERS, Beam, CrossEncode, HttpRerank, Learned, Reranker, RerankFailed
from retrieval.rerankers.base import reordered
from retrieval.rerankers.scoring import scores_ask
from retrieval.retrievers import Bm25
from retrieval.stages import Resources
from retrieval.types import Query, Ranking
from tests.committed import committed_fixture
from tests.ingestion import make_corpus
from tests.people import Firm, make_firm

LEASE = "# Lease\n\n" + "\n\n".join(
    f"## Part {n}\n\nThe tenant pays {n} euros of rent for room {n} on day {n} of each month." for n in range(1, 8)
)
QUESTION = "What rent does the tenant pay for room 3?"


def make_library() -> tuple[Firm, Corpus]:
    firm = make_firm("rankers", "Ranker & Sons")
    corpus = make_corpus(firm, "Leases", files={"lease.md": LEASE})
    return firm, corpus


library = committed_fixture(make_library)


@pytest.fixture
def found(library: tuple[Firm, Corpus], db: None) -> tuple[Resources, Ranking]:
    """A corpus to search, and its chunks in the order of their ids."""
    firm, corpus = library
    vector = encoder.encoder().encode([QUESTION])[0]
    with organization_scope(firm.organization, user=firm.lawyer):
        now = Corpus.objects.get(pk=corpus.pk)
        ids = list(Chunk.objects.filter(corpus=now, is_live=True).order_by("pk").values_list("pk", flat=True))
        return Resources(now, vector, None), Ranking.of(QUESTION, [(i, 1.0) for i in ids], stage="bm25")


def reranked(config: Reranker, before: Ranking, resources: Resources) -> Ranking:
    """The hits as a reranker orders them, inside the organisation's transaction as in a search."""
    with organization_scope(resources.corpus.organization, user=None):
        return config.rerank(Query(QUESTION), before, resources)


def look_for_scores(config: Reranker, before: Ranking, resources: Resources) -> None:
    """What a search does between two runs; the endpoint is asked once it is known what is lacking."""
    with pytest.raises(RerankFailed, match="not asked"):
        reranked(config, before, resources)
    scores_ask(organization=resources.corpus.organization, user=None, scores=resources.scores)


Answer = Callable[[dict[str, Any]], tuple[int, bytes]]


@pytest.fixture
def endpoint(settings: Any) -> Iterator[list[Answer]]:
    """A rerank endpoint on loopback that answers as the test has scripted; its own scores otherwise."""
    script: list[Answer] = [scores_of_length]

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, answer = script[-1](body)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            return

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        settings.RERANK_URL = f"http://127.0.0.1:{server.server_port}/rerank"
        yield script
        server.shutdown()
        thread.join()


def scores_of_length(body: dict[str, Any]) -> tuple[int, bytes]:
    rows = [{"index": i, "relevance_score": len(text)} for i, text in enumerate(body["documents"])]
    return 200, json.dumps({"results": rows}).encode()


def ready(kind: str, settings: Any) -> Reranker:
    """The settings of each reranker; the cross-encoder is the packaged encoder with an untrained head."""
    if kind == "cross-encoder.v1":
        settings.CROSS_ENCODER_PATH = str(encoder.model_folder())
    known: dict[str, Reranker] = {
        "learned.v1": Learned(depth=3),
        "cross-encoder.v1": CrossEncode(depth=3),
        "http-rerank.v1": HttpRerank(depth=3),
        "beam.v1": Beam(depth=3),
    }
    return known[kind]


@pytest.mark.parametrize("kind", RERANKERS.names())
def test_a_reranker_neither_adds_nor_loses_hits_and_stays_within_its_depth(
    kind: str, found: tuple[Resources, Ranking], endpoint: list[Answer], settings: Any
) -> None:
    resources, before = found
    config = ready(kind, settings)
    if kind == "http-rerank.v1":
        look_for_scores(config, before, resources)

    after = reranked(config, before, resources)

    assert sorted(h.chunk_id for h in after.hits) == sorted(h.chunk_id for h in before.hits)
    assert [h.chunk_id for h in after.hits[3:]] == [h.chunk_id for h in before.hits[3:]]
    assert all(a.score >= b.score > 0 for a, b in zip(after.hits, after.hits[1:], strict=False))
    assert all(hit.part("bm25.rank") for hit in after.hits)
    assert after.hits[0].part(f"{kind.partition('.')[0]}.rank") == 1.0


@pytest.mark.parametrize("kind", RERANKERS.names())
def test_no_hits_stay_no_hits(kind: str, found: tuple[Resources, Ranking]) -> None:
    configs: dict[str, Reranker] = {"learned.v1": Learned(), "cross-encoder.v1": CrossEncode(), "beam.v1": Beam()}
    config = configs.get(kind) or HttpRerank()
    nothing = Ranking(QUESTION, ())

    assert reranked(config, nothing, found[0]) == nothing


def test_a_chain_says_in_which_hop_each_passage_was_added_and_behind_which(found: tuple[Resources, Ranking]) -> None:
    resources, before = found
    after = reranked(Beam(hops=3, stop=0.001), before, resources)

    assert [hit.part("beam.hop") for hit in after.hits[:3]] == [None, 1.0, 2.0]
    assert [hit.part("beam.from") for hit in after.hits[1:3]] == [float(hit.chunk_id) for hit in after.hits[:2]]
    assert all(hit.part("beam.hop") is None for hit in after.hits[3:])
    assert 0 < (after.hits[0].part("learned.probability") or 0) < 1


def test_the_learned_ranker_says_how_likely_an_answer_is_among_the_first_five(found: tuple[Resources, Ranking]) -> None:
    resources, before = found
    after = reranked(Learned(), before, resources)

    assert 0 < (after.hits[0].part("learned.probability") or 0) < 1
    with organization_scope(resources.corpus.organization, user=None):
        assert "room 3" in Chunk.objects.get(pk=after.hits[0].chunk_id).text


@pytest.mark.parametrize(
    "answer",
    [
        lambda _: (500, b"{}"),
        lambda _: (200, b"not json"),
        lambda _: (200, b'{"results": [{"index": 0, "relevance_score": 1.0}]}'),
        lambda body: (200, json.dumps([{"index": 0, "score": 1.0}] * len(body["documents"])).encode()),
        lambda body: (200, json.dumps([{"index": i, "score": "nan"} for i in range(len(body["documents"]))]).encode()),
    ],
    ids=["status", "no json", "too few", "twice the same", "not a number"],
)
def test_an_endpoint_that_fails_leaves_the_order_and_the_trail_says_so(
    answer: Answer, found: tuple[Resources, Ranking], endpoint: list[Answer]
) -> None:
    resources, _ = found
    endpoint.append(answer)
    organization, pipeline = resources.corpus.organization, (Bm25() >> HttpRerank()) % 5
    with organization_scope(organization, user=None):
        plain = (Bm25() % 5).search(Query(QUESTION), resources)
        pipeline.search(Query(QUESTION), resources)
    scores_ask(organization=organization, user=None, scores=resources.scores)

    with organization_scope(organization, user=None):
        again = pipeline.search(Query(QUESTION), resources)

    assert again == plain
    assert not resources.scores.lacking
    assert "order they were found" in resources.times[-1].note


def test_a_reranker_that_is_not_set_up_says_which_setting_is_missing(
    found: tuple[Resources, Ranking], settings: Any
) -> None:
    resources, before = found
    settings.RERANK_URL = settings.CROSS_ENCODER_PATH = ""
    look_for_scores(HttpRerank(), before, resources)

    for config, name in ((HttpRerank(), "LEGALQA_RERANK_URL"), (CrossEncode(), "LEGALQA_CROSS_ENCODER_PATH")):
        with pytest.raises(RerankFailed, match=name):
            reranked(config, before, resources)


def test_ties_stay_as_they_were() -> None:
    before = Ranking.of("q", [(5, 3.0), (2, 2.0), (9, 1.0)], stage="bm25")

    assert [h.chunk_id for h in reordered(before, [1.0, 1.0, 1.0], stage="x").hits] == [5, 2, 9]
