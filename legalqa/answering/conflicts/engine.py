"""Whether two provisions contradict each other: they are about the same thing and differ in what matters.

Sentences are compared two by two. They are about the same thing if they share most of the words that carry meaning, or
enough of these words and the meaning of their vectors, or have enough in common word by word. They differ if no value
obeys the measures of both, or in what they do with the action, or in who decides. Source: Policy Copilot, contradiction
detection ("must" against "must not", numbers). Differs: bounds, units and periods, exceptions, scope, offices, and the
vectors are ours.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Self

from legalqa.answering.conflicts.alignment import Likeness, aligned, is_one_subject
from legalqa.answering.conflicts.duties import IS, IS_NOT, MAY, MUST_NOT, NEED_NOT, PERIODIC, Duty, against, duty_of
from legalqa.answering.conflicts.measures import Measure, agree, differ, limits, measures
from legalqa.answering.conflicts.offices import Place, other_office, without_offices
from legalqa.answering.conflicts.scopes import other_scope
from legalqa.answering.conflicts.subjects import Stems, Words, name_of, stems_in, weight_of, words_in
from legalqa.common.sentences import sentence_spans

# Ours, all chosen on the pairs of `tests/data/conflicts`. A weight is a sum of names' weights (`weight_of`). A score is
# the mean of the share of the shorter sentence's weight that both share, and of their cosine.
MIN_SHARED = 0.6  # weight that two sentences must share to be compared, where there are vectors
MIN_CONTAINED = 0.3  # share of the shorter sentence's weight that measures, or without vectors any pair, must share
ONE_SUBJECT = 0.65  # least probability that two measures are of one thing
FAR = 0.5  # cosine of two sentences below which no such probability is computed
ONE_DEED = 0.85  # least probability that two sentences are of one deed, where they name different offices
ALIGNED = 2.0  # weight aligned from which a reader is asked of an order and a prohibition
READ_ALIGNED = 0.75  # probability from which the reader's "contradicts" holds for a pair that is aligned
SURELY_ALIGNED = 3.0  # weight aligned from which an order and a prohibition need no reader
ALIGNED_COSINE = 0.65  # cosine that an order and a prohibition need beside SURELY_ALIGNED
CONTAINED = 0.6  # share of the shorter sentence's weight that an order and a prohibition must share
SHARED = 1.3  # weight that an order and a prohibition, or without vectors any pair, must share
COSINE = 0.58  # cosine that an order and a prohibition need, where no reader is asked
EVEN = 0.5  # shared weight over the mean weight of both sentences that an order and a prohibition need
EVEN_PLAIN = 0.75  # EVEN where one of the two is a plain statement
EVEN_OF_WORDS = 0.6  # EVEN where there are no vectors
SCORE = 0.5  # score that two measures need to be of one thing
COSINE_OF_MEASURES = 0.62  # cosine that two measures need beside SCORE
READ_COSINE = 0.5  # cosine from which a reader is asked of an order and a prohibition
READ = 0.9  # probability from which the reader's "contradicts" holds for a pair that is not aligned
SCORE_OF_WORDS = 0.65  # score that two measures need where there are no vectors
SHARED_OF_WORDS = 2.0  # weight that the sentences of two measures must share where there are no vectors
SURE = 0.7  # score that two measures need which count different things, or of which one alone is a deadline
EVEN_PART = 0.5  # EVEN below which an allowance is of a part of a rule: "up to 5 days may be carried over"
FEW_SHARED = 0.9  # shared weight below which two measures need SURE_COSINE
SURE_COSINE = 0.78  # cosine that two measures need where the words share little weight
HEAD_WORDS = 5  # first words of a sentence, among which the noun is looked for that it is about
ALIKE = 0.55  # share of the words in common from which two sentences count as built alike
SLOT = 3  # words at most that may stand for others in one place of two sentences built alike
# What a rule says of the rule before it is not a rule: "reduced to 3 (from 5)", "superseding the annual requirement".
_FORMER = re.compile(
    r"[,(]?\s*\b(?:supersed(?:ing|es)|replac(?:ing|es)|instead\s+of|rather\s+than|previously|formerly|no\s+longer)\b"
    r"[^.;)]*|\(\s*(?:from|was|were|up\s+from|down\s+from)\b[^)]*\)"
    r"|\b(?:those|these|such)\s+\w+\s+(?:days?|weeks?|months?|years?|hours?)\b",  # a period that another rule sets
    re.IGNORECASE,
)
_TERM_ALONE = re.compile(r"\W*[\"“][^\"”]{1,80}[\"”]\W*")  # the heading of a definition says nothing of its term
_PART = re.compile(r"[^;]+;?")
_WORD = re.compile(r"[^\W\d_]+")
_BEFORE_AN_ACTION = frozenset(
    ("is", "are", "be", "been", "was", "were", "shall", "must", "may", "should", "will", "can")
)
# What is before a verb or in another part of the sentence names no noun.
_NO_NAME = re.compile(rf"[:;,.]|\b(?:{'|'.join(sorted(_BEFORE_AN_ACTION))})\b", re.IGNORECASE)

# The verb behind "may", "must not be" and the like.
_VERB = re.compile(r"^(?:\W*(?:not|be|been|also|only|never|always|\w+ly)\b)*\W*(\w+)", re.IGNORECASE)

Denies = Callable[[str, str], float]  # probability that one of two sentences contradicts the other, by a reader


@dataclass(frozen=True, slots=True)
class Span:
    """Words of a provision, with offsets in it."""

    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """What two provisions differ in.

    Attributes:
        kind: "different deadline", "different duration", …, "yes against no".
        a, b: The words that differ, in the first and the second provision.
        sentence_a, sentence_b: The sentences that they are in.
        score: 0 to 1, how surely both speak of the same.
        scope: Words by which the two are for different cases; then there is no contradiction.
    """

    kind: str
    a: Span
    b: Span
    sentence_a: Span
    sentence_b: Span
    score: float
    scope: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A sentence as it is compared."""

    text: str
    start: int
    stems: Stems
    words: Words
    measures: tuple[Measure, ...]
    duty: Duty


@lru_cache(maxsize=4_000)
def rules_of(text: str) -> tuple[Rule, ...]:
    """The sentences of a provision that say enough to be compared."""
    rules = []
    for start, end in sentence_spans(text):
        for part in _PART.finditer(text, start, end):
            sentence = part.group().strip()
            if sentence and not _TERM_ALONE.fullmatch(sentence):
                at = text.index(sentence, part.start())
                current = _FORMER.sub(lambda former: " " * len(former.group()), sentence)
                words = words_in(current)
                rules.append(Rule(sentence, at, frozenset(words), words, measures(current), duty_of(current)))
    return tuple(rules)


def conflict_of(a: str, b: str, *, likeness: Likeness | None = None, denies: Denies | None = None) -> Conflict | None:
    """The difference between two provisions that cannot both be followed; None if there is none.

    Args:
        a: One provision, of one sentence or a few.
        b: The other.
        likeness: Cosine of two sentences by an encoder; without one, words alone decide, more strictly.
        denies: What a reader says of an order and a prohibition whose vectors are not near enough.

    Returns:
        The surest difference. One with a `scope` is not a contradiction: the two are for different cases.
    """
    ours, theirs = rules_of(a), rules_of(b)
    conflicts = [
        conflict
        for one in ours
        for other in theirs
        if (conflict := _between(one, other, ours, theirs, likeness, denies)) is not None
    ]
    return max(conflicts, key=lambda conflict: (conflict.scope is None, conflict.score), default=None)


def _between(
    one: Rule, other: Rule, ours: Sequence[Rule], theirs: Sequence[Rule], likeness: Likeness | None,
    denies: Denies | None,
) -> Conflict | None:  # fmt: skip
    offices = other_office(one.text, other.text) if likeness else None
    if not (one.measures and other.measures) and IS == one.duty.kind == other.duty.kind and offices is None:
        return None  # nothing to differ in
    words = Overlap.of(one.stems, other.stems)
    if words.shared < (MIN_SHARED if likeness else SHARED):
        return None
    is_part = (one.duty.kind == MAY) != (other.duty.kind == MAY) and words.even < EVEN_PART
    pair = None if is_part else _measured(one, other, ours, theirs)
    is_often = _denies_often(one, other) or _denies_often(other, one)
    kind = against(one.duty, other.duty) if not _has_twin(one, other, ours, theirs) else ""
    bounds = limits(one.measures, other.measures)
    if bounds and agree(*bounds):
        kind = ""  # forbidden above $50, allowed up to it
    contained = words.contained
    if pair is not None:
        near = Overlap.of(pair[0].near, pair[1].near)
        contained = max(contained, near.contained if near.shared >= SHARED else 0.0)
    if (pair is None and not kind and not is_often and offices is None) or (
        likeness is None and contained < MIN_CONTAINED
    ):
        return None
    cosine = likeness(one.text, other.text) if likeness else None
    weight = aligned(one.words, other.words, likeness) if likeness and cosine is not None and cosine >= FAR else 0.0
    score = round((contained + (words.even if cosine is None else cosine)) / 2, 4)
    if is_often and words.shared >= SHARED and cosine is not None and cosine >= COSINE:
        kind, spans = "yes against no", (_often_words(one), _often_words(other))
    elif kind and _is_same_action(words, cosine, weight, one, other, None):
        kind, spans = _denied(kind, bounds, one, other)
    elif pair is not None and _is_same_subject(words, cosine, weight, score, pair):
        kind, spans = _kind(*pair), _places(*pair)
    elif kind and _is_same_action(words, cosine, weight, one, other, denies):
        kind, spans = _denied(kind, bounds, one, other)
    elif offices is not None and likeness and cosine is not None and _is_same_deed(one, other, cosine, likeness):
        kind, spans = "different role", offices
    else:
        return None
    scope = other_scope(one.text, other.text) or _other_thing(one, other, cosine)
    return Conflict(
        kind, _span(one, *spans[0]), _span(other, *spans[1]), _span(one, 0, len(one.text)),
        _span(other, 0, len(other.text)), score, scope,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Overlap:
    """What two sentences share: weight, share of the shorter, share of both."""

    shared: float
    contained: float
    even: float

    @classmethod
    def of(cls, one: Stems, other: Stems) -> Self:
        both = one & other
        if not both:
            return cls(0.0, 0.0, 0.0)
        shared, of_one, of_other = weight_of(both), weight_of(one), weight_of(other)
        return cls(shared, shared / min(of_one, of_other), 2 * shared / (of_one + of_other))


def _is_same_action(
    words: Overlap, cosine: float | None, weight: float, one: Rule, other: Rule, denies: Denies | None
) -> bool:
    """Whether an order and a prohibition are about one action; a plain statement must be closer."""
    even = EVEN_PLAIN if {one.duty.kind, other.duty.kind} & {IS, IS_NOT} else EVEN
    is_close = words.contained >= CONTAINED and words.even >= even and words.shared >= SHARED
    if cosine is None:
        return is_close and words.even >= EVEN_OF_WORDS and _is_same_verb(one, other)
    if is_close and cosine >= COSINE:
        return True
    if IS not in (one.duty.kind, other.duty.kind) and weight >= SURELY_ALIGNED and cosine >= ALIGNED_COSINE:
        return True
    if denies is not None and cosine >= READ_COSINE and (is_close or weight >= ALIGNED):
        return denies(one.text, other.text) >= (READ_ALIGNED if weight >= ALIGNED else READ)
    return False


def _denied(
    kind: str, bounds: tuple[Measure, Measure] | None, one: Rule, other: Rule
) -> tuple[str, tuple[Place, Place]]:
    """What a rule and one that denies it differ in, and where: their bounds where they have any."""
    if bounds:
        return _kind(*bounds), _places(*bounds)
    return kind, ((one.duty.start, one.duty.end), (other.duty.start, other.duty.end))


def _is_same_verb(one: Rule, other: Rule) -> bool:
    """Whether what one sentence orders or allows and what the other forbids are named by one verb.

    "May not use a tool" is not denied by "the data may be from employers that use a tool". Plain statements have none.
    """
    if {one.duty.kind, other.duty.kind} & {IS, IS_NOT}:
        return True
    ours, theirs = (stems_in(" ".join(_VERB.findall(rule.text[rule.duty.end :])[:1])) for rule in (one, other))
    return bool(ours & theirs)


def _is_same_deed(one: Rule, other: Rule, cosine: float, likeness: Likeness) -> bool:
    """Whether two sentences that name different offices are about one thing, leaving out the offices."""
    bounded = [{m.kind: m.value for m in rule.measures if m.bound} for rule in (one, other)]
    if any(bounded[0][kind] != bounded[1][kind] for kind in bounded[0].keys() & bounded[1].keys()):
        return False  # one office decides up to an amount, another one above it
    ours, theirs = (words_in(without_offices(rule.text)) for rule in (one, other))
    return cosine >= FAR and is_one_subject(cosine, aligned(ours, theirs, likeness)) >= ONE_DEED


def _denies_often(one: Rule, other: Rule) -> bool:
    """Whether one sentence says how often, and the other that it must not be done at intervals."""
    is_denied = other.duty.kind in (NEED_NOT, MUST_NOT, IS_NOT) and PERIODIC.search(other.text)
    return bool(is_denied) and any(measure.kind == "period" for measure in one.measures)


def _often_words(rule: Rule) -> tuple[int, int]:
    period = next((m for m in rule.measures if m.kind == "period"), None)
    return (period.start, period.end) if period else (rule.duty.start, rule.duty.end)


def _is_same_subject(
    words: Overlap, cosine: float | None, weight: float, score: float, pair: tuple[Measure, Measure]
) -> bool:
    """Whether two measures are of one thing."""
    one, other = pair
    if one.kind == "number" and not one.thing & other.thing and score < SURE:
        return False
    if one.kind == "time" and one.is_deadline != other.is_deadline and score < SURE:
        return False
    if cosine is None:
        return score >= SCORE_OF_WORDS and words.shared >= SHARED_OF_WORDS
    if cosine >= FAR and is_one_subject(cosine, weight) >= ONE_SUBJECT:
        return True
    if words.contained < MIN_CONTAINED:
        return False
    if words.shared < FEW_SHARED:
        return cosine >= SURE_COSINE
    return score >= SCORE and cosine >= COSINE_OF_MEASURES


def _measured(one: Rule, other: Rule, ours: Sequence[Rule], theirs: Sequence[Rule]) -> tuple[Measure, Measure] | None:
    """Two measures of one kind that cannot both be obeyed, those in the most similar clauses; None where any agree."""
    best: tuple[float, Measure, Measure] | None = None
    for mine in one.measures:
        for its in other.measures:
            if mine.kind != its.kind or not differ(mine, its):
                continue
            if any(agree(mine, x) for x in _measures_near(one, theirs, one.stems & other.stems)) or any(
                agree(its, x) for x in _measures_near(other, ours, one.stems & other.stems)
            ):
                continue
            likeness = weight_of(mine.near & its.near)
            if best is None or likeness > best[0]:
                best = (likeness, mine, its)
    return best[1:] if best else None


def _measures_near(rule: Rule, rules: Sequence[Rule], shared: Stems) -> list[Measure]:
    """Measures of the sentences that are as similar to a rule as the sentence it is compared with."""
    least = weight_of(shared)
    return [m for x in rules if weight_of(x.stems & rule.stems) >= least for m in x.measures]


def _has_twin(one: Rule, other: Rule, ours: Sequence[Rule], theirs: Sequence[Rule]) -> bool:
    """Whether either provision says elsewhere, in words as similar, what the sentence of the other one says."""
    least = weight_of(one.stems & other.stems)
    for rule, rules, met in ((one, theirs, other), (other, ours, one)):
        for x in rules:
            if x is not met and x.duty.kind == rule.duty.kind and weight_of(x.stems & rule.stems) >= least:
                return True
    return False


def _kind(one: Measure, other: Measure) -> str:
    if one.kind in ("date", "yearly date"):
        return "different date"
    if one.kind == "period":
        return "different frequency"
    if one.kind == "time":
        return "different deadline" if one.is_deadline or other.is_deadline else "different duration"
    return "different number" if one.kind == "number" else "different amount"


def _places(one: Measure, other: Measure) -> tuple[Place, Place]:
    return (one.start, one.end), (other.start, other.end)


def _other_thing(one: Rule, other: Rule, cosine: float | None) -> tuple[str, str] | None:
    """What two sentences are about, if that differs: "e-mail logs" and "door logs", "in London" and "in Paris".

    Either the words before a noun at the head of both share nothing, or the sentences are built alike and differ, apart
    from their numbers, in a word.
    """
    shared = one.stems & other.stems
    if cosine is not None and cosine < SURE_COSINE:
        heads = [_headed(rule.text) for rule in (one, other)]
        for name in heads[0].keys() & heads[1].keys() & shared:
            (mine, words), (its, other_words) = heads[0][name], heads[1][name]
            mine, its = mine - shared, its - shared
            if mine and its and not mine & its:
                return words, other_words
    return _other_word(one, other)


def _other_word(one: Rule, other: Rule) -> tuple[str, str] | None:
    """The words in one place of two sentences that are built alike, where they name different things.

    Not of what is done with it: "is repaid" and "is refunded" may well be the same.
    """
    ours, theirs = (list(_WORD.finditer(rule.text)) for rule in (one, other))
    keys = [[word.group().lower() for word in words] for words in (ours, theirs)]
    matcher = SequenceMatcher(a=keys[0], b=keys[1], autojunk=False)
    if matcher.ratio() < ALIKE:
        return None
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "replace" or j - i > SLOT or m - k > SLOT or (i and keys[0][i - 1] in _BEFORE_AN_ACTION):
            continue
        mine, its = (stems_in(" ".join(words)) for words in (keys[0][i:j], keys[1][k:m]))
        if mine - other.stems and its - one.stems and not mine & its:
            return one.text[ours[i].start() : ours[j - 1].end()], other.text[theirs[k].start() : theirs[m - 1].end()]
    return None


def _headed(text: str) -> dict[str, tuple[Stems, str]]:
    """The nouns of a sentence's first words, each with the names of the two words before it."""
    words = list(_WORD.finditer(text))[:HEAD_WORDS]
    heads: dict[str, tuple[Stems, str]] = {}
    for n, word in enumerate(words):
        before = text[words[max(0, n - 2)].start() : word.start()]
        if (name := name_of(word.group())) and n and not _NO_NAME.search(before):
            heads.setdefault(name, (stems_in(before) - {name}, text[words[max(0, n - 2)].start() : word.end()]))
    return heads


def _span(rule: Rule, start: int, end: int) -> Span:
    return Span(rule.start + start, rule.start + end, rule.text[start:end])
