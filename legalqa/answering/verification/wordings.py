"""Legal English put into plain words, so that two wordings of one rule can be compared word by word.

Only wordings with the same meaning in law are here: "shall" is "must", "prior to" is "before". Wordings that merely
sound alike are not.
"""

import re

from legalqa.answering.verification.words import LIST_LABEL

_PHRASES = (
    (r"prior\s+to|in\s+advance\s+of|preceding", "before"),
    (r"subsequent\s+to|following\s+(?=the|receipt|completion)", "after "),
    (r"pursuant\s+to|in\s+accordance\s+with|according\s+to|in\s+conformity\s+with|in\s+compliance\s+with|by\s+virtue\s+of",
     "under"),
    (r"notwithstanding|in\s+spite\s+of", "despite"),
    (r"in\s+the\s+event\s+(?:that|of)|in\s+case\s+of|on\s+condition\s+that|provided,?\s+(?:however,?\s+)?that", "if"),
    (r"with\s+respect\s+to|with\s+regard\s+to|in\s+relation\s+to|in\s+respect\s+of|regarding|concerning|relating\s+to",
     "about"),
    (r"(?:shall|must|may)\s+not", "must not"),
    (r"(?:is|are)\s+(?:required|obliged|obligated)\s+to", "must"),
    (r"(?:is|are)\s+(?:entitled|permitted|allowed|authori[sz]ed)\s+to", "may"),
    (r"shall", "must"),
    (r"each\s+and\s+every|any\s+and\s+all", "all"),
    (r"not\s+less\s+than|no\s+less\s+than|no\s+fewer\s+than|not\s+fewer\s+than|a\s+minimum\s+of", "at least"),
    (r"not\s+more\s+than|no\s+more\s+than|not\s+to\s+exceed|not\s+exceeding|up\s+to|a\s+maximum\s+of", "at most"),
    (r"on\s+an\s+annual\s+basis|every\s+year|each\s+year|yearly", "annually"),
    (r"immediately|forthwith|without\s+delay", "at once"),
    (r"in\s+order\s+to|so\s+as\s+to", "to"),
    (r"the\s+present\s+(?=regulation|agreement|law|policy)", "this "),
)  # fmt: skip
_VERBS = {
    "give": "provid|furnish|suppl(?:y|ie)", "get": "obtain|acquir|procur", "begin": "commenc|start|initiat",
    "end": "terminat", "buy": "purchas", "use": "utili[sz]", "help": "assist", "tell": "inform|notif[yi]",
    "show": "demonstrat|display", "keep": "maintain|retain", "need": "requir(?=es\\b|e\\b)",
    "send": "transmit|dispatch", "stop": "ceas|discontinu", "carry out": "perform|conduct|execut",
    "ask": "request", "make sure": "ensur",
    "allow": "permit(?=s\\b|\\b)", "live": "resid(?=e\\b|es\\b)",
}  # fmt: skip
_SAID = [(re.compile(rf"\b(?:{pattern})(?!\w)", re.IGNORECASE), words) for pattern, words in _PHRASES]
_DONE = [(re.compile(rf"\b(?:{stems})(?:e?s|e|ed|ing|)\b", re.IGNORECASE), word) for word, stems in _VERBS.items()]
_FORMS = re.compile(
    r"\b(give|get|begin|end|buy|use|help|tell|show|keep|need|send|stop|ask|allow|live)(?:s|ed|ing|t?ting|n)\b",
    re.IGNORECASE,
)
_PAST = {
    word: plain
    for plain, words in {
        "give": "gave given giving", "get": "got gotten getting", "begin": "began begun beginning",
        "buy": "bought buying", "tell": "told telling", "show": "shown showed showing", "keep": "kept keeping",
        "send": "sent sending",
        "use": "used using uses", "need": "needed", "carry out": "carried out",
    }.items()
    for word in words.split()
}  # fmt: skip
_PAST_WORD = re.compile(rf"\b(?:{'|'.join(_PAST)})\b", re.IGNORECASE)
_OPENING = re.compile(
    r"^(?:for\s+(?:the\s+)?purposes?\s+of\s+this\s+\w+|under\s+this\s+(?:law|regulation)),\s*", re.IGNORECASE
)
_NUMBERED = re.compile(r"\b(\w+) \((\d+)\)")


def plain_wording(text: str) -> str:
    """The text, contractions opened, in plain words: for comparing with another that went through the same."""
    text = _OPENING.sub("", LIST_LABEL.sub("", text))
    text = _NUMBERED.sub(lambda match: match.group(2), text)
    for pattern, word in _SAID:
        text = pattern.sub(word, text)
    for pattern, word in _DONE:
        text = pattern.sub(word, text)
    text = _PAST_WORD.sub(lambda match: _PAST[match.group().lower()], text)
    text = _FORMS.sub(lambda match: match.group(1), text)
    return " ".join(text.split())
