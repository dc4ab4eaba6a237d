"""A claim that follows its source word for word may not differ from it in a word that decides.

Where most of a claim's words are in a sentence of its source in the same order, the places where the two differ are
looked at one by one: a "may" that is gone, an "after" for a "before", one party for another.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from legalqa.answering.verification.quantities import bounds_removed
from legalqa.answering.verification.words import Word, listed, stem_of, words_of

CLOSE = 0.8  # ours: share of the claim's words that are in the sentence in order
SHORT_GAP = 3  # ours: words left out of a quote up to which they are no clause with a condition
_SAME = [
    ("must", "must shall required obliged obligated"), ("may", "may can might could"), ("should", "should ought"),
    ("not", "not no never cannot neither nor none"), ("without", "without"), ("unless", "unless except"),
    ("only", "only solely exclusively"), ("all", "all every each"), ("some", "some certain several most many few"),
    ("before", "before preceding"), ("after", "after following subsequent"),
    ("least", "least minimum"), ("most", "maximum"), ("more", "more greater exceeding"),
    ("less", "less fewer"), ("if", "if provided"),
    ("unreal", "almost nearly purported alleged former proposed draft rarely seldom hardly"),
    ("intend", "intend intends intended attempt attempts attempted cease ceases ceased"),
    ("permit", "permitted allowed permits allows"), ("forbid", "prohibited forbidden prohibits forbids"),
]  # fmt: skip
_DECIDES = {word: kind for kind, words in _SAME for word in words.split()}
_PROHIBITION = re.compile(r"\b(?:may|must|shall|can)\s+not\b", re.IGNORECASE)
_PRIOR = re.compile(r"\bprior\s+to\b", re.IGNORECASE)
_UNITS = frozenset(map(stem_of, listed("second minute hour day week month quarter year percent dollar pound euro")))


def alignment_faults(claim: str, sentences: Iterable[str]) -> list[str]:
    """What a claim changes in the sentence that it follows, in sentences; empty where it follows none closely.

    Args:
        claim: One sentence, contractions opened.
        sentences: Those of the source, likewise.
    """
    words = words_of(_evened(claim))
    stems = Counter(word.stem for word in words)
    best: tuple[float, SequenceMatcher[str], Sequence[Word]] | None = None
    for sentence in sentences:
        source = words_of(_evened(sentence))
        if (stems & Counter(word.stem for word in source)).total() < CLOSE * len(words):
            continue  # too few of its words are there at all, in whatever order
        matcher = SequenceMatcher(None, [w.stem for w in source], [w.stem for w in words], autojunk=False)
        share = sum(block.size for block in matcher.get_matching_blocks()) / len(words) if words else 0.0
        if share >= CLOSE and (best is None or share > best[0]):
            best = (share, matcher, source)
    if best is None:
        return []
    return list(dict.fromkeys(_changes(best[1], best[2], words)))


def _evened(text: str) -> str:
    """One wording for a prohibition and for "before", and no bounds of numbers: those are compared as such."""
    return bounds_removed(_PRIOR.sub("before", _PROHIBITION.sub("shall not", text)))


def _changes(matcher: "SequenceMatcher[str]", source: Sequence[Word], words: Sequence[Word]) -> Iterator[str]:
    stems = {word.stem for word in source}
    steps = [step for step in matcher.get_opcodes() if step[0] != "equal"]
    for tag, a, b, c, d in steps:
        is_edge = a == 0 or b == len(source)
        old, new = _deciding(source[a:b]), _deciding(words[c:d])
        if tag == "delete" and (b - a > SHORT_GAP or is_edge):
            continue
        if d - c > SHORT_GAP and _is_in(words[c:d], source):  # a clause that was moved
            continue
        missing, extra = old - new, new - old
        if not new and any(word.lower == "shall" for word in source[a:b]):
            missing -= Counter(["must"])  # "shall be liable" is "is liable"
        for word in (*extra, *missing):
            yield f"The claim {'adds' if word in extra else 'leaves out'} “{word}” where the evidence says the rest."
        if tag == "replace" and b - a == d - c == 1 and _is_exchanged(source[a], words[c], stems):
            yield f"The claim says “{words[c].lower}” where the evidence says “{source[a].lower}”."


def _is_in(part: Sequence[Word], whole: Sequence[Word]) -> bool:
    run, stems = [w.stem for w in part], [w.stem for w in whole]
    return any(stems[at : at + len(run)] == run for at in range(len(stems) - len(run) + 1))


def _deciding(words: Sequence[Word]) -> "Counter[str]":
    return Counter(_DECIDES[word.lower] for word in words if word.lower in _DECIDES)


def _is_exchanged(theirs: Word, ours: Word, stems: set[str]) -> bool:
    """One word of the source for another of it, one unit for another, "and" for "or"."""
    if {ours.lower, theirs.lower} == {"and", "or"}:
        return True
    return (ours.stem in stems and ours.is_content and theirs.is_content) or {ours.stem, theirs.stem} <= _UNITS
