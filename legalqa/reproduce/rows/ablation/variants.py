"""The presets that are compared: the base, what single stages add to it, and the ways to search of the product."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from retrieval.graph.stage import GraphPaths
from retrieval.pipelines.presets import DEFAULT_PRESET, Preset, preset_get

BASE = "fixed-10"
JOINED = 7  # ours: passages that the graph adds at most three to, so that ten are shown as elsewhere
Need = Literal["graph", "questions", "cases", "sections", "reader"]


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to search: a preset with settings, and what the corpus must have for it.

    Attributes:
        name: Of its figures.
        title: In the table.
        preset: The preset it starts from.
        settings: What is changed of it.
        join: How passages of the graph are joined behind it; "" where none are.
        needs: Without it, it is not measured.
        learned_from: Sets whose questions a packaged model of it has learned from, and no other can be put in place.
    """

    name: str
    title: str
    preset: str = BASE
    settings: Mapping[str, str] = field(default_factory=dict)
    join: Literal["", "union", "cut"] = ""
    needs: Need | None = None
    learned_from: tuple[str, ...] = ()

    def built(self) -> Preset:
        """The preset that is searched by."""
        preset = preset_get(self.preset, self.settings)
        if not self.join:
            return preset
        return preset.model_copy(update={"pipeline": preset.pipeline >> GraphPaths(join=self.join)})


_TEN = {"k": "10"}
_REFERRED = {"reranker": "learned", "expanders": "references"}
_ADAPTIVE = ("pa-2", "pa-3", "pa-2+rerank", "pa-3+rerank")
_CLASSED = ("obliqa", "policy_copilot")  # the packaged classifiers of questions have learned from both

VARIANTS: tuple[Variant, ...] = (
    Variant("words", "words alone (BM25)", settings={"retrievers": "bm25"}),
    Variant("meaning", "meaning alone", settings={"retrievers": "dense"}),
    Variant("wording", "shared wording alone", settings={"retrievers": "wording"}),
    Variant("base", f"words and meaning fused (`{BASE}`)"),
    Variant("lists", "+ titles and neighbours as lists", settings={"retrievers": "bm25,bm25-title,bm25-near,dense"}),
    Variant("rewritten", "+ rewriting by rules", settings={"rewriter": "rules"}),
    Variant("neighbours", "+ neighbours", settings={"expanders": "neighbours"}),
    Variant("references", "+ cross-references", settings={"expanders": "references"}),
    Variant("merged", "+ merged sections", settings={"expanders": "merge"}, needs="sections"),
    Variant("graph_cut", "+ graph, cut", join="cut", needs="graph"),
    Variant("graph_union", "+ graph, union (7 and 3)", f"fixed-{JOINED}", join="union", needs="graph"),
    Variant("questions", "question index alone", "question-index", _TEN, needs="questions"),
    Variant(
        "with_questions", "+ question index", settings={"retrievers": "bm25,dense,question-index"}, needs="questions"
    ),
    Variant("cases", "+ case base", settings={"retrievers": "bm25,dense,cases"}, needs="cases"),
    Variant("ranked", "+ LTR reranker over four lists", settings={"reranker": "learned"}),
    Variant("neighbours_ranked", "+ neighbours, reranked", settings={"reranker": "learned", "expanders": "neighbours"}),
    Variant("references_ranked", "+ cross-references, reranked", settings=_REFERRED),
    Variant("chains", "+ chains (`multi-hop`, 10)", "multi-hop", _TEN, learned_from=("obliqa",)),
    Variant("default", f"`{DEFAULT_PRESET}`, 10", DEFAULT_PRESET, _TEN),
    Variant(
        "default_questions", f"`{DEFAULT_PRESET}+questions`, 10", f"{DEFAULT_PRESET}+questions", _TEN, needs="questions"
    ),
    Variant("casebase", "`casebase`, 10", "casebase", _TEN, needs="cases"),
    *(Variant(name, f"`{name}`", name) for name in ("naive", "fixed-3", "fixed-5", "fixed-7")),
    *(Variant(name, f"`{name}`", name, learned_from=_CLASSED) for name in _ADAPTIVE),
    *(Variant(f"hy{name}", f"`hy{name}`", f"hy{name}", needs="graph", learned_from=_CLASSED) for name in _ADAPTIVE),
    Variant("judged", "+ judged by the reader", settings={"second": "bm25"}, needs="reader"),
)
