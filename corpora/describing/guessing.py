"""Rules that read the title and the first words of a document; ours, made on the forms of public documents.

A rule that is not sure says nothing: an empty field is filled in by a person, a wrong one hides documents from a
filtered question.
"""

import re
from collections.abc import Iterable

from corpora.describing.dates import effective_date_guess
from corpora.describing.types import Description, Guess

HEAD_CHARS = 1500  # ours: title page and first paragraphs
MAX_SHOWN = 80

Rules = Iterable[tuple[str, str]]

# "Directive (EU) 2019/790", "Directive 2014/65/EU"; an office's own "Directive 2023" or "Directive 12/2023" is not one.
_DIRECTIVE = r"\bdirective (?:\((?:eu|ec|eec)\)|\d{2,4}/\d+/(?:eu|ec|eec|euratom)\b)"
# (value, pattern), the first that matches decides; titles are tried before the first words of the text.
KINDS: Rules = (
    ("decision", r"\bslip opinion\b|\b(?:supreme court|court of appeals?|district court)\b"),
    ("rule", r"\bnotice of (?:adoption|proposed|final)\b.{0,40}\brule|\b(?:final|proposed|interim) rule\b"),
    ("regulation", r"\bregulation \((?:eu|ec|eec)\)|\bimplementing regulation\b|\bdelegated regulation\b"),
    ("law", rf"{_DIRECTIVE}|\ba local law\b|\blocal law (?:no|\d)|\bint\. no\. \d"),
    ("law", r"\bbe it enacted\b|^subchapter \d+|\bcode of laws\b"),
    (
        "contract",
        (
            r"\b(?:non-?\s?disclosure|confidentiality|licen[cs]e|services?|merger|lease|employment|affiliate|purchase|loan"
            r"|supply|distribution|partnership|settlement|data processing|master|marketing|credit) agreement\b"
        ),
    ),
    (
        "contract",
        (
            r"\bagreement and plan of merger\b|\bdata (?:protection|processing) addendum\b"
            r"|\bthis (?:\w+ )?agreement\b.{0,80}\b(?:between|made)\b"
        ),
    ),
)
# Words that decide only in a title: texts of every kind mention policies and guides.
TITLE_KINDS: Rules = (
    ("decision", r"\b(?:judgment|judgement) of the\b|\bopinion and order\b|\barbitral award\b|\w v\. \w"),
    ("law", r"\bact(?: of)? (?:19|20)\d{2}\b|\bstatutes?\b"),
    ("contract", r"\bterms of (?:service|use)\b|\b(?:agreement|contract|lease)$"),
    ("form", r"\bform$|\b(?:application|order|request|claim|intake|registration) form\b"),
    ("correspondence", r"^(?:re|fwd?|aw): |\bletter (?:to|of)\b"),
    ("guidance", r"\bfrequently asked questions\b|\bfaqs?\b|\bguidance\b|\bguidelines?\b|\b(?:hand|play)book\b"),
    ("guidance", r"\bguide\b|\bmanual\b"),
    ("policy", r"\bpolic(?:y|ies)\b|\bcode of conduct\b|\bprocedures?\b"),
)
JURISDICTIONS: Rules = (
    ("European Union", rf"\bregulation \((?:eu|ec|eec)\)|{_DIRECTIVE}|\beuropean parliament\b"),
    (
        "New York City",
        (
            r"\bnew york city council\b|\brules of the city of new york\b|\bnew york city department of\b"
            r"|\badministrative code of the city of new york\b|\bnew york city charter\b"
        ),
    ),
    (
        "United States",
        r"\bsupreme court of the united states\b|\bunited states court of appeals\b|\bpublic law \d+-\d+",
    ),
)
# The state whose law a contract names as its own.
GOVERNED = re.compile(
    r"\bgoverned by,?\s+(?:and\s+)?(?:(?:construed|interpreted)\s+in\s+accordance\s+with,?\s+)?the\s+(?:internal\s+)?"
    r"laws?\s+of\s+(?:the\s+)?(?:(?i:state|commonwealth|province)\s+of\s+)?"
    r"(?P<place>(?!State|Commonwealth|Province|The\b)[A-Z][a-z]+(?:\s+(?:and\s+)?[A-Z][a-z]+){0,2})"
)
COURT = re.compile(r"\b(?:in the )?supreme court of (?P<place>[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)?)", re.IGNORECASE)
APPEALS = re.compile(r"\bin the (?P<place>[A-Z][a-z]+(?: [A-Z][a-z]+)?) court of appeals", re.IGNORECASE)
AUTHORITIES: Rules = (
    ("European Parliament", r"\beuropean parliament \d{4}-\d{4}\b"),
    ("European Parliament and Council", r"\bof the european parliament and of the council\b"),
    (
        "New York City Department of Consumer and Worker Protection",
        r"\bnew york city department of consumer and worker protection\b",
    ),
    ("New York City Council", r"\bnew york city council\b"),
    ("Supreme Court of the United States", r"\bsupreme court of the united states\b"),
)
_FIRM_END = r"(?:Inc|LLC|Ltd|Limited|Corp|GmbH|LLP|L\.P|N\.V|plc|S\.A|Company|Holdings|Corporation)\b\.?"
_FIRM = rf"[A-Z][\w&.,’' -]{{2,60}}?{_FIRM_END}(?:,? {_FIRM_END})*"
BETWEEN = re.compile(
    rf"\b(?i:between|among):?\s+(?:\(1\)\s*)?(?P<first>{_FIRM}).{{0,200}}?\b(?i:and)\s+(?:\(2\)\s*)?(?P<second>{_FIRM})"
)


def describe(*, title: str, text: str) -> Description:
    """What a document says about itself.

    Args:
        title: As it is shown.
        text: All of it.
    """
    title, even = " ".join(title.split()), " ".join(text.split())
    head = even[:HEAD_CHARS]
    kind = _by_rules((*KINDS, *TITLE_KINDS), title, "") or _by_rules(KINDS, "", head)
    is_contract = kind is not None and kind.value == "contract"
    if is_contract:
        return Description(kind, _governing_law(even), _parties(head), effective_date_guess(even))
    jurisdiction = _by_rules(JURISDICTIONS, title, head) or _court_place(head)
    return Description(kind, jurisdiction, _by_rules(AUTHORITIES, title, head), effective_date_guess(even))


def _by_rules(rules: Rules, title: str, head: str) -> Guess | None:
    for text, where in ((title, "Title"), (head, "Text")):
        for value, pattern in rules:
            match = re.search(pattern, text, re.IGNORECASE)
            if match:
                return Guess(value, f"{where} says “{_around(text, match)}”")
    return None


def _around(text: str, match: re.Match[str]) -> str:
    """The words matched, to the end of the word, cut where they are long."""
    end = match.end()
    while end < len(text) and not text[end].isspace() and end - match.start() < MAX_SHOWN:
        end += 1
    words = text[match.start() : end].strip(" ,.;:")
    if "(" in words and words.endswith(")"):  # "Regulation (EU)" is known by its number
        following = text[end:].split(maxsplit=1)
        words = f"{words} {following[0].strip(',.;:')}" if following else words
    return words if len(words) <= MAX_SHOWN else f"{words[:MAX_SHOWN].rstrip()}…"


def _governing_law(text: str) -> Guess | None:
    match = GOVERNED.search(text)
    return None if match is None else Guess(match["place"], f"Text says “{match[0][-MAX_SHOWN:].lstrip()}”")


def _court_place(head: str) -> Guess | None:
    match = COURT.search(head) or APPEALS.search(head)
    if match is None:
        return None
    return Guess(match["place"].title(), f"Text says “{' '.join(match[0].split())}”")


def _parties(head: str) -> Guess | None:
    match = BETWEEN.search(head)
    if match is None:
        return None
    parties = [match[name].removesuffix(",").strip() for name in ("first", "second")]
    return Guess(" and ".join(parties), f"Text names them: “{' '.join(match[0].split())[:MAX_SHOWN]}…”")
