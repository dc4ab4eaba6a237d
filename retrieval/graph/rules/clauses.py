"""A sentence of law taken apart: who must, may or must not do what, and under which condition."""

import re
from dataclasses import dataclass

from retrieval.graph.rules.nouns import DETERMINERS, head_of, is_actor, is_pronoun, listed, opens_phrase
from retrieval.kinds import Kind

MAX_SUBJECT_WORDS = 32
MAX_OBJECT = 260
_MODAL = re.compile(
    r"\b(?P<modal>(?:shall|must|may|will)(?:\s+not|\s+only|\s+also)?|(?:is|are)\s+(?:not\s+)?(?:required|obliged"
    r"|permitted|allowed|entitled|authori[sz]ed|empowered|prohibited|forbidden)\s+(?:to|from)"
    r"|(?:agrees?|undertakes?|covenants?)\s+(?:not\s+)?to|ha(?:s|ve)\s+to)\b"
)
_UNLAWFUL = re.compile(
    r"\bit\s+(?:shall\s+be|is)\s+(?:unlawful|prohibited|forbidden)\s+for\s+(?P<subject>[^,;:]{3,160}?)\s+to\s+"
    r"(?P<verb>[a-z]+)\s+(?P<object>[^;]+)",
    re.IGNORECASE,
)
_NO_VERBS = listed("or and in within by of to for on at from with only if as the a an no more less")
_LEADS = listed(
    "where if when unless upon before after once until in for by without at on to from notwithstanding subject as "
    "except pursuant however moreover furthermore therefore accordingly during within with under following prior "
    "while whenever given having taking based only thereby otherwise nevertheless nonetheless throughout despite "
    "according save provided regardless irrespective likewise and or but who which that whereby"
)
_CONDITION_LEAD = re.compile(
    r"^(?P<word>where|if|when|unless|once|until|upon|before|after|in the event (?:that|of)|in case of|in cases where"
    r"|prior to|whenever)\s",
    re.IGNORECASE,
)
_EXCEPTION_LEAD = re.compile(
    r"^(?P<word>by way of derogation from|notwithstanding|unless|except (?:where|when|if|for|as))\s", re.IGNORECASE
)
_ASIDE = re.compile(
    r"^,\s+(?:(?:where|when|if|as|to the extent|in so far as)\s+(?:\w+\s+)?(?:appropriate|applicable|necessary|relevant"
    r"|possible|required|needed)|[^,;]{3,160}),\s+"
)
_EMPTY_ASIDE = re.compile(
    r",?\s+(?:where|when|as|if)\s+(?:\w+\s+)?(?:appropriate|applicable|necessary|relevant|possible|required)\s*,?",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\s*(?:(?:in particular:?|in addition|inter alia|also|only|therefore|then|further|at least|likewise|always|never"
    r"|immediately|promptly|forthwith|fully"
    r"|thereby|not|(?!(?:re|app|comp|imp|supp|rep|multip)ly\b)[a-z]+ly)\s+)*"
    r"(?P<verb>(?:be\s+(?:[a-z]+ly\s+)?(?:[a-z-]+(?:ed|en|wn|de|ld|id|pt|ut)"
    r"(?:\s+up|\s+out|\s+down)?(?=[\s,.;:])(?:\s+(?:and|or)\s+[a-z-]+(?:ed|en|wn|ld|id|pt)(?=\s))?|[a-z]+))|[a-z][a-z-]+"
    r"(?:(?:,\s+[a-z]+)*,?\s+(?:and|or|and/or)\s+(?:[a-z]+ly\s+)?[a-z]+(?=\s+(?:the|a|an|any|all|its|their|such|to"
    r"|that|each|with)\b))?(?:\s+(?:up|out)(?=\s))?)(?![\w-])"
)
_TRAIL = re.compile(
    r"(?:,\s+|\s+)(?P<word>unless|provided that|only if|only where|only when|except (?:where|when|if|for|that|as"
    r"|to)|with the exception of|if|where|when|as long as|in the event (?:that|of)|insofar as)\s+"
    r"(?!(?:appropriate|applicable|necessary|relevant|possible|required|any|so)\b)"
)
_LOCATIVE = re.compile(
    r"\b(?:states?|places?|procedures?|situations?|countr(?:y|ies)|areas?|spaces?|cases?|instances?|and|or|asses"
    r"|determine|decide|know|verify|check|specify(?:ing)?|time|date|moment|day|circumstances|explains?|including"
    r"|in particular|especially|even)\s*,?$",
    re.IGNORECASE,
)
_ENDS = re.compile(r";|(?:,|\s)\s*(?:and|or|but)\s+(?:shall|must|may|will)\b|,\s+(?:and|but)\s+(?:the|it|they|no)\b")
_SOFT_ENDS = re.compile(
    r",\s+(?:in accordance with|taking|without prejudice|pursuant to|in particular|including|as well as to|which|who"
    r"|with a view|so as to|in order to|thereby|having regard|as referred|as set out|and in particular|while|since"
    r"|provided|unless|where|if|when|after|before|upon|subject to|on the basis|based on|by way of|for the purpose)\b"
)
_SUBORDINATE = re.compile(r"\b(?:that|which|who|whom|whose|where|when|if|whether|because|as|unless|than|how)\b", re.I)
_WORD = re.compile(r"[\w’'/-]+")
_ENDS_IN_PRONOUN = re.compile(r"\S\s+(?:it|they|he|she|or|and)$", re.IGNORECASE)
_LEAD_WORD = re.compile(rf"(?:{'|'.join(sorted(_LEADS))})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limit:
    """A condition or exception of a clause: the word that opens it, and what it says."""

    kind: Kind
    word: str
    text: str


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule of a sentence.

    Attributes:
        kind: A duty, requirement, permission or prohibition.
        subject: Who or what it is about.
        predicate: Modal and verb.
        object: What follows the verb, up to the next rule or condition.
        rest: All that follows the verb, where periods and numbers are looked for.
        limits: Its conditions and exceptions.
    """

    kind: Kind
    subject: str
    predicate: str
    object: str
    rest: str
    limits: tuple[Limit, ...] = ()


def clauses_of(sentence: str, *, before: str = "") -> list[Clause]:
    """The rules that a sentence states.

    Rule: each modal verb with the noun phrase before it; a modal inside a relative or subordinate clause states no
    rule of its own. "It" and "they" are the subject of the condition in front of them, else of the sentence before.

    Args:
        sentence: On one line, without its number and the heading that runs into it.
        before: The subject of the sentence before, for a pronoun.

    Source: ours, for the kinds that HyPA-RAG 8.2 leaves to a model.
    """
    unlawful = _UNLAWFUL.search(sentence)
    if unlawful is not None:
        return [_unlawful(unlawful)]
    clauses: list[Clause] = []
    start = 0
    subject = ""
    modals = list(_MODAL.finditer(sentence))
    for number, modal in enumerate(modals):
        if modal.start() < start:
            continue
        limit = modals[number + 1].start() if number + 1 < len(modals) else len(sentence)
        head, own = _subject_before(sentence[start : modal.start()], at_start=start == 0)
        if own is None:
            continue
        if own == "" and subject:
            own = subject
        if is_pronoun(own):
            own = _named_in(head) or subject or before
        if not own or not _fits(own) or _ENDS_IN_PRONOUN.search(own):
            continue
        clause = _clause(own, modal["modal"], sentence[modal.end() :], head)
        if clause is None:
            continue
        clauses.append(clause)
        subject, start = own, _next_start(sentence, modal.end(), limit)
    return clauses


def _unlawful(match: re.Match[str]) -> Clause:
    rest = match["object"].strip()
    text, limits = _limits(rest)
    return Clause(
        Kind.PROHIBITION, _tidy(match["subject"]), f"must not {match['verb']}", _cut(text), rest, tuple(limits)
    )


def _next_start(sentence: str, place: int, limit: int) -> int:
    """Where the next rule of the sentence may have its subject."""
    ends = [match for match in _ENDS.finditer(sentence, place, min(len(sentence), limit + 8)) if match.start() < limit]
    if not ends:
        return place
    last = ends[-1]
    joined = re.search(r"(?:shall|must|may|will)$", last[0])
    return last.start() + 1 if last[0] == ";" else (limit if joined else last.start() + last[0].find(" ") + 1)


def _subject_before(text: str, *, at_start: bool) -> tuple[str, str | None]:
    """(what is in front of the subject, the subject); None where the modal states no rule, "" for the last one."""
    text = text.rstrip().rpartition(";")[2] if ";" in text.rstrip()[:-1] else text.rstrip()
    text = re.sub(r"^\s*(?:;|,)?\s*(?:and|or|but)?\s*$", "", text)
    if not text.strip():
        return "", "" if not at_start else None
    if text.endswith(","):  # an aside before the modal: "The provider, where applicable, shall"
        inner = text[:-1]
        cut = inner.rfind(",")
        if cut < 0:
            return "", None
        text = inner[:cut]
    text = _EMPTY_ASIDE.sub(" ", text)
    pieces = _pieces(text)
    for count in range(1, len(pieces) + 1):
        phrase = ", ".join(pieces[-count:]).strip()
        first = _WORD.search(phrase)
        if first is None or first[0].lower() in _LEADS or not opens_phrase(phrase):
            continue
        is_first = count == len(pieces)
        if not is_first and re.search(r"\s(?:and|or)\s", phrase) and opens_phrase(pieces[-count - 1]):
            if _LEAD_WORD.match(pieces[0]):
                return "", None  # a list of subjects, or the end of the condition in front of them
            continue
        head = ", ".join(pieces[:-count])
        if _is_subordinate(phrase) or _opens_relative(head):
            return head, None
        return head, _tidy(re.sub(r"^(?:and|or|but|however)\s+", "", phrase, flags=re.I))
    return "", None


def _pieces(text: str) -> list[str]:
    """A text at its commas, those inside brackets left alone."""
    pieces, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth <= 0:
            pieces.append(text[start:place].strip())
            start = place + 1
    return [piece for piece in [*pieces, text[start:].strip()] if piece]


def _is_subordinate(phrase: str) -> bool:
    """Whether the modal after the phrase belongs to a relative or subordinate clause inside it."""
    for match in reversed(list(_SUBORDINATE.finditer(phrase))):
        following = _WORD.findall(phrase[match.end() :])
        word = match[0].lower()
        if word in ("as", "than"):
            continue
        if word not in ("that", "which", "who", "whose", "whom"):
            return True
        if not following:
            return True
        if word == "that" and match.start() == 0:
            continue
        return word == "whom" or following[0].lower() in DETERMINERS or len(following) < 2
    return False


def _opens_relative(head: str) -> bool:
    return re.search(r"\b(?:that|which|who)$", head.strip()) is not None


def _named_in(head: str) -> str:
    """The subject of the condition in front of a rule: "Where a provider considers …, it shall"."""
    condition = _CONDITION_LEAD.match(head.strip())
    if condition is None:
        return ""
    text = head.strip()[condition.end() :]
    verb = re.search(
        r"\s(?:is|are|was|were|has|have|had|does|do|considers?|finds?|fails?|makes?|places?|becomes?|intends?|decides?"
        r"|uses?|subcontracts?|carries|carry|issues?|establish(?:es)?|discovers?|learns?|notif(?:y|ies)|submits?"
        r"|withdraws?|suspends?|exercises?|transfers?|discloses?|collects?|holds?|enters?|envisages?|receives?|concludes?|identif(?:y|ies)|determines?|wish(?:es)?|cease[sd]?|performs?|adopts?|raises?"
        r"|reject[sd]?|refuses?|requests?|provides?|applies|apply|acts?|objects?|believes?|need[s]?|processes)\s",
        text,
    )
    phrase = text[: verb.start()] if verb else ""
    return _tidy(phrase) if phrase and len(phrase.split()) <= 14 and "," not in phrase else ""


def _fits(subject: str) -> bool:
    words = subject.split()
    if not words or len(words) > MAX_SUBJECT_WORDS or words[0].lower() in ("there", "that", "this", "these", "those"):
        return len(words) > 1 and words[0].lower() in ("this", "these", "those", "that") and len(words) < 12
    return head_of(subject) not in ("", "it", "they", "there") and not re.match(r"(?:what|which|who)\b", subject, re.I)


def _clause(subject: str, modal: str, after: str, head: str) -> Clause | None:
    aside = _ASIDE.match(after)
    rest = after[aside.end() :] if aside else after
    verb = _VERB.match(rest)
    if verb is None or verb["verb"].split()[0] in _NO_VERBS:
        return None
    rest = rest[verb.end() :]
    aside = _ASIDE.match(rest)
    rest = rest[aside.end() :] if aside and not rest[aside.end() :].startswith(("and ", "or ")) else rest
    ends = _ENDS.search(rest)
    rest = (rest[: ends.start()] if ends else rest).strip()
    modal = " ".join(modal.split())
    subject, modal = _negated(subject, modal)
    kind = _kind(subject, modal, verb["verb"])
    if kind is None:
        return None
    text, trailing = _limits(" " + rest)
    leading = _leading(head)
    predicate = f"{modal} {' '.join(verb['verb'].split())}"
    return Clause(kind, subject, predicate, _cut(text), rest, (*leading, *trailing))


def _negated(subject: str, modal: str) -> tuple[str, str]:
    """ "No provider shall" says that the provider must not."""
    match = re.match(r"no\s+", subject, re.I)
    return (subject[match.end() :], f"{modal} not") if match else (subject, modal)


def _kind(subject: str, modal: str, verb: str) -> Kind | None:
    is_negated = "not" in modal.split() or "prohibited" in modal or "forbidden" in modal
    is_passive = verb.startswith("be ")
    if modal.startswith("will") or (verb in ("mean", "include", "refer") and not is_negated):
        return None
    if re.fullmatch(r"be (?:prohibited|forbidden|banned|unlawful)", verb) and not is_negated:
        return Kind.PROHIBITION
    if is_negated:
        is_forbidding = is_actor(subject) or (is_passive and not re.search(r"\b(?:construed|required|deemed)", verb))
        return Kind.PROHIBITION if is_forbidding else None
    if modal.startswith("may") or re.search(r"permitted|allowed|entitled|authori|empowered", modal):
        return Kind.PERMISSION if is_actor(subject) and not is_passive else None
    if is_actor(subject) and not is_passive:
        return Kind.DUTY
    return Kind.REQUIREMENT


def _leading(head: str) -> list[Limit]:
    """The condition or exception in front of the subject."""
    text = head.strip()
    for kind, pattern in ((Kind.EXCEPTION, _EXCEPTION_LEAD), (Kind.CONDITION, _CONDITION_LEAD)):
        if (match := pattern.match(text)) is not None:
            condition = _cut(text[match.end() :])
            return [Limit(kind, match["word"].lower(), condition)] if len(condition.split()) > 1 else []
    return []


def _limits(rest: str) -> tuple[str, list[Limit]]:
    """What follows the verb up to its first condition or exception, and that."""
    for match in _TRAIL.finditer(rest):
        word = " ".join(match["word"].lower().split())
        if word in ("where", "when", "if") and _LOCATIVE.search(rest[: match.start()]):
            continue
        condition = _cut(rest[match.end() :])
        if len(condition.split()) < 2:
            continue
        is_exception = word.startswith(("unless", "except", "with the exception"))
        kind = Kind.EXCEPTION if is_exception else Kind.CONDITION
        return rest[: match.start()].strip(), [Limit(kind, word, condition)]
    return rest.strip(), []


def _cut(text: str) -> str:
    """A phrase without what hangs loosely from it, at most MAX_OBJECT characters."""
    text = text.strip()
    soft = _SOFT_ENDS.search(text, 20)
    text = text[: soft.start()] if soft else text
    if len(text) > MAX_OBJECT:
        cut = max(text.rfind(", ", 40, MAX_OBJECT), text.rfind(" and ", 40, MAX_OBJECT))
        text = text[: cut if cut > 0 else text.rfind(" ", 0, MAX_OBJECT)]
    return _tidy(text)


def _tidy(text: str) -> str:
    return " ".join(text.split()).strip(" ,;:.–—")
