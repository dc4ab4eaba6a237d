"""Which clause of its source a statement follows: words of one clause may not be joined to words of another.

"The landlord shall repair the roof, and the tenant shall pay the rent" holds every word of "The landlord shall pay the
rent", in this order, and does not say it. So a statement is laid over a sentence of its source, word by word in order,
and what is left out between two of its words is looked at: part of a list may be left out, the verb of one party and
the subject of the next may not. What remains of the sentence is what the other checks compare the statement with.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from legalqa.answering.verification.quantities import bounds_removed, quantities
from legalqa.answering.verification.words import EMPTY, MODALS, is_letter_name, listed, stem_of

MAX_PLACES = 12  # ours: places of one word in a sentence that are tried
MAX_SENTENCES = 8  # ours: those that share most words with the statement
NEAR = 8  # ours: words of the source before a word, within which what joins or bounds it is looked for
MAX_WORDS = 400  # ours: words of a sentence that are read
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[;:,]")
_SEPARATORS = frozenset({"and", "or", "nor", "but", "while", "whereas", "yet", ";"})
_CLOSING = frozenset({"but", "while", "whereas", ";"})
_NEGATORS = frozenset({"not", "no", "never", "neither", "nor", "without", "none", "cannot"})
_AUXILIARIES = frozenset(listed("is are was were be been being has have had does do did will would"))
_PREPOSITIONS = frozenset(listed("of for in on at by with to from under over within before after until against about"))
_BINDING = frozenset(listed("from by before after until since against except only"))  # prepositions that decide
_SUBORDINATE = frozenset(
    listed("that if unless except when where whether which who whom whose until provided because although once")
)
_SMALL = {
    word: kind
    for kind, words in {
        "and": "and", "or": "or", "all": "all every each", "some": "some certain several most many few", "only":
        "only solely exclusively",
    }.items()
    for word in words.split()
}  # fmt: skip
_TIMES = frozenset(map(stem_of, listed("day week month quarter year")))
_DETERMINERS = frozenset(listed("the a an its their his her this these those such"))
_BEFORE_WORDS = _DETERMINERS | _PREPOSITIONS | _SUBORDINATE | _AUXILIARIES  # between a joint and the word that follows
_LIGHT = (_AUXILIARIES | _DETERMINERS | _PREPOSITIONS | EMPTY) - {"first", "last"}
_ADJUNCT = re.compile(
    r"\b(?:if|when|where|before|after|within|unless|except|until|under|during|on|in|at|for|upon|subject)\b",
    re.IGNORECASE,
)
_PARTY = re.compile(r"[a-z]{3,}(?:ers?|ors?|ees?)|insured|accused|deceased|assured")
_JOINT = re.compile(r"[;,]?\s+(?:and|but|or|while|whereas)\s+|;\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or mark of a sentence; `key` is what it is compared by, "" if it is not compared."""

    lower: str
    key: str
    start: int
    end: int
    bound: str = ""

    @property
    def is_separator(self) -> bool:
        return self.lower in _SEPARATORS

    @property
    def is_verbal(self) -> bool:
        return self.lower in MODALS or self.lower in _AUXILIARIES


@dataclass(frozen=True, slots=True)
class Reading:
    """A statement laid over one sentence.

    `missing` are its words that have no place there in order, `left_out` those of the clause that it does not say;
    `turned` are pairs of small words ("or", "and") that differ between words that have a place, "" for none;
    `is_spliced` says that all have one, but only by joining different clauses; `source` is the sentence without the
    clauses that the statement leaves out.
    """

    missing: tuple[str, ...]
    left_out: tuple[str, ...]
    turned: tuple[tuple[str, str], ...]
    n_words: int
    is_spliced: bool
    source: str

    @property
    def rank(self) -> tuple[int, bool, int]:
        """The lower, the closer it follows."""
        return len(self.missing), self.is_spliced, len(self.turned)

    @property
    def share(self) -> float:
        return 1 - len(self.missing) / self.n_words if self.n_words else 0.0


def reading_of(claim: str, sentences: Iterable[str], *, headings: frozenset[str] = frozenset()) -> Reading | None:
    """The sentence that a statement follows best, None where there is none to follow.

    Args:
        claim: One statement of one clause, contractions opened.
        sentences: Of the source, likewise.
        headings: Stems that the headings above the source hold: they need not be in the sentence.
    """
    best: Reading | None = None
    variants = [(_tokens(text), moved) for text, moved in _orders(claim)]
    keys = {token.key for token in variants[0][0]}
    near = sorted(sentences, key=lambda text: -len(keys & {token.key for token in _tokens(text)}))[:MAX_SENTENCES]
    for sentence in near:
        source = _tokens(sentence)
        for tokens, moved in variants:
            reading = _lay(tokens, source, sentence, headings=headings, moved=moved)
            if best is None or reading.rank < best.rank:
                best = reading
    return best


def clauses_of(claim: str) -> tuple[str, ...]:
    """The clauses that a statement joins, each with the subject that it shares: "A may x and must y" → "A must y"."""
    parts: list[str] = []
    start = 0
    for joint in _JOINT.finditer(claim):
        if _has_verb(claim[start : joint.start()]) and _has_verb(claim[joint.end() :]):
            parts.append(claim[start : joint.start()])
            start = joint.end()
    parts.append(claim[start:])
    first = next((t for t in _tokens(parts[0]) if t.is_verbal), None)
    subject = parts[0][: first.start] if first else ""
    return (parts[0], *(_with_subject(part, subject) for part in parts[1:]))


def _has_verb(text: str) -> bool:
    return any(token.is_verbal for token in _tokens(text))


def _with_subject(part: str, subject: str) -> str:
    head = next(iter(_tokens(part)), None)
    return f"{subject}{part}" if head and (head.is_verbal or head.lower in _NEGATORS) else part


def _orders(claim: str) -> Iterator[tuple[str, int]]:
    """The statement, and with a phrase of time, place or condition moved from its end to its head or back.

    Yields (text, where the part that was not moved begins or ends; 0 where nothing was moved).
    """
    yield claim, 0
    head, comma, rest = claim.partition(",")
    if comma and _ADJUNCT.match(head.strip()):
        rest = rest.strip(" .")
        yield f"{rest} {head}", len(rest)
    for match in list(_ADJUNCT.finditer(claim))[-3:]:
        if match.start():
            phrase = claim[match.start() :].rstrip(". ")
            yield f"{phrase} {claim[: match.start()]}", len(phrase)


@lru_cache(maxsize=2_000)
def _tokens(text: str) -> tuple[Token, ...]:
    numbers = {number.start: number for number in quantities(text)}
    tokens: list[Token] = []
    skip_to = 0
    for match in _TOKEN.finditer(bounds_removed(text)):
        if match.start() < skip_to:
            continue
        if number := numbers.get(match.start()):
            skip_to = number.end
            tokens.append(Token(match.group(), f"#{number.value:g}", match.start(), skip_to, number.bound))
        else:
            is_name = is_letter_name(text, match.start())
            key = f"@{match.group()}" if is_name else _key(match.group())
            tokens.append(Token(match.group().lower(), key, *match.span()))
        if len(tokens) == MAX_WORDS:
            break
    return tuple(tokens)


def _key(word: str) -> str:
    lower = word.lower()
    if lower in MODALS:
        return MODALS[lower]
    if lower in _NEGATORS:
        return "not"
    if lower in _BINDING:
        return lower
    if lower in _SEPARATORS or lower in _LIGHT or not lower[0].isalnum():
        return ""
    # "insurer" and "insured", "employer" and "employee" have one stem and are two parties.
    return lower.removesuffix("s") if _PARTY.fullmatch(lower) else stem_of(lower)


def _lay(
    tokens: Sequence[Token], source: Sequence[Token], sentence: str, *, headings: frozenset[str], moved: int
) -> Reading:
    keys = {token.key for token in source}
    indices = [n for n, token in enumerate(tokens) if token.key and (token.key in keys or token.key not in headings)]
    words = [tokens[n] for n in indices]
    at = next((n for n, word in enumerate(words) if word.start >= moved), 0) if moved else 0
    between = [(), *(_lower(tokens[a + 1 : b]) for a, b in pairwise(indices))]
    path = _path(words, source, between=between, moved=at, is_free=False)
    missing = tuple(word.lower for word, place in zip(words, path, strict=True) if place < 0)
    is_spliced = bool(missing) and not moved and -1 not in _path(words, source, between=between, moved=0, is_free=True)
    turned = tuple(_turned(tokens, source, indices, path))
    places = [place for place in path if place >= 0]
    ours = {token.key for token in tokens}
    left_out = tuple(t.lower for t in _left_out(places, source) if t.key and t.key not in ours)
    return Reading(missing, left_out, turned, len(words), is_spliced, _remaining(places, source, sentence))


def _left_out(places: Sequence[int], source: Sequence[Token]) -> Iterator[Token]:
    """What the clause says besides the placed words, without other members of a list and what is joined after it."""
    if not places:
        return
    start = _clause_start(source, places[0])
    yield from (token for token in source[: places[0]] if token.start >= start)
    for left, right in pairwise(places):
        gap = [token for token in source[left + 1 : right] if token.lower not in _DETERMINERS]
        if gap and not gap[0].is_separator and not gap[-1].is_separator:
            yield from gap
    for token in source[places[-1] + 1 :]:
        if token.is_separator:
            return
        yield token


def _turned(
    tokens: Sequence[Token], source: Sequence[Token], places: Sequence[int], path: Sequence[int]
) -> Iterator[tuple[str, str]]:
    """(small word of the statement, of its source) where two words that follow each other are joined otherwise."""
    placed = [(-1, -1), *((n, place) for n, place in zip(places, path, strict=True) if place >= 0)]
    for (here, there), (next_here, next_there) in pairwise(placed):
        ours = _small(tokens[here + 1 : next_here + 1])
        theirs = _small(source[max(there + 1, next_there - NEAR) : next_there + 1])
        for one, other in (("and", "or"), ("or", "and"), ("all", "some"), ("some", "all")):
            if one in ours and one not in theirs and other in theirs and other not in ours:
                yield ours[one], theirs[other]
        for kind in ("only", "some", "all"):
            if kind in ours and kind not in theirs:
                yield ours[kind], ""
            elif kind in theirs and kind not in ours and kind != "all":
                yield "", theirs[kind]


def _small(tokens: Sequence[Token]) -> dict[str, str]:
    """The kinds of small words before the last token, as written; "each year" is a time and no number of things."""
    return {
        _SMALL[token.lower]: token.lower
        for token, follower in pairwise(tokens)
        if token.lower in _SMALL and follower.key not in _TIMES
    }


def _lower(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(token.lower for token in tokens)


def _path(
    words: Sequence[Token],
    source: Sequence[Token],
    *,
    between: Sequence[tuple[str, ...]],
    moved: int,
    is_free: bool,
) -> list[int]:
    """The place of each word in the sentence, -1 for none: as many as can be in order without a splice.

    `between` is what the statement has before each word: where the source has the same, nothing is left out.
    `moved` is the word before which a phrase was moved: no other clause may be between the two.
    """
    places: dict[str, list[int]] = {}
    for place, token in enumerate(source):
        if token.key:
            places.setdefault(token.key, []).append(place)
    # By the last place: how many words are placed so far, less a little for each gap, and the path that led there.
    best: dict[int, tuple[float, tuple[int, ...]]] = {-1: (0.0, ())}
    for n, word in enumerate(words):
        after = {last: (score, (*path, -1)) for last, (score, path) in best.items()}
        for place in [p for p in places.get(word.key, [])[:MAX_PLACES] if _is_same(word, source[p])]:
            for last, (score, path) in best.items():
                is_next = bool(path) and path[-1] == last and between[n] == _lower(source[last + 1 : place])
                if last >= place or not (is_free or is_next or last < 0 or not _is_splice(source, last, place)):
                    continue
                if moved and n == moved and any(t.is_separator for t in source[last + 1 : place]):
                    continue
                gained = score + 1 - 0.001 * (last >= 0 and place > last + 1)
                if gained > after.get(place, (-1.0, ()))[0]:
                    after[place] = (gained, (*path, place))
        best = after
    return list(max(best.values(), key=lambda pair: pair[0])[1])


def _is_same(ours: Token, theirs: Token) -> bool:
    return ours.bound == theirs.bound or not (ours.bound and theirs.bound)


def _is_splice(source: Sequence[Token], left: int, right: int) -> bool:
    """Whether leaving out what is between two places joins different clauses, or loses a negation."""
    gap = list(source[left + 1 : right])
    if gap and gap[0].lower == "s":  # "a company's accounts" are not the company
        return True
    opens_noun = False  # an article is before the next word
    while gap and gap[-1].lower in _BEFORE_WORDS:
        opens_noun = opens_noun or gap[-1].lower in _DETERMINERS
        gap.pop()
    joints = [n for n in range(len(gap)) if _is_joint(gap, n)]
    if not joints:
        return any(token.lower in _NEGATORS for token in gap)
    if gap[-1].is_separator:  # members of a list before ours, or another sentence: "…, and the buyer pays"
        commas = [n for n, token in enumerate(gap) if token.lower == ","]
        is_sentence = gap[-1].lower != "or" and opens_noun and commas == [len(gap) - 2]
        says_more = any(token.is_verbal for token in gap)
        opens_clause = gap[0].is_verbal or gap[0].is_separator or gap[0].lower in _SUBORDINATE
        return (
            is_sentence
            or (says_more and not opens_clause)
            or any(_has_subject(gap, n) for n in joints if n + 1 < len(gap))
        )
    says = any(token.is_verbal or token.lower in _NEGATORS or token.key.startswith("#") for token in gap)
    if joints[0] == 0 or gap[0].lower == ",":  # members of a list after ours
        return says
    is_phrase = gap[0].lower in _PREPOSITIONS and (gap[-1].is_verbal or source[right].is_verbal)
    return not is_phrase or any(token.is_verbal for token in gap[:-1])


def _is_joint(gap: Sequence[Token], n: int) -> bool:
    return gap[n].is_separator or (gap[n].lower == "," and any(t.is_verbal or t.key.startswith("#") for t in gap))


def _remaining(places: Sequence[int], source: Sequence[Token], sentence: str) -> str:
    """The sentence without the clauses before and after the statement's words, and without the members left out."""
    if not places:
        return sentence
    parts, at = [], _clause_start(source, places[0])
    for left, right in pairwise(places):
        gap = [token for token in source[left + 1 : right] if token.lower not in _DETERMINERS]
        if gap and (gap[0].is_separator or gap[-1].is_separator):
            parts.append(sentence[at : gap[0].start])
            at = gap[-1].end
    return " ".join([*parts, sentence[at : _clause_end(source, places[-1])]])


def _clause_start(source: Sequence[Token], first: int) -> int:
    """Where the clause of the first placed word begins: after a separator that closes what came before it."""
    for place in range(first - 1, -1, -1):
        token = source[place]
        if token.lower in _CLOSING:
            return token.end
        is_joined = token.lower in ("and", "or") and place + 1 < len(source)
        if is_joined and not any(t.lower in _SUBORDINATE or t.lower in _NEGATORS for t in source[:place]):
            return token.end
    return 0


def _clause_end(source: Sequence[Token], last: int) -> int:
    """Where it ends: before a separator that another clause or verb follows."""
    for place in range(last + 1, len(source)):
        token = source[place]
        if token.lower in _CLOSING or (token.lower in ("and", "or") and _begins_clause(source, place)):
            return token.start
    return source[-1].end


def _begins_clause(source: Sequence[Token], place: int) -> bool:
    follower = source[place + 1] if place + 1 < len(source) else None
    return _has_subject(source, place) or (follower is not None and follower.is_verbal)


def _has_subject(source: Sequence[Token], place: int) -> bool:
    rest = source[place + 1 : place + 7]
    verb = next((n for n, t in enumerate(rest) if t.is_verbal), None)
    if verb is not None and any(t.key for t in rest[:verb]):
        return True
    return bool(rest) and source[place - 1].lower == "," and rest[0].lower in _DETERMINERS
