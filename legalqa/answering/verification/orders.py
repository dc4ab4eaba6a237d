"""Sentences of a document that speak to whatever model reads them: they are not evidence of anything."""

import re
from functools import lru_cache

_MACHINE = r"(?:(?:ai\s+|virtual\s+)?assistants?|chat\s?bots?|(?:language|ai)\s+(?:models?|tools?)|llms?|ais)"
_READER = rf"(?:{_MACHINE}|models?|systems?|summari[sz]ers?|whoever\s+(?:reads|answers|summari[sz]es))"
_SAY = (
    r"(?:state|say|answer|reply|respond|report|conclude|tell|write|claim|confirm|output|assume|pretend|repeat|represent|"
    r"recommend)"
)
_REPLY = r"(?:answers?|response|reply|summary|output)"
_PATTERNS = (
    # What came before is to be forgotten.
    r"\b(?:ignore|disregard|forget|override)\b[^.;]{0,40}\b(?:instructions?|prompts?|rules?\s+above|guidelines?\s+above)\b",
    (
        r"\b(?:ignore|disregard|forget)\b[^.;]{0,20}\b(?:previous|prior|earlier|above|other|source)\s+"
        r"(?:rules?|documents?|passages?|texts?|evidence|sources?)\b"
    ),
    r"\bforget\s+(?:what\b[^.;]{0,30}\bsays|everything\s+(?:above|before))\b",
    # Marks of a conversation, and of our own prompts.
    r"\bcite\s+S\d|</?passage|\bsystem\s+prompt\b|\bprompt\s+injection\b",
    r"(?:^|[\n\"“(\[]|<!--)\s*(?:system|assistant|user|developer|ai|override|output|translate\s+this\s+as)\s*(?::|>|\])",
    # Whoever is spoken to is a machine, or somebody who answers.
    rf"\b(?:note|message|attention|hint|important|reminder)\s+(?:to|for)\s+(?:the\s+|any\s+|all\s+)?(?:ai\s+)?{_READER}\b",
    r"\bto\s+whoever\s+(?:reads|answers|summari[sz]es)\b",
    r"\bas\s+an?\s+(?:ai\s+assistant|(?:ai\s+)?language\s+model|(?:ai\s+)?chatbot|assistant\s*,|assistant\s+you)",
    (
        rf"\b{_MACHINE}\b[^.;]{{0,60}}\b(?:must|should|shall|will|is\s+to|are\s+to|required\s+to)\s+(?:always\s+|only\s+)?{_SAY}\b"
        r"(?:\s+that\b|\s*[:\"“])"
    ),
    rf"\bin\s+your\s+{_REPLY}\b|\byour\s+{_REPLY}\s+(?:must|should|shall|is\s+to|has\s+to|will)\b",
    # What is to be said.
    rf"\bthe\s+(?:only\s+)?(?:correct|right|true|expected|final)\s+{_REPLY}\s+(?:is|must|should)\b",
    (
        rf"\byou\s+(?:must|should|shall|will|are\s+to|have\s+to|need\s+to|may\s+only|can\s+only)\s+"
        rf"(?:always\s+|only\s+|now\s+)?{_SAY}\s+that\b"
    ),
    (
        r"(?:^|[.;:,]\s*|\bplease\s+|\band\s+)(?:tell|inform)\s+(?:the\s+|your\s+|any\s+)?(?:user|reader|person\s+who\s+asks|"
        r"asker)\s+that\b"
    ),
    rf"\b(?:when|if)\s+(?:you\s+are\s+)?(?:asked|summari[sz]ing|answering|reading)\b[^.;,]{{0,60}},\s*(?:please\s+)?{_SAY}\b",
    (
        rf"(?:^|[.:]\s+|\bplease\s+|\bkindly\s+)(?:please\s+|always\s+|now\s+|only\s+|instead\s+)*{_SAY}\s+(?:only\s+)?"
        rf"(?:that\b|with\b|in\s+your\b|[\"“:])"
    ),
    r"^\s*(?:please\s+)?(?:assume|pretend)\s+for\s+this\b|\bis\s+to\s+be\s+reported\s+that\b",
    rf"\binstead\s+(?:write|say|answer|reply|output)\b|\b(?:and|then)\s+{_SAY[:-1]}|output)\s*[\"“]",
    r"\btreat\s+(?:clause|section|article|paragraph)\b[^.;]{0,20}\bas\s+(?:deleted|void|absent|not)\b",
    r"\bdo\s+not\s+(?:mention|reveal|cite|quote)\b.{0,40}\b(?:passages?|this\s+document|instructions?|the\s+user)\b",
)
_ORDER = re.compile("|".join(_PATTERNS), re.IGNORECASE)


@lru_cache(maxsize=8_192)  # questions of one corpus open the same passages
def gives_orders(sentence: str) -> bool:
    """Whether a sentence tells a machine that reads it what to answer, as no law or contract does."""
    return bool(_ORDER.search(sentence))
