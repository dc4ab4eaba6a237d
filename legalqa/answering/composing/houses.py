"""Whose documents a question is about ("How long does Datica keep logs?"), put as they speak of themselves: "we".

A house writes of itself as "we", or of nobody ("Logs are kept for a year."), and to its people or customers as "you". A
reader that looks for "Datica" in such a passage does not find it.
"""

import re
from collections.abc import Mapping, Sequence

from legalqa.answering.composing.documents import NamedDocuments

NEAREST = 20  # ours: passages of the search, best first, of which it is asked whose documents they are of
MOSTLY = 0.5  # ours: share of these above which those of the documents that name the house must be, or all may answer
MOST_NAMES = 5  # ours: names of a question that are looked for in the openings
ACTING = 0.4  # ours: share of the documents that mention a house in which it must act
ADDRESSED = 0.5  # ours: share of these that must speak as "we", to "you", or of a workforce
_NAME = re.compile(r"\b(?:[A-Z]|\d+[A-Za-z])[\w&-]*(?:[ ](?:[A-Z]|\d+[A-Za-z])[\w&-]*)*")
_INNER = re.compile(r"[a-z0-9][A-Z]|\d[A-Za-z]")  # "GitHub" and "37signals" are names at the start of a sentence, too
_PERSON = re.compile(r"\b(?:we|our|us|you|your|workforce)\b", re.IGNORECASE)
_NO_ARTICLE = r"(?<!\bthe )(?<!\bThe )(?<!\ba )(?<!\ban )"
_DOES = r"(?:will|may|shall|must|can|cannot|does|do|is|are|has|have|would|should|reserves?)"
_SINGULAR = {"does": "do", "is": "are", "has": "have", "was": "were"}
_AUXILIARY = r"(?:does|do|did|has|have|had|will|would|shall|should|may|might|must|can|could)"
_BE = r"(?:is|are|was|were)"
_BOUND = r"(?:\w+ )?(?:required|obliged|allowed|permitted|entitled|liable|responsible|able|bound)\b"
_NOUN = r"(?!always\b)\w+[^s\W]s\b"  # "must Datica backups be encrypted?" is not about what Datica does
_PEOPLE = (
    r"(?:employees?|staff|personnel|workforce|customers?|clients?|users?|contractors?|members?|managers?|partners?|vendors?"
    r"|suppliers?)\b"
)


def house_named(question: str, *, openings: Mapping[str, tuple[str, str]], nearest: Sequence[str]) -> NamedDocuments:
    """The question as the house that it names would be asked it, and the documents of that house.

    Args:
        question: To be read.
        openings: Of the documents, by version: title and first characters.
        nearest: Versions of the passages that the search found, best first.

    Returns:
        The question as it was where it names no house, or several. No documents where those that name the house are not
        most of the nearest: then it does not name itself in all that it writes.
    """
    houses = {name: versions for name in _names(question) if (versions := _documents_of(name, openings))}
    if len(houses) != 1:
        return NamedDocuments(question)
    (name, versions), near = next(iter(houses.items())), nearest[:NEAREST]
    is_known = len(versions) < len(openings) and sum(version in versions for version in near) > MOSTLY * len(near)
    return NamedDocuments(_asked_of(question, name), versions if is_known else frozenset())


def _names(question: str) -> list[str]:
    runs = (run[0] if run.start() else _without_first(run[0]) for run in _NAME.finditer(question))
    return list(dict.fromkeys(run for run in runs if run not in ("", "I")))[:MOST_NAMES]


def _without_first(run: str) -> str:
    """A run of capitalised words without the word that opens the sentence: "Does GitHub"."""
    first, _, rest = run.partition(" ")
    return run if _INNER.search(first) else rest


def _documents_of(name: str, openings: Mapping[str, tuple[str, str]]) -> frozenset[str]:
    """The documents in which somebody of that name acts; none where they do not speak as a house does."""
    word = rf"\b{re.escape(name)}"
    acts = re.compile(rf"{_NO_ARTICLE}(?:{word}(?:['’]s\b| {_DOES}\b)|\b(?i:by|at|with|from|to) {word}(?=[\s.,;)]))")
    mentioned = [v for v, (_, opening) in openings.items() if name in opening and re.search(rf"{word}\b", opening)]
    versions = [version for version in mentioned if acts.search(openings[version][1])]
    addressed = sum(_PERSON.search(openings[version][1]) is not None for version in versions)
    is_house = len(versions) >= ACTING * len(mentioned) and addressed >= ADDRESSED * len(versions)
    return frozenset(versions) if is_house else frozenset()


def _asked_of(question: str, name: str) -> str:
    """The question as it is put to the house itself, where that acts, has people or a place; a product keeps its name.

    >>> _asked_of("How long does Datica keep logs?", "Datica")
    'How long do we keep logs?'
    >>> _asked_of("What gifts may GitHub employees accept?", "GitHub")
    'What gifts may employees accept?'
    >>> _asked_of("Must an 18F employee report it at 18F?", "18F")
    'Must an employee report it?'
    >>> _asked_of("When does my HEY account end?", "HEY")
    'When does my HEY account end?'
    """
    word = re.escape(name)
    put = re.sub(rf"\b{word}['’]s\b", "our", question)
    put = re.sub(rf",? (?:at|within|inside) {word}\b(?= [a-z]|[\s?.,;]*$|[,;] )", "", put)
    put = re.sub(rf",? (?:for|in) {word}(?=[\s?.,;]*$|[,;] )", "", put)
    put = re.sub(rf"\b(with|by|from|to) {word}(?=[\s?.,;]*$|[,;] )", r"\1 us", put)
    put = re.sub(rf"\b[Aa]n? {word} (?=({_PEOPLE}))", lambda match: f"{_article(match[1][0], match[0][0])} ", put)
    put = re.sub(rf"\b{word} (?={_PEOPLE})", "", put)
    acts = rf"\b({_AUXILIARY}) {word} (?!{_NOUN})|\b({_BE}) {word} (?={_BOUND})"
    put = re.sub(acts, lambda match: f"{_plural(match[1] or match[2])} we ", put, flags=re.IGNORECASE)
    return put[:1].upper() + put[1:]


def _article(letter: str, typed: str) -> str:
    article = "an" if letter.lower() in "aeiou" else "a"
    return article.capitalize() if typed.isupper() else article


def _plural(verb: str) -> str:
    """The form of an auxiliary that goes with "we"."""
    plural = _SINGULAR.get(verb.lower(), verb)
    return plural.capitalize() if verb[0].isupper() else plural
