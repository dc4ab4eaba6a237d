"""Rewriting by rules: what is asked, without the rest; double questions apart; words as the corpus says them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpora.tokens import tokens
from retrieval.rewriters.clauses import MIN_CONTENT, Clause, clauses, content, leans, without_lead
from retrieval.rewriters.followups import Weigh, followup_resolved
from retrieval.rewriters.glossary import Glossary
from retrieval.types import Queries, Rewritten

# Ours, from ObliQA's plain questions: what they tell comes within .46 of some passage of the rules, small talk not
# within .40; parts of one question lie closer together than two questions that have nothing to do with each other.
TOLD_FROM = 0.40
APART_BELOW = 0.45
MORE_SPREAD = 2  # ours: how much oftener the documents say it the other way for it to be put so

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class CorpusView:
    """What the rules know of a corpus.

    Attributes:
        glossary: Its short forms and defined terms.
        weigh: From a text to its index terms with their idf; 0 for terms that no document holds.
        spread: From a text to the number of passages that hold all of its index terms.
        language: Its language; questions are taken apart in English only.
        named: From a question to the first lines of the provisions that it names by number.
    """

    glossary: Glossary
    weigh: Weigh
    spread: Callable[[str], int]
    language: str
    named: Callable[[str], Sequence[str]] = lambda _: ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as read: follow-ups resolved, clauses apart. `told` are the clauses that only tell something."""

    asked: str
    text: str
    pieces: tuple[Clause, ...]
    reasons: tuple[str, ...]

    @property
    def told(self) -> tuple[str, ...]:
        """What may be beside the point; none where nothing asks, for then all is searched."""
        if not any(piece.asks for piece in self.pieces):
            return ()
        return tuple(piece.text for piece in self.pieces if not piece.asks)


def question_read(text: str, *, history: Sequence[str], view: CorpusView) -> Reading:
    """Resolve a follow-up and take the question apart."""
    if view.language != "english":
        return Reading(text, text, (), ())
    found = followup_resolved(text, history=history, weigh=view.weigh, language=view.language)
    resolved, reasons = (found[0], (found[1],)) if found else (text, ())
    return Reading(text, resolved, clauses(resolved), reasons)


def rewrites_made(reading: Reading, *, nearness: Mapping[str, float], view: CorpusView, q: int) -> Queries:
    """What is searched for a question, by rules.

    Args:
        reading: Of `question_read`.
        nearness: For each clause that only tells something, the largest cosine of a passage of the corpus with it;
            empty where the search reads no meaning, and then clauses are kept half of whose words the corpus knows.
        view: Of the corpus.
        q: Rewrites at most.

    Source: the kinds of question are those of HyPA-RAG's Table 3 (double, distracting, conversational, vague), which
    has a model rewrite them; the rules are ours.
    """
    dropped = [told for told in reading.told if not _bears_on_it(told, reading, nearness, view)]
    if not any(content(told, language=view.language) for told in dropped):
        dropped = []  # "first," and "roughly speaking" draw no passage away
    kept = [piece for piece in reading.pieces if piece.text not in dropped]
    text, reasons = reading.text, reading.reasons
    if dropped:
        text = _without(text, dropped)
        reasons = (*reasons, "Left out, as no document is about it: " + " … ".join(f"“{d}”" for d in dropped) + ".")
    made = [*_parts(kept, view), *_named(text, view), *_spelt(text, view)]
    if text != reading.asked:
        made.append(Rewritten(reading.asked, "asked", "The question as it was typed."))
    fresh: dict[tuple[str, ...], Rewritten] = {}
    for rewrite in made:  # what has the same terms finds the same, and is not searched again
        fresh.setdefault(tuple(tokens(rewrite.text, language=view.language)), rewrite)
    fresh.pop(tuple(tokens(text, language=view.language)), None)
    return Queries(reading.asked, text, tuple(fresh.values())[:q], "rules", reasons)


def parts_apart(queries: Queries, vectors: Sequence[Vector]) -> tuple[Queries, list[Vector]]:
    """Leave out parts that are about the same thing: they are one question, and the whole finds them.

    Args:
        queries: With rewrites.
        vectors: Of the question, then of each rewrite.
    """
    parts = [place for place, rewrite in enumerate(queries.rewrites) if rewrite.is_part]
    pairs = [(a, b) for a in parts for b in parts if a < b]
    if not pairs or max(float(vectors[a + 1] @ vectors[b + 1]) for a, b in pairs) < APART_BELOW:
        return queries, list(vectors)
    kept = [place for place in range(len(queries.rewrites)) if place not in parts]
    rewrites = tuple(queries.rewrites[place] for place in kept)
    plain = Queries(queries.asked, queries.text, rewrites, queries.method, queries.reasons, queries.note)
    return plain, [vectors[0], *(vectors[place + 1] for place in kept)]


def _bears_on_it(told: str, reading: Reading, nearness: Mapping[str, float], view: CorpusView) -> bool:
    """Whether a clause that only tells something is about what the documents are about."""
    terms = content(told, language=view.language)
    if not terms:
        return False
    asked = {t for piece in reading.pieces if piece.asks for t in content(piece.text, language=view.language)}
    weights = view.weigh(told)
    known = [term for term in terms if weights.get(term, 0.0) > 0]
    if any(term in asked for term in known):
        return True
    return nearness[told] >= TOLD_FROM if told in nearness else 2 * len(known) >= len(terms)


def _without(text: str, dropped: Sequence[str]) -> str:
    """The text without some of its clauses, and without the stops and the "but" that joined them."""
    for clause in dropped:
        before, _, after = text.partition(clause)
        text = f"{before.rstrip()} {after.lstrip(' ,;:')}".strip()
    return without_lead(text)


def _parts(kept: Sequence[Clause], view: CorpusView) -> list[Rewritten]:
    """The questions that were asked at once, each with what leads up to it; none where only one was."""
    found: list[list[str]] = []
    lead: list[str] = []
    for piece in kept:
        lead.append(piece.text)
        if not piece.asks:
            continue
        if found and leans(piece.text, language=view.language):
            found[-1] += lead
        else:
            found.append(lead)
        lead = []
    if len(found) < 2 or any(len(content(" ".join(part), language=view.language)) < MIN_CONTENT for part in found):
        return []
    found[-1] += lead
    count = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
    return [
        Rewritten(
            ", ".join([without_lead(part[0]).rstrip(",;:"), *part[1:]]),
            "part",
            f"The {count[min(place, 9)]} of {len(found)} questions asked at once.",
            is_part=True,
        )
        for place, part in enumerate(found)
    ]


def _named(text: str, view: CorpusView) -> list[Rewritten]:
    return [Rewritten(line, "reference", "The provision that the question names.") for line in view.named(text) if line]


def _spelt(text: str, view: CorpusView) -> list[Rewritten]:
    """The question with every form put as the corpus mostly says it; none where it already is."""
    put, changed = text, []
    for said, other in view.glossary.expansions(text):
        if view.spread(other) >= MORE_SPREAD * view.spread(said):
            put = put.replace(said, other)
            changed.append(f"“{said}” is “{other}” in the documents")
    return [Rewritten(put, "alias", "; ".join(changed) + ".")] if changed else []
