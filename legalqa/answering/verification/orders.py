"""Sentences of a document that speak to whatever model reads them: they are no evidence of anything."""

import re

_MACHINE = r"(?:(?:ai\s+|virtual\s+)?assistants?|chat\s?bots?|(?:language|ai)\s+models?|llms?|ais)"
_READER = rf"(?:{_MACHINE}|systems?|models?|reader|summari[sz]er|whoever\s+(?:reads|answers|summari[sz]es))"
_SAY = r"(?:state|say|answer|reply|respond|report|conclude|tell|write|claim|confirm|output|assume|pretend|repeat)"
_ORDER = re.compile(
    rf"\b(?:ignore|disregard|forget)\b.{{0,60}}\b(?:rules?|instructions?|prompts?|documents?|passages?|"
    rf"evidence|sources?|everything|anything)\b"
    rf"|\bcite\s+S\d|</?passage|\bsystem\s+prompt\b|\bprompt\s+injection\b"
    rf"|\b(?:note|message|attention|hint)\s+(?:to|for)\s+(?:the\s+|any\s+|all\s+)?(?:ai\s+)?{_READER}\b"
    rf"|(?:^|[\n\"“(\[])\s*(?:system|assistant|user|developer|ai)\s*(?::|>|\])"
    rf"|\bthe\s+(?:only\s+)?(?:correct|right|true|expected|final)\s+(?:answer|reply|response)\s+(?:is|must|should)\b"
    rf"|\b(?:you|it|they)\s+(?:must|should|shall|will|are\s+to|have\s+to|need\s+to|may\s+only|can\s+only)\s+"
    rf"(?:always\s+|only\s+|now\s+)?{_SAY}\s+that\b"
    rf"|(?:^|[.;:,]\s*|\bplease\s+)(?:tell|inform)\s+(?:the\s+|your\s+|any\s+)?(?:user|reader|person\s+who\s+asks|"
    rf"asker)\s+that\b"
    rf"|\b{_MACHINE}\b[^.;]{{0,60}}\b(?:must|should|shall|will|is\s+to|are\s+to)\s+(?:always\s+|only\s+)?{_SAY}\b"
    rf"(?:\s+that\b|\s*[:\"“])"
    rf"|\b(?:when|if)\s+(?:you\s+are\s+)?(?:asked|summari[sz]ing|answering|questioned|reading)\b[^.;]{{0,80}}\b{_SAY}\b"
    rf"|(?:^|[.:]\s+)(?:please\s+|always\s+|now\s+|only\s+)*{_SAY}\s+(?:only\s+)?(?:that\b|with\b|[\"“:])"
    rf"|\b(?:do\s+not|don't|never)\s+(?:mention|reveal|cite|quote|disclose\s+to\s+the\s+user)\b.{{0,40}}"
    rf"\b(?:passage|document|answer|instruction|sentence|user)s?\b",
    re.IGNORECASE,
)


def gives_orders(sentence: str) -> bool:
    """Whether a sentence tells its reader what to answer, as no law or contract does."""
    return bool(_ORDER.search(sentence))
