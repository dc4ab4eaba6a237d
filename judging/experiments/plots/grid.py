"""Values in cells: the heat map by type and configuration, and the matrices of judge against people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judging.experiments.plots.drawing import SMALL_N, WIDTH, Cell, Chart, Mark, Table, number, short, words

SHADES = 9  # steps of colour from 0 to 1
LEFT, ROW, HEAD = 170, 40, 56  # units of the drawing's view box


@dataclass(frozen=True, slots=True)
class Tile:
    """One cell of a heat map: a mean over n questions, and how many have no value; None where none has."""

    value: float | None
    n: int
    n_undefined: int = 0
    href: str = ""


def heat_map(
    tiles: Mapping[tuple[str, str], Tile],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    low: float,
    high: float,
    measure: str,
    row_kind: str = "question type",
) -> Chart:
    """Means by question type (rows) and configuration (columns) on one fixed colour scale.

    Every cell says its value and n; under SMALL_N it is pale, for there an interval is too wide to compare by. Types
    are in the order given, never ranked.
    """
    width = (WIDTH - LEFT) / max(1, len(columns))
    step = 14 if any(len(name) * 7 > width for name in columns) else 0  # long names are on two levels in turn
    marks = [
        words(
            LEFT + width * (place + 0.5),
            HEAD - 12 - step * (place % 2),
            short(name, int(2 * width / 7)),
            anchor="middle",
        )
        for place, name in enumerate(columns)
    ]
    lines: list[tuple[Cell, ...]] = []
    for at, row in enumerate(rows):
        top = HEAD + ROW * at
        marks.append(words(0, top + ROW / 2 + 4, short(row, 25)))
        row_tiles = [tiles.get((row, column), Tile(None, 0)) for column in columns]
        for place, (column, tile) in enumerate(zip(columns, row_tiles, strict=True)):
            label = f"{row}, {column}: {_said(tile)}"
            marks += _tile(tile, (LEFT + width * place, top, width - 2, ROW - 2), _shade(tile, low, high), label)
        lines.append((Cell(row), *(Cell(_said(tile), tile.href) for tile in row_tiles)))
    return Chart(
        "types",
        f"{measure} by {row_kind}",
        f"Mean and n in each cell; a darker shade is higher, on one scale from {number(low)} to {number(high)}. "
        f"Outlined cells have fewer than {SMALL_N} questions: do not rely on them; + counts questions "
        "without a value.",
        HEAD + ROW * len(rows) + 4,
        tuple(marks),
        Table((row_kind.capitalize(), *columns), tuple(lines)),
    )


def matrix(counts: Sequence[Sequence[int]], *, labels: Sequence[str], key: str, title: str, note: str) -> Chart:
    """What people said (rows) against what the judge said (columns), shaded by the share of the row.

    Raises:
        ValueError: the counts are not square over the labels.
    """
    if len(counts) != len(labels) or any(len(row) != len(labels) for row in counts):
        raise ValueError(f"A matrix over {len(labels)} labels needs as many rows and columns.")
    left, side = 130, max(84, 7 * max(len(f"judge {name}") for name in labels) + 8)
    marks = [words(left + side * (i + 0.5), 30, f"judge {name}", anchor="middle") for i, name in enumerate(labels)]
    lines: list[tuple[Cell, ...]] = []
    for at, (name, row) in enumerate(zip(labels, counts, strict=True)):
        total, top = sum(row), 42 + ROW * at
        marks.append(words(0, top + ROW / 2 + 4, f"people {name}"))
        for place, count in enumerate(row):
            share = count / total if total else None
            tile = Tile(share, total)
            figure = f"{count}" if share is None else f"{count} · {share:.0%}"
            label = f"people {name}, judge {labels[place]}: {figure}"
            shade = _shade(tile, 0, 1)
            marks.append(_box((left + side * place, top, side - 2, ROW - 2), shade, label))
            marks.append(words(left + side * (place + 0.5), top + 24, figure, anchor="middle", tone=_ink(shade)))
        lines.append((Cell(name), *(Cell(str(count)) for count in row), Cell(str(total))))
    columns = ("People", *(f"Judge {name}" for name in labels), "Together")
    return Chart(key, title, note, 46 + ROW * len(labels), tuple(marks), Table(columns, tuple(lines)))


def _tile(tile: Tile, at: tuple[float, float, float, float], shade: str, label: str) -> list[Mark]:
    x, y, width, height = at
    ink, box = _ink(shade), _box(at, shade, label, tile.href)
    middle = x + width / 2
    if tile.value is None:
        return [box, words(middle, y + height / 2 + 4, "–", anchor="middle", tone=ink)]
    left_out = f" + {tile.n_undefined}" if tile.n_undefined else ""
    return [
        box,
        words(middle, y + height / 2 - 1, number(tile.value), anchor="middle", tone=ink, look="strong"),
        words(middle, y + height / 2 + 13, f"n {tile.n}{left_out}", anchor="middle", tone=ink, look="small"),
    ]


def _box(at: tuple[float, float, float, float], shade: str, label: str, href: str = "") -> Mark:
    return Mark("rect", at, "hollow" if shade == "pale" else "fill", shade, label=label, href=href)


def _shade(tile: Tile, low: float, high: float) -> str:
    if tile.value is None or tile.n < SMALL_N:
        return "pale"
    share = min(1.0, max(0.0, (tile.value - low) / (high - low)))
    return f"h{min(SHADES - 1, int(share * SHADES))}"


def _ink(shade: str) -> str:
    return "muted" if shade == "pale" else f"on-{shade}"


def _said(tile: Tile) -> str:
    if tile.value is None:
        return "no value" if not tile.n_undefined else f"no value ({tile.n_undefined} undefined)"
    left_out = f", {tile.n_undefined} undefined" if tile.n_undefined else ""
    return f"{number(tile.value)} (n = {tile.n}{left_out})"
