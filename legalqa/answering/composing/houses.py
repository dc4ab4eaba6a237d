"""Whose documents a question is about ("How long does Datica keep logs?"), reworded as they speak of themselves: "we".

A house calls itself "we" or does not name itself ("Logs are kept for a year."), and calls its people or customers
"you". A reader that looks for "Datica" in such a passage does not find it.
"""

import re
from collections.abc import Mapping, Sequence

from legalqa.answering.composing.documents import NamedDocuments
from legalqa.answering.composing.naming import SMALL
from legalqa.answering.composing.types import Opening
from retrieval.numbered import UNITS

NEAREST = 20  # ours: first passages of the search whose documents' owner is looked up
MOSTLY = 0.5  # ours: share of these that must be from documents that name the house; below it, all documents may answer
MOST_NAMES = 5  # ours: names of a question that are looked up in the openings
ACTING = 0.4  # ours: share of the documents that mention a house in which it must act
ADDRESSED = 0.5  # ours: share of these that must speak as "we", to "you", or of a workforce
MIN_FILES = 3  # ours: how many files must begin with a name for it to be a house
SPELLED_CHARS = 100  # ours: before or behind a short form, in which it is spelled out
_NAME = re.compile(r"\b(?:[A-Z]|\d+[A-Za-z])[\w&-]*(?:[ ](?:[A-Z]|\d+[A-Za-z])[\w&-]*)*")
_INNER = re.compile(r"[a-z0-9][A-Z]|\d[A-Za-z]")  # "GitHub" and "37signals" are names at the start of a sentence, too
_UNIT = re.compile(rf"(?:{UNITS})\b", re.IGNORECASE)  # "Section 14 shall apply" is no house
_PERSON = re.compile(r"\b(?:we|our|us|you|your|workforce)\b", re.IGNORECASE)
_NO_ARTICLE = r"(?<!\bthe )(?<!\bThe )(?<!\ba )(?<!\ban )"
_DOES = r"(?:will|may|shall|must|can|cannot|does|do|is|are|has|have|would|should|reserves?)"
_DOES_ITSELF = (  # what is required, used or enabled does nothing: "MFA must be used"
    r"(?:(?:will|may|shall|must|can|cannot|do|does|would|should)(?! (?:(?:not|only|also|always|never) )?be\b)"
    r"|(?:has|have)(?! been\b)|reserves?)"
)
_SHORT = re.compile(r"[A-Z0-9&]{2,8}")
_LETTERS = re.compile(r"[^\W_]+")
_SINGULAR = {"does": "do", "is": "are", "has": "have", "was": "were"}
_AUXILIARY = r"(?:does|do|did|has|have|had|will|would|shall|should|may|might|must|can|could)"
_BE = r"(?:is|are|was|were)"
_BOUND = r"(?:\w+ )?(?:required|obliged|allowed|permitted|entitled|liable|responsible|able|bound)\b"
_NOUN = r"(?!always\b)\w+[^s\W]s\b"  # "must Datica backups be encrypted?" is not about what Datica does
_PEOPLE = (
    r"(?:employees?|staff|personnel|workforce|customers?|clients?|users?|contractors?|members?|managers?|partners?|vendors?"
    r"|suppliers?)\b"
)


def house_named(question: str, *, openings: Mapping[str, Opening], nearest: Sequence[str]) -> NamedDocuments:
    """The question as one would put it to the house that it names, and the documents of that house.

    Args:
        question: To be read.
        openings: Of the documents, by version.
        nearest: Versions of the passages that the search found, best first.

    Returns:
        The unchanged question if it names no house, or several. No documents if those that name the house are not most
        of the nearest: then the house does not name itself in everything that it writes.
    """
    houses = houses_in(question, openings)
    if len(houses) != 1:
        return NamedDocuments(question)
    (name, versions), near = next(iter(houses.items())), nearest[:NEAREST]
    is_known = len(versions) < len(openings) and sum(version in versions for version in near) > MOSTLY * len(near)
    return NamedDocuments(asked_of_house(question, name), versions if is_known else frozenset())


def houses_in(question: str, openings: Mapping[str, Opening]) -> dict[str, frozenset[str]]:
    """The houses that a question names, by their names, each with its documents."""
    return {name: versions for name in _names(question) if (versions := _documents_of(name, openings))}


def _names(question: str) -> list[str]:
    runs = (run[0] if run.start() else _without_first(run[0]) for run in _NAME.finditer(question))
    return list(dict.fromkeys(run for run in runs if run not in ("", "I") and not _UNIT.match(run)))[:MOST_NAMES]


def _without_first(run: str) -> str:
    """A run of capitalised words without the word that opens the sentence: "Does GitHub"."""
    first, _, rest = run.partition(" ")
    return run if _INNER.search(first) else rest


def _documents_of(name: str, openings: Mapping[str, Opening]) -> frozenset[str]:
    """The documents in which somebody of that name acts, and those whose files begin with it, as in a folder.

    None if they do not speak as a house does, or if the name is short for a thing: "multi-factor authentication (MFA)".
    Nor does a name become a house by what is done to it: "MFA is required".
    """
    word, is_short = rf"\b{re.escape(name)}", _SHORT.fullmatch(name) is not None
    acts = re.compile(rf"{_NO_ARTICLE}(?:{word}(?:['’]s\b| {_DOES}\b)|\b(?i:by|at|with|from|to) {word}(?=[\s.,;)]))")
    acts_itself = re.compile(rf"{_NO_ARTICLE}(?:{word}(?:['’]s\b| {_DOES_ITSELF}\b)|\b(?i:at) {word}(?=[\s.,;)]))")
    filed = re.compile(rf"{re.escape(name)}(?![^\W_])", re.IGNORECASE)
    mentioned = [v for v, one in openings.items() if name in one.text and re.search(rf"{word}\b", one.text)]
    if is_short and any(_is_thing(name, openings[version].text) for version in mentioned):
        return frozenset()
    active = [version for version in mentioned if acts_itself.search(openings[version].text)]
    acting = active if is_short else [version for version in mentioned if acts.search(openings[version].text)]
    if not active or len(acting) < ACTING * len(mentioned):
        acting = []
    files = [version for version, one in openings.items() if filed.match(one.file)]
    versions = {*acting, *(files if len(files) >= MIN_FILES else [])}
    addressed = sum(_PERSON.search(openings[version].text) is not None for version in versions)
    return frozenset(versions) if addressed >= ADDRESSED * len(versions) else frozenset()


def _is_thing(short: str, text: str) -> bool:
    """Whether a text spells a short form out in small letters, as no name is.

    >>> _is_thing("MFA", "We use multi-factor authentication (MFA)."), _is_thing("GSA", "General Services Agency (GSA)")
    (True, False)
    >>> _is_thing("PII", "PII (personally identifiable information) is kept apart.")
    True
    """
    spelled = [text[max(0, one.start() - SPELLED_CHARS) : one.start()] for one in re.finditer(rf"\({short}s?\)", text)]
    behind = (text[one.end() : one.end() + SPELLED_CHARS] for one in re.finditer(rf"\b{short} \(", text))
    spelled += [words.partition(")")[0] for words in behind]
    letters = [letter for letter in short.lower() if letter.isalpha()]
    for words in spelled:
        long = [word for word in _LETTERS.findall(words) if word not in SMALL][-len(letters) :]
        if [word[0].lower() for word in long] == letters and any(word[0].islower() for word in long):
            return True
    return False


def asked_of_house(question: str, name: str) -> str:
    """The question put to the house itself, if the house acts or has people or a place; a product keeps its name.

    >>> asked_of_house("How long does Datica keep logs?", "Datica")
    'How long do we keep logs?'
    >>> asked_of_house("What gifts may GitHub employees accept?", "GitHub")
    'What gifts may employees accept?'
    >>> asked_of_house("Must an 18F employee report it at 18F?", "18F")
    'Must an employee report it?'
    >>> asked_of_house("When does my HEY account end?", "HEY")
    'When does my HEY account end?'
    """
    word = re.escape(name)
    put = re.sub(rf"\b{word}['’]s\b", "our", question)
    put = re.sub(rf",? (?:at|within|inside) {word}\b(?= [a-z]|[\s?.,;]*$|[,;] )", "", put)
    put = re.sub(rf",? (?:for|in|of) {word}(?=[\s?.,;]*$|[,;] )", "", put)
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
