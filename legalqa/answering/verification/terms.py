"""Terms that matter, by class: a paraphrase may word them otherwise, but not lose, add or reverse them.

A reader of meaning takes "calendar days" for "business days" and "argued" for "held", because all else agrees. Here
words are grouped by what they say in law, and the groups that a claim has are compared with those of its source.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from legalqa.answering.verification.words import stems_of


@dataclass(frozen=True, slots=True)
class _Kind:
    """Words that say one thing; `instead` are others, in the other text, by which it is said as well."""

    name: str
    words: "re.Pattern[str]"
    instead: "re.Pattern[str]"

    def only_in(self, one: str, other: str) -> bool:
        """Whether the first text says it and the second does not, in any wording."""
        found = self.words.search(one) is not None
        return found and not self.words.search(other) and not self.instead.search(other)


def _kind(name: str, words: str, instead: str = "(?!)") -> _Kind:
    return _Kind(name, _pattern(words), _pattern(instead))


def _pattern(words: str) -> "re.Pattern[str]":
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)


_REPORTS = (
    r"alleg(?:es|ed|edly|ing|ations?)|claim(?:s|ed|ing)(?=\s+(?:that|to)\b)|claimed|argu(?:es|ed|ing)|contend(?:s|"
    r"ed|ing)|"
    r"assert(?:s|ed|ing|ions?)|suggest(?:s|ed)\s+that|believ(?:e|es|ed)|says|said|accus(?:es|ations?)|den(?:ies|"
    r"ied)|supposed|"
    r"purported(?:ly)?|testif(?:y|ies|ied)|(?:maintain|state|submit|complain|insist|report)(?:s|ed|ted)?\s+that|"
    r"according\s+to|"
    r"in\s+[^.,;]{1,30}(?:view|version|submission|opinion)|opine[sd]|disputed|disagree|suspect(?:s|ed)|suspicion|"
    r"thought|thinks"
)
_FOUND = r"found|held|ruled|decided|determined|concluded|established|finds|holds|rules|decides|concludes"
_FINDS = (
    rf"(?:courts?|judges?|tribunal|panel|arbitrator|jury|expert|auditor|they|it)\s+(?:has\s+|had\s+)?(?:{_FOUND})|"
    rf"(?:{_FOUND})\s+that|(?:is|was|were|been)\s+(?:found|held)\s+to|(?:it\s+(?:is|was)\s+(?:certain|clear|"
    rf"a\s+fact|established))|"
    r"prove[dn]|in\s+[^.,;]{1,20}\bjudgment"
)
_UNSURE = (
    r"might|possibl[ey]|perhaps|probabl[ey]|likely|suspect\w*|suspicion|appear(?:s|ed)?|seem(?:s|ed)?|presum\w+|"
    r"alleg\w+|"
    r"open|undecided|undetermined|not\s+(?:decide|rule|determine)|whether|potential(?:ly)?"
)
_SOLE = (
    r"only|alone|solely|sole|exclusive(?:ly)?|reserved|nobody|no\s+one|none|nothing|no\s+other|limited|restricted|"
    r"unless|"
    r"until|must|needs?|requires?|before|prior|without|not|just|once|if"
)
_EVERY = (
    r"all|every|everyone|everybody|any|anyone|anybody|always|whoever|whichever|whatever|whenever|freely|"
    r"both\s+(?:parents|parties|sides|spouses)|"
    r"at\s+any\s+time|in\s+(?:all|any)\s+cases?|no\s+matter|regardless|irrespective|unconditional\w*"
)
_MUST = (
    r"must|shall|ha(?:s|ve|d)\s+to|obliged|obligated|obligatory|mandatory|compulsory|bound\s+to|duty|required|"
    r"obliges?|requires?"
)
_MAY = (
    r"may|can|could|might|free\s+to|allow\w*|permit\w*|permission|entitle\w*|right\s+to|option(?:al\w*)?|"
    r"choose\w*|lets?"
)
_SHOULD = r"should|ought|advis\w+|recommend\w*|encourag\w+"

REPORTS = _pattern(_REPORTS)

# What a claim may not say unless its source does.
_ADDED = (
    _kind("business days", r"(?:business|working|banking|week)\s*days?"),
    _kind("calendar days", r"calendar\s+(?:days?|weeks?|months?)|(?:week|holi)\s*days?\s+included"),
    _kind("a finding", _FINDS),
    _kind("certainty", r"certain(?:ly)?\s+that|it\s+is\s+certain|undoubtedly|definitely|without\s+(?:a\s+)?doubt|"
    r"indisputabl\w+"),
    _kind("all", _EVERY, r"each|per|the\s+parties|mutual\w*|either|equal\w*|no|a\s+person\s+who"),
    _kind("only", r"only|solely|exclusively|alone", _SOLE),
)  # fmt: skip
# What a claim may not leave out if the sentence of its source says it.
_LOST = (
    _kind("a report", _REPORTS, rf"{_FINDS}|whether|undecided|open"),
    _kind("doubt", _UNSURE, rf"{_MAY}|{_REPORTS}"),
)
_LOST_OF_CLAUSE = (
    _kind("business days", r"(?:business|working|banking)\s+days?", r"week\s*days?"),
    _kind("only", r"only|solely|exclusively|sole", _SOLE),
)
# Of two terms a claim has one and its source the other.
_CONTRARY = tuple(
    (_kind(a[0], *a[1:]), _kind(b[0], *b[1:]))
    for a, b in (
        (("must", _MUST), ("may", _MAY, r"only|unless|not|no|without|nobody|needs?")),
        (("must", _MUST), ("should", _SHOULD)),
        (("all", _EVERY), ("some", r"some|certain(?!\s+that)|several|partly|in\s+part|a\s+number\s+of|a\s+few")),
        (("a finding", _FINDS), ("a report", _REPORTS)),
        (("at least", r"at\s+least|minimum|no(?:t)?\s+(?:less|fewer)\s+than|or\s+more"),
         ("at most", r"at\s+most|maximum|no(?:t)?\s+more\s+than|up\s+to|or\s+less")),
        (("upheld", r"up(?:held|holds?)|affirm\w*|confirm(?:s|ed)\s+the|left\s+standing"),
         ("set aside", (r"set(?:s|ting)?\s+aside|quash\w*|overturn\w*|overrul\w*|revers(?:e|es|ed|al)|annul\w*|"
         r"vacated"))),
        (("together", r"together|jointly|share[sd]?|in\s+common"), ("apart", (r"separate\w*|apart|several(?:ly)?|"
        r"sole(?:ly)?|alone"))),
        (("ordered", r"orders?|ordered|instruct\w*|command\w*"), ("recommended", r"recommend\w*|advis\w+|propos\w+")),
        (("the end", r"end(?:s|ed|ing)?|expir\w+|terminat\w+|over|cease[sd]?"),
         ("the beginning", r"beg[iau]n\w*|start\w*|commence\w*|sign(?:s|ed|ing|ature)|conclusion")),
        (("granted", r"grant\w*|allowed|accept(?:s|ed)|approv\w+"), ("refused", (r"refus\w+|reject\w*|dismiss\w*|"
        r"declin\w+"))),
        (("in writing", r"writing|written"), ("by word of mouth", (r"oral\w*|verbal\w*|word\s+of\s+mouth|"
        r"by\s+telephone|spoken"))),
        (("used", r"used"), ("unused", r"unused|new")),
        (("earlier", r"earlier|sooner"), ("later", r"later|afterwards")),
    )
)  # fmt: skip
_CLAUSE_END = re.compile(r";|,\s+(?:and|but|whereas|while)\s+", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:if|unless|except|provided\s+that|where(?!as)|in\s+the\s+event|on\s+condition|only\s+(?:when|if|after|where)|"
    r"as\s+long\s+as|in\s+case|subject\s+to|with(?:out)?\s+(?:the\s+)?(?:prior\s+)?(?:written\s+)?(?:consent|"
    r"approval))\b"
    r"(?P<rest>[^;,.]*)",
    re.IGNORECASE,
)
_CONDITIONAL = _pattern(
    r"if|unless|except|provided|where|when|once|only|in\s+case|as\s+(?:long|far)\s+as|subject|whoever|after|"
    r"whenever|without|"
    r"need\w*|require\w*|before|prior|ahead|until|depend\w*"
)
_NORM = _pattern(rf"{_MUST}|{_MAY}|{_SHOULD}|is|are")
_AT_WILL = _pattern(
    r"whenever\s+\w+\s+\w+\s+(?:wish\w*|lik\w+|want\w*|pleas\w+|sees?\s+fit)|in\s+whatever|at\s+any\s+time|or\s+not|"
    r"(?:at|in)\s+(?:its|his|her|their)\s+(?:sole\s+)?discretion|of\s+any\s+(?:length|kind|amount)|no\s+matter"
)
MIN_OF_CONDITION = 0.3  # ours: share of a condition's words by which a claim says it without an "if"


def term_faults(claim: str, nearest: str, evidence: str) -> Iterator[str]:
    """What a paraphrase adds, leaves out or turns round, in sentences.

    Args:
        claim: One sentence, contractions opened.
        nearest: The sentence of the source that is nearest to it.
        evidence: All that it cites, with the headings above.
    """
    for kind in _ADDED:
        if kind.only_in(claim, evidence):
            yield f"The claim speaks of {kind.name}, the evidence does not."
    clause = _nearest_clause(claim, nearest)
    for text, kinds in ((nearest, _LOST), (clause, _LOST_OF_CLAUSE)):
        for kind in kinds:
            if kind.only_in(text, claim):
                yield f"The evidence speaks of {kind.name}, the claim does not."
    for pair in _CONTRARY:
        for ours, theirs in (pair, pair[::-1]):
            if ours.only_in(claim, clause) and theirs.only_in(clause, claim):
                yield f"The claim says “{ours.name}” where the evidence says “{theirs.name}”."


def _nearest_clause(claim: str, sentence: str) -> str:
    stems = stems_of(claim)
    return max(_CLAUSE_END.split(sentence), key=lambda clause: len(stems & stems_of(clause)))


def condition_faults(claim: str, nearest: str) -> Iterator[str]:
    """A condition of the source that a claim leaves out, or says does not matter."""
    if _AT_WILL.search(claim) and not _AT_WILL.search(nearest):
        yield "The claim sets no condition or limit where the evidence does."
    clause = _nearest_clause(claim, nearest)
    match = _CONDITION.search(clause)
    if match and match.group().lower().startswith("where") and not _NORM.search(clause):
        return  # "the dish, where it grew"
    if match is None or _CONDITIONAL.search(claim):
        return
    words = stems_of(match["rest"])
    if words and len(words & stems_of(claim)) < MIN_OF_CONDITION * len(words):
        yield f"The evidence sets a condition (“{' '.join(match.group().split())[:60]}”) that the claim leaves out."
