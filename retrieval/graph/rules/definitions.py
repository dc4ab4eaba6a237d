"""What a sentence says that a term means."""

import re

MAX_MEANING = 400
_OPEN, _CLOSE = "[\"“‘']", "[\"”’']"
_QUOTED = re.compile(
    rf"(?:(?:the|each|a)\s+(?:term|word|expression|phrase)s?\s+)?{_OPEN}(?P<term>[^\"“”‘]{{2,90}}?){_CLOSE}"
    rf"(?P<more>(?:,?\s+(?:or|and)\s+(?:the\s+)?{_OPEN}[^\"“”‘’]{{2,80}}{_CLOSE})*)(?:\s+\([^)]{{1,60}}\))?,?\s+"
    r"(?P<verb>means?|shall mean|ha(?:s|ve) the (?:same )?meanings?|shall have the (?:same )?meaning|refers to"
    r"|shall refer to|is defined as)\s+(?P<meaning>[^;]+)",
    re.IGNORECASE | re.DOTALL,
)
_ALSO = re.compile(rf"{_OPEN}([^\"“”‘’]{{2,80}}){_CLOSE}")


def definitions_of(sentence: str) -> list[tuple[str, str, str]]:
    """(term, verb, meaning) of a sentence that defines, one for each of the terms it defines together.

    >>> definitions_of('The term "bias audit" means an impartial evaluation by an independent auditor.')
    [('bias audit', 'means', 'an impartial evaluation by an independent auditor')]
    """
    match = _QUOTED.search(sentence)
    if match is None or match.start() > 120:
        return []
    meaning = " ".join(match["meaning"].split())
    if len(meaning) > MAX_MEANING:
        cut = max(meaning.rfind(", ", 80, MAX_MEANING), meaning.rfind(" and ", 80, MAX_MEANING))
        meaning = meaning[: cut if cut > 0 else meaning.rfind(" ", 0, MAX_MEANING)]
    meaning = meaning.strip(" ,;:.")
    if len(meaning.split()) < 2:
        return []
    terms = [match["term"], *_ALSO.findall(match["more"])]
    verb = " ".join(match["verb"].lower().split())
    return [(" ".join(term.split()).strip(" ,"), verb, meaning) for term in terms]
