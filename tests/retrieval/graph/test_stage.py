"""The graph as a step of a search: beside the passages, behind them, or competing with them."""

import pytest

from corpora.models import Paragraph
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.graph.stage import GraphPaths
from retrieval.pipelines.adaptive import Parameter, mapping_hand_set, preset_adapt
from retrieval.pipelines.changing import PresetError
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import SearchResult, corpus_search
from retrieval.types import Filters, Ranking
from tests.retrieval.graph.world import Built, make_built

pytestmark = pytest.mark.django_db
QUESTION = "What must an employer do about a hiring tool?"


def search(built: Built, text: str = QUESTION, filters: Filters | None = None, **settings: str) -> SearchResult:
    changes = {"classifier": "off", "k": "1"} | {name.replace("__", "."): value for name, value in settings.items()}
    return corpus_search(
        request=SearchRequest(
            **built.firm.by_lawyer,
            corpus_id=built.corpus.pk,
            text=text,
            preset=preset_get("hypa-3", changes),
            filters=filters or Filters(),
        )
    )


def chunks(result: SearchResult) -> set[int]:
    return {passage.hit_rank for passage in result.passages}


def test_a_union_keeps_the_passages_and_adds_those_of_the_statements(built: Built) -> None:
    alone, union = search(built, graph__most="0"), search(built, graph__most="2")

    assert alone.passages[0].position == union.passages[0].position
    assert chunks(alone) == {1}
    assert chunks(union) > {1}
    assert alone.side == union.side != ()


def test_cut_to_k_there_are_as_many_passages_as_without_the_graph(built: Built) -> None:
    assert chunks(search(built, graph__join="cut")) == {1}


def test_cut_to_k_passages_of_the_graph_take_places_of_others() -> None:
    before = Ranking.of("rent", [(chunk, 1 / chunk) for chunk in range(1, 11)], stage="bm25")
    after = GraphPaths(join="cut").joined(before, Ranking.of("rent", [(99, 1.0)], stage="graph"))

    assert {hit.chunk_id for hit in after.hits} == {*range(1, 10), 99}


def test_a_passage_says_which_place_the_graph_gave_it(built: Built) -> None:
    added = search(built, graph__most="2").passages[-1]

    assert dict(added.parts)["graph.rank"] >= 1


def test_level_statements_are_the_same_in_every_build_of_a_graph(built: Built) -> None:
    registers = "\n\n".join(f"The auditor shall keep register {name} for the office." for name in "ABCDEFGHIJKL")
    builds = [make_built(built.firm, registers, name=name) for name in ("First", "Second")]

    first, second = (search(one, "Which register does the auditor keep?", graph__triplets="4") for one in builds)

    assert [one.text for one in first.side] == [one.text for one in second.side]
    assert [one.text for one in first.passages] == [one.text for one in second.passages]
    assert len(first.side) == 4


def test_an_excluded_document_gives_no_passages_through_the_graph(built: Built) -> None:
    other = search(built, filters=Filters(kinds=("pdf",)))

    assert (other.passages, other.side) == ((), ())


def test_an_excluded_paragraph_is_no_evidence_beside_the_passages(built: Built) -> None:
    notice = (
        "§ 20-871: The employer must notify every candidate at least 10 business days before the hiring tool is used"
    )
    with organization_scope(built.firm.organization, user=None):
        paragraph = Paragraph.objects.get(document=built.law.document, text__contains="notify")

    texts = [side.text for side in search(built).side]
    without = [side.text for side in search(built, filters=Filters(excluded_paragraph_ids=(paragraph.public_id,))).side]

    assert texts.count(notice) == 1  # it is a duty and a deadline in the same words
    assert set(without) == set(texts) - {notice}


def test_a_question_that_names_nothing_of_the_graph_changes_nothing(built: Built) -> None:
    result = search(built, "zebras?")

    assert result.side == ()
    assert [timed.note for timed in result.times if timed.stage == "graph.v1"] == [
        "the question names no entity of the graph"
    ]


@pytest.mark.parametrize(
    ("n_classes", "label", "keywords", "hops"), [(2, 0, 4, 2), (2, 1, 5, 3), (3, 0, 3, 1), (3, 2, 5, 3)]
)
def test_keywords_and_path_length_follow_the_tables(n_classes: int, label: int, keywords: int, hops: int) -> None:
    adapted = preset_adapt(preset_get(f"hypa-{n_classes}"), label=label, mapping=mapping_hand_set(n_classes))
    graph = adapted.preset.pipeline.stages[-1].model_dump()

    assert (graph["kind"], graph["keywords"], graph["hops"]) == ("graph.v1", keywords, hops)


def test_what_a_person_chose_overrides_the_tables() -> None:
    preset = preset_get("hypa-3", {"keywords": "7", "path_length": "4"})
    graph = preset_adapt(preset, label=0, mapping=mapping_hand_set(3)).preset.pipeline.stages[-1].model_dump()

    assert (graph["keywords"], graph["hops"]) == (7, 4)


def test_a_mapping_with_keywords_off_asks_no_graph() -> None:
    mapping = mapping_hand_set(3).model_copy(update={"keywords": Parameter(mode="off")})
    stages = preset_adapt(preset_get("hypa-3"), label=0, mapping=mapping).preset.pipeline.stages

    assert [stage.kind for stage in stages if stage.kind == "graph.v1"] == []


def test_another_way_to_join_is_refused() -> None:
    with pytest.raises(PresetError, match="join"):
        preset_get("hypa-2", {"graph.join": "both"})


def test_an_answer_cites_a_paragraph_that_the_graph_added(built: Built) -> None:
    answer = question_ask(
        question=Question(
            organization=built.firm.organization,
            user=built.firm.lawyer,
            corpus_id=built.corpus.pk,
            text="How long must the auditor keep the records of the audit?",
            preset=preset_get("hypa-2", {"classifier": "off", "k": "1"}),
        )
    )

    assert any("graph.rank" in row["stages"] for row in answer.evidence)
    assert answer.preset == "hypa-2"
