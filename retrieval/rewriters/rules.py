"""Rewriting by rules: what is asked, without the rest; double questions apart; words as the corpus says them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from corpora.tokens import tokens
from retrieval.indexes.glossary import Glossary
from retrieval.rewriters.clauses import MIN_CONTENT, Clause, clauses, content, leans, without_lead
from retrieval.rewriters.followups import Weigh, followup_perhaps, followup_repeated, followup_resolved
from retrieval.rewriters.terms import meanings_asked
from retrieval.types import Queries, Rewritten

# Ours, from ObliQA's plain questions: what they tell comes within .46 of some passage of the rules, small talk not
# within .40; parts of one question lie closer together than two questions that have nothing to do with each other.
TOLD_FROM = 0.40
APART_BELOW = 0.50  # ours: cosine below which two parts of a question are on different subjects
NEARER = 0.01  # ours, from the shown half: by how much a follow-up's reading must come nearer than what was typed
TERM = "term"  # the rule by which terms that are compared are searched one by one
MORE_SPREAD = 2  # ours: how much more often the documents must use the other form for a question to be put in it

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class CorpusView:
    """What the rules know of a corpus.

    Attributes:
        glossary: Its short forms.
        weigh: From a text to its index terms with their idf; 0 for terms that no document holds.
        spread: From a text to the number of passages that hold all of its index terms.
        language: Its language; questions are taken apart in English only.
    """

    glossary: Glossary
    weigh: Weigh
    spread: Callable[[str], int]
    language: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as read: follow-ups resolved, clauses apart.

    Attributes:
        asked: What was typed.
        text: The question to be answered.
        pieces: Its clauses.
        reasons: Why `text` is not what was typed.
        perhaps: Other readings, in which it leans on the question before.
        is_again: Whether only the question before is asked again: no document is about what was typed.
    """

    asked: str
    text: str
    pieces: tuple[Clause, ...]
    reasons: tuple[str, ...]
    perhaps: tuple["Reading", ...] = ()
    is_again: bool = False

    @property
    def told(self) -> tuple[str, ...]:
        """The clauses that may be beside the point; none where nothing asks, for then all is searched."""
        if not any(piece.asks for piece in self.pieces):
            return ()
        return tuple(piece.text for piece in self.pieces if not piece.asks)

    @property
    def measured(self) -> tuple[str, ...]:
        """The texts of which `rewrites_made` wants to know how near the passages come to them, each once."""
        readings = (self.text, *(other.text for other in self.perhaps)) if self.perhaps else ()
        asides = (clause for reading in (self, *self.perhaps) for clause in reading.told)
        return tuple(dict.fromkeys((*readings, *asides)))


def question_read(text: str, *, history: Sequence[str], view: CorpusView) -> Reading:
    """Resolve a follow-up and take the question apart."""
    if view.language != "english":
        return Reading(text, text, (), ())
    if again := followup_repeated(text, history=history, weigh=view.weigh, language=view.language):
        return Reading(text, again[0], clauses(again[0]), (again[1],), is_again=True)
    if resolved := followup_resolved(text, history=history, weigh=view.weigh, language=view.language):
        return Reading(text, resolved[0], clauses(resolved[0]), (resolved[1],))
    others = followup_perhaps(text, history=history, weigh=view.weigh, language=view.language)
    perhaps = tuple(Reading(text, other, clauses(other), (reason,)) for other, reason in others)
    return Reading(text, text, clauses(text), (), perhaps)


def rewrites_made(
    reading: Reading, *, nearness: Mapping[str, float], view: CorpusView, q: int, named: Sequence[str] = ()
) -> Queries:
    """What is searched for a question, by rules.

    Args:
        reading: Of `question_read`.
        nearness: For each of `reading.measured` the largest cosine of a passage of the corpus with it; empty where the
            search reads no meaning: then clauses are kept half of whose words the corpus knows, and the question is
            read as self-contained.
        view: Of the corpus.
        q: Rewrites at most.
        named: The first lines of the provisions that the question names by number.

    Source: the kinds of question are those of HyPA-RAG's Table 3 (double, distracting, conversational, vague), which
    has a model rewrite them; the rules are ours.
    """
    reading = _likeliest(reading, nearness)
    dropped = [clause for clause in reading.told if not _is_relevant(clause, reading, nearness, view)]
    if not any(content(clause, language=view.language) for clause in dropped):
        dropped = []  # "first," and "roughly speaking" draw no passage away
    pieces = [piece for piece in reading.pieces if piece.text not in dropped]
    text, reasons = reading.text, reading.reasons
    if dropped:
        text = _without(text, dropped)
        reasons = (*reasons, "Left out, as no document is about it: " + " … ".join(f"“{d}”" for d in dropped) + ".")
    references = [Rewritten(line, "reference", "The provision that the question names.") for line in named if line]
    rewrites = [*_parts(pieces, view, q), *_meanings(text), *references, *_spelt(text, view)]
    if text != reading.asked and not reading.is_again:
        rewrites.append(Rewritten(reading.asked, "asked", "The question as it was typed."))
    fresh: dict[tuple[str, ...], Rewritten] = {}
    for rewrite in rewrites:  # what has the same terms finds the same, and is not searched again
        fresh.setdefault(tuple(tokens(rewrite.text, language=view.language)), rewrite)
    fresh.pop(tuple(tokens(text, language=view.language)), None)
    return Queries(reading.asked, text, tuple(fresh.values())[:q], "rules", reasons)


def parts_apart(queries: Queries, vectors: Sequence[Vector]) -> tuple[Queries, list[Vector]]:
    """Put parts in a row that are about the same thing into one; where one is left, the whole finds what it finds.

    A part's vector is the mean of what it was put together from, as that of any text of several windows.

    Args:
        queries: With rewrites.
        vectors: Of the question, then of each rewrite.
    """
    pairs = list(zip(queries.rewrites, vectors[1:], strict=True))
    groups: list[list[tuple[Rewritten, Vector]]] = []
    for rewrite, vector in pairs:
        if not rewrite.is_part:
            continue
        is_term = rewrite.rule == TERM  # alike in words and meaning, and defined in different places
        if groups and not is_term and max(float(other @ vector) for _, other in groups[-1]) >= APART_BELOW:
            groups[-1].append((rewrite, vector))
        else:
            groups.append([(rewrite, vector)])
    if len(groups) == sum(rewrite.is_part for rewrite in queries.rewrites):
        return queries, list(vectors)
    parts = [_together(group) for group in groups] if len(groups) > 1 else []
    remainder = [*parts, *(one for one in pairs if not one[0].is_part)]
    apart = replace(queries, rewrites=tuple(rewrite for rewrite, _ in remainder))
    return apart, [vectors[0], *(vector for _, vector in remainder)]


def _together(group: Sequence[tuple[Rewritten, Vector]]) -> tuple[Rewritten, Vector]:
    if len(group) == 1:
        return group[0]
    first = group[0][0]
    mean = np.mean([vector for _, vector in group], axis=0)
    text = " ".join(rewrite.text for rewrite, _ in group)
    reason = f"{len(group)} of the questions asked at once, which are about the same thing."
    return Rewritten(text, first.rule, reason, is_part=True), np.asarray(mean / np.linalg.norm(mean), np.float32)


def _likeliest(reading: Reading, nearness: Mapping[str, float]) -> Reading:
    """The reading that some passage comes nearest to; what was typed, where none comes NEARER than to that."""
    best = max((reading, *reading.perhaps), key=lambda one: nearness.get(one.text, 0.0))
    return best if nearness.get(best.text, 0.0) >= nearness.get(reading.text, 0.0) + NEARER else reading


def _is_relevant(clause: str, reading: Reading, nearness: Mapping[str, float], view: CorpusView) -> bool:
    """Whether a clause that only tells something is about what the documents are about."""
    terms = content(clause, language=view.language)
    if not terms:
        return False
    question = {t for piece in reading.pieces if piece.asks for t in content(piece.text, language=view.language)}
    weights = view.weigh(clause)
    vocabulary = [term for term in terms if weights.get(term, 0.0) > 0]
    if any(term in question for term in vocabulary):
        return True
    return nearness[clause] >= TOLD_FROM if clause in nearness else 2 * len(vocabulary) >= len(terms)


def _without(text: str, dropped: Sequence[str]) -> str:
    """The text without some of its clauses, and without the stops and the "but" that joined them."""
    for clause in dropped:
        before, _, after = text.partition(clause)
        text = f"{before.rstrip()} {after.lstrip(' ,;:')}".strip()
    return without_lead(text)


def _parts(pieces: Sequence[Clause], view: CorpusView, q: int) -> list[Rewritten]:
    """The questions that were asked at once, each with what leads up to it; none where only one was.

    Of more than q, the last ones stay together.
    """
    questions: list[list[str]] = []
    lead: list[str] = []
    for piece in pieces:
        if piece.asks or content(piece.text, language=view.language):
            lead.append(piece.text)
        if not piece.asks:
            continue
        if questions and (len(questions) >= q or leans(piece.text, language=view.language)):
            questions[-1] += lead
        else:
            questions.append(lead)
        lead = []
    if len(questions) < 2 or any(
        len(content(" ".join(part), language=view.language)) < MIN_CONTENT for part in questions
    ):
        return []
    questions[-1] += lead
    count = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
    return [
        Rewritten(
            _sentence(part),
            "part",
            f"The {count[min(place, 9)]} of {len(questions)} questions asked at once.",
            is_part=True,
        )
        for place, part in enumerate(questions)
    ]


def _sentence(pieces: Sequence[str]) -> str:
    """Clauses as one text, a comma where they were parted inside a sentence."""
    text = without_lead(pieces[0])
    for piece in pieces[1:]:
        text += f" {piece}" if text.endswith((".", "?", "!")) else f", {piece}"
    return text


def _meanings(text: str) -> list[Rewritten]:
    reason = "One of the terms that are asked for together."
    return [Rewritten(one, TERM, reason, is_part=True) for one in meanings_asked(text)]


def _spelt(text: str, view: CorpusView) -> list[Rewritten]:
    """The question with every form put as the corpus mostly says it; none where it already is."""
    put, changed = text, []
    for form, other in view.glossary.expansions(text):
        if view.spread(other) >= MORE_SPREAD * view.spread(form):
            put = put.replace(form, other)
            changed.append(f"“{form}” is “{other}” in the documents")
    return [Rewritten(put, "alias", "; ".join(changed) + ".")] if changed else []
