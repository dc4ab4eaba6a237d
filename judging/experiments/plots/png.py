"""A chart as a PNG file, drawn by Pillow from the same marks; for slides and letters that take no SVG."""

import io
from functools import cache
from pathlib import Path

import reportlab
from PIL import Image, ImageDraw, ImageFont

from judging.experiments.plots.drawing import MARGIN, WIDTH, Chart, Mark
from judging.experiments.plots.palette import PALETTE

ZOOM = 2  # pixels a user unit
FONTS = Path(reportlab.__file__).parent / "fonts"  # Bitstream Vera, which reportlab brings
SIZES = {"text": 11, "small": 9, "strong": 11}
PIL_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def chart_png(chart: Chart) -> bytes:
    """The chart in the colours of a light page, its title above it."""
    head = 28
    size = (round((WIDTH + 2 * MARGIN) * ZOOM), round((chart.height + 2 * MARGIN + head) * ZOOM))
    image = Image.new("RGB", size, PALETTE["paper"])
    draw = ImageDraw.Draw(image, "RGBA")
    title = Mark("text", (0, -12), "strong", "ink", chart.title)
    for mark in (title, *chart.marks):
        _drawn(draw, mark, head)
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _drawn(draw: ImageDraw.ImageDraw, mark: Mark, head: float) -> None:
    if mark.tag in ("rect", "circle"):
        x, y, *rest = mark.at
        corners = (x, y, x + rest[0], y + rest[1]) if mark.tag == "rect" else _around(x, y, rest[0])
    else:
        corners = mark.at
    at = [_pixel(x, y, head) for x, y in zip(corners[::2], corners[1::2], strict=True)]
    colour = PALETTE[mark.tone]
    filled = {"fill": colour, "hollow": PALETTE["paper"], "band": f"{colour}26"}.get(mark.look)
    outline = colour if mark.look == "hollow" else None
    if mark.tag == "text":
        font = _font("VeraBd.ttf" if mark.look == "strong" else "Vera.ttf", SIZES[mark.look] * ZOOM)
        draw.text(at[0], mark.text, fill=colour, font=font, anchor=PIL_ANCHORS[mark.anchor])
    elif mark.tag == "rect":
        draw.rectangle([at[0], at[1]], fill=filled, outline=outline, width=ZOOM)
    elif mark.tag == "circle":
        draw.ellipse([at[0], at[1]], fill=filled, outline=outline, width=ZOOM)
    elif mark.tag == "polygon":
        draw.polygon(at, fill=filled, outline=outline, width=ZOOM)
    else:
        draw.line(at, fill=colour, width=ZOOM + 1)


def _around(x: float, y: float, radius: float) -> tuple[float, ...]:
    return (x - radius, y - radius, x + radius, y + radius)


def _pixel(x: float, y: float, head: float) -> tuple[float, float]:
    return ((x + MARGIN) * ZOOM, (y + MARGIN + head) * ZOOM)


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS / name, size)
