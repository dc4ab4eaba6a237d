"""What a question asks, part by part, and whether two sentences say the same."""

import re
from collections.abc import Iterator
from functools import lru_cache

from corpora.tokens import tokens
from legalqa.answering.composing.provisions import each_provision_asked
from legalqa.answering.composing.versus import each_thing_asked
from legalqa.answering.scaffolding import SCAFFOLDING
from legalqa.answering.verification.quantities import SMALL_NUMBERS

SAME_WORDS = 0.9  # ours: share of the words of two sentences, taken together, that both have
MIN_PART_WORDS = 4  # ours: a clause with fewer words asks nothing on its own
_LABEL = re.compile(r"^\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]\s+", re.IGNORECASE)
_ALNUM = re.compile(r"[^\W_]+")
_DENIALS = frozenset(("not", "no", "never", "nor", "neither", "without", "unless", "except", "cannot"))
_NUMBERS = {word: str(number) for word, number in SMALL_NUMBERS.items()}

_PART_BREAK = re.compile(
    r"[?;:]\s+|(?<=\w\w)(?<!\b[DdMm]r)(?<!\b[SsMm]t)(?<!\b[Nn]o)(?<![Aa]rt)[.!]\s+(?=[^\W\d])|,\s+(?=and\b)|,?\s+and\s+(?=(?:what|which|who|whom|when|where|why|how|may|must|can|does|do|is|are)\b)"
    r"|,\s+(?=(?:what|which|who|when|where|why|how)\b)"
    r"|(?:,\s+(?:and\s+)?|\s+and\s+)(?=(?:for|by|to|from|since|until|till|after|within)\s+(?:how|when|whom)\b)"
    r"|,?\s+and\s+(?=(?:on|at|in|under|with|for|by|to)\s+(?:what|which|whose)\b)",
    re.IGNORECASE,
)
# "And for how long?" and "can I appeal?" ask about the subject of the question before them.
_SHORT = re.compile(
    r"(?:(?:and|or|by|for|to|from|since|until|till|after|within) )*(?:how \w+|when|whom?|where|why)\b"
    r"|(?:and )?(?:can|may|must|do|does|is|are|should|shall|will|am) (?:i|we|you|they|he|she|it) \w+",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"\b(?:it|its|they|them|theirs?|this|that|these|those|he|she|him|her|his|such|same|else|extra"
    r"|one(?! of)|instead)\b",
    re.IGNORECASE,
)
_PERSONS = re.compile(r"\b(?:i|me|my|mine|we|us|ours?|you|yours?|i'm|we're|i've|we've)\b", re.IGNORECASE)

_TIMES = re.compile(r"\b(?:days?|weeks?|months?|years?|hours?|before|after|earlier|later|advance)\b", re.IGNORECASE)
MIN_OWN_WORDS = 2  # ours: a part with fewer words of its subject is read with the first part
MIN_OWN_WORDS_LEANING = 4  # ours: MIN_OWN_WORDS if the part points back ("it")

_EXCEPTIONS = re.compile(
    r"(?:(?:and|but) )*(?:(?:are|is) there |(?:with |subject to )?(?:what|which) (?:are )?)?"
    r"(?:any |an? |the |its |no )?"
    r"(?:(?:exceptions?|exemptions?|carve-?outs?)"
    r"(?: (?:apply|are there|do(?:es)? (?:it|they|this|that) have|to (?:this|that|it|them)))?"
    r"|(?:way (?:a?round|out of) (?:it|this|that|them)|way out))[?. ]*$",
    re.IGNORECASE,
)
AUXILIARY = r"(?:am|is|are|was|were|do|does|did|may|might|must|shall|should|can|could|will|would|has|have|need|needs)"
_ASKS = re.compile(
    r"(?:(?:and|but|so|also|then|or|if so|by|to|from|in|for|at|on|with|of|under|after|before|within|until|since)\s+)*"
    r"(?:what(?! (?:the|our|my|your|their|his|her|its|i|we|they|you)\b)|whats|which|who|whom|whose|when|where|why|how"
    rf"|{AUXILIARY}|list|name|explain|describe|summari[sz]e|tell|give|define)\b",
    re.IGNORECASE,
)
# "When my subscription has ended, how long …" tells the case that is asked of.
_TELLS_CASE = re.compile(
    r"(?:and )?(?:when|where|while) (?:i|we|you|they|he|she|it|my|our|your|their|his|her|its|the|an?|any|every|each"
    r"|this|that|some\w*|no|one|(?-i:[A-Z])\w+)\b",
    re.IGNORECASE,
)
_ASKS_LATER = re.compile(rf"\b(?:what|which|who|whom|where|why|how)\b(?: \w+){{0,3}}? {AUXILIARY}\b", re.IGNORECASE)
_WONDERS = re.compile(r"\b(?:know|wonder(?:ing)?|ask(?:ing)?|unsure|not sure|unclear|tell)\b", re.IGNORECASE)
_FILLERS = re.compile(
    r"\b(?:please|basically|really|actually)\b"
    rf"|\b(?:exactly|precisely)\b(?! (?:\d|(?:{'|'.join(SMALL_NUMBERS)})\b))",
    re.IGNORECASE,
)
_NO_PAUSE = re.compile(r", ?(?=[,?.!])| (?=[,;?.!])")  # what a filler leaves behind
_TERM = r"(?:an?\s+)?[“\"‘']?([\w-]+(?:[ ][\w-]+){0,3}?)[”\"’']?"
_THE = r"(?:the\s+(?:terms?|words?)\s+)?"
_TWO_TERMS = re.compile(
    rf"^(?:define|what\s+(?:is|are)\s+meant\s+by)\s+{_THE}{_TERM}\s+and\s+{_TERM}[?.\s]*$"
    rf"|^what\s+do\s+{_THE}{_TERM}\s+and\s+{_TERM}\s+mean[?.\s]*$",
    re.IGNORECASE,
)
_IS_CLAUSE = re.compile(
    r"\b(?:do|does|did|is|are|was|were|must|may|can|shall|should|will|has|have)\s+(?:(?:the|an?|our|my|any|every|each)\s+"
    r"\w+|\w+s)\b",
    re.IGNORECASE,
)


def question_parts(text: str) -> tuple[str, ...]:
    """The question and, if it asks several things, each of them: they may be answered in different places.

    Split at stops, question marks, semicolons, colons, and before ", and" or a question word that opens a clause. A
    clause that only tells ("I rent.", "hotel in Zurich,") goes with the question after it, or with the one before it if
    none follows; so does a question of fewer than MIN_PART_WORDS words (ours), unless it is one like "and for how
    long?". A question for the meaning of two terms is split into one for each term; so are a question about several
    provisions and a comparison of several things.
    """
    if terms := _TWO_TERMS.match(text):
        return (text, *(f"What does {term} mean?" for term in terms.groups() if term))
    if things := each_thing_asked(text):
        return (text, *things)
    parts: list[list[int]] = []  # start and end of each that asks
    opening: int | None = None
    for start, end in _clauses(text):
        clause = text[start:end]
        if _asks(clause, is_told=_is_told(text, end)) and (
            len(clause.split()) >= MIN_PART_WORDS or (parts and _SHORT.match(clause))
        ):
            parts.append([start if opening is None else opening, end])
            opening = None
        elif parts:
            parts[-1][1] = end
        elif opening is None:
            opening = start
    clauses = [" ".join(text[start:end].split()).removeprefix("and ") for start, end in parts] or [text]
    questions = tuple(one for clause in clauses for one in each_provision_asked(clause) or (clause,))
    return (text, *questions) if len(questions) > 1 else (text,)


def has_subject(part: str) -> bool:
    """Whether a part of a question can be read alone, by how much it says: "and for how long?" cannot (ours)."""
    own = set(tokens(_TIMES.sub(" ", part))) - SCAFFOLDING
    return len(own) >= (MIN_OWN_WORDS_LEANING if _LEANS.search(part) else MIN_OWN_WORDS)


def asks_only_exceptions(part: str) -> bool:
    """Whether a part asks for exceptions to the subject of the part before it."""
    return _EXCEPTIONS.match(part) is not None


def reads_alone(part: str) -> bool:
    """Whether a part of a question is read without the others: it has a subject, or is a clause about one thing.

    "When do the prohibitions apply?" is; "and the roof?", "who pays?" and "when does it end?" need what comes before.
    """
    is_clause = _IS_CLAUSE.search(part) is not None and not _LEANS.search(part)
    if asks_only_exceptions(part):
        return False
    return has_subject(part) or (is_clause and bool(set(tokens(part)) - SCAFFOLDING))


def stands_alone(part: str) -> bool:
    """Whether a question names its whole subject and points to nobody: "Which of us?" needs its story.

    A question that says much about its subject may name the person who asks.
    """
    if not has_subject(part) or _LEANS.search(part):
        return False
    return not _PERSONS.search(part) or len(set(tokens(part)) - SCAFFOLDING) >= MIN_OWN_WORDS_LEANING


def asking(text: str) -> str:
    """The clauses of a text that ask, without those that only tell; the whole text if none asks."""
    clauses = ((" ".join(text[start:end].split()), _is_told(text, end)) for start, end in _clauses(text))
    return " ".join(clause for clause, is_told in clauses if _asks(clause, is_told=is_told)) or text


def without_fillers(text: str) -> str:
    """A question without words that only press for an answer; "exactly ten days" is another time than "ten days".

    >>> without_fillers("What exactly is a lease, please, and do I really need one for exactly 12 months?")
    'What is a lease, and do I need one for exactly 12 months?'
    """
    if not _FILLERS.search(text):
        return text
    return _NO_PAUSE.sub("", " ".join(_FILLERS.sub(" ", " ".join(text.split())).split()).replace(" ,", ","))


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each clause, a question mark with it."""
    start = 0
    for match in _PART_BREAK.finditer(text):
        yield start, match.start() + match[0].startswith("?")
        start = match.end()
    if text[start:].strip():
        yield start, len(text)


def _is_told(text: str, end: int) -> bool:
    """Whether a sentence ends there with a full stop, and the question comes behind it."""
    return text[end : end + 1] in (".", "!") and "?" in text[end:]


def _asks(clause: str, *, is_told: bool) -> bool:
    """Whether a clause asks: it opens with a question, or has one further on, if it is no sentence that is told.

    "We add people who may see the data." has words of a question.
    """
    words = clause.strip()
    if _ASKS.match(words) and not _TELLS_CASE.match(words):
        return True
    later = _ASKS_LATER.search(words)
    return later is not None and (not is_told or _WONDERS.search(words[: later.start()]) is not None)


def is_same(first: str, second: str) -> bool:
    """Whether two sentences say the same: Jaccard of words at least SAME_WORDS, with the same numbers and denials.

    "Ten" and "10" are one number; the label of a list item is no word of it.
    """
    a, b = frozenset(words_of(first)), frozenset(words_of(second))
    return len(a & b) >= SAME_WORDS * len(a | b) and not any(map(_decides, a ^ b))


def _decides(word: str) -> bool:
    """Whether a word that only one of the two sentences has makes them say different things."""
    return word in _DENIALS or any(sign.isdigit() for sign in word)


@lru_cache(4096)  # each question compares the same passages, also with one another
def words_of(text: str) -> tuple[str, ...]:
    """The words of a sentence without its label, in small letters, numbers as digits."""
    return tuple(_NUMBERS.get(word, word) for word in _ALNUM.findall(_LABEL.sub("", text).lower()))
