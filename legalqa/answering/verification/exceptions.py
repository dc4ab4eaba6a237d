"""The exceptions of a rule: a claim that says the rule and leaves its exception out says more than its source."""

import re
from collections.abc import Sequence

from legalqa.answering.verification.words import stems_of

MIN_KEPT = 0.5  # ours: share of the exception's content words that a claim says where it says the exception
MIN_SHARED = 0.6  # ours: share of the claim's content words in the sentence whose exceptions are looked at
SHOWN_WORDS = 12  # words of an exception that a reason quotes
_EXCEPTION = re.compile(
    r"\b(?:except(?:\s+(?:as|for|that|to|where|in|if|when))?|unless|provided,?\s+(?:however,?\s+)?that|"
    r"on\s+condition\s+that|save\s+(?:as|for|where|that)|other\s+than|with\s+the\s+exception\s+of|excluding|"
    r"subject\s+to|but\s+not|only\s+if|not\s+including)\b[^;.]{8,}?(?=[.;)]|$)",
    re.IGNORECASE,
)
# Words that take a rule back in a sentence of its own, after it.
_TAKEN_BACK = re.compile(
    r"^\W*(?:however,?\s+)?(?:this|that|it|these|those|the\s+(?:first|foregoing|preceding|above)?\s*"
    r"(?:paragraph|subparagraph|prohibition|obligation|requirement|rule|provision|subsection|section)s?)\b"
    r".{0,60}?\b(?:shall|do|does|must|will)\s+not\s+apply\b|^\W*by\s+way\s+of\s+derogation\b",
    re.IGNORECASE,
)


def exceptions_left_out(claim: str, sentences: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """What the sentence that a claim follows excepts and the claim does not say.

    Args:
        claim: One statement, contractions opened.
        sentences: Of the source, in order, likewise.

    Returns:
        (sentences for people, the source without these exceptions).
    """
    stems = stems_of(claim)
    place = max(range(len(sentences)), key=lambda n: len(stems & stems_of(sentences[n])), default=None)
    rest = list(sentences)
    if place is None or not stems or len(stems & stems_of(sentences[place])) < MIN_SHARED * len(stems):
        return (), rest
    left_out = []
    for match in _EXCEPTION.finditer(sentences[place]):
        own = stems_of(match.group())
        # Words that the rule has too are no sign of its exception.
        own = own - stems_of(sentences[place].replace(match.group(), " ")) or own
        if own and len(own & stems) < MIN_KEPT * len(own):
            left_out.append(match.group())
            rest[place] = rest[place].replace(match.group(), "")
    follower = sentences[place + 1] if place + 1 < len(sentences) else ""
    if _TAKEN_BACK.search(follower) and len(stems_of(follower) & stems) < MIN_KEPT * len(stems_of(follower)):
        left_out.append(follower)
        del rest[place + 1]
    return tuple(f"The claim leaves out the exception “{_shortened(words)}”." for words in left_out), rest


def _shortened(text: str) -> str:
    words = " ".join(text.split()).split(" ")
    return " ".join(words[:SHOWN_WORDS]).rstrip(" ,.;") + (" …" if len(words) > SHOWN_WORDS else "")
