"""Which names of a graph are so near that they may be one: pure functions; a person decides."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

LIKE = 88.0  # ours: rapidfuzz's ratio of characters, words in order of the alphabet, from which two names are near
_SHORT_FORM = 100.0
_SAME_HEAD, _WEIGHT = 60.0, 0.25  # ours: below every near name; of two longer names the nearer first
_MIN_LETTERS, _MAX_LETTERS = 2, 10  # letters of a short form, least and most
_STEM = 4  # first letters of words; names that share them are compared
_SMALL = frozenset(["a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "that", "the", "to", "with"])
_NUMBER = re.compile(r"\d|[ivx]+$")


@dataclass(frozen=True, slots=True)
class Named:
    """An entity, as far as its names are compared.

    Attributes:
        key: Of the entity.
        name: As it is shown.
        kind: What it is.
        n_triplets: In how many statements it is.
        forms: The normal forms of all its names.
    """

    key: str
    name: str
    kind: str
    n_triplets: int
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entities that may be one: which would go, and which would stay."""

    goes: Named
    stays: Named
    likeness: float

    @property
    def keys(self) -> frozenset[str]:
        return frozenset([self.goes.key, self.stays.key])


def pairs_alike(entities: Sequence[Named], *, known: Collection[frozenset[str]] = ()) -> list[Pair]:
    """Pairs of entities whose names are near, the likeliest first.

    Rule: a pair is a short form and the initials of a long one; two names with nearly the same letters; or a name and
    a longer one with the same head that has all its words. Names with different numbers are never a pair. A short form
    would go into the long one, else the entity in fewer statements into the one in more.

    Args:
        entities: All that are compared.
        known: Pairs of keys that are left out.

    Source: ours; HyPA-RAG 8.2 de-duplicates by a model.
    """
    likeliest: dict[frozenset[str], tuple[float, Named, Named]] = {}
    for one, its_form, other, other_form in _near(entities):
        keys = frozenset([one.key, other.key])
        likeness = _likeness(its_form, other_form)
        if likeness and keys not in known and likeness > likeliest.get(keys, (0.0,))[0]:
            likeliest[keys] = (likeness, one, other)
    pairs = [_pair(*values) for values in likeliest.values()]
    return sorted(pairs, key=lambda pair: (-pair.likeness, -pair.stays.n_triplets, pair.goes.key, pair.stays.key))


def _near(entities: Sequence[Named]) -> Iterator[tuple[Named, str, Named, str]]:
    """Names of different entities that have words with the same first letters, or the initials of one another."""
    together: defaultdict[str, list[tuple[Named, str]]] = defaultdict(list)
    for entity in entities:
        for form in entity.forms:
            words = form.split()
            stems = {word[:_STEM] for word in words if word not in _SMALL}
            for stem in stems | _initials(words):
                together[stem].append((entity, form))
    for names in together.values():
        for number, (one, its_form) in enumerate(names):
            for other, other_form in names[number + 1 :]:
                if one.key != other.key:
                    yield one, its_form, other, other_form


def _likeness(one: str, other: str) -> float:
    """0 to 100; 0 where two normal forms are not a pair."""
    words, others = one.split(), other.split()
    if _numbers(words) != _numbers(others):
        return 0.0
    if _is_short(words, others) or _is_short(others, words):
        return _SHORT_FORM
    ratio = fuzz.token_sort_ratio(one, other)
    if ratio >= LIKE:
        return ratio
    is_longer = set(words) < set(others) or set(others) < set(words)
    return _SAME_HEAD + _WEIGHT * ratio if is_longer and _head(words) == _head(others) else 0.0


def _is_short(short: Sequence[str], long: Sequence[str]) -> bool:
    return len(short) == 1 and short[0] in _initials(long)


def _initials(words: Sequence[str]) -> set[str]:
    """The short forms that the words of a name would have, with and without small words: "dpo"."""
    if len(words) < _MIN_LETTERS:
        return set()
    whole, main = ("".join(word[0] for word in some) for some in (words, [w for w in words if w not in _SMALL]))
    return {letters for letters in (whole, main) if _MIN_LETTERS <= len(letters) <= _MAX_LETTERS}


def _numbers(words: Sequence[str]) -> set[str]:
    return {word for word in words if _NUMBER.match(word)}


def _head(words: Sequence[str]) -> str:
    """The noun that a name is about: the last word before "of", "for" or the like."""
    before = next((number for number, word in enumerate(words) if number and word in _SMALL), len(words))
    return words[before - 1]


def _pair(likeness: float, one: Named, other: Named) -> Pair:
    def rank(named: Named) -> tuple[int, int, str]:
        n_words = max(len(form.split()) for form in named.forms) if likeness == _SHORT_FORM else 0
        return n_words, named.n_triplets, named.key

    goes, stays = sorted((one, other), key=rank)
    return Pair(goes, stays, likeness)
