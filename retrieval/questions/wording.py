"""Words of questions that templates make: their capitals and articles, and whether a question reads as one."""

import re

_PERSON = re.compile(
    r"(?:person|party|parties|agency|agencies|company|companies|body|bodies|authority|authorities|council|commission"
    r"|bank|firm|landlord|staff|employee|everyone|\w{3,}(?:[^mt]er|[^m]or|ee|tant|ician))s?$"
)
_NO_PERSON = frozenset(["number", "order", "chapter", "paper", "matter", "letter", "register", "factor", "error"])
_MODAL = re.compile(r"\b(?:shall|must|may|should|can|could|would|will|cannot)\b")
_FINITE = re.compile(r"\b(?:agrees?|acknowledges?|represents?|warrants?|undertakes?|hereby|make)\b|\s[-–—]\s", re.I)
_CUT = re.compile(r"\b[A-Z]\?$|\bone or more of [A-Z]|^Must .{2,80}? be \(")  # "U.S." at its stop; a list; a cell
_DETERMINER = re.compile(r"(?:an?|the|either|neither|no|such) ", re.I)
_HEAD_END = re.compile(r" (?:of|in|that|which|who|to|for|under|conducted|subject) ")


def reads_as_question(text: str) -> bool:
    """Whether a question has one modal verb at most, and so no second clause that lays down more, and is not cut off.

    >>> reads_as_question("Must the arbitration be in English, and all documents shall be submitted in English?")
    False
    """
    n_modals = len(_MODAL.findall(text[:1].lower() + text[1:]))
    return n_modals <= 1 and text.count("(") == text.count(")") and text.count("?") == 1 and not _CUT.search(text)


def is_noun_phrase(actor: str) -> bool:
    """Whether words before a verb can be its subject: they hold no verb of their own, as "MA agrees that it" does."""
    return not _MODAL.search(lowered(actor)) and not _FINITE.search(actor)


def is_many(actor: str) -> bool:
    """Whether several are meant: "Providers of AI systems", "both parties"."""
    return bool(re.match(r"(?:all|both) ", actor, re.I)) or _HEAD_END.split(actor)[0].endswith("s")


def named(actor: str) -> str:
    """Who acts, in the middle of a question: a party keeps the capital that the contract gives it.

    >>> named("Company"), named("Providers"), named("The provider")
    ('Company', 'providers', 'the provider')
    """
    is_party = " " not in actor and is_person(actor) and not actor.endswith("s")
    return actor if is_party else lowered(actor)


def plain(heading: str) -> str:
    """A heading in the middle of a sentence: its capitals gone, short forms kept."""
    return " ".join(word if any(sign.isupper() for sign in word[1:]) else word.lower() for word in heading.split())


def is_person(actor: str) -> bool:
    """Whether somebody is meant who can be advised or can break a rule, and no document or thing."""
    head = _HEAD_END.split(actor.lower())[0].split()[-1]
    return bool(_PERSON.search(head)) and head.rstrip("s") not in _NO_PERSON


_DETERMINERS = frozenset(
    ["a", "an", "the", "each", "every", "any", "all", "both", "no", "such", "if", "when", "where", "before", "after"]
) | {"upon", "which", "what", "may", "must", "how", "do", "does"}


def lowered(text: str) -> str:
    """The first letter small, unless the word is a short form or begins a name of several words in capitals."""
    first, second = [*text.split(maxsplit=2)[:2], "", ""][:2]
    is_name = second[:1].isupper() and first.lower() not in _DETERMINERS
    if is_name or any(sign.isupper() for sign in first[1:]):
        return text
    return text[:1].lower() + text[1:]


def uppered(text: str) -> str:
    """The first letter a capital."""
    return text[:1].upper() + text[1:]


def one_of(actor: str) -> str:
    """One of those who are meant: "each employer" becomes "an employer"; names stay, and so do many, and what is done.

    >>> one_of("each employer"), one_of("Company"), one_of("providers of AI systems"), one_of("body")
    ('an employer', 'Company', 'providers of AI systems', 'a body')
    """
    bare = re.sub(r"^(?:each|every|any|all) ", "", actor)
    is_whole = bare == actor and (_DETERMINER.match(actor) or actor[:1].isupper())
    if is_whole or is_many(bare) or _HEAD_END.split(bare)[0].endswith("ing"):
        return bare
    return f"{'an' if bare[:1].lower() in 'aeio' else 'a'} {bare}"


def tidied(text: str) -> str:
    """One blank between words, none before a mark, a capital first."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\s+([?.,;:])", r"\1", text)
    return text[:1].upper() + text[1:]
