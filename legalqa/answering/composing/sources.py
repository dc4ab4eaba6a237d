"""Which documents or houses a question compares, and what each of them is asked, in its own words."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from legalqa.answering.composing.comparing import EVERY, asked_of_one
from legalqa.answering.composing.documents import (
    CONTRACTS,
    POLICIES,
    Identity,
    Mention,
    as_it_says,
    capitalized,
    titles_named,
    words_of_title,
)
from legalqa.answering.composing.houses import asked_of_house, houses_in
from legalqa.answering.composing.parts import question_parts
from legalqa.answering.composing.types import Asked, Opening

MOST_COMPARED = 12  # ours: documents that are asked one by one if a question is about all of them
# "Which of the confidentiality agreements": a non-disclosure agreement is one, too.
_ALIKE = (frozenset({"confidentiality", "secrecy", "disclosure", "nondisclosure", "non"}),)
# "The Talbots agreement compared with the Taylor Capital one".
_ONE = re.compile(
    r"(?P<noun>\b(?:agreement|contract|lease|licen[cs]e)\b)"
    r"(?P<between>[^?]{1,60}?\b(?:the|our)(?:[ ][A-Z][\w&.-]{0,30}){1,4}[ ])one\b"
)
_IT = re.compile(r"\b(?:it|they|them|each|both|these|those)\b", re.IGNORECASE)
Openings = Mapping[str, Opening]


@dataclass(frozen=True, slots=True)
class _Source:
    """A document, or all documents of a house, and where the question names it."""

    start: int
    end: int
    versions: frozenset[str]
    house: str = ""


def sources_compared(
    question: str, *, identities: Mapping[str, Identity], openings: Openings, has_all: bool = True
) -> list[Asked]:
    """What each document or house is asked by a question that compares some; empty for other questions.

    If a question asks several things, each is asked of all of them: "it" in a later part means each of those named
    before, and so does a later part that names none ("and where is the seat?").

    Args:
        question: To be read.
        identities: Of the documents, by version.
        openings: Of the same documents.
        has_all: Whether these are all documents; else nothing is asked of "our contracts".
    """
    asked: list[Asked] = []
    compared: list[_Source] = []
    mention = ""
    whole = " ".join(question.split())
    parts = question_parts(whole)[1:]
    if all(len(_named(part, identities, openings, has_all=has_all)[0]) == 1 for part in parts):
        _, spans = _named(whole, identities, openings, has_all=has_all)
        if not parts or (spans and not whole[spans[-1][1] :].strip(" ?.")):
            parts = (whole,)  # "which law applies to the lease, and which to the licence?"
    for part in parts:
        words = _ONE.sub(r"\g<noun>\g<between>\g<noun>", f"{part.rstrip(' ?.,')}?")
        sources, spans = _named(words, identities, openings, has_all=has_all)
        if len(sources) < 2 and mention:
            words = _IT.sub(mention, words, count=1)
            sources, spans = _named(words, identities, openings, has_all=has_all)
        put = asked_of_one(words, spans) if len(sources) > 1 else None
        if put is None and asked and not sources:
            asked += [replace(one, text=words) for one in asked[: len(compared)]]
            continue
        if put is None:
            return []
        compared = sources
        text, (start, end) = put
        named = Mention(start, end, frozenset[str]().union(*(one.versions for one in sources)), is_title=True)
        asked += [_asked(text, named, one, identities, openings) for one in sources]
        mention = " and ".join(words[start:end] for start, end in spans)
    return asked


def _named(
    question: str, identities: Mapping[str, Identity], openings: Openings, *, has_all: bool
) -> tuple[list[_Source], list[tuple[int, int]]]:
    """The sources that a question names, each once, and where it names any."""
    sources = sorted(_sources(question, identities, openings), key=lambda one: one.start)
    spans = [(one.start, one.end) for one in sources]
    if every := EVERY.search(question):
        kind = frozenset(words_of_title(next(filter(None, every.groups()), "")))
        versions = _every(kind, identities) if has_all and 1 < len(identities) <= MOST_COMPARED else []
        if not versions and not kind:
            return [], []
        if versions:
            sources = [one for one in sources if one.end <= every.start() or every.end() <= one.start]
            sources += [_Source(*every.span(), frozenset({version})) for version in versions]
            spans = sorted({(one.start, one.end) for one in sources})
    return list({one.versions: one for one in reversed(sources)}.values())[::-1], spans


def _every(kind: frozenset[str], identities: Mapping[str, Identity]) -> list[str]:
    """The documents meant by "all contracts", or by all of a kind: none if some documents are not contracts.

    Nor are any meant if fewer than two are of the kind: "do our vendors grant licences" names none.
    """
    if not all(one.is_contract for one in identities.values()):
        return []
    of_kind = [version for version, one in identities.items() if kind <= _kinds(one.words)]
    return of_kind if len(of_kind) > 1 else []


def _kinds(words: frozenset[str]) -> frozenset[str]:
    """The words of a title with those that name the same kind of contract."""
    return words.union(*(alike for alike in _ALIKE if alike & words))


def _sources(question: str, identities: Mapping[str, Identity], openings: Openings) -> Iterator[_Source]:
    titles = [one for one in titles_named(question, identities, nouns=CONTRACTS | POLICIES) if len(one.versions) == 1]
    yield from (_Source(one.start, one.end, one.versions) for one in titles)
    for name, versions in houses_in(question, openings).items():
        for match in re.finditer(rf"\b{re.escape(name)}(?:['’]s?\b|['’](?!\w))?", question):
            if not any(one.start < match.end() and match.start() < one.end for one in titles):
                yield _Source(*match.span(), versions, name)


def _asked(text: str, mention: Mention, one: _Source, identities: Mapping[str, Identity], openings: Openings) -> Asked:
    """The question for one source, in the words in which it speaks of itself."""
    if one.house:
        before, named, after = text[: mention.start], text[mention.start : mention.end], text[mention.end :]
        before = re.sub(r"\b(?:the|our|your|my)\s+$", "", before, flags=re.IGNORECASE)
        name = f"{one.house}’s" if re.search(r"['’]s?$", named) else one.house
        return Asked(asked_of_house(f"{before}{name}{after}", one.house), one.versions, one.house)
    (version,) = one.versions
    return Asked(capitalized(as_it_says(text, mention, identities[version])), one.versions, openings[version].title)
