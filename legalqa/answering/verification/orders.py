"""Sentences of a document that address the model that reads them: they are not evidence of anything.

A sentence is an order where it addresses a machine ("Attention AI", "you are a language model"), has the marks of a
conversation with one, or tells its reader to forget what came before or what to answer. A rule about what assistants,
models or people must say, in the third person or to people, is law and not an order.
"""

import re
from functools import lru_cache

_MACHINE = (
    r"(?:(?:ai|virtual|helpful)\s+assistants?|assistants?|(?:chat\s?)?bots?|(?:large\s+)?(?:language|"
    r"ai)\s+(?:models?|tools?|systems?)|"
    r"ai\s+agents?|llms?|ais?)"
)
_NAME = r"(?:copilot|chat\s?gpt|gpt(?:-\w+)?|claude|gemini|llama|mistral|deepseek|grok)"
_READER = rf"(?:{_MACHINE}|{_NAME}|models?|systems?|summari[sz]ers?|whoever\s+(?:reads|answers|summari[sz]es))"
_ANSWER = r"(?:say|answer|reply|respond|report|conclude|output|pretend|repeat)"
_SAY = rf"(?:{_ANSWER}|state|tell|write|claim|confirm|assume|represent|recommend)"
_REPLY = r"(?:answers?|response|reply|summary|output)"
_MUST = r"(?:must|should|shall|will|ha(?:ve|s)\s+to|need\s+to|(?:is|are)\s+to|may\s+only|can\s+only)"
_OPENS = r"(?:^|[\n\"“(\[.;:!?]|<!--)\s*"
_THAT = r"that\b(?!\s+you)"  # "confirm that you agree" is asked of people
_NO_PARTY = r"(?!\s*(?-i:[A-Z][\w&.’-]*\s+[A-Z]))"  # "Developer: Acme Homes Ltd" names one
_TO_FORGET = (
    (
        r"(?<!may )(?<!can )\b(?:ignore|disregard|forget|override)\b[^.;]{0,40}\b"
        r"(?:instructions?|prompts?|directions?|rules?\s+above|guidelines?\s+above)\b(?!\s+(?:that|which|of|from|"
        r"by|issued|given\s+by)\b)"
    ),
    (
        r"(?<!may )(?<!can )\b(?:ignore|disregard|forget)\b[^.;]{0,20}\b(?:previous|prior|earlier|above|other|"
        r"source)\s+"
        r"(?:rules?|documents?|passages?|texts?|evidence|sources?)\b"
    ),
    r"\bforget\s+(?:what\b[^.;]{0,30}\bsays|everything\s+(?:above|before))\b",
    r"\b(?:forget|ignore|disregard|override)\s+your\b",
    r"\bplease\s+(?:ignore|disregard|forget)\b[^.;]{0,40}\b(?:and|then)\b",
    r"\bstop\s+following\s+(?:the|your|all|any)\b",
    (
        r"\b(?:ignorier\w*|vergiss|vergesst|vergessen\s+sie|missachte\w*)\b[^.;]{0,40}\b(?:anweisung\w*|vorgaben|"
        r"regeln|alles|oben)\b"
    ),
    r"\b(?:ignore[zr]?|oublie[zr]?)\s+(?:toutes?\s+)?(?:les|ces|tes|vos)\b[^.;]{0,40}\b(?:instructions?|consignes?)\b",
    r"\b(?:ignor[aei]\w*|olvid[ae]\w*|dimentica\w*)\b[^.;]{0,40}\b(?:instrucci[oó]n\w*|istruzion\w*|indicaciones)\b",
    rf"{_OPENS}(?:new|updated|further|revised)\s+instructions?\s*:",
)
_MARKS = (
    r"<\|\w+\|>|\[/?INST\]|<</?SYS>>|</?s>|\bcite\s+S\d|</?passage|\bsystem\s+prompt\b|\bprompt\s+injection\b",
    r"(?:^|\n)\s*#{1,6}\s*(?:system|instructions?|response|assistant|user|human|input|output)\b\s*:?",
    rf"{_OPENS}(?:system|assistant|developer|ai|override|translate\s+this\s+as)\s*(?::|>|\]){_NO_PARTY}",
    rf"{_OPENS}(?:user|human|output)\s*(?::|>|\])(?!\s*(?:means|the|an?)\b){_NO_PARTY}",
)
# What is addressed is a machine, or somebody who answers.
_ADDRESSED = (
    (
        rf"\b(?:note|message|attention|hint|important|reminder)\s*(?:to|for|:|,|-)?\s*(?:the\s+|any\s+|all\s+)?"
        rf"(?:{_MACHINE}|{_NAME})\b\s*(?:[:,;.!-]|reading\b)"
    ),
    rf"\b(?:note|message|hint|important|reminder)\s+(?:to|for)\s+(?:the\s+|any\s+|all\s+)?{_READER}\b",
    rf"{_OPENS}(?:dear|hey|hello|hi|ok|okay|listen|attention)\s*,?\s+(?:{_MACHINE}|{_NAME})\b",
    rf"{_OPENS}(?:{_MACHINE}|{_NAME})\s*[,:]\s*(?:please\s+|you\s+|now\s+)*\w",
    (
        rf"{_OPENS}to\s+(?:the|any|all)\s+{_MACHINE}\b[^.;:]{{0,40}}:|\bact\s+as\s+an?\s+(?:\w+\s+)?(?:model|"
        rf"assistant|chatbot|ai)\b"
    ),
    r"\bto\s+whoever\s+(?:reads|answers|summari[sz]es)\b",
    (
        rf"\bas\s+(?:an?|the)\s+{_MACHINE}\b\s*,?\s*you\b|\bas\s+an?\s+(?:ai\s+assistant|(?:ai\s+)?language\s+model|"
        rf"(?:ai\s+)?chatbot|assistant\s*,)"
    ),
    (
        rf"\byou\s+are\s+(?:now\s+)?(?:an?\s+|the\s+)?(?:{_MACHINE}|{_NAME})\b|\byou\s+are\s+now\s+(?:in\s+\w+\s+mode|"
        rf"an?\b|acting|playing)\b"
    ),
    r"\b(?:developer|debug|jailbreak|god|admin)\s+mode\b",
    r"\bfrom\s+now\s+on,?\s+you\b",
    r"\byour\s+(?:new\s+)?(?:task|role|instructions?)\s+(?:is|are)\s+(?:now\s+)?to\b",
    r"\byour\s+task\s+is\s+now\b",
    (
        rf"\b{_MACHINE}\b[^.;]{{0,20}}\b(?:read(?:s|ing)?|process(?:es|ing)?|summari[sz](?:es|ing)|answer(?:s|ing)|"
        rf"see(?:s|ing)?)\s+"
        rf"(?:(?:this|these)\b|the\s+(?:page|file|document|text)\b)[^.;]{{0,40}}\b{_MUST}\b"
    ),
    r"\bdu\s+bist\s+(?:jetzt|nun|ein\s+(?:assistent|sprachmodell|chatbot))\b",
    r"\btu\s+es\s+(?:maintenant|un\s+assistant)\b",
    rf"\bin\s+your\s+{_REPLY}\b|\b(?:begin|start|end)\s+your\s+{_REPLY}\b",
    (
        rf"\byour\s+{_REPLY}\s+{_MUST}\s+(?:be\s+(?:that|only|yes|no)|say|state|begin|start|contain|include|conclude|"
        rf"read)\b"
    ),
)
# What is to be said.
_TO_SAY = (
    rf"\bthe\s+(?:only\s+)?(?:correct|right|true|expected|final)\s+{_REPLY}\s+(?:is|must|should)\b",
    (
        rf"\bthe\s+{_REPLY}\s+to\s+(?:every|any|all|each)\s+questions?\b|\banswer\s+(?:every|any|all|"
        rf"each)\s+questions?\b[^.;]{{0,40}}\bwith\b"
    ),
    rf"\byou\s+{_MUST}\s+(?:always\s+|only\s+|now\s+)?{_ANSWER}\s+{_THAT}",
    (
        r"(?:^|[.;:,]\s*|\bplease\s+|\band\s+)(?:tell|inform)\s+(?:the\s+|your\s+|any\s+)?(?:user|reader|"
        r"person\s+who\s+asks|"
        r"asker)\s+that\b"
    ),
    (
        rf"\b(?:when|if)\s+(?:you\s+are\s+)?(?:asked|summari[sz]ing|answering|"
        rf"reading)\b[^.;,]{{0,60}},\s*(?:please\s+)?{_SAY}\b"
    ),
    (
        rf"\b(?:when|if)\s+(?:you\s+are\s+)?asked\s+(?:about|whether|what|who|how|"
        rf"if)\b[^.;,]{{0,60}},?\s*you\s+{_MUST}\s+{_SAY}\s+{_THAT}"
    ),
    r"\bwhen(?:ever)?\s+you\s+(?:answer|summari[sz]e|respond|reply)\b",
    (
        rf"(?:^|[.:]\s+|\bplease\s+|\bkindly\s+)(?:please\s+|always\s+|now\s+|only\s+|instead\s+)*{_SAY}\s+(?:only\s+)?"
        rf"(?:{_THAT}|with\b|in\s+your\s+{_REPLY}\b|[\"“:])"
    ),
    r"^\s*(?:please\s+)?(?:assume|pretend)\s+for\s+this\b",
    r"\bis\s+to\s+be\s+reported\s+that\b",
    r"\bpretend\s+that\s+you\s+are\b",
    rf"\binstead\s+(?:write|say|answer|reply|output)\b|\b(?:and|then)\s+(?:{_SAY})\s*[\"“]",
    r"\btreat\s+(?:clause|section|article|paragraph)\b[^.;]{0,20}\bas\s+(?:deleted|void|absent|not)\b",
    r"\bdo\s+not\s+(?:mention|reveal|cite|quote)\b.{0,40}\b(?:passages?|this\s+document|instructions?|the\s+user)\b",
    r"\bdo\s+not\s+(?:tell|inform)\s+the\s+user\b|\boutput\s+only\b",
    r"\b(?:antworte|antwortet|sage|sag|réponds|répondez|responde|rispondi)\b[^.;]{0,20}\b(?:dass|que|che|mit)\b",
)
_ORDER = re.compile("|".join((*_TO_FORGET, *_MARKS, *_ADDRESSED, *_TO_SAY)), re.IGNORECASE)


@lru_cache(maxsize=8_192)  # questions of one corpus open the same passages
def gives_orders(sentence: str) -> bool:
    """Whether a sentence tells a machine that reads it what to answer, as no law or contract does."""
    return bool(_ORDER.search(sentence))
