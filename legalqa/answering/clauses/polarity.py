"""Whether a sentence denies the clause that it was found for; plain data, no Django.

"No licence is granted" is no licence, and "may be assigned freely" no ban on assignment, though the reader marks both:
they are about the clause.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Sense = Literal["grants", "restricts", "states"]


@dataclass(frozen=True, slots=True)
class Polarity:
    """Words that deny a clause, those beside them that give it all the same, and exceptions within them."""

    denies: re.Pattern[str]
    gives: re.Pattern[str]
    excepts: re.Pattern[str] | None = None


_NO = r"\b(?:no|not|nor|neither|never|nothing|none|cannot)\b"
_GAP = rf"(?:(?!{_NO})[^.;])"  # up to the next "no", as a sentence may forbid first and permit then
_GIVING = (
    r"(?:grant|confer|convey|creat|transfer|assign|licens|licenc|obtain|acquir|receiv|beneficiar)\w*"
    r"|\b(?:impl(?:y|ies|ied)|provid(?:e|es|ed|ing))\b"
)
_RIGHT = (
    r"(?:licen[cs]es?|rights?|title|interests?|beneficiar(?:y|ies)|obligations?|warrant(?:y|ies)|minimum"
    r"|royalt(?:y|ies))"
)
_HOLDS_BACK = (
    r"(?:prevent|prohibit|restrict|preclude|limit|restrain|bar|forbid)(?:s|ing)?\b(?!\s+to\b)"
    r"|impair\w*\s[^.;]{0,40}?\bright\s+to\b"  # "shall not impair the Marks" is what a covenant forbids
    r"|(?:prevented|prohibited|restricted|precluded|restrained|barred)\s+from\b"
)
_HELD_BACK = r"(?:limited|restricted|confined)\b"  # "shall not require that the dealer be limited to its accounts"
_RESERVED = re.compile(  # says that another clause may differ, and restricts nothing itself
    r"\bunless\s+(?:otherwise|expressly)\s+(?:\w+\s+)?(?:stated|agreed|provided|set\s+(?:out|forth)|specified)\b",
    re.IGNORECASE,
)
POLARITIES: Mapping[Sense, Polarity] = {
    "grants": Polarity(
        denies=re.compile(
            rf"{_NO}{_GAP}{{0,180}}?\b(?:{_GIVING})[^.;]*"
            rf"|\bno\s+(?:\w+\s+){{0,3}}{_RIGHT}[^.;]*"
            rf"|{_NO}(?:\s+be)?\s+(?:obliged|obligated|required|entitled)\b[^.;]*"
            rf"|\bwithout\s+(?:granting|conferring)\b[^.;]*",
            re.IGNORECASE,
        ),
        gives=re.compile(
            r"\bgrants?\b|\bgranted\b|\blicensed\s+to\b|\b(?:shall|will)\s+have\s+(?:the|a|an)\s+(?:\w+[\s,-]+){0,4}right"
            r"|\b(?:shall|will|may|must)\s+(?!not\b|be\s+(?:construed|deemed|interpreted))\w+"
            r"|\bproperty\s+of\b|\bbelongs?\b|\bown(?:s|ed)\b|\bvests?\b",
            re.IGNORECASE,
        ),
        excepts=re.compile(
            r"\bexcept\s+(?:for|that|the|with\s+respect)|\bother\s+than\s+the\s+(?!part(?:y|ies)\b)", re.IGNORECASE
        ),
    ),
    "restricts": Polarity(
        denies=re.compile(
            rf"{_NO}{_GAP}{{0,120}}?\b(?:{_HOLDS_BACK})[^.;]*|{_NO}(?:\s+\w+){{0,5}}?\s+be\s+{_HELD_BACK}[^.;]*|\bwithout\s+(?:any\s+)?(?:restriction|limitation\s+on)\b"
            r"|\bnon-?exclusive(?:ly)?\b",
            re.IGNORECASE,
        ),
        gives=re.compile(
            r"\b(?:shall|may|will|must|can|does|do|agrees?|covenants?)\s+not\b(?!\s+be\s+(?:construed|deemed|limited))"
            r"|\b(?:neither|no)\s+\w+|\bcannot\b|\bexclusive(?:ly)?\b|\bsole(?:ly)?\b|\bonly\b|\bprohibited\b"
            r"|\brefrain\b|\bnon-?transferable\b|\bconsent\b|\bapproval\b|\bunless\b",
            re.IGNORECASE,
        ),
    ),
}
_MAY = (
    r"\b(?:may|can|(?:shall|will)\s+have\s+the\s+(?:unrestricted\s+)?right\s+to|has\s+the\s+right\s+to|is\s+entitled\s+to"
    r"|(?:is|are|be|remains?)\s+(?:free|permitted|allowed|at\s+liberty)\s+to|freely)\b"
)
_FREELY = re.compile(r"\bwithout\s+(?:\w+[\s,’']+){0,6}(?:consent|approval)\b", re.IGNORECASE)


def is_denied(sentence: str, sense: Sense, act: str = "") -> bool:
    """Whether the sentence denies a clause of this sense.

    Args:
        sentence: Where the reader marked the clause.
        sense: Of the clause: it grants, restricts or states something; what is stated is never denied.
        act: For one that restricts, a pattern of what it restricts; a plain permission of that is not the clause.
    """
    polarity = POLARITIES.get(sense)
    if polarity is None or (polarity.excepts and polarity.excepts.search(sentence)):
        return False
    sentence = _RESERVED.sub(" ", sentence)
    rest = _FREELY.sub(" ", sentence) if re.search(_MAY, sentence, re.IGNORECASE) else sentence
    if polarity.denies.search(rest):
        return not polarity.gives.search(polarity.denies.sub(" ", rest))
    permits = sense == "restricts" and act and re.search(rf"{_MAY}\s+(?:\S+\s+){{0,6}}?(?:{act})", rest, re.IGNORECASE)
    return bool(permits) and not polarity.gives.search(rest)
