"""A question that compares documents, reworded for each of them alone: "How long does this Agreement last?".

A reader of one passage cannot compare; instead, what each document says of the point is shown side by side, under its
name. Source: Min et al. 2019 (DecompRC), who take comparison questions apart in the same way. Differs: by
rules; only the person who reads the answers compares them.
"""

import re
from collections.abc import Sequence

Span = tuple[int, int]

_NOUNS = r"(?:contracts|agreements|deals|leases|licen[cs]es)"
_NOUN = r"(?:contract|agreement|deal|lease|licen[cs]e)"
# "Our confidentiality agreements", "which software licences": those of that kind.
_KIND = r"(?:((?!(?:two|three|four|others?)\b)[a-z][a-z-]{2,24}(?:\s[a-z][a-z-]{2,24})?)\s+)?"
# All documents at once: "which of our contracts", "both agreements", "either lease", "the other contract".
EVERY = re.compile(
    rf"\b(?:(?:each|all|any|both|either)\s+(?:of\s+)?(?:the|our|these|my)\s+(?:two\s+|three\s+|four\s+)?{_KIND}{_NOUNS}"
    rf"|(?:each|either)\s+{_NOUN}|both\s+{_KIND}{_NOUNS}|the\s+(?:two|three|four)\s+{_KIND}{_NOUNS}|our\s+{_KIND}{_NOUNS}"
    rf"|(?<=which\sof\s)(?:the|our|these|my)\s+{_KIND}{_NOUNS}|(?<=which\s)(?:{_KIND}{_NOUNS}|{_NOUN})"
    rf"|(?:the|our|my)\s+others?\s+(?:{_NOUNS}|{_NOUN}))\b",
    re.IGNORECASE,
)
# "Applies to the lease, and which to the licence": the question's word may come again.
_LINK = (
    r"(?:that|those|the\s+ones?|one|it|they|which|what|who|when|how\s+\w+)?\s*(?:is|are|does|do|has|have)?"
    r"\s*(?:of|to|in|at|under|by|for|with|from)?"
)
_ARTICLE = r"(?:the|our|your|my)?"
# "The licence and those of the agreement": nothing is asked between the two.
_TOGETHER = re.compile(
    rf"\s*(?:,|and|or|versus|vs\.?|with|to|against|from|\s)*\s*{_LINK}\s*{_ARTICLE}\s*", re.IGNORECASE
)
# "The licence last, compared with the agreement": what comes before the comparison is asked of both.
_AGAINST = re.compile(
    r"(?P<asked>.*?)\s*,?\s*\b(?:(?:(?:is|are)\s+)?(?:differ(?:s|ent)?|diverges?)\s+from"
    r"|compared?\s+(?:with|to)|in\s+(?:comparison|contrast)\s+(?:with|to)|than|as(?:\s+opposed\s+to)?|while|whereas"
    rf"|unlike|but\s+not)\b\s*{_LINK}\s*{_ARTICLE}\s*",
    re.IGNORECASE,
)
# "Compare the term of the lease with that of the agreement".
_WITH = re.compile(rf"(?P<asked>.*?)\s+(?:with|to|and|versus|vs\.?)\s+{_LINK}\s*{_ARTICLE}\s*", re.IGNORECASE)
_DOES_SO = re.compile(r"^\s+(?:do|does|did|is|are|has|have|can|may|must)\b(?=[\s?.]*$)", re.IGNORECASE)  # "as it does"
_COMPARATIVE = (
    r"(?:the\s+)?(?:same|identical|alike|more|less|fewer|longer|shorter|higher|lower|earlier|later|stricter|broader|"
    r"wider|larger|greater|smaller|narrower)"
)
_DIFFERENCE = re.compile(
    r"^(?:please\s+)?(?:compare|what(?:['’]s|\s+is|\s+are)\s+the\s+differences?\s+(?:between|in|of))\s+", re.IGNORECASE
)
_POSSESSIVE = re.compile(r"['’]s?$")
_AS_LONG = re.compile(r"\s+as\s+(long|often|soon|early|quickly|fast|much|many|frequently)\b", re.IGNORECASE)
_DOES = re.compile(r"^(?:does|do|is|are|can|may|must)\b", re.IGNORECASE)
_ADVERB = re.compile(
    r"(?:^|\s+)(?:(?P<when>earlier|earliest|sooner|soonest|later|latest)|(?P<long>longer|longest)"
    r"|(?:more|less|most|least)\s+(?:often|frequently))(?=[\s?.]*$)",
    re.IGNORECASE,
)
_THE_SAME = re.compile(r"^\s+(?P<verb>\w+)\s+the\s+same\s+(?P<what>.+?)[?.\s]*$", re.IGNORECASE)
_HOW = re.compile(r"^(?:how|where|in\s+what)\s+(?:do|does)\s+", re.IGNORECASE)
_ON = re.compile(
    r"^(?:\s+(?:differ|diverge|compare))?,?\s+(?:on|in|regarding|concerning|about|as\s+to|with\s+(?:respect|regard)\s+to"
    r"|in\s+terms\s+of|when\s+it\s+comes\s+to|for)\s+(?P<what>.+?)[?.\s]*$",
    re.IGNORECASE,
)
_STRICTER_ON = re.compile(rf"^{_COMPARATIVE}\s+(?:on|about|regarding|as\s+to)\s+(?P<what>.+?)[?.\s]*$", re.IGNORECASE)
# "The differences in how they handle notices".
_HOW_THEY = re.compile(r"^how\s+(?:they|each(?:\s+of\s+them)?|both)\s+\w+\s+", re.IGNORECASE)
# One document alone cannot say how several bear on each other.
_RELATION = re.compile(
    r"\b(?:relat(?:e[sd]?|ion\w*)|conflict\w*|prevails?|precedence|supersedes?|replaces?|interact\w*|contradict\w*|"
    r"consistent|incompatible|refers?)\b",
    re.IGNORECASE,
)
_TREATS = re.compile(
    r"^\s+(?:deals?\s+with|treats?|handles?|address(?:es)?|regulates?|covers?)\s+(?P<what>.+?)[?.\s]*$", re.IGNORECASE
)
_WHICH = re.compile(r"^(?:which|what)\s+(?:ones?\s+)?of\s+(?:the\s+|our\s+)?$|^which\s+$", re.IGNORECASE)
_WHO = re.compile(r"^(?:who|which(?:\s+one)?)\s+(?P<does>.+?)\s*[,:]\s*(?:the\s+)?$", re.IGNORECASE)
_SINGULAR = {"do": "does", "are": "is", "have": "has", "were": "was"}
_PLURAL_VERB = re.compile(r"\b(do|are|have|were)(\s+)(?:both\s+)?(?=(?:the\s+|our\s+)?$)", re.IGNORECASE)
_VERB = re.compile(r"^\s+(?P<verb>\w+)\b\s*(?P<rest>.*)$", re.DOTALL)
_MODAL = frozenset(
    ("may", "must", "can", "could", "shall", "should", "will", "would", "is", "are", "was", "were", "does", "do")
)


def asked_of_one(question: str, spans: Sequence[Span]) -> tuple[str, Span] | None:
    """The question as it is put to one of the documents that it names, and where that document is named in it.

    Args:
        question: That names documents.
        spans: Where, in order; one span may name several documents.

    Returns:
        None where the question does not ask the same of all of them.

    >>> def asked(question: str, *names: str) -> str:
    ...     found = asked_of_one(question, [(question.index(n), question.index(n) + len(n)) for n in names])
    ...     return found[0] if found else ""
    >>> asked("How does the governing law of the lease differ from that of the licence?", "lease", "licence")
    'What is the governing law of the lease?'
    >>> asked("Which of the lease and the licence can be assigned?", "lease", "licence")
    'Can the lease be assigned?'
    >>> asked("Compare the lease and the licence on notices.", "lease", "licence")
    'What does the lease say about notices?'
    >>> asked("Whose law applies to the lease, and which to the licence?", "lease", "licence")
    'Whose law applies to the lease?'
    >>> asked("Does the lease end where the licence is terminated?", "lease", "licence")
    ''
    """
    single = None if _RELATION.search(question) else _without_others(question, spans)
    if single is None:
        return None
    before, name, after, is_against = single
    after = re.sub(r"^(\s+)both\b\s*", r"\1", after)
    if _WHICH.match(before):
        return _of_which(name, after)
    if (who := _WHO.match(before)) and not after.strip(" ?."):
        return _of_which(name, f" {who['does']}?")
    if is_against and _DOES.match(before) and (as_long := _AS_LONG.search(after)):
        after = after[: as_long.start()] + after[as_long.end() :]
        before = f"How {as_long[1].lower()} {before[:1].lower()}{before[1:]}"
    if difference := _DIFFERENCE.match(before):
        return _of_difference(before[difference.end() :], name, after)
    if (how := _HOW.match(before)) and (is_against or _ON.match(after)):
        is_of_it = not after.strip(" ?.") or _ON.match(after) or _POSSESSIVE.search(name)
        found = _of_difference(before[how.end() :], name, after) if is_of_it else None
        if found:
            return found
    if is_against and (match := re.match(r"^(?:is|are)\s+(.*)$", before, re.IGNORECASE)) and _is_comparative(after):
        return _put_together(_what(match[1]), name, "?")
    if re.match(r"^(?:does|do)\s", before, re.IGNORECASE) and (adverb := _ADVERB.search(after)):
        lowered = f"{_asked_by(adverb)} {before[:1].lower()}{before[1:]}"
        return _put_together(lowered, name, f"{after[: adverb.start()]}?")
    if is_against and _POSSESSIVE.search(name) and (match := re.match(r"^(?:is|are)\s+(.*)$", before, re.IGNORECASE)):
        own = re.sub(rf"\s+{_COMPARATIVE}[\s?.]*$", "", after, flags=re.IGNORECASE)
        what = "How long" if re.search(r"\b(?:longer|shorter)\b", after[len(own) :], re.IGNORECASE) else "What"
        return _put_together(f"{what} {_is_or_are(own)} {match[1]}", name, f"{own}?") if own != after else None
    before = _PLURAL_VERB.sub(lambda verb: _cased(verb[1], _SINGULAR[verb[1].lower()]) + verb[2], before)
    if (same := _THE_SAME.match(after)) and re.match(r"^(?:does|do)\s", before, re.IGNORECASE):
        return _put_together(f"What {same['what']} {before[:1].lower()}{before[1:]}", name, f" {same['verb']}?")
    return _put_together(before, name, after)


def _without_others(question: str, spans: Sequence[Span]) -> tuple[str, str, str, bool] | None:
    """The question before and after the first name, without the other names, and whether it is compared with them."""
    (start, end), is_against = spans[0], False
    after = ""
    last = end
    is_difference = _DIFFERENCE.match(question) is not None
    for other_start, other_end in spans[1:]:
        between = question[last:other_start]
        if not _TOGETHER.fullmatch(between):
            against = _AGAINST.fullmatch(between) or (_WITH.fullmatch(between) if is_difference else None)
            if against is None:
                return None
            after += against["asked"]
            is_against = True
        last = other_end
    rest = _DOES_SO.sub("", question[last:]) if is_against else question[last:]
    return question[:start], question[start:end], after + rest, is_against


def _is_comparative(after: str) -> bool:
    return re.fullmatch(rf"\s+{_COMPARATIVE}[\s?.]*", after, re.IGNORECASE) is not None


def _of_which(name: str, after: str) -> tuple[str, Span] | None:
    """Whether one can, for "which of them can be assigned?"; what its term is, for "which has the longer term?"."""
    match = _VERB.match(after)
    if match is None:
        return None
    verb, rest = match["verb"].lower(), re.sub(rf"\b{_COMPARATIVE}\s+", "", match["rest"], flags=re.IGNORECASE)
    if verb in ("has", "have") and rest == match["rest"] and re.match(r"an?\s|any\s", rest, re.IGNORECASE):
        return _put_together("Does the ", name, f" have {rest}")
    if verb in ("has", "have"):
        own = re.sub(r"^(?:the|an?)\s+", "", rest).rstrip("?. ")
        return _put_together(f"What {_is_or_are(own)} the ", f"{own} of the ", name, "?")
    if verb in ("is", "are") and (on := _STRICTER_ON.match(match["rest"])):
        return _put_together("What does the ", name, f" say about {on['what']}?")
    if verb in _MODAL:
        aux = _SINGULAR.get(verb, verb).capitalize()
        return _put_together(f"{aux} the ", name, f" {rest}")
    base = verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb
    if re.match(rf"{_COMPARATIVE}\s", match["rest"], re.IGNORECASE):  # "requires longer passwords"
        return _put_together(f"What {rest.rstrip('?. ')} does the ", name, f" {base}?")
    if adverb := _ADVERB.search(rest):
        return _put_together(f"{_asked_by(adverb)} does the ", name, f" {base} {rest[: adverb.start()]}".rstrip() + "?")
    return _put_together("Does the ", name, f" {base} {rest}")


def _asked_by(adverb: re.Match[str]) -> str:
    return "When" if adverb["when"] else "How long" if adverb["long"] else "How often"


def _of_difference(what: str, name: str, after: str) -> tuple[str, Span] | None:
    """What one says on notices, for "compare the notices of them" or "the difference between them on notices"."""
    if re.fullmatch(r"(?:the|our|your)?\s*", what, re.IGNORECASE):
        if _POSSESSIVE.search(name) and (own := after.strip(" ?.")):
            return _put_together(f"What {_is_or_are(own)} {what}", name, f" {own}?")
        on = _ON.match(after)
        return _put_together(f"What does {what}", name, f" say about {_HOW_THEY.sub('', on['what'])}?") if on else None
    if (how := re.match(r"how\s+", what, re.IGNORECASE)) and (treated := _TREATS.match(after)):
        return _put_together(f"What does {what[how.end() :]}", name, f" say about {treated['what']}?")
    if how:
        return _put_together(f"How does {what[how.end() :]}", name, after.rstrip(". ") + "?")
    return _put_together(_what(what), name, after.rstrip("?. ") + "?")


def _what(phrase: str) -> str:
    """What a phrase is: "What are the notice periods of …"."""
    return f"What {_is_or_are(phrase)} {phrase}"


def _is_or_are(phrase: str) -> str:
    """The verb by the noun before the first preposition."""
    noun = re.split(r"\s(?:of|in|under|for|to|on|by|with)\b", phrase.rstrip(), maxsplit=1)[0]
    return "are" if re.search(r"[^s]s$", noun) else "is"


def _cased(typed: str, word: str) -> str:
    return word.capitalize() if typed[:1].isupper() else word


def _put_together(before: str, *rest: str) -> tuple[str, Span]:
    """The texts joined, and the span of the name, which is the last text but one."""
    *more, name, _ = rest
    start = len(before) + sum(map(len, more))
    return "".join((before, *rest)), (start, start + len(name))
