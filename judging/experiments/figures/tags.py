"""Charts and their tables in templates: `{{ chart|drawn }}`, `{{ cell|linked }}`."""

from django import template

from judging.experiments.figures.svg import cell_html, chart_svg

register = template.Library()
register.filter("drawn", chart_svg)
register.filter("linked", cell_html)
