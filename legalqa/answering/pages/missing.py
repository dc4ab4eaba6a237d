"""Words of a question that are in no document and name a thing: a document about that thing may be missing."""

import re
from collections.abc import Collection, Iterator

from legalqa.answering.verbs import can_be_verb
from retrieval.graph.rules.nouns import DETERMINERS, listed

_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_BEFORE_VERBS = listed(
    "must may might can could shall should will would do does did to not cannot never i you he she it we they who"
)
# After these, a word that is a noun as well as a verb ("report") is a noun.
_BEFORE_NOUNS = DETERMINERS | listed(
    "of for in on at by with from under over about into without within between against during after before through per "
    "as is are was were be been being and or than which what whose how"
)


def things_named(question: str, words: Collection[str], *, corrected: str = "") -> list[str]:
    """Those of the words that name a thing in the question, in its order: no verbs, no adverbs.

    By the word before each, and by the vocabulary of the packaged encoder: what has a form in -ing or -ed there can be
    a verb. Where that is not clear, the word is left out. So is a misspelt one, which `corrected` has no more: the
    question with these put right, "" where none is misspelt.
    """
    lower = {word.lower() for word in words}
    if corrected:
        lower &= {word.lower() for word in _WORD.findall(corrected)}
    return list(
        dict.fromkeys(word for before, word in _pairs(question) if word.lower() in lower and _names(before, word))
    )


def _pairs(question: str) -> Iterator[tuple[str, str]]:
    before = ""
    for word in _WORD.findall(question):
        yield before.lower(), word
        before = word


def _names(before: str, word: str) -> bool:
    low = word.lower()
    if before in _BEFORE_VERBS and word == low and not low.endswith("s"):  # "must carry", "we carry"
        return False
    if low.endswith(("ly", "ed")):
        return False
    return before in _BEFORE_NOUNS or not can_be_verb(low)
