"""Which words name somebody who acts, and where a noun phrase begins."""

import re


def listed(words: str) -> frozenset[str]:
    """The words of a string, split at blanks."""
    return frozenset(words.split())


DETERMINERS = listed(
    "the a an any each every all no such this these those both either another other its their his her our your "
    "one two three some several"
)
_PRONOUNS = frozenset(["it", "they", "he", "she", "we", "you", "he/she"])
_JOINS = re.compile(
    r"\s+(?:of|for|in|on|to|from|with|within|under|at|by|that|which|who|whose|pursuant|set|laid|drawn|given|made|taken"
    r"|placed|put|than|[a-z]+(?:ed|ing))\b"
)
_WORDS = re.compile(r"[A-Za-z][\w’'/-]*")
_ACTOR = re.compile(
    r"(?:person|people|party|parties|agency|agencies|compan(?:y|ies)|bod(?:y|ies)|authorit(?:y|ies)|council"
    r"|commission|bank|firm|landlord|tenant|staff|committee|court|tribunal|union|department|division|office|state"
    r"|organi[sz]ation|institution|board|bureau|undertaking|enterprise|government|parliament|panel|forum|secretariat"
    r"|licensee|individual|entit(?:y|ies)|customer|client|counsel|director|president|chair|deputy|subsidiar(?:y|ies)"
    r"|business|contractor|we|you|everyone|nobody|anyone|member|applicant|participant|expert|personnel|team|sme"
    r"|(?:\w{3,}(?:er|[^mct]or|[aei]tor|ector|uctor|ee|ant|ian)))s?"
)
_NO_ACTOR = listed(
    "number order chapter paper matter letter register factor error measure procedure nature structure disclosure "
    "failure feature signature expenditure figure exposure power answer offer other master parameter indicator "
    "sector vector identifier amendment degree fee guarantee transfer border header footer computer server cover "
    "manner either neither under over never however former latter further whether consider year relevant "
    "significant dominant covenant constant warrant grant document water variant remainder reminder marker "
    "behaviour quarter waiver filter center charter counter character layer folder buffer cluster trigger tender "
    "newsletter disaster transformer container router browser cyber fiber sticker timer after together rather "
    "monitor floor door mirror consent amount content"
)


def head_of(phrase: str) -> str:
    """The head noun of a noun phrase, lower case: the last word before its first "of", "that", comma and the like."""
    front = phrase.strip().split(",")[0].split("(")[0]
    for join in _JOINS.finditer(front):
        words = _WORDS.findall(front[: join.start()])
        if words and words[-1].lower() not in DETERMINERS:
            return str(words[-1]).lower()
    words = _WORDS.findall(front)
    return str(words[-1]).lower() if words else ""


def is_actor(phrase: str) -> bool:
    """Whether a noun phrase names a person or body that can have a duty.

    >>> is_actor("providers of high-risk AI systems"), is_actor("The technical documentation")
    (True, False)
    """
    heads = {head_of(part) for part in re.split(r",\s+|\s+(?:and|or)\s+", phrase) if part.strip()[:1].isalpha()}
    return any(head.rstrip("s") not in _NO_ACTOR and _ACTOR.fullmatch(head) for head in heads if head)


def is_pronoun(phrase: str) -> bool:
    return phrase.strip().lower() in _PRONOUNS


def opens_phrase(text: str) -> bool:
    """Whether a noun phrase begins here: a determiner, a capital, or a bare plural."""
    words = re.findall(r"[\w’'/-]+", text)
    if not words:
        return False
    if words[0].lower() in DETERMINERS | _PRONOUNS or words[0][0].isupper():
        return True
    return head_of(text).endswith("s") or is_actor(text)
