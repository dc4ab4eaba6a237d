"""Marks and cells as SVG and HTML: what people wrote is escaped, and only a page has links."""

from judging.experiments.figures.svg import cell_html, mark_svg
from judging.experiments.plots.drawing import Cell, Mark, words


def test_a_mark_gives_its_numbers_under_the_names_of_svg() -> None:
    rect = Mark("rect", (1, 2, 3, 4), "fill", "s0")
    polygon = Mark("polygon", (0, 0, 1, 2.25), "band", "s1")

    assert mark_svg(rect, with_link=False) == (
        '<rect class="fill s0" x="1.0" y="2.0" width="3.0" height="4.0" fill="#0b62a8"></rect>'
    )
    assert 'points="0.0,0.0 1.0,2.2"' in mark_svg(polygon, with_link=False)


def test_a_mark_escapes_what_people_wrote_and_links_on_a_page_alone() -> None:
    name = words(1, 2, "<script>&", href='?cell="a"&n=1')
    counted = Mark("circle", (1, 2, 3), "fill", "s0", label="<b>: 3")

    on_page, in_file = mark_svg(name, with_link=True), mark_svg(name, with_link=False)

    assert on_page.startswith('<a href="?cell=&quot;a&quot;&amp;n=1" aria-label="&lt;script&gt;&amp;"><text ')
    assert in_file.endswith(' fill="#211d18">&lt;script&gt;&amp;</text>')
    assert "<title>&lt;b&gt;: 3</title>" in mark_svg(counted, with_link=True)


def test_a_cell_of_a_table_escapes_its_text() -> None:
    assert cell_html(Cell("<b>", "/x/?a=1&b=2")) == '<a href="/x/?a=1&amp;b=2">&lt;b&gt;</a>'
