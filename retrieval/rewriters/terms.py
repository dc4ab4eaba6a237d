"""A question for the meaning of several terms: each is searched for by itself, as definitions are apart.

Source: query decomposition (Min et al. 2019, DecompRC). Differs: only what is plainly a list of terms is taken apart.
"""

import re

_VERSUS = r"(?:versus|vs\.?|as opposed to)"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bdifferences? between (?P<terms>[^?]{3,120}?)\s*\??$",
        r"^(?:define|compare|what (?:is|are) meant by) (?P<terms>[^?]{3,120}?)\s*[?.]?$",
        r"^what do (?P<terms>[^?]{3,120}?) mean\s*\??$",
        r"^how (?:does|do|is|are) (?P<terms>[^?]{2,60}? (?:differ|different) from [^?]{2,60}?)\s*\??$",
        r"^what distinguishes (?P<terms>[^?]{2,60}? from [^?]{2,60}?)\s*\??$",
        r"^how do (?P<terms>[^?]{3,120}?) differ\s*\??$",
        r"^how (?:does|do) (?P<terms>[^?]{2,60}? compare (?:to|with) [^?]{2,60}?)\s*\??$",
        r"^(?:what (?:is|are) )?(?P<terms>[^?,]{3,120}?, and what (?:is|are) [^?,]{2,60}?)\s*\??$",
        rf"^(?:what (?:is|are) )?(?P<terms>[^?]{{2,60}}? {_VERSUS} [^?]{{2,60}}?)(?:\s+[-–—][^?]{{0,60}})?\s*\??$",
    )
)
_APART = re.compile(
    rf",? and what (?:is|are) |,? {_VERSUS} | (?:differ |different )?from |,\s*(?:and )?| and | compare (?:to|with) ",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\((?P<term>[\w’'/ -]{2,40})\)$")  # "pulling a system back (recall)"
_ASIDE = re.compile(r"^(?:(?:an?|the) (?:(?:terms?|words?) )?)|\s+(?:it|them|one)$", re.IGNORECASE)
_COMPARE_WITH = re.compile(r"^(compare .{2,60}?) (?:with|to) ", re.IGNORECASE)
MOST_WORDS = 4  # ours: words of a term
MOST_TERMS = 4  # ours


def meanings_asked(text: str) -> tuple[str, ...]:
    """The question for the meaning of each of the terms that are compared or defined together; else nothing.

    >>> meanings_asked("What is the difference between a provider and a deployer?")
    ('What does provider mean?', 'What does deployer mean?')
    >>> meanings_asked("What is the difference between the two reports that we send to the authority and the board?")
    ()
    """
    return tuple(f"What does {one} mean?" for one in terms_together(text))


def terms_together(text: str) -> tuple[str, ...]:
    """The terms that are compared or defined together, as they are typed; empty where they are no plain list."""
    sentence = _COMPARE_WITH.sub(r"\1 and ", " ".join(text.split()))
    match = next(filter(None, (pattern.search(sentence) for pattern in _PATTERNS)), None)
    words = [_term(one) for one in _APART.split(match["terms"])] if match else []
    is_plain = 1 < len(words) <= MOST_TERMS and all(0 < len(one.split()) <= MOST_WORDS for one in words)
    return tuple(words) if is_plain else ()


def _term(words: str) -> str:
    bracketed = _BRACKETED.search(words.strip())
    return _ASIDE.sub("", bracketed["term"] if bracketed else words.strip()).strip("“”\"‘’' ")
