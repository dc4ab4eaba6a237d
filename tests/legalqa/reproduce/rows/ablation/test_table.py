"""The table of the ablation, from figures that were measured and from those that were not."""

from legalqa.reproduce.rows.ablation.measuring import VariantMeasures, variant_figures
from legalqa.reproduce.rows.ablation.table import ablation_table
from legalqa.reproduce.types import Figure, Measured

GROUPS = ["a", "b", "c", "d"]
BASE = VariantMeasures(12.4, [1.0, 0.0, 0.0, 1.0], [10.0, 20.0, 30.0, 400.0], [900, 1100, 1000, 1000])


def row(name: str, figures: dict[str, Figure], reason: str = "") -> Measured:
    return Measured(name, "2026-11-24", 144, {}, {}, 1.0, figures, reason)


def test_a_variant_is_compared_question_by_question_with_the_base() -> None:
    judged = VariantMeasures(40.0, [1.0, 1.0], [50.0, 70.0], [300, 400])
    figures = variant_figures("base", BASE, BASE, GROUPS, seed=144)
    figures |= variant_figures("judged", judged, BASE, GROUPS, seed=144)
    figures |= variant_figures("chains", BASE, BASE, GROUPS, seed=144)

    table = ablation_table({"ablation_obliqa": row("ablation_obliqa", figures), "ll144": row("ll144", {})})

    lines = table.splitlines()[2:]
    assert lines[0] == "| obliqa: words and meaning fused (`fixed-10`) | 0.500 (n = 4) | 25 ms; 1,000 | 12 MB |"
    assert lines[1].startswith("| obliqa: + chains (`multi-hop`, 10)* | 0.500; +0.000 (+0.000 to +0.000) |")
    assert "| 1.000; +0.500 (+0.000 to +1.000; n = 2) | 60 ms; 350 | 40 MB |" in lines[2]
    assert {line.count(" | ") for line in lines} == {3}


def test_without_a_measured_set_there_is_no_table() -> None:
    assert ablation_table({"ll144": row("ll144", {}), "ablation_obliqa": row("ablation_obliqa", {}, "no data")}) == ""
    assert ablation_table({"ablation_ll144": row("ablation_ll144", {})}) == ""
