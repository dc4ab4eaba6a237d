"""Charts as SVG, the same on a page and in a file; written here and not by templates, because marks are hundreds."""

from functools import cache

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from judging.experiments.plots.drawing import Cell, Chart, Mark
from judging.experiments.plots.palette import paint

GEOMETRY = {  # the names that SVG has for the numbers of a shape
    "rect": ("x", "y", "width", "height"),
    "line": ("x1", "y1", "x2", "y2"),
    "circle": ("cx", "cy", "r"),
    "text": ("x", "y", "text-anchor"),
    "polyline": ("points",),
    "polygon": ("points",),
}
NAMESPACE = SafeString(' xmlns="http://www.w3.org/2000/svg"')


def chart_svg(chart: Chart, *, is_file: bool = False) -> SafeString:
    """The drawing: on a page marks lead to what they count, in a file nothing is a link."""
    return format_html(
        '<svg{} class="chart" viewBox="{}" role="group" aria-label="{}" font-family="Inter, system-ui, sans-serif" '
        'font-size="12">{}</svg>',
        NAMESPACE if is_file else "",
        chart.view_box,
        chart.title,
        format_html_join("\n", "{}", ((mark_svg(mark, with_link=not is_file),) for mark in chart.marks)),
    )


def mark_svg(mark: Mark, *, with_link: bool) -> SafeString:
    """The element of a mark, in the link to what it counts where it has one and `with_link` asks for it."""
    inner = mark.text if mark.tag == "text" else format_html("<title>{}</title>", mark.label) if mark.label else ""
    element = format_html(_element(mark.tag, mark.look, mark.tone), *mark.geometry(), inner)
    if not (with_link and mark.href):
        return element
    return format_html('<a href="{}" aria-label="{}">{}</a>', mark.href, mark.label, element)


def cell_html(cell: Cell) -> str:
    """The text of a cell, as a link where it leads somewhere."""
    return format_html('<a href="{}">{}</a>', cell.href, cell.text) if cell.href else cell.text


@cache
def _element(tag: str, look: str, tone: str) -> str:
    """An element with places for its geometry and what it holds."""
    geometry = " ".join(f'{name}="{{}}"' for name in GEOMETRY[tag])
    painted = " ".join(f'{name}="{value}"' for name, value in paint(look, tone))
    return f'<{tag} class="{look} {tone}" {geometry} {painted}>{{}}</{tag}>'
