"""How templates show the name of a provision: `{{ passage.heading|unbroken }}`."""

from django import template

from retrieval.numbered import NAMED

register = template.Library()


@register.filter
def unbroken(name: str) -> str:
    """A name that no line breaks between the word and its number, as in "§ 20-871" and "Article 5(1)"."""
    return NAMED.sub(lambda provision: "\N{NO-BREAK SPACE}".join(provision[0].split()), name)
