"""English questions taken apart: which clauses ask, which only tell, and which depend on what was said before."""

import re
from dataclasses import dataclass

from corpora.tokens import tokens
from legalqa.common.sentences import sentence_spans

# Words that shape a question and name no subject; compared as index terms.
_SHAPING = """
    a about actually again all also and another answer any anybody anyone anything anyway are ask at aware be because
    been before being besides best but by can case cases clarify come concerning consider could deal describe detail
    details did do document documents does during each either elaborate else especially even ever every example
    examples exactly exist expect explain explanation few finally find first follow for from further general get give
    given go good guidance guideline guidelines happen has have having help here how however i if in include information
    instead interested into involve is it its just kind know learn less like list look make many may me mean meaning
    meant might more moreover most much must my necessary need new next no not now of off on once one only or other our
    out outline over own part people perhaps please point possible precise precisely present provide provided put
    question questions quick quickly rather read really regard regarding relate related relevant require required
    respect roughly said same say second secondly see separately set several shall short should show simply so some
    somebody someone something speak specific specifically specify still such sum summarise summarize sure take tell
    term terms than thank thanks that the their them then there therefore these they thing things think third this
    those though through to together too two type under understand up upon use used using usually very want was way we
    well were what when where whether which while who whole whom whose why will with within without wonder word words
    would yes you your
    """
SHAPING = frozenset(term for word in _SHAPING.split() for term in tokens(word))

# Ours: things named before a pronoun from which it most likely stands for one of them: where it continues the sentence,
# and elsewhere.
ENOUGH_NAMED, MUCH_NAMED = 2, 5
MIN_CONTENT = 3  # ours: index terms of its own from which a part of a question can be searched alone

_WH = r"(?:what|how|why|which|who|whom|whose|when|where)"
_AUXILIARY = r"(?:do|does|did|is|are|was|were|can|could|may|might|must|shall|should|will|would|has|have)"
_SUBJECT = r"(?:an?|the|any|all|some|each|every|there|it|they|he|she|we|i|you|this|that|these|those|one)\b"
_INVERTED = rf"{_AUXILIARY}\s+(?:{_SUBJECT}|[A-Za-z-]+\s+[a-z])"
_TELLING = (
    r"(?:tell\s+(?:me|us)|explain|describe|list|clarify|define|outline|summari[sz]e|compare|name|set\s+out|specify"
    r"|give\s+(?:me|us)|show\s+(?:me|us)|i\s+(?:would|'d)\s+like\s+to\s+(?:know|understand|learn)|i\s+(?:want|need)\s+to\s+know"
    r"|i\s+wonder|please)"
)
_LEAD_WORDS = (
    "and|but|so|or|also|then|now|well|yet|anyway|besides|finally|lastly|first|firstly|second|secondly|third|thirdly"
    "|next|separately|moreover|fine|ok|okay|thanks"
)
_LEAD = rf"(?:(?:{_LEAD_WORDS})\b[,:]?\s+)*"
_ASKS = re.compile(rf"^{_LEAD}(?:[a-z]+ly,?\s+)?(?:{_WH}\b|{_INVERTED}|{_TELLING}\b)", re.IGNORECASE)
_TOPIC = re.compile(
    rf"^{_LEAD}(?:in|for|under|on|with|at|to|from|by|of|upon|within|among)\s+"
    r"(?:what|which|whom|whose|when|how\s+(?:many|much|long|often|far))\b",
    re.IGNORECASE,
)
# "If it has moved, which rule applies": what follows the comma asks.
_ASKS_AFTER = re.compile(
    r",\s+(?:(?:in|for|under|on|with|at|to|from|by|within)\s+)?"
    rf"(?:{_WH}\s+(?!{_AUXILIARY}\b)\w|{_WH}\s+{_AUXILIARY}\s+{_SUBJECT}|{_INVERTED})",
    re.IGNORECASE,
)

# A clause that asks may begin after these: what is before it then only leads up to it.
_BREAK = re.compile(
    rf"[;:]\s+(?={_LEAD}(?:(?:in|for|under|on|with|at|to|from|by)\s+)?(?:{_WH}\b|{_INVERTED}|{_TELLING}\b))"
    rf"|,\s+(?:and\s+|but\s+|so\s+|or\s+|yet\s+)?(?={_LEAD}(?:what|how|why)\b)"
    rf"|,\s+(?:and|but|so|yet)\s+(?={_LEAD}(?:{_WH}\b|{_INVERTED}))"
    rf"|,\s+but\s+(?=(?:if|when|where|after|before|regarding|given|assuming|in|for|under|with)\b)"
    rf"|,\s+(?=(?:(?:in|for|under|on|with|at|to|from|by)\s+)(?:what|which|whom|whose)\b|{_AUXILIARY}\s+{_SUBJECT})"
    rf"|\s+(?:and|but)\s+(?=(?:(?:in|for|under|on|with|at|to|from|by)\s+(?:what|which|whom|how\s+(?:many|much|long|often|far))"
    r"|what|how|why|which|who|when|where)\b"
    rf"|{_AUXILIARY}\s+{_SUBJECT})",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(
    r"^(?:although|though|while|whilst|if|when|after|before|because|since|as|given|assuming|suppose|regarding)\b",
    re.IGNORECASE,
)
_PREPOSED = re.compile(r"^(?:in|for|under|on|with|at|to|from|by|within|of)\b", re.IGNORECASE)
_LEADING_WORDS = re.compile(rf"^{_LEAD}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of what was typed, as it was typed, and whether it asks."""

    text: str
    asks: bool


def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a question in order: sentences, parted where a clause that asks begins inside one."""
    pieces = []
    for start, end in sentence_spans(text):
        sentence = text[start:end].strip()
        at = 0
        for match in _BREAK.finditer(sentence):
            if sentence[at : match.start()].strip():
                pieces.append(_clause(sentence[at : match.start()].strip(), is_last=False))
            at = match.end()
        if sentence[at:].strip():
            pieces.append(_clause(sentence[at:].strip(), is_last=True))
    return tuple(pieces)


def _clause(text: str, *, is_last: bool) -> Clause:
    is_subordinate = bool(_SUBORDINATE.match(text))
    if (is_subordinate or _PREPOSED.match(text)) and _ASKS_AFTER.search(text):
        return Clause(text, asks=True)
    if is_subordinate and not is_last:
        return Clause(text, asks=False)
    return Clause(text, asks=bool(_ASKS.match(text) or _TOPIC.match(text) or (is_last and text.endswith("?"))))


def content(text: str, *, language: str) -> tuple[str, ...]:
    """The index terms of a text that name something, each once, in order."""
    return tuple(dict.fromkeys(term for term in tokens(text, language=language) if term not in SHAPING))


_VERB = (
    r"(?:is|are|was|were|be|been|being|has|have|had|do|does|did|can|could|may|might|must|shall|should|will|would|to"
    r"|apply|applies|mean|means|differ|differs|work|works|include|includes|require|requires|need|needs|cost|take|takes)"
)
_END = r"(?=\s*(?:[,.;:?!)]|$))"
_ON = rf"(?:{_END}|(?=\s+{_VERB}\b)|(?=\s+(?:and|or|in|for|under|when|as|on|with|by|if|from|at)\b))"
_PREPOSITION = (
    "(?:of|for|about|by|with|on|under|to|from|than|like|in|into|against|over|upon|without|and|or|is|are|using|use|uses)"
)
# Words that stand for something named before: pronouns, and demonstratives with no noun after them.
_POINTS = re.compile(
    rf"\b(?:[Ii]t|[Tt]hey|[Tt]hem)\b|\b(?:[Ii]ts|[Tt]heir)\b(?=\s+\w)|\b(?:[Tt]his|[Tt]hese|[Tt]hose)\b{_ON}"
    rf"|\b{_PREPOSITION}\s+(?P<that>that)\b{_ON}|\b(?P<last>that)\b{_END}"
    rf"|(?i:^\W*(?:{_LEAD})(?:{_AUXILIARY}|{_WH}\s+{_AUXILIARY})\s+(?P<subject>that)\b)"
)
# "Is it possible to …", "it is found that …", "makes it appropriate to …": it stands for what follows.
_EMPTY = re.compile(
    rf"\b(?:is|was|be|does|would)\s+it\s+\w+\s+(?:to|for|that)\b|\bit\s+{_VERB}\s+(?:\w+\s+)?\w+\s+(?:to|that)\b"
    r"|\b(?:mak(?:e|es|ing)|made|finds?|found|deems?|deemed|considers?|considered)\s+it\s+"
    r"\W?(?:\w+\s+)?\w+\W?\s+(?:to|that)\b",
    re.IGNORECASE,
)
# "… if they apply", "…, how should it submit": the pronoun refers to what the sentence has named.
_GOES_ON = re.compile(
    rf"(?:\b(?:if|when|while|whilst|before|after|because|since|although|that|which|who|where|whether|unless|once|as|and"
    rf"|or|but|than|{_AUXILIARY[3:-1]})|,)\s*$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?]\s")
_POINTS_WIDE = re.compile(r"\b(?:such|these|those|this|it|its|they|their|them|the same|former|latter)\b", re.IGNORECASE)
_ELLIPSIS = re.compile(
    r"^\W*(?:(?:and|or|but|so|then)\s+)?(?:what|how)\s+about\b"
    rf"|^\W*(?:and|or|but)\s+(?!{_AUXILIARY}\b|{_WH}\b|{_TELLING}\b)"
    rf"|^\W*(?:(?:and|but|so)\s+)?(?:why|when|where|who|how|since\s+when|what\s+if|how\s+so|why\s+not)\W*$",
    re.IGNORECASE,
)


def pointers(text: str, *, language: str) -> tuple[tuple[int, int, bool], ...]:
    """Where the words that point back are, and whether the text itself has most likely named what they stand for."""
    empty = [match.span() for match in _EMPTY.finditer(text)]
    places = []
    for match in _POINTS.finditer(text):
        group = next((name for name in ("that", "last", "subject") if match[name]), 0)
        start, end = match.span(group)
        n_words = len(content(_SENTENCE_END.split(text[:start])[-1], language=language))
        goes_on = match[0].lower() in ("its", "their") or _GOES_ON.search(text[:start])
        if not any(a <= start < b for a, b in empty):
            places.append((start, end, n_words >= (ENOUGH_NAMED if goes_on else MUCH_NAMED)))
    return tuple(places)


def is_elliptical(text: str) -> bool:
    """Whether a text is only the rest of a question: "and for agencies?", "what about fees?", "why?"."""
    return bool(_ELLIPSIS.match(text.strip())) and not any(
        _ASKS.match(clause.text) or _TOPIC.match(clause.text) for clause in clauses(text)[1:]
    )


def leans(text: str, *, language: str) -> bool:
    """Whether a part of a question cannot be searched without the part before it.

    It has under MIN_CONTENT terms of its own, or points back before it has named two things.
    """
    if len(content(text, language=language)) < MIN_CONTENT:
        return True
    points = _POINTS_WIDE.search(text)
    return points is not None and len(content(text[: points.start()], language=language)) < ENOUGH_NAMED


def without_lead(text: str) -> str:
    """The clause without "and", "also", "first," at its beginning, its first letter large."""
    plain = _LEADING_WORDS.sub("", text.strip(" ,;:"), count=1).strip(" ,;:")
    return plain[:1].upper() + plain[1:]
