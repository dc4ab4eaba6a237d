"""The variants of the ablation: each is a preset of the product with settings that it has."""

from legalqa.reproduce.rows.ablation.sets import K
from legalqa.reproduce.rows.ablation.variants import BASE, VARIANTS
from retrieval.pipelines.presets import preset_get


def test_every_variant_is_another_search_and_keeps_ten_at_most() -> None:
    built = {one.name: one.built() for one in VARIANTS}

    assert len({preset.fingerprint() for preset in built.values()}) == len(built) == len(VARIANTS)
    assert all((preset.hits or 0) <= K for preset in built.values())
    assert len({one.title for one in VARIANTS}) == len(VARIANTS)


def test_the_base_is_the_preset_as_it_comes() -> None:
    (base,) = [one for one in VARIANTS if one.name == "base"]

    assert base.built() == preset_get(BASE)


def test_the_graph_has_three_of_ten_places() -> None:
    stages = {one.name: [stage.kind for stage in one.built().pipeline.stages] for one in VARIANTS}

    assert stages["graph_union"] == stages["graph_cut"] == ["rrf.v1", "cutoff.v1", "graph.v1"]
    assert {one.name: one.built().hits for one in VARIANTS if one.join} == {"graph_cut": K, "graph_union": K - 3}
