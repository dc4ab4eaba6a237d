"""The rows of the ablation: one law taken in, searched by some variants, and which of them apply to it."""

import pytest

from legalqa.accounts.scoping import organization_scope
from legalqa.reproduce.expected import expected_load
from legalqa.reproduce.indexing import ranker_used
from legalqa.reproduce.intake import file_parts
from legalqa.reproduce.registry import ROWS
from legalqa.reproduce.rows.ablation import measuring
from legalqa.reproduce.rows.ablation.sets import SETS, AblationSet, SetQuestion, quotes_held
from legalqa.reproduce.rows.ablation.variants import VARIANTS
from retrieval.rerankers.model import model_load
from retrieval.rerankers.versions import ranker_in_use
from tests.corpora.parsers.builders import LAW
from tests.corpora.provisions.documents import CODE

ASKED = (
    SetQuestion(
        "How long before the use of a tool must its bias audit have been done?",
        "1",
        ("a bias audit conducted no more than one year prior to the use of such tool",),
    ),
    SetQuestion(
        "What is the penalty for a first violation?", "2", ("liable for a civil penalty of not more than $500",)
    ),
)
LAW_SET = AblationSet(lambda: [(CODE, file_parts(LAW / CODE))], ASKED, quotes_held)
SOME = ("words", "base", "graph_union", "ranked", "cases", "judged")


def test_every_set_has_its_row_and_the_table_has_its_figures() -> None:
    assert [name for name in ROWS if name.startswith("ablation_")] == [f"ablation_{name}" for name in SETS]
    names = {one.name for one in VARIANTS}
    for name in SETS:
        figures = expected_load().rows[f"ablation_{name}"].figures
        assert {key.split(".")[0] for key in figures} <= names


@pytest.mark.django_db
def test_a_law_is_searched_by_the_variants_that_apply_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "VARIANTS", tuple(one for one in VARIANTS if one.name in SOME))  # all take minutes
    monkeypatch.setattr(measuring, "JUDGED", 1)  # likewise

    taken = measuring.taken_in("law", LAW_SET, note=lambda _: None)
    ranker_used(model_load(), organization=taken.organization, corpus=taken.corpus, source="a test")
    ranker_used(model_load(), organization=taken.organization, corpus=taken.corpus, source="the same again")
    memory = measuring.memory_held(taken, ASKED[0])
    figures = measuring.variants_measured("law", LAW_SET, taken, memory, seed=144, note=lambda _: None)

    assert {"graph", "questions", "reader"} <= taken.has
    assert {key.split(".")[0] for key in figures} == {*SOME} - {"cases"}  # it has no solved case
    assert (figures["base.value"].value, figures["base.gain"].value) == (1.0, 0.0)
    assert (figures["base.value"].n, figures["judged.value"].n) == (2, 1)
    assert memory.keys() == {key.split(".")[0] for key in figures}
    assert min(memory.values()) > 50
    tokens = [figures[f"{name}.tokens"].value for name in ("base", "ranked")]
    assert all(isinstance(n, float) and n > 100 for n in tokens)
    with organization_scope(taken.organization, user=None):
        in_use = ranker_in_use(corpus=taken.corpus)
        assert in_use is not None
        assert (in_use.number, in_use.source) == (1, "a test")
