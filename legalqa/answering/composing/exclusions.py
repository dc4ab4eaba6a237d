"""Who may not do something, or is exempt: whether a question asks for that, and whether a text excludes anybody."""

import re

from corpora.tokens import tokens
from legalqa.answering.composing.doers import DOING

_WHO = r"^(?:and |but |so )?(?:who |which (?:[\w’'-]+ ){1,4}?)"
_EXCLUDED = r"(?:barred|banned|excluded|disqualified|exempt|ineligible|prohibited|forbidden)"
# "Who may not carry out an audit?", "Which suppliers are barred from tenders?"
_ASKED = re.compile(
    rf"{_WHO}(?:(?:(?:may|must|shall|should|can?|could|is|are|does|do|has|have|need)(?: not\b|n['’]t\b)|cannot\b)"
    rf"(?: (?P<act>\w+))?|(?:is|are) {_EXCLUDED}\b(?: from (?P<doing>\w+ing)\b)?)"
    r"|^(?:to|from|in|for) (?:what|which|whom?)\b.{2,80}? not (?:apply|be applied|hold)\b",
    re.IGNORECASE,
)
_EXCLUDES = re.compile(
    r"\b(?:not|no|nor|never|neither|none|cannot|without|except|unless|other than|ineligible|unlawful)\b"
    r"|\b(?:barred|banned|exclud|disqualif|exempt|prohibit|forbid|\w+n['’]t\b)",
    re.IGNORECASE,
)
# Negations that leave nobody out.
_NO_EXCLUSION = re.compile(
    r"\b(?:not (?:be )?limited to|no longer|whether or not|not only"
    r"|(?:no|not) (?:later|earlier|less|fewer|more) than)\b",
    re.IGNORECASE,
)
_NOT_ACTING = re.compile(r"\b(?:(?:may|shall|must|should|can|could|will) not|cannot) (?P<act>\w+)", re.IGNORECASE)
_DOING = frozenset(tokens(DOING))
# After these verbs, the next words say who is excluded: "be a director", "hold office", "apply to small platforms".
_BEING = frozenset(tokens("be become hold serve act apply qualify include cover extend count belong have"))


def asks_who_is_excluded(question: str) -> bool:
    """Whether a question asks who may not do something, or to whom a rule does not apply."""
    return _ASKED.search(question) is not None


def excludes(text: str, *, question: str) -> bool:
    """Whether a text excludes somebody; if the question is about an act, from that act and not from another."""
    rest = _NO_EXCLUSION.sub("", text)
    match = _ASKED.search(question)
    acts = set(tokens(match["act"] or match["doing"] or "")) if match else set()
    if acts and not acts & _BEING:
        named = set(tokens(question)) | _BEING | (_DOING if acts & _DOING else frozenset())
        rest = _NOT_ACTING.sub(lambda other: other[0] if named & set(tokens(other["act"])) else "", rest)
    return _EXCLUDES.search(rest) is not None
