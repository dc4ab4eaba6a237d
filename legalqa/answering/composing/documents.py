"""Which of several contracts a question names ("the film licence", "our lease with Meyer"), and in its own words.

A reader of one passage does not know which agreement it is from, and the agreement may call Birch First Global "the
Company".
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from legalqa.answering.composing.naming import INSTRUMENTS, LOCATED, SMALL

OPENING_CHARS = 4000  # ours: first characters of a document, in which its parties are named
TITLE_LINES = 4  # ours: first lines that may say what the document is called
CAPITAL_LINES = 12  # ours: first lines of which one in capitals may say so, below the address of a letter
MAX_TITLE_WORDS = 12  # ours: words of such a line, or of a part of a longer one
MAX_MODIFIERS = 5  # ours: words before "agreement" that say which one it is
_WORD = re.compile(r"[^\W_]+(?:['’.&][^\W_]+)*")
_ALIKE = {"contract": "agreement", "deal": "agreement", "licence": "license"}
# Nouns of titles as `_folded` writes them. A question that names a law or a policy also means what carries it out and
# what has replaced it, unless it compares.
CONTRACTS = frozenset({"agreement", "lease", "license", "term"})  # "the Corporate Terms"
POLICIES = frozenset({"policy", "procedure", "handbook", "manual", "standard", "guideline", "guide", "code", "plan"})
_OF_ONE = POLICIES | {"license", "lease"}  # "the agreement" needs a word of its title beside it
_FORMS = frozenset((
    "inc", "llc", "ltd", "limited", "corp", "corporation", "company", "co", "gmbh", "ag", "plc", "sa", "bv", "lp",
    "llp",
))  # fmt: skip
_NO_NAME = SMALL | {
    "or", "with", "by", "between", "from", "under", "as", "that", "than", "this", "these", "those", "our", "your", "my",
    "its", "their", "his", "her", "each", "any", "which", "whose", "what", "who", "when", "where", "how", "does", "do",
    "did", "is", "are", "was", "be", "may", "must", "can", "could", "shall", "should", "will", "would", "has", "have",
}  # fmt: skip
_SMALL = rf"(?:{'|'.join(sorted(SMALL))})"
_HYPHENED = re.compile(r"(?<!\w)[^\W_]++(?:-[^\W_]++)+")  # "Go-Page", whose file is "gopage"
_DEALS = re.compile(r"deals?\s+with\b", re.IGNORECASE)  # a verb behind another noun: "the lease deals with"
_ARTICLE = re.compile(r"\b(?:the|this|our|your)\s+$", re.IGNORECASE)
_QUOTED = r"[\"“]([A-Z][\w.&’' -]{0,40})[\"”]"
# "(together with its subsidiaries, the “Company”)", "(the producer, any and all referred to herein as the “Producer”)".
_AS_ONE = (
    r"(?:(?:together|along|jointly)\s+with|including|the)\b[^()\"“]{0,240}?(?:,|\bas)\s{1,3}(?:the\s{1,3}|an?\s{1,3})?"
)
_ROLE = re.compile(
    r"\(\s*(?:(?:(?:hereinafter|herein|referred|called|known|each|individually|collectively|to|as|and|or|an?|the)\b,?\s*)*"
    rf"|{_AS_ONE}){_QUOTED}(?:,?\s+(?:and|or)\s+(?:the\s+)?{_QUOTED})?[^()]{{0,40}}\)"
)
_BETWEEN = re.compile(r"\b(?:between|among)\b:?", re.IGNORECASE)
_PART = r"(?!(?:And|AND|The|THE|Between|BETWEEN)\b)[A-Z][\w.&’'-]*"
_NAME = re.compile(rf"{_PART}(?:\s+(?:(?:of|and|for|the|on|de|&)\s+)*{_PART})*")
# Behind it nobody is introduced any more; "Alpha Ltd and Beta Ltd" are two.
_RECITALS = re.compile(
    r"\bwhereas\b|\bnow,? therefore\b|\bagree as follows\b|\brecitals\b|(?:the\s+)?[\"“](?:the\s+)?parties[\"”]",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"^[ \t]*(?:(?:section|article|clause)[ ]1\b|1[.)][ ])", re.IGNORECASE | re.MULTILINE)
_TITLE_ENDS = re.compile(r"[(\"“,;:]|\b(?i:by\s+and\s+between|between|among|made|dated|entered|is|are|was)\b")
_TWO = re.compile(rf"\b(?:{'|'.join(sorted(_FORMS))})\b\.?,?\s+and\s+", re.IGNORECASE)
_GAP = re.compile(r"\s{3,}|\t")
_AND = re.compile(r"\band[\s_\[\]…]+(?:the\s+)?$", re.IGNORECASE)
_THIS = re.compile(rf"\b(?:[Tt]his |[Tt]h(?:e|is) [\"“])({'|'.join(INSTRUMENTS)})\b")
_NO_PARTY = frozenset({"agreement", "effective date", "party", "parties", *(noun.lower() for noun in INSTRUMENTS)})


@dataclass(frozen=True, slots=True)
class Party:
    """Who a document is about: the words of its name, and what the document calls it."""

    words: tuple[str, ...]
    role: str


@dataclass(frozen=True, slots=True)
class Identity:
    """How a document may be called.

    Attributes:
        words: Of its titles, with the initials of these.
        initials: Of its titles: "NDA".
        parties: Named in its opening.
        opening: Its first characters, in small letters.
        itself: What it calls itself: "Agreement"; empty where it does not.
    """

    words: frozenset[str]
    initials: frozenset[str]
    parties: tuple[Party, ...]
    opening: str
    itself: str

    @property
    def every_word(self) -> frozenset[str]:
        roles = (party.role.lower() for party in self.parties if party.role.isupper())
        return self.words.union(roles, *(party.words for party in self.parties))

    @property
    def is_contract(self) -> bool:
        """By its title, by what it calls itself, or as two parties made it."""
        return not self.every_noun.isdisjoint(CONTRACTS) or len(self.parties) > 1

    @property
    def every_noun(self) -> frozenset[str]:
        return self.words | {_folded(self.itself)}


@dataclass(frozen=True, slots=True)
class NamedDocuments:
    """A question in the words of the document that it names, and which documents it names; it may name none."""

    question: str
    versions: frozenset[str] = frozenset()


def capitalized(question: str) -> str:
    return question[:1].upper() + question[1:]


@dataclass(frozen=True, slots=True)
class Mention:
    """Characters of a question that name documents, by a title or by a party."""

    start: int
    end: int
    versions: frozenset[str]
    is_title: bool


def documents_named(question: str, *, identities: Mapping[str, Identity]) -> NamedDocuments:
    """The question without the document's name, its parties called as the document calls them.

    Args:
        question: To be read.
        identities: Of the documents, by version.
    """
    titles = list(titles_named(question, identities))
    mentions = sorted([*titles, *_parties_named(question, identities, titles)], key=lambda one: one.start)
    named = [one.versions for one in mentions]
    if not named or len(common := frozenset.union(*named)) == len(identities) > 1:
        return NamedDocuments(question)
    versions = frozenset.intersection(*named) or common
    if len(versions) > 1:
        return NamedDocuments(question, versions)
    identity, typed = identities[next(iter(versions))], question
    for mention in reversed(mentions):
        question = as_it_says(question, mention, identity)
    return NamedDocuments(question if question == typed else capitalized(question), versions)


def identity_of(title: str, opening: str) -> Identity:
    """How a document may be called, by its title and the first characters of its text.

    >>> found = identity_of("lease_meyer", 'Lease between Anna Meyer ("Tenant") and Old Mill Ltd (the "Landlord").')
    >>> [(" ".join(party.words), party.role) for party in found.parties]
    [('anna meyer', 'Tenant'), ('old mill', 'Landlord')]
    """
    titles = [title, *_title_lines(opening)]
    words = frozenset(word for one in titles for word in words_of_title(one)) - SMALL
    itself = Counter(_THIS.findall(opening)).most_common(1)
    initials = frozenset(short for one in titles for short in _initials(one))
    return Identity(
        words=words | {_folded(short) for short in initials},
        initials=initials,
        parties=tuple(_parties(opening, initials)),
        opening=opening.lower(),
        itself=itself[0][0] if itself else "",
    )


def _title_lines(opening: str) -> Iterable[str]:
    """The first lines that may say what a document is called, and the parts of longer ones that do.

    >>> list(_title_lines("ACME CORP   WEB CONTENT LICENSE     This License, made by Acme and others, is for all."))
    ['WEB CONTENT LICENSE']
    >>> list(_title_lines("FILM LICENSE AGREEMENT between Sun Stars Ltd. and You On Demand Inc. and some others in it"))
    ['FILM LICENSE AGREEMENT']
    """
    lines = [line for line in opening.splitlines() if line.strip()][:CAPITAL_LINES]
    for n, line in enumerate(lines):
        if len(line.split()) <= MAX_TITLE_WORDS:
            parts = [line] if n < TITLE_LINES or line.isupper() else []
        else:
            ended = (_TITLE_ENDS.split(part, maxsplit=1)[0] for part in _GAP.split(line)) if n < TITLE_LINES else ()
            parts = [part.strip() for part in ended if _is_heading(part)]
        yield from (part for part in parts if _holds_noun(part))


def _is_heading(part: str) -> bool:
    """Whether a part of a line is some words that begin with capitals, "This Agreement" apart."""
    words = part.split()
    is_title = all(word[0].isupper() for word in words if word not in SMALL)
    return 1 < len(words) <= MAX_TITLE_WORDS and is_title and words[0].lower() != "this"


def _holds_noun(line: str) -> bool:
    return any(_folded(word) in CONTRACTS for word in _WORD.findall(line))


def _folded(word: str) -> str:
    """A word as titles and questions are compared: no plural, no possessive, one spelling."""
    plain = re.sub(r"['’]s$", "", word.lower())
    plain = plain[:-1] if len(plain) > 3 and plain.endswith("s") and not plain.endswith("ss") else plain
    return _ALIKE.get(plain, plain)


def words_of_title(text: str) -> list[str]:
    """The words of a title, as those of questions and other titles are compared with them."""
    return [_folded(word) for word in _WORD.findall(text)]


def _initials(title: str) -> set[str]:
    """The short forms of a title: "NDA" of "Mutual Non-Disclosure Agreement"."""
    words = [word for word in re.findall(r"[^\W_]+", title.lower()) if word not in SMALL]
    ends = [n for n, word in enumerate(words) if _folded(word) in CONTRACTS]
    return {"".join(word[0] for word in words[end - n : end + 1]).upper() for end in ends for n in (2, 3) if end >= n}


def _parties(opening: str, initials: frozenset[str]) -> Iterable[Party]:
    """The parties that the opening of a document names, with what it calls them; never its own initials.

    Once two parties are named, the first clause names no further ones: it defines "the Territory".
    """
    recitals, last, count = _RECITALS.search(opening), 0, 0
    for match in _ROLE.finditer(opening, 0, recitals.start() if recitals else len(opening)):
        before = opening[last : match.start()]
        if count > 1 and _CLAUSE.search(before):
            return
        last = match.end()
        roles = [one for one in match.groups() if one and one.lower() not in _NO_PARTY and one not in initials]
        starts = [0, *(between.end() for between in _BETWEEN.finditer(before))]
        names = _names(before[starts[-1] :])
        if not roles or not names:
            continue
        count += 1
        role = max(roles, key=lambda one: len(re.findall(rf"\b{re.escape(one)}\b", opening)))
        yield Party(next((words for words in names if _is_short_for(role, words)), names[0]), role)


def _is_short_for(role: str, words: Sequence[str]) -> bool:
    """Whether a role is made of the initials of a name, with those of small words or without: "DOHMH"."""
    letters = iter(role.lower())
    return role.isupper() and len(words) > 1 and all(word[0] in letters for word in words)


def _names(text: str) -> list[tuple[str, ...]]:
    """The words of the last name in a text that ends with what that party is called: those after the last "and"."""
    names: list[tuple[str, ...]] = []
    last = 0
    for run in _NAME.finditer(text):
        if _AND.search(text[last : run.start()]):
            names = []
        last = run.end()
        if words := _name_words(_TWO.split(run[0])[-1]):
            names.append(words)
    return [] if _AND.search(text[last:]) else names


def _name_words(name: str) -> tuple[str, ...]:
    return tuple(word for word in words_of_title(name) if word.replace(".", "") not in _FORMS | SMALL)


def titles_named(
    question: str, identities: Mapping[str, Identity], *, nouns: frozenset[str] = CONTRACTS
) -> Iterable[Mention]:
    """Where a question calls a document by a noun that says what it is, and words beside it that say which."""
    words = list(_WORD.finditer(question))
    short = frozenset[str]().union(*(identity.initials for identity in identities.values()))
    for n, word in enumerate(words):
        noun, is_short = _folded(word[0]), word[0] in short
        is_compound = any(
            _folded(one[0]) in nouns - {"term"} and _is_beside(question, word, one)  # "the license terms": the license
            for one in words[n + 1 : n + 2]
            if not _DEALS.match(question, one.start())
        )
        if _DEALS.match(question, word.start()) and n and _folded(words[n - 1][0]) in nouns:
            continue
        if is_compound or not (noun in nouns or is_short):
            continue
        first = n
        while first and n - first < MAX_MODIFIERS and _is_beside(question, words[first - 1], words[first]):
            if words[first - 1][0].lower() in _NO_NAME:
                break
            first -= 1
        last = _end_of_with(question, words, n, identities)
        own = {_folded(one[0]) for one in words[first : last + 1]} - _NO_NAME
        own |= {_folded(one.replace("-", "")) for one in _HYPHENED.findall(question[words[first].start() : word.end()])}
        is_one = is_short or (noun in _OF_ONE and bool(_ARTICLE.search(question[: words[first].start()])))
        if versions := _best(own, noun, identities, is_one=is_one):
            yield Mention(words[first].start(), words[last].end(), versions, is_title=True)


def _is_beside(question: str, one: re.Match[str], other: re.Match[str]) -> bool:
    return not question[one.end() : other.start()].strip(" -")


def _end_of_with(question: str, words: Sequence[re.Match[str]], n: int, identities: Mapping[str, Identity]) -> int:
    """The last word of "agreement with Birch First", in which the names of parties follow the noun."""
    names = frozenset(word for one in identities.values() for party in one.parties for word in party.words)
    if n + 1 >= len(words) or words[n + 1][0].lower() not in ("with", "between", "of"):
        return n
    end = n
    for one, other in pairwise(words[n + 1 :]):
        if not _is_beside(question, one, other):
            break
        if _folded(other[0]) in names:
            end = words.index(other)
        elif other[0].lower() not in SMALL:
            break
    return end


def _best(own: set[str], noun: str, identities: Mapping[str, Identity], *, is_one: bool) -> frozenset[str]:
    """The documents that have most of the words in their titles and parties; none where all have as many."""
    shares = {
        version: len(own & identity.every_word)
        for version, identity in identities.items()
        if noun in identity.every_noun
    }
    most = max(shares.values(), default=0)
    best = frozenset(version for version, n in shares.items() if n == most)
    if len(best) == len(identities) > 1 or not best:
        return frozenset()
    is_one = is_one and (noun in CONTRACTS or own == {noun})
    return best if most > 1 or is_one else frozenset()


def _parties_named(question: str, identities: Mapping[str, Identity], titles: Sequence[Mention]) -> Iterable[Mention]:
    """Where a question names a party without naming a document: all documents that mention it are meant."""
    parties = [party for identity in identities.values() for party in identity.parties]
    runs = {run for party in parties for run in _runs_of(question, party)}
    for start, end in runs:
        is_within = any(other != (start, end) and other[0] <= start and end <= other[1] for other in runs)
        if not is_within and not any(one.start < end and start < one.end for one in titles):
            words = set(words_of_title(question[start:end])) - SMALL
            versions = (v for v, one in identities.items() if all(word in one.opening for word in words))
            yield Mention(start, end, frozenset(versions), is_title=False)


def _runs_of(question: str, party: Party) -> Iterable[tuple[int, int]]:
    """The characters of a question that are words of a party's name: two of them, the first one, or its short form."""
    short = [rf"(?-i:{re.escape(party.role)})"] if party.role.isupper() else []
    one = rf"\b(?:{'|'.join([*short, *(f'{re.escape(word)}s?' for word in party.words)])})\b"
    for run in re.finditer(rf"(?P<name>{one}(?:[ -]+(?:{_SMALL}[ -]+)*{one})*)(?:['’]s\b)?", question, re.IGNORECASE):
        first, *more = (word for word in _WORD.findall(run["name"]) if word.lower() not in SMALL)
        is_name = first[0].isupper() and run.start() > 0 and _folded(first) == party.words[0]
        if more or is_name or first == party.role:
            yield run.span()


def as_it_says(question: str, mention: Mention, identity: Identity) -> str:
    """The question with a mention replaced by the document's words: "this Agreement", the party's role, or nothing."""
    before, named, after = question[: mention.start], question[mention.start : mention.end], question[mention.end :]
    if mention.is_title:
        if located := LOCATED.search(before):
            return f"{before[: located.start()]}{after}".lstrip(" ,")
        article = _ARTICLE.search(before)
        noun = _WORD.findall(named)[-1].lower()
        # "Is the licence exclusive?" is about the licence.
        if len(named.split()) == 1 and noun not in POLICIES and len(mention.versions) == 1:
            return question
        itself = identity.itself or (noun if noun in POLICIES else "document")
        return f"{before[: article.start() if article else mention.start]}this {itself}{after}"
    words = set(words_of_title(named))
    party = max(identity.parties, key=lambda one: (len(words & set(one.words)), one.role == named), default=None)
    if party is None or not (words & set(party.words) or party.role == named):
        return question  # it mentions somebody who is no party to it
    is_possessive = bool(re.search(r"['’]s$", named))
    is_own = words_of_title(party.role)[:1] == list(party.words[:1])  # "Vapotherm", not "the Vapotherm"
    is_bare = bool(_ARTICLE.search(before)) or party.role.isupper() or is_own
    if party.role.isupper() and (article := _ARTICLE.search(before)):
        before = before[: article.start()]
    return f"{before}{'' if is_bare else 'the '}{party.role}{'’s' if is_possessive else ''}{after}"
