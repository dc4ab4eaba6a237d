"""The search that is judged and widened, and what takes its place where it fails."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import pytest

from corpora.models import Corpus
from retrieval.cutoffs import Cutoff
from retrieval.graph.stage import GraphPaths
from retrieval.pipelines import master
from retrieval.pipelines.adaptive import mapping_hand_set, preset_adapt
from retrieval.pipelines.changing import HYBRID, PresetError
from retrieval.pipelines.master import Master, SearchOutage, Widening, rounds_judged
from retrieval.pipelines.presets import PRESETS, Preset, preset_get
from retrieval.scores import READER, Scored, ScoreRequest, Scores
from retrieval.stages import Pipeline, Resources, Stage
from retrieval.types import Hit, Query, Ranking

RIGHT = 0.9


class Told(Stage):
    """A search that finds what it was told, or fails as it was told."""

    label = "Told"
    action = "Told"

    kind: Literal["told.v1"] = "told.v1"
    chunks: tuple[int, ...] = ()
    failure: str = ""

    def run(self, query: Query, before: Ranking, resources: Resources) -> tuple[Ranking, str]:  # noqa: ARG002 - of every stage
        if self.failure:
            raise OSError(self.failure)
        return Ranking.of(query.text, [(chunk, -float(at)) for at, chunk in enumerate(self.chunks)], stage="told"), ""


def hits(n: int) -> tuple[Hit, ...]:
    return tuple(Hit(number, number, 1.0 / number) for number in range(1, n + 1))


@pytest.mark.parametrize(
    ("widen", "seen"),
    [
        # 4 looked at, 3 dropped: max(4, 3 + 3) = 6 more; of those none answers: max(6, 6 + 3) = 9 more.
        ("max", [4, 6, 9]),
        # 4 looked at, 3 dropped: 3 + 3 = 6 more; of those none answers: 6 + 3 = 9 more.
        ("add", [4, 6, 9]),
    ],
)
def test_as_many_more_are_looked_at_as_were_dropped_and_three(widen: Widening, seen: list[int]) -> None:
    looks: list[int] = []

    def judge(window: Sequence[Hit]) -> Sequence[float]:
        looks.append(len(window))
        return [RIGHT if hit.chunk_id == 2 else 0.0 for hit in window]

    kept = rounds_judged(hits(40), judge, k=4, widen=widen, rounds=3, relevant_from=0.5)

    assert kept is not None
    assert looks == seen
    assert [(hit.chunk_id, number) for hit, _, number in kept.hits] == [(2, 1)]
    assert (kept.n_seen, kept.n_rounds) == (19, 3)


def test_the_two_ways_to_widen_differ_where_few_were_dropped() -> None:
    def looks(widen: Widening) -> list[int]:
        sizes: list[int] = []

        def judge(window: Sequence[Hit]) -> Sequence[float]:
            sizes.append(len(window))
            return [0.0 if hit.chunk_id == 1 else RIGHT for hit in window]

        rounds_judged(hits(40), judge, k=10, widen=widen, rounds=3, relevant_from=0.5)
        return sizes

    assert looks("max") == [10, 10]
    assert looks("add") == [10, 4]


def test_a_judge_that_has_not_read_yet_decides_nothing() -> None:
    assert rounds_judged(hits(3), lambda _: None, k=2, widen="max", rounds=2, relevant_from=0.5) is None


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> dict[int, float]:
    """The chances by chunk that the reader has given; texts are the chunks' numbers."""

    def numbers(*, corpus: Corpus, chunk_ids: Iterable[int]) -> dict[int, str]:
        return {chunk: str(chunk) for chunk in chunk_ids}

    monkeypatch.setattr(master, "chunk_texts", numbers)  # hits of no corpus: what is tested is which ones are kept
    return {}


def searched(first: Told, second: Told, chances: dict[int, float] | None, note: str = "") -> tuple[Ranking, str]:
    """A search with a reader that gives these chances, 0 for others; with none, a reader that says `note`."""

    class Known(Scores):
        def of(self, query: str, texts: Sequence[str], *, by: str = "") -> Scored | None:
            assert by == READER
            values = () if chances is None else tuple(chances.get(int(text), 0.0) for text in texts)
            self.put(ScoreRequest(query, tuple(texts), by), Scored(values, note))
            return super().of(query, texts, by=by)

    stage = Master.model_construct(branches=(first, second), k=2, widen="max", rounds=2, relevant_from=0.5)
    return stage.run(Query("rent"), Ranking("rent", ()), Resources(Corpus(), None, None, Known()))


def ids(ranking: Ranking) -> list[int]:
    return [hit.chunk_id for hit in ranking.hits]


SECOND = Told(chunks=(7, 8))


def test_what_answers_is_kept_and_says_in_which_look_it_was_found(read: dict[int, float]) -> None:
    ranking, note = searched(Told(chunks=(1, 2, 3)), SECOND, {2: RIGHT, 3: RIGHT})

    assert ids(ranking) == [2, 3]
    assert [hit.part("master.round") for hit in ranking.hits] == [1.0, 2.0]
    assert note == "2 of 3 passages kept in 2 looks"


@pytest.mark.parametrize(
    ("first", "why"),
    [
        (Told(failure="disk"), "The first search failed."),
        (Told(), "The first search found nothing."),
        (Told(chunks=(1, 2, 3)), "None of the first 3 passages answers."),
    ],
)
def test_an_error_nothing_found_and_nothing_that_answers_take_the_second_search(
    read: dict[int, float], first: Told, why: str
) -> None:
    ranking, note = searched(first, SECOND, {})

    assert ids(ranking) == [7, 8]
    assert note == f"{why} The second search was used instead."


def test_a_reader_that_is_away_takes_the_second_search(read: dict[int, float]) -> None:
    ranking, note = searched(Told(chunks=(1,)), SECOND, None, "The reader does not answer.")

    assert ids(ranking) == [7, 8]
    assert note.startswith("The reader does not answer.")


@pytest.mark.parametrize(
    ("first", "second"),
    [(Told(failure="disk"), Told(failure="disk")), (Told(failure="disk"), Told()), (Told(), Told(failure="disk"))],
)
def test_an_outage_is_an_outage_and_never_nothing_found(read: dict[int, float], first: Told, second: Told) -> None:
    with pytest.raises(SearchOutage, match="not known whether anything answers") as raised:
        searched(first, second, {})

    assert raised.value.status == 503


def test_two_searches_that_find_nothing_found_nothing(read: dict[int, float]) -> None:
    assert ids(searched(Told(), Told(), {})[0]) == []


def kinds(**settings: Any) -> list[str]:
    return [stage.kind for stage in preset_get("cited-or-silent", settings).pipeline.stages]


def test_expanders_and_a_second_search_are_switched_on_top_of_a_preset() -> None:
    plain = ["rewrite.v1", "rrf.v1", "learned.v1", "cutoff.v1"]

    assert kinds(expanders="neighbours,merge") == [
        "rewrite.v1",
        "rrf.v1",
        "neighbours.v1",
        "learned.v1",
        "auto-merge.v1",
        "cutoff.v1",
    ]
    assert kinds(expanders="off") == plain
    assert kinds(second="bm25") == ["rewrite.v1", "master.v1", "cutoff.v1"]
    wrapped = preset_get("cited-or-silent", {"second": "bm25", "master.widen": "add"}).pipeline.stages[1]
    assert isinstance(wrapped, Master)
    assert wrapped.widen == "add"
    assert wrapped.branches[1].kind == "bm25.v1"


def test_what_is_added_is_where_a_reranker_reads_it_and_without_one_where_the_cutoff_leaves_it() -> None:
    for preset, behind in (("cited-or-silent", 20), ("fixed-5", 0)):
        added = next(
            s for s in preset_get(preset, {"expanders": "neighbours"}).pipeline.stages if "behind" in s.settable
        )
        assert added.model_dump()["behind"] == behind


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("changes", [{"second": "bm25"}, {"expanders": "neighbours,merge"}])
def test_the_cutoff_of_every_preset_and_what_is_behind_it_stay_as_they_are(name: str, changes: dict[str, str]) -> None:
    def ends(preset: Preset) -> list[Stage]:
        kinds = [stage.kind.partition(".")[0] for stage in preset.pipeline.stages]
        return list(preset.pipeline.stages[kinds.index("cutoff") :])

    changed = preset_get(name, changes)

    assert ends(changed) == ends(PRESETS[name])
    assert changed.hits == PRESETS[name].hits


def test_a_second_search_leaves_the_graph_what_the_question_asks_of_it() -> None:
    adapted = preset_adapt(preset_get("hypa-2", {"second": "bm25"}), label=1, mapping=mapping_hand_set(2))

    _, first, cut, graph = adapted.preset.pipeline.stages
    assert isinstance(first, Master) and first.branches[0] == Pipeline(stages=(HYBRID,))
    assert cut == Cutoff(k=10)
    assert isinstance(graph, GraphPaths) and (graph.keywords, graph.hops) == (5, 3)


@pytest.mark.parametrize(("name", "value"), [("expanders", "sideways"), ("second", "splade")])
def test_an_unknown_expander_or_second_search_is_refused(name: str, value: str) -> None:
    with pytest.raises(PresetError, match=f"Setting '{name}' is '{value}'; give"):
        preset_get("cited-or-silent", {name: value})
