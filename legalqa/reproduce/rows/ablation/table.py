"""The table of the ablation, set by set: what every variant reaches, what it adds to the base, and what it costs."""

from collections.abc import Mapping, Sequence

from judging.measures.values import Undefined
from legalqa.reproduce.rows.ablation.variants import BASE, VARIANTS
from legalqa.reproduce.types import Figure, Measured

ROW = "ablation_"  # before the name of a set
_HEAD = (
    f"| set: variant | reached; less `{BASE}` (95 % interval) | median of a search; tokens | memory |",
    "| --- | --- | --- | --- |",
)


def ablation_table(rows: Mapping[str, Measured]) -> str:
    """The measured sets in Markdown; "" where none was."""
    sets = {name.removeprefix(ROW): row for name, row in rows.items() if name.startswith(ROW) and not row.reason}
    lines = [line for name, row in sets.items() for line in _lines(name, row.figures)]
    return "\n".join([*_HEAD, *lines]) if lines else ""


def _lines(name: str, figures: Mapping[str, Figure]) -> Sequence[str]:
    return [
        f"| {name}: {variant.title}{'*' if name in variant.learned_from else ''} | {_reached(variant.name, figures)} | "
        f"{_number(figures, f'{variant.name}.milliseconds', '.0f')} ms; "
        f"{_number(figures, f'{variant.name}.tokens', ',.0f')} | "
        f"{_number(figures, f'{variant.name}.memory', '.0f')} MB |"
        for variant in VARIANTS
        if f"{variant.name}.value" in figures
    ]


def _reached(variant: str, figures: Mapping[str, Figure]) -> str:
    """The measure, and the paired difference with its interval; of the base, over how many questions."""
    value, gain = figures[f"{variant}.value"], figures[f"{variant}.gain"]
    reached = _number(figures, f"{variant}.value", ".3f")
    if variant == "base":
        return f"{reached} (n = {value.n})"
    difference = _number(figures, f"{variant}.gain", "+.3f")
    n = f"; n = {value.n}" if value.n != figures["base.value"].n else ""
    return f"{reached}; {difference} ({gain.low:+.3f} to {gain.high:+.3f}{n})"


def _number(figures: Mapping[str, Figure], key: str, form: str) -> str:
    value = figures[key].value
    return "undefined" if isinstance(value, Undefined) else format(value, form)
