"""Questions made by rules of what one provision says, for gold sets and for the question index: no model, no Django."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from corpora.provisions.features import Facts, facts_of
from corpora.provisions.types import Role
from legalqa.common.sentences import sentence_spans
from retrieval.questions.wording import (
    is_many,
    is_noun_phrase,
    is_person,
    lowered,
    named,
    one_of,
    plain,
    reads_as_question,
    tidied,
    uppered,
)

MAX_ACTOR, MAX_ACT, MAX_ANSWER = 70, 220, 1200  # ours: characters that still read as a question
WHOLE_WORDS = 4  # ours: a shorter condition has lost its verb
_DURATION = (
    r"(?:\w+ \(\d+\)|\d+|an?|one|two|three|four|five|six|seven|ten|fifteen|thirty|sixty|ninety)"
    r"[ -](?:(?:business|calendar|working|consecutive) )?(?:hours?|days?|weeks?|months?|years?)"
)
_TERM = re.compile(
    r"[\"“‘]([^\"“”‘’]{2,80})[\"”’]\s+(?:means?|shall mean|has the (?:same )?meaning|is defined as|refers to)\b"
)
_LABEL = re.compile(r"^(?:\(?[\dA-Za-z]{1,4}(?:\.\d+)*[.)]\s+|§+\s?[\d.\-–]+\.?\s+)+")
_NUMBERED = re.compile(r"^(?:Section|Article|Chapter|Part|§+)\s*[\w.\-–]*\s*[.:–—-]?\s*", re.I)
_RUN_IN = re.compile(r"^[A-Z][^.;:]{2,60}\.\s+(?=[A-Z])")
_PLACE = re.compile(r"^(?:In (?:the city|this [a-z]+)|For the purposes of [^,]{3,60}|Subject to [^,]{3,60}), (?=\w)")
_CONDITION = re.compile(r"^(?P<word>If|When|Where|Before|After|Upon) (?P<condition>[^,;]{8,140}), (?=\w)")
_ACTOR = r"(?P<actor>(?:An?|The|Each|Every|Any|All|Both)?\s?[A-Za-z][\w’' /-]{2,68}?(?:, [\w’' /-]{2,40},)?)"
_MUST = r"(?:shall|must|is required to|are required to|agrees? to|undertakes? to)"
DUTY = re.compile(rf"^{_ACTOR} {_MUST} (?P<act>[a-z].+)$", re.S)
_MAY = re.compile(rf"^{_ACTOR} may (?P<act>[a-z].+)$", re.S)
_MAY_NOT = re.compile(rf"^{_ACTOR} (?:shall|must|may) not (?P<act>[a-z].+)$", re.S)
_ENTITLED = re.compile(
    rf"^{_ACTOR} (?:(?:shall|will|must) (?:also )?be|is|are) (?:also )?"
    r"(?P<right>(?:entitled|permitted|allowed|free) to [a-z].+)$",
    re.S,
)
_HAS_RIGHT = re.compile(
    rf"^{_ACTOR} (?:shall have|has|have) (?P<right>(?:the|a) (?:\w+ )?(?:right|option) to [a-z].+)$", re.S
)
_RIGHT = re.compile(r"(?:also )?(?:be (?:entitled|permitted|allowed|free)|have (?:\w+ ){0,3}rights?)\b")
_NO_ONE = re.compile(r"^No (?P<actor>[a-z][\w’' /-]{2,60}?) (?:shall|may|must) (?P<act>[a-z].+)$", re.S)
_PERIOD = re.compile(
    rf"^(?P<act>.{{6,160}}?),? (?P<how>within|no later than|not later than|at least|no less than|not less than)"
    rf" (?P<period>{_DURATION})(?P<rest>[^.;]*)",
    re.S,
)
_LASTING = re.compile(rf"^(?P<act>.{{6,160}}?) for (?:a period of )?(?:at least )?(?P<period>{_DURATION})\b", re.S)
_BOUND = re.compile(
    r"^(?P<act>[^.;:]{6,160}?)(?: (?:of|is|are|to|that is|equal to))? "
    r"(?:(?P<least>at least|no less than|not less than|a minimum of)|(?P<most>no more than|not more than|up to"
    r"|a maximum of|not exceeding)) (?=[$€£]?\d|USD|EUR|GBP)(?!\d+ [\w-]*(?:hour|day|week|month|year))",
    re.S,
)
_NOT_APPLIED = re.compile(
    r"^(?P<what>[^.;:]{3,140}?) (?:shall|do|does|will) not apply (?P<to>(?:to|where|if|when|in|with|for)\b.+)$", re.S
)
_UNLESS = re.compile(r"[, ]\bunless (?P<case>[^.;:]{8,160})")
_OWN_PLACE = re.compile(
    r"^(?:this|the|these|that|such|points?|(?:sub)?paragraphs?|(?:sub)?sections?|clauses?|articles?|rules?|it|they)\b",
    re.I,
)
_PROSE = re.compile(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}")
_NO_SUBJECT = re.compile(
    r"^(?:not|applicable|necessary|required|so|any|appropriate|possible|relevant|there|its?|they|their"
    r"|he|she|\w+ing)\b",
    re.I,
)
_GOES_ON = re.compile(r"(?:or|and|but|nor)\b|[\w-]+,", re.I)  # a condition with a comma in it, cut at that
_NO_ACTOR = re.compile(  # it begins as no noun phrase does, or holds a clause of its own
    r"^(?:although|before|after|at|in|on|for|by|with|without|until|during|following|as|under|upon|no|to|from|however"
    r"|each of|either|where|unless|per|via|and|or)\b"
    r"|\b(?:whether|where|when|if|how|why|which|because|circumstances|it|but|is|are|was|has|provides)\b",
    re.I,
)
_CLAUSE_END = re.compile(r"[.](?!\d)|[;:]|, (?:unless|except|provided|including|which|and shall|and must)\b| unless ")
_HANGING = re.compile(r"\s(?:for|of|to|at|in|within|that|its|by|with|as|or|and)$")
_PROVISION = re.compile(r"(?:Article|Rule|Annex|Chapter|§)\s[\dA-Z]")
PASSIVE = re.compile(r"^(?:not )?(?:be|mean|include|apply|have|constitute|refer)\b")
_SAYS_NOTHING = re.compile(r"^(?:not\b|mean|include|apply|have the meaning|have been|constitute|refer|but\b)")
_DANGLING = re.compile(r"\b(?:such|said|thereof|thereto|herein|hereunder|the following|as follows)\b", re.I)
_PENALTY_FOR = re.compile(r"^(?P<actor>[A-Z][^.;]{2,140}?) (?:is|are|shall be) (?:liable for|subject to) ", re.S)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A paragraph that questions are made of.

    Attributes:
        id: Primary key of the paragraph.
        role: A `corpora.provisions.types.Role`.
        heading: The innermost heading above it, "" if none.
        label: Its number as printed.
    """

    id: int
    text: str
    role: str = ""
    heading: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """A question that was generated; `references` are (paragraph, start, end)."""

    kind: str
    text: str
    answer: str
    references: tuple[tuple[int, int, int], ...]
    topic: str = ""
    is_answerable: bool = True
    history: tuple[str, ...] = ()
    is_stated: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A sentence of a paragraph with what it speaks of, without its number, its run-in heading and its condition.

    Attributes:
        start, end: In the paragraph.
        whole: The sentence as it is; an item of a list begins with the words that open the list.
        words: The sentence from its subject on.
        condition: "If a candidate asks" and the like, "" where it has none in front.
        is_stated: Whether it is a statement of the knowledge graph, and not the sentence that this was read in.
    """

    stretch: Stretch
    start: int
    end: int
    whole: str
    words: str
    condition: str
    facts: Facts
    is_stated: bool = False

    @property
    def reference(self) -> tuple[int, int, int]:
        return self.stretch.id, self.start, self.end

    @property
    def clause(self) -> str:
        """The condition in the middle of a sentence, with a blank before it."""
        return f" {lowered(self.condition)}" if self.condition else ""

    def written(self, kind: str, text: str, answer: str = "") -> Written:
        topic = topic_of(self.stretch)[:80]
        whole_answer = (answer + self.whole)[:MAX_ANSWER]
        return Written(kind, tidied(text), whole_answer, (self.reference,), topic, is_stated=self.is_stated)


def rules_of(stretches: Sequence[Stretch]) -> list[Rule]:
    """The sentences of operative paragraphs and definitions that can be asked about, each by itself."""
    rules = []
    for stretch in stretches:
        for start, end in sentence_spans(stretch.text):
            if (rule := rule_of(stretch, start, end, stretch.text[start:end])) is not None:
                rules.append(rule)
    return rules


def rule_of(stretch: Stretch, start: int, end: int, text: str) -> Rule | None:
    """A sentence as a rule; None where it cannot be asked about: a heading, an example, the stem of a list."""
    if stretch.role not in (Role.OPERATIVE, Role.DEFINITION, ""):
        return None
    whole = " ".join(text.split())
    words = _PLACE.sub("", _RUN_IN.sub("", _LABEL.sub("", whole)))
    condition = _CONDITION.match(words)
    words = words[condition.end() :] if condition else words
    condition_text = f"{condition['word']} {condition['condition']}" if condition else ""
    words = uppered(words)
    is_stem = whole.rstrip().endswith((":", "—", "following"))
    if not 30 <= len(words) <= 700 or is_stem or not _PROSE.search(words):
        return None
    return Rule(stretch, start, end, whole, words, condition_text, facts_of(whole))


def questions_searched(rule: Rule) -> Iterator[Written]:
    """The plain questions, and what else people type: yes-or-no questions of duties, limits, exceptions, references."""
    for make in (*ASKED, *_SEARCHED):
        yield from (written for written in make(rule) if reads_as_question(written.text))


# -- Asked of gold sets, too -------------------------------------------------------------------------------------------


def definition_asked(rule: Rule) -> Iterator[Written]:
    """What a term means."""
    if term := term_of(rule):
        yield rule.written("simple", f"What is meant by “{term}”?")


def duty_asked(rule: Rule) -> Iterator[Written]:
    """What somebody must do under a condition."""
    match = duty_of(rule)
    is_whole = len(rule.condition.split()) > 2 and not _DANGLING.search(rule.condition)
    if match is not None and is_whole and is_person(match["actor"]):
        question = f"{rule.condition}, what must {named(match['actor'])} do?"
        yield rule.written("complex", question)
        yield rule.written("specific conditions", question)


def leave_asked(rule: Rule) -> Iterator[Written]:
    """Whether somebody may do something."""
    if (leave := leave_of(rule)) is not None:
        actor, act, is_refused = leave
        yield rule.written("simple", f"May {actor} {act}?", "No. " if is_refused else "Yes. ")


def entitlement_asked(rule: Rule) -> Iterator[Written]:
    """Whether somebody is entitled to something, or has the right to do it: no duty, though it "shall" be so."""
    is_entitled = _ENTITLED.match(rule.words)
    match = is_entitled or _HAS_RIGHT.match(rule.words)
    right = act_of(match["right"]) if match is not None and _reads(match) else ""
    if match is not None and right:
        actor, are_many = named(match["actor"]), is_many(match["actor"])
        question = (
            f"{'Are' if are_many else 'Is'} {actor} {right}"
            if is_entitled
            else (f"{'Do' if are_many else 'Does'} {actor} have {right}")
        )
        yield rule.written("simple", f"{question}{rule.clause}?", "Yes. ")


def _deadline(rule: Rule) -> Iterator[Written]:
    duty = duty_of(rule)
    if duty is None or not rule.facts.durations:
        return
    actor, wording = named(duty["actor"]), duty["act"]
    verb = f"must {actor}"
    period, lasting = _PERIOD.match(wording), _LASTING.match(wording)
    if lasting is not None and (act := act_of(lasting["act"])):
        yield rule.written("simple", f"For how long {verb} {act}?")
        yield rule.written("clause identification", f"Which period applies when {actor} has to {act}?")
    elif period is not None:
        rest = act_of(period["rest"].strip())
        act = act_of(period["act"])
        where = f" {rest}" if rest else ""
        if act:
            ahead = "before" in rest or "prior" in rest
            asks = f"How long{where} {verb} {act}?" if ahead else f"Within what period{where} {verb} {act}?"
            yield rule.written("simple", asks)
            yield rule.written("clause identification", f"Which deadline applies when {actor} has to {act}?")


def _amount(rule: Rule) -> Iterator[Written]:
    if not rule.facts.amounts or not (heading := topic_of(rule.stretch)):
        return
    liable = _PENALTY_FOR.match(rule.words)
    if rule.facts.is_penalty and liable is not None and len(liable["actor"]) <= 140:
        actor = one_of(lowered(liable["actor"]))
        yield rule.written("simple", f"What penalty does {actor} face?")
        yield rule.written("complex", f"How high are the penalties for {actor}, and on what do they depend?")
    else:
        yield rule.written("clause identification", f"Which amounts or thresholds apply to {plain(heading)}?")


def _condition(rule: Rule) -> Iterator[Written]:
    if rule.condition.startswith(("If ", "Where ", "When ")) and not DUTY.match(rule.words):
        condition = rule.condition.split(" ", 1)[1]
        is_cut = _GOES_ON.match(rule.words) or _HANGING.search(condition)
        if (
            len(condition.split()) >= WHOLE_WORDS
            and not is_cut
            and not _DANGLING.search(condition)
            and not _NO_SUBJECT.match(condition)
        ):
            yield rule.written("specific conditions", f"What happens if {condition}?")


ASKED: tuple[Callable[[Rule], Iterator[Written]], ...] = (
    definition_asked,
    duty_asked,
    leave_asked,
    entitlement_asked,
    _deadline,
    _amount,
    _condition,
)


# -- For the question index alone --------------------------------------------------------------------------------------


def _must(rule: Rule) -> Iterator[Written]:
    match = duty_of(rule)
    act = act_of(match["act"]) if match is not None else ""
    if match is not None and act and not _SAYS_NOTHING.match(act):
        yield rule.written("duty", f"Must {named(match['actor'])} {act}{rule.clause}?", "Yes. ")


def _limit(rule: Rule) -> Iterator[Written]:
    match = duty_of(rule)
    bound = _BOUND.match(match["act"]) if match is not None else None
    act = act_of(bound["act"]) if bound is not None else ""
    if match is not None and bound is not None and act:
        word = "minimum" if bound["least"] else "maximum"
        yield rule.written("threshold", f"What {word} applies when {named(match['actor'])} has to {act}?")


def _exception(rule: Rule) -> Iterator[Written]:
    unless, match = _UNLESS.search(rule.words), duty_of(rule)
    if unless is not None:
        act, case = (act_of(match["act"]) if match is not None else ""), unless["case"].strip(" ,")
        if match is not None and act and not _SAYS_NOTHING.match(act) and not _DANGLING.search(case):
            yield rule.written("exception", f"Must {named(match['actor'])} {act} if {case}?", "No. ")
        elif (leave := leave_of(rule)) is not None and not _DANGLING.search(case):
            yield rule.written("exception", f"May {leave[0]} {leave[1]} if {case}?", "Yes. ")
        return
    if (excepted := _NOT_APPLIED.match(rule.words)) is not None and (to := act_of(excepted["to"])):
        what = lowered(excepted["what"])
        if not _OWN_PLACE.match(what):
            does = "Do" if what.endswith("s") else "Does"
            yield rule.written("exception", f"{does} {what} apply {to}?", "No. ")
        elif topic := topic_of(rule.stretch):
            yield rule.written("exception", f"Do the rules on {plain(topic)} apply {to}?", "No. ")


def _reference(rule: Rule) -> Iterator[Written]:
    """How another provision bears on a subject; a "Section 2" is of nothing in particular outside of its document."""
    provision = next((name for name in rule.facts.references if _PROVISION.match(name)), "")
    if provision and (topic := topic_of(rule.stretch)) and provision not in topic:
        yield rule.written("cross-reference", f"How does {provision} bear on {plain(topic)}?")


_SEARCHED: tuple[Callable[[Rule], Iterator[Written]], ...] = (_must, _limit, _exception, _reference)


# -- What a sentence says ----------------------------------------------------------------------------------------------


def term_of(rule: Rule) -> str:
    """The term that a sentence defines; "" where it defines none."""
    match = _TERM.search(rule.whole)
    return "" if match is None or rule.whole.index(match[0]) > 80 else match[1].strip(" ,.")


def duty_of(rule: Rule) -> re.Match[str] | None:
    """The duty that a sentence lays down: its `actor` and its `act`; None where it lays down none that reads."""
    match = DUTY.match(rule.words)
    if match is None or not _reads(match) or rule.facts.prohibition or _RIGHT.match(match["act"]):
        return None
    return match


def leave_of(rule: Rule) -> tuple[str, str, bool] | None:
    """Who may do what, and whether it is refused; None where a sentence says nothing of that kind that reads."""
    refused = _NO_ONE.match(rule.words) or _MAY_NOT.match(rule.words)
    match = refused or _MAY.match(rule.words)
    if match is None or not _reads(match):
        return None
    actor, act = one_of(named(match["actor"])), act_of(match["act"])
    return (actor, act, refused is not None) if act and not _SAYS_NOTHING.match(act) else None


def _reads(match: re.Match[str]) -> bool:
    """Whether the subject can be asked about: short, one noun phrase, and no pointer to a sentence before it."""
    actor = match["actor"].strip()
    if len(actor) > MAX_ACTOR or _DANGLING.search(actor) or _NO_ACTOR.search(actor) or not is_noun_phrase(actor):
        return False
    return actor.split()[0].lower() not in _POINTERS


_POINTERS = frozenset(["this", "these", "those", "that", "it", "they", "he", "she", "which", "there", "nothing"])


def act_of(text: str) -> str:
    """What somebody does, up to the end of the clause; "" where that would not read."""
    act = _CLAUSE_END.split(text.strip())[0]
    act = _HANGING.sub("", act.strip(" ,"))
    is_cut = act.count("(") != act.count(")")
    return "" if len(act) > MAX_ACT or is_cut or _DANGLING.search(act) else act


def topic_of(stretch: Stretch) -> str:
    """The heading without its number; "" where it says nothing, such as "General" or a number alone."""
    bare = _NUMBERED.sub("", stretch.heading.strip())
    bare = _LABEL.sub("", bare).strip(" .:–—-")
    return bare if 4 <= len(bare) <= 90 and bare.lower() not in _NO_TOPIC else ""


_NO_TOPIC = frozenset(["general", "miscellaneous", "other", "definitions", "definition", "purpose", "scope", "summary"])
