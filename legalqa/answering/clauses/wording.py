"""Words that a clause cannot do without, and sentences that are another clause; plain data, no Django.

The reader marks a cap on liability for a limit on use, as both say "shall not exceed", and the end on insolvency for a
free right to end the contract. Such a sentence does not count. A sentence that only lacks the words that the clause
needs, such as "challenge" or "contest" for a covenant not to sue, makes the verdict "not sure": it may say the same in
other words.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from legalqa.common.sentences import sentence_spans

_EVERY = re.compile("")
_NONE = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Wording:
    """How sentences say a clause.

    Attributes:
        says: Words of which a sentence needs some.
        unlike: Words that show that a sentence is another clause.
    """

    says: re.Pattern[str] = _EVERY
    unlike: re.Pattern[str] = _NONE


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(patterns)})", re.IGNORECASE)


_FREELY = (
    r"without\s+(?:\w+\s+){0,2}(?:cause|reason)|(?:any|no)\s+(?:\w+\s+)?reason|convenience|discretion|at\s+will"
    r"|(?:days?|weeks?|months?)['’]?\s+(?:\w+\s+){0,4}notice"
)
WORDINGS: Mapping[str, Wording] = {
    "covenant-not-to-sue": Wording(
        _words(
            r"contest|challeng|attack|oppos|impair|impugn|jeopardi|invalid|validity|detriment|tarnish|sue\b|suing\b",
            r"disput(?:e|es|ing)\s+(?:the|any|its|our|or)\b|covenants?\s+not\b|(?:releas|waiv|discharg)\w*[^.;]*\bclaims?",
            r"(?:not|never|neither|nor|refrain)\b[^.;]{0,80}\b(?:bring|assert|institut|commenc|file|register|claim)",
        )
    ),
    "ip-ownership-assignment": Wording(
        _words(r"assign|vest|transfer|convey|for\s+hire|property\s+of|proprietor|belong|own(?:s|ed|ership)?\b|title")
    ),
    "volume-restriction": Wording(
        _words(
            r"exceed|excess|(?:more|greater|other)\s+than|beyond|up\s+to|additional|above\b|over\b|maximum|threshold",
            r"limited\s+to|at\s+most",
        ),
        unlike=_words(r"liable\b|liabilit(?:y|ies)|damages\b|indemnif"),
    ),
    "termination-for-convenience": Wording(
        unlike=re.compile(
            rf"^(?!.*\b(?:{_FREELY})\b).*\b(?:if|in\s+the\s+event|in\s+case|should|where|upon|except\s+for|only\s+for)\b"
            r"[^.;]{0,80}\b(?:insolven|bankrupt|breach|default|(?:important|good|just|due)\s+cause)",
            re.IGNORECASE | re.DOTALL,
        )
    ),
}
_ANY = Wording()


def is_said(key: str, text: str) -> bool:
    """Whether one of the sentences of a text has the words that the clause needs, and is no other clause."""
    wording = WORDINGS.get(key, _ANY)
    return any(wording.says.search(one) and not wording.unlike.search(one) for one in _sentences(text))


def is_another(key: str, text: str) -> bool:
    """Whether a sentence of a text is another clause, and none says this one."""
    unlike = WORDINGS.get(key, _ANY).unlike
    return any(unlike.search(one) for one in _sentences(text)) and not is_said(key, text)


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]
