"""British and American spelling as one, for comparing words: "licence" in a question is "license" in a contract.

The result is not correct in either spelling: both sides of a comparison must go through it.
"""

import re
from collections.abc import Callable, Iterable

_FOLDED = (
    (r"(?<=[a-z]{2})ence(?=s?\b)", "ense"),  # licence, defence
    (r"(?<=[a-z])ctis(?=e|i)", "ctic"),  # practise
    (r"(?<=[a-z]{2})is(?=e[drs]?\b|ers?\b|ing\b|ations?\b)", "iz"),  # organise, authorisation
    (r"(?<=[a-z])ys(?=e[drs]?\b|ing\b)", "yz"),  # analyse
    (r"(?<=[a-z]{3})our(?=s?\b|ed\b|ing\b|able\b|abl[ey]\b|ite)", "or"),  # favour, favourable
    (r"(?<=[a-z]{2}[bt])re(?=s?\b)", "er"),  # centre
    (r"(?<=[a-z]{2}o)gue(?=s?\b)", "g"),  # catalogue
    (r"(?<=dg)ement", "ment"),  # judgement
    (r"\bprogramme(?=s?\b)", "program"),
    (r"\bcheque(?=s?\b)", "check"),
    (r"ll", "l"),  # cancelled, fulfill, instalment
)
_WORD = re.compile(r"[^\W\d_]{5,}")
_RULES = tuple((re.compile(pattern), to) for pattern, to in _FOLDED)


def one_spelling(text: str) -> str:
    """The text in lower case, with what the two spell differently as one.

    >>> one_spelling("Licence cancelled") == one_spelling("license canceled")
    True
    """
    text = text.lower()
    for pattern, to in _RULES:
        text = pattern.sub(to, text)
    return text


def respelled(question: str, texts: Iterable[str], is_unknown: Callable[[str], bool]) -> str:
    """A question in which words that no document has are spelled as in the texts.

    Args:
        question: As it was typed.
        texts: Of documents.
        is_unknown: Whether a word is in no document.

    >>> respelled("Is the licence exclusive?", ["This License ends."], lambda word: word == "licence")
    'Is the license exclusive?'
    """
    unknown = [word for word in _WORD.findall(question) if is_unknown(word)]
    if not unknown:
        return question
    spelled = {one_spelling(word): word for text in texts for word in _WORD.findall(text.lower())}
    others = {word: spelled[one] for word in unknown if (one := one_spelling(word)) in spelled}
    return _WORD.sub(lambda match: others.get(match[0], match[0]), question)
