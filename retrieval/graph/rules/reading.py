"""From the paragraphs of a version to their triplets, each paragraph read with the stem of its list and its section."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from corpora.provisions.around import without_marks
from corpora.provisions.grouping import trees_of
from corpora.provisions.hanging import Node
from corpora.provisions.nesting import BULLET
from corpora.provisions.splitting import opens_list, sentences, without_title
from corpora.provisions.types import Part, Role
from retrieval.graph.rules.clauses import Clause, clauses_of
from retrieval.graph.rules.definitions import definitions_of
from retrieval.graph.rules.measures import Measure, measures_of
from retrieval.graph.rules.references import references_in, section_name
from retrieval.graph.types import Triplet
from retrieval.kinds import Kind

VERSION = "2"  # raised with every change of a rule: paragraphs read by older rules are read again
READ = frozenset({Role.OPERATIVE, Role.DEFINITION, ""})
MAX_STEM = 600
MAX_SHORT = 9  # words of an object that stand for it
_ENDS_IN_LIST = re.compile(r"\s*(?:the following|as follows)?\s*[:—–]\s*$")
_LEADS_ON = re.compile(
    r"\b(?:shall|must|may|that|by|to|of|in|be|for|with|or|and|unless|where|when|if|including|on|at|means|is|are|not"
    r"|ensure|from|only|either|both|than|as|which|include|includes)$"
)
_LIABLE = re.compile(
    r"^(?P<subject>(?:An?|Any|Each|Every|The|Whoever)\b[^.;]{2,160}?)\s+(?P<verb>(?:is|are|shall be)\s+(?:liable for"
    r"|subject to|punishable by|fined))\s+(?P<rest>[^;]+)"
)
_BOUNDED = re.compile(r"\s(?=(?:not|no|nor|at|up|more|less)\s+(?:less|more|least|most|to|than)\b)|(?=[$€£]|\d)")


@dataclass(frozen=True, slots=True)
class Unit:
    """A paragraph with the ones that continue its sentence, as the rules read it.

    Attributes:
        places: Indexes of the paragraphs.
        section: The name of its section.
        label: Its own number.
        stem: The words above it that it completes, "" for none.
        opens: Whether it opens a list itself.
    """

    places: tuple[int, ...]
    section: str
    label: str
    stem: str
    opens: bool

    def digest(self, parts: Sequence[Part]) -> str:
        """Everything that determines the unit's triplets: if it is equal, so are they."""
        facts = [VERSION, self.section, self.label, self.stem, str(self.opens)]
        facts += [f"{parts[place].role}{parts[place].kind}{parts[place].text}" for place in self.places]
        return sha256("\x1f".join(facts).encode()).hexdigest()


def units_of(parts: Sequence[Part]) -> list[Unit]:
    """The units of a whole version that state law, in reading order.

    Args:
        parts: All paragraphs of the version, with their roles.
    """
    units: list[Unit] = []
    for nodes in trees_of(parts):
        parents = {node.parent for node in nodes.values() if node.is_item and node.parent is not None}
        for place, node in nodes.items():
            part = parts[place]
            if part.role not in READ or part.kind in {"heading", "table"}:
                continue
            labels = _labels(nodes, node)
            path = part.path if not _is_structure(part) else (*part.path, part.label)
            units.append(
                Unit(
                    (place, *node.rest),
                    section_name(path, labels),
                    node.label,
                    _stem(parts, nodes, node),
                    place in parents,
                )
            )
    return units


def triplets_of(parts: Sequence[Part], unit: Unit) -> list[Triplet]:
    """What the sentences of a unit state, each triplet once.

    Args:
        parts: Of the version, as given to `units_of`.
        unit: One of them.

    Returns:
        In reading order; the spans are offsets in the paragraph that the sentence begins in.
    """
    triplets: list[Triplet] = []
    subject = ""
    for number, segments in enumerate(sentences(parts, unit.places)):
        first = segments[0]
        raw = " ".join(parts[s.place].text[s.start : s.end] for s in segments)
        text = " ".join(without_marks(raw).split())
        label = first.label or ("" if number else unit.label)
        text = without_title(text.removeprefix(label).lstrip() if label != BULLET else re.sub(r"^\W+", "", text))
        where = (parts[first.place].ordinal, first.start, first.end, unit.section, unit.stem if not number else "")
        place = Triplet(Kind.RELATION, "", "", "", *where)
        statements, subject = _of_sentence(text, place, subject, is_stem=unit.opens and opens_list(text))
        triplets += statements
    return list(dict.fromkeys(triplets))


def _of_sentence(text: str, place: Triplet, before: str, *, is_stem: bool) -> tuple[list[Triplet], str]:
    """The triplets of a sentence, and its subject for a pronoun in the next."""
    triplets = [place.says(Kind.REFERENCE, place.section, "refers to", words) for words in _references(text, place)]
    terms = definitions_of(text)
    if terms and not is_stem:
        triplets += [place.says(Kind.DEFINITION, *one) for one in terms]
    if terms or (is_stem and not place.stem):
        return triplets, before
    clauses = [] if is_stem else clauses_of(text, before=before)
    if place.stem and not clauses:
        triplets += list(_completed(text, place))
        return triplets, before
    for clause in clauses:
        triplets += list(_of_clause(clause, place))
    if not clauses:
        triplets += list(_liable(text, place))
    return triplets, clauses[-1].subject if clauses else before


def _references(text: str, place: Triplet) -> Iterator[str]:
    """References to other sections, as printed; those to the section itself tell nothing."""
    if not place.section:
        return
    for reference in references_in(text, section=place.section):
        if reference.law or any(name != place.section for name in reference.names):
            yield reference.words


def _of_clause(clause: Clause, place: Triplet) -> Iterator[Triplet]:
    if clause.object:
        kind = Kind.EXCEPTION if clause.predicate.endswith(" not apply") else clause.kind
        yield place.says(kind, clause.subject, clause.predicate, clause.object)
    for limit in clause.limits:
        yield place.says(limit.kind, clause.subject, f"{_in_short(clause)}, {limit.word}", limit.text)
    for measure in measures_of(clause.rest):
        yield _measured(measure, clause, place)


def _measured(measure: Measure, clause: Clause, place: Triplet) -> Triplet:
    return place.says(measure.kind, clause.subject, f"{_in_short(clause, measure)} {measure.word}", measure.value)


def _in_short(clause: Clause, measure: Measure | None = None) -> str:
    """The rule that a limit or measure belongs to: its verb with the first words of its object."""
    text = clause.object
    if measure is not None:
        text = clause.rest[: max(0, clause.rest.find(measure.value[:12]))].removesuffix(measure.word + " ")
    words = text.split()
    if len(words) > MAX_SHORT:
        words = [*words[:MAX_SHORT], "…"]
    return f"{clause.predicate} {' '.join(words)}".strip(" ,")


def _liable(text: str, place: Triplet) -> Iterator[Triplet]:
    """Fines that a sentence without a modal verb sets: "is liable for a civil penalty of not more than $500"."""
    match = _LIABLE.match(text)
    if match is None:
        return
    fine = _BOUNDED.split(match["rest"], maxsplit=1)[0].strip()
    for measure in measures_of(match["rest"]):
        if measure.kind == Kind.AMOUNT:
            predicate = f"{match['verb']} {fine} {measure.word.replace('nor', 'not')}"
            yield place.says(measure.kind, match["subject"], predicate, measure.value)


def _completed(text: str, place: Triplet) -> Iterator[Triplet]:
    """What an item states together with the stem above it."""
    stem = re.sub(r"(?:,\s*at a minimum,?)?\s*[:—–]\s*$", "", place.stem)
    item = re.sub(r"[;,.]?\s*(?:and|or)?\s*$", "", text).strip(" ;,.")
    sentence = f"{stem}{' ' if _LEADS_ON.search(stem) else ': '}{item}"
    if _LEADS_ON.search(stem) and item[1:2].islower():
        sentence = f"{stem} {item[0].lower()}{item[1:]}"
    terms = definitions_of(sentence)
    if terms:
        yield from (place.says(Kind.DEFINITION, *one) for one in terms)
        return
    clauses, opening = clauses_of(sentence), clauses_of(f"{stem} …")
    if not clauses or len(clauses) < len(opening) or len(clauses) > len(opening) + 1:
        return
    last, above = clauses[-1], opening[-1] if opening else None
    is_of_stem = above is not None and (above.subject, above.predicate) == (last.subject, last.predicate)
    if not is_of_stem and len(clauses) == len(opening):
        return
    if last.object and len(last.object) > len(above.object if above and is_of_stem else ""):
        yield place.says(last.kind, last.subject, last.predicate, last.object)
    for limit in last.limits:
        if limit.text[:20] in item:
            yield place.says(limit.kind, last.subject, f"{_in_short(last)}, {limit.word}", limit.text)
    for measure in [] if last.limits else measures_of(item):
        yield _measured(measure, last, place)


def _labels(nodes: dict[int, Node], node: Node) -> list[str]:
    labels: list[str] = []
    step = node
    while True:
        if step.label and step.label != BULLET:
            labels.insert(0, step.label)
        above = step.parent if step.parent is not None else (step.root if step.root != step.place else None)
        if above is None:
            return labels
        step = nodes[above]


def _stem(parts: Sequence[Part], nodes: dict[int, Node], node: Node) -> str:
    """The last sentence of the paragraph that opens the list, with the stem above that one where it is an item."""
    if not node.is_item or node.parent is None:
        return ""
    opener = nodes[node.parent]
    places = (opener.place, *opener.rest)
    last = sentences(parts, places)[-1]
    text = " ".join(without_marks(" ".join(parts[s.place].text[s.start : s.end] for s in last)).split())
    text = without_title(text.removeprefix(opener.label).lstrip())
    if not opens_list(text):
        return ""
    above = _ENDS_IN_LIST.sub("", _stem(parts, nodes, opener)) if opener.is_item else ""
    return f"{above} {text}".strip()[-MAX_STEM:]


def _is_structure(part: Part) -> bool:
    return part.label[:1].isupper() or part.label.startswith("§")
