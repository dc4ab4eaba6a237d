"""From what triplets say to the entities that they share: pure, so that a rebuilt graph equals a new one."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from retrieval.graph.naming import grams, key_of, names_of, normal, plain
from retrieval.graph.rules.nouns import is_actor, listed
from retrieval.graph.rules.references import references_in
from retrieval.kinds import Kind

NAME, SECTION, VALUE = "n", "s", "v"
MAX_NAME = 300
_VALUED = frozenset([Kind.DEADLINE, Kind.AMOUNT, Kind.THRESHOLD])
_VAGUE = listed("it they he she we you person one other others following paragraph information measure")
_MAX_VALUE_WORDS = 12
_ARTICLE = re.compile(r"^(?:the|an?|any|each|every|all|no|such|this|these|those)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stated:
    """What resolving needs to know about a triplet."""

    id: UUID
    document_id: UUID
    kind: str
    subject: str
    predicate: str
    object: str
    section: str


@dataclass(frozen=True, slots=True)
class Decisions:
    """What reviewers decided: keys merged into others, surface forms split off, keys rejected."""

    merges: Mapping[str, str] = field(default_factory=dict)
    splits: frozenset[str] = frozenset()
    rejected: frozenset[str] = frozenset()

    def final(self, key: str) -> str:
        """The key that another one ends in; merges in a circle end where they began."""
        seen = {key}
        while (into := self.merges.get(key)) is not None and into not in seen:
            seen.add(into)
            key = into
        return key


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity as it is stored."""

    kind: str
    key: str
    name: str
    aliases: tuple[str, ...]
    n_triplets: int
    is_rejected: bool


class Link(NamedTuple):
    triplet_id: UUID
    key: str
    role: str


@dataclass(frozen=True, slots=True)
class Resolved:
    entities: dict[str, Entity]
    links: frozenset[Link]


def resolved(stated: Sequence[Stated], *, aliases: Iterable[tuple[str, str]], decisions: Decisions) -> Resolved:
    """The entities of a corpus and how each triplet is linked to them.

    Rule: names are one where their normal forms are, where the glossary has one as the short form of the other, or
    where a reviewer merged them. "Paragraph 2" and "this Article" are the section that they name in their document;
    "§ 20-871" is the section of that number, in whichever document has it. A triplet also speaks of the bodies, terms
    and things whose names are in its words.

    Args:
        stated: All triplets of the corpus that are not rejected.
        aliases: (short form, long form) as the glossary has them.
        decisions: Of the reviewers.

    Source: ours; HyPA-RAG 8.2 de-duplicates by a model.
    """
    return _Resolver(stated, _alias_map(aliases), decisions).resolved()


def _alias_map(aliases: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Short to long normal forms; of several long ones the commonest, then the first by the alphabet."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for short, long in aliases:
        if normal(short) != normal(long) and normal(long):
            counts[normal(short)][normal(long)] += 1
    best = {short: min(longs, key=lambda long: (-longs[long], long)) for short, longs in counts.items()}
    return {short: long for short, long in best.items() if long not in best}


class _Resolver:
    def __init__(self, stated: Sequence[Stated], aliases: dict[str, str], decisions: Decisions) -> None:
        self.stated, self.decisions = stated, decisions
        self.aliases = {short: long for short, long in aliases.items() if short not in decisions.splits}
        self.names: defaultdict[str, Counter[str]] = defaultdict(Counter)  # by key: how it is said
        self.others: defaultdict[str, set[str]] = defaultdict(set)  # by key: further normal forms
        self.kinds: dict[str, str] = {}
        self.links: set[Link] = set()
        self.homes: defaultdict[str, set[UUID]] = defaultdict(set)  # by section: the documents that have it
        for one in stated:
            for name in _with_base(one.section):
                self.homes[name].add(one.document_id)

    def resolved(self) -> Resolved:
        for one in self.stated:
            self._own(one)
        keys = {key for key in self.names if key.startswith(NAME) and self._is_named_elsewhere(key)}
        lookup = {other: key for key in keys for other in self.others[key]}
        for one in self.stated:
            self._mentions(one, lookup)
        counts = Counter(key for _, key in {(link.triplet_id, link.key) for link in self.links})
        entities = {
            key: Entity(
                self.kinds[key],
                key,
                min(spellings, key=lambda name: (-spellings[name], name))[:MAX_NAME],
                tuple(sorted(self.others[key])),
                counts[key],
                key in self.decisions.rejected,
            )
            for key, spellings in self.names.items()
        }
        return Resolved(entities, frozenset(self.links))

    def _own(self, one: Stated) -> None:
        for name in _with_base(one.section):
            self._link(one, self._section(one, name), "section", name, "section")
        if one.kind == Kind.REFERENCE:
            for name in _referred(one):
                self._link(one, self._section(one, name), "object", name, "section")
            return
        subjects = [one.subject] if one.kind == Kind.DEFINITION else names_of(one.subject)
        for name in subjects:
            reference = _referred_subject(one, name)
            if reference:
                self._link(one, self._section(one, reference), "subject", reference, "section")
            elif normal(name) and normal(name) not in _VAGUE:
                kind = "term" if one.kind == Kind.DEFINITION else "actor" if is_actor(name) else "thing"
                self._link(one, self._named(name), "subject", _shown(name), kind)
        if one.kind in _VALUED and len(one.object.split()) <= _MAX_VALUE_WORDS:
            self._link(one, key_of(VALUE, normal(one.object)), "object", one.object, "value")

    def _link(self, one: Stated, key: str, role: str, name: str, kind: str) -> None:
        raw = normal(name)
        final = self.decisions.final(key)
        if final == key or not self.names[final]:
            self.names[final][name] += 1 if final == key else 0
        self.others[final] |= {raw, *(() if key == final else (key.partition(":")[2],))}
        before = self.kinds.get(final)
        self.kinds[final] = kind if before is None else min(before, kind, key=_RANK.index)
        self.links.add(Link(one.id, final, role))

    def _named(self, name: str) -> str:
        """The key of a name: its normal form, or the long form of a short one."""
        form = normal(name)
        return key_of(NAME, self.aliases.get(form, form))

    def _section(self, one: Stated, name: str) -> str:
        homes = self.homes.get(name, set())
        if one.document_id in homes or not homes:
            home = str(one.document_id) if not name.startswith("§") or homes else ""
        else:
            home = str(next(iter(homes))) if len(homes) == 1 else ""
        return key_of(SECTION, f"{home}:{name.lower()}")

    def _is_named_elsewhere(self, key: str) -> bool:
        """Whether a name says enough to be looked for in the words of other triplets."""
        n_words = len(key.partition(":")[2].split())
        return self.kinds[key] in ("actor", "term") or n_words > 1

    def _mentions(self, one: Stated, lookup: Mapping[str, str]) -> None:
        if one.kind == Kind.REFERENCE:
            return
        own = {link.key for link in (Link(one.id, key, "subject") for key in lookup.values()) if link in self.links}
        for key in _found(f"{one.object} ; {one.predicate} ; {one.subject}", lookup, self.aliases):
            if key not in own:
                self.links.add(Link(one.id, key, "mention"))


_RANK = ("term", "actor", "section", "value", "thing")


def _found(text: str, lookup: Mapping[str, str], aliases: Mapping[str, str]) -> Iterator[str]:
    """The keys of the names that are in a text, the longest first, none inside another."""
    places: set[int] = set()
    for start, size, form in grams(text):
        key = lookup.get(form) or lookup.get(aliases.get(form, ""))
        if key is not None and not places & set(range(start, start + size)):
            places |= set(range(start, start + size))
            yield key


def _shown(name: str) -> str:
    """A name without its article."""
    return _ARTICLE.sub("", " ".join(name.split()))


def _with_base(section: str) -> list[str]:
    """ "Article 5(1)(a)" and "Article 5"; nothing for ""."""
    base = section.partition("(")[0].strip()
    return list(dict.fromkeys([section, base])) if base else []


def _referred(one: Stated) -> list[str]:
    """The sections that a reference names; one to another law is named as printed, unless its number is unique."""
    for reference in references_in(one.object, section=one.section):
        if reference.law and not all(name.startswith("§") for name in reference.names):
            return [one.object]
        return [name for name in reference.names if name != one.section]
    return []


def _referred_subject(one: Stated, name: str) -> str:
    """The section that a subject is: "Paragraph 1", "This Article"; "" where it is no section."""
    words = plain(name) if not name.lower().startswith("this") else name.lower()
    if re.fullmatch(r"this (?:article|section|annex|paragraph)", words):
        return one.section if words.endswith("paragraph") else one.section.partition("(")[0]
    reference = next(iter(references_in(name, section=one.section)), None)
    if reference is not None and reference.start == 0 and reference.end >= len(name.rstrip()) - 1 and not reference.law:
        return reference.names[0]
    return ""
