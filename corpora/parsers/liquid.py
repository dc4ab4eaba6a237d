"""Liquid, the template marks of websites made from Markdown ("{% page … %}"): no reader of the page ever sees them."""

import re

_TAG = r"(?:\{%(?:(?!%\}|\n\s*\n)[\s\S]){0,400}%\}|\{\{(?:(?!\}\}|\n\s*\n)[\s\S]){0,400}\}\})"
_CODE = r"(?P<ticks>(?<!`)`{1,3}(?!`))[^`]{1,400}(?P=ticks)(?!`)"
_COMMENT = r"\{%-?\s*comment\s*-?%\}[\s\S]{0,2000}?\{%-?\s*endcomment\s*-?%\}"
# Of "[here]({% page "/travel/" %})" the words; Markdown takes a target with blanks for none, and shows it.
_TARGET = rf"(?<=\])\([^()\s]{{0,200}}{_TAG}[^()\n]{{0,200}}\)"
_OF_LINE = rf"^(?P<head>[ \t]*(?:[-*+>][ \t]+)?)(?:{_TAG}[ \t]*)+$\n?"
_MARKS = re.compile(
    rf"(?P<code>{_CODE})|{_COMMENT}|(?P<target>{_TARGET})|(?P<line>{_OF_LINE})"
    rf"|\{{%-?\s*(?:if\w*|els\w*|end\w*|unless|case|when|for|assign|capture|raw|include|render|layout)\b"
    rf"(?:(?!%\}})[\s\S]){{0,400}}%\}}|(?P<words>{_TAG})",
    re.MULTILINE,
)
_FENCE = re.compile(r"^[ \t>*+-]{0,12}(?P<fence>`{3,}|~{3,})", re.MULTILINE)
_NAME = re.compile(r"[^\"']*[\"']([^\"'/.]{1,60})[\"'][^\"']*")
LEFT_OUT = "[…]"  # words that the website puts in a sentence: without a sign the quote would pass for whole


def liquid_stripped(text: str) -> str:
    """A Markdown text without Liquid marks; code keeps them.

    Rule: a link whose target is a mark keeps its words; a mark that holds one name is that name; others on lines of
    their own, and those that only steer, go; one in a sentence, which stands for words that are not in the file, is
    shown as "[…]".

    >>> liquid_stripped('Ask [the team]({% page "/team/" %}) in {% channel "travel" %} or {{ site.email }}.')
    'Ask [the team](<>) in travel or […].'
    """
    if "{%" not in text and "{{" not in text:
        return text
    return "".join(part if is_code else _MARKS.sub(_shown, part) for part, is_code in _by_fences(text))


def _shown(match: re.Match[str]) -> str:
    if match["code"]:
        return match[0]
    if match["target"]:
        return "(<>)"
    name = _NAME.fullmatch(match["words"] or match["line"] or "")
    if name:
        return f"{match['head'] or ''}{name[1]}{match[0][len(match[0].rstrip()) :]}"
    if match["words"]:
        return LEFT_OUT
    return f"{match['head']}\n" if match["line"] and match["head"].strip() else ""


def _by_fences(text: str) -> list[tuple[str, bool]]:
    """The text outside fences and the code inside them, in order; an open fence goes on to the end."""
    parts: list[tuple[str, bool]] = []
    start, fence = 0, ""
    for match in _FENCE.finditer(text):
        if fence and not (match["fence"][0] == fence[0] and len(match["fence"]) >= len(fence)):
            continue
        end = match.end() if fence else match.start()
        parts.append((text[start:end], bool(fence)))
        start, fence = end, "" if fence else match["fence"]
    return [*parts, (text[start:], bool(fence))]
