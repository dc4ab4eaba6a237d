"""The colours of charts in light, as files carry them; pages override them by class from `static/css/charts.css`."""

PALETTE = {
    "ink": "#211d18",
    "muted": "#655d52",
    "grid": "#ddd6ca",
    "paper": "#ffffff",
    "pale": "#8c8376",
    "s0": "#0b62a8",
    "s1": "#b84a00",
    "s2": "#00785a",
    "s3": "#9c3f78",
    "s4": "#7a5c00",
    "s5": "#2a7894",
    "s6": "#5b5b66",
    "s7": "#6b3fa0",
    "h0": "#f0f4f8",
    "h1": "#dde8f1",
    "h2": "#c6d9e8",
    "h3": "#abc8de",
    "h4": "#8cb4d2",
    "h5": "#37719f",
    "h6": "#2c618e",
    "h7": "#20527d",
    "h8": "#123f66",
    **{f"on-h{shade}": "#211d18" if shade < 5 else "#ffffff" for shade in range(9)},
}

Paint = list[tuple[str, str]]


def paint(look: str, tone: str) -> Paint:
    """How a mark is painted, as attributes of SVG: they work in a file alone, and any style sheet overrides them."""
    colour = PALETTE[tone]
    looks: dict[str, Paint] = {
        "line": [("stroke", colour), ("stroke-width", "1.5"), ("fill", "none")],
        "dashed": [("stroke", colour), ("stroke-width", "1.5"), ("stroke-dasharray", "5 3"), ("fill", "none")],
        "fill": [("fill", colour)],
        "hollow": [("fill", PALETTE["paper"]), ("stroke", colour), ("stroke-width", "1.5")],
        "band": [("fill", colour), ("fill-opacity", "0.15")],
        "text": [("fill", colour)],
        "small": [("fill", colour), ("font-size", "10")],
        "strong": [("fill", colour), ("font-weight", "650")],
    }
    return looks[look]
