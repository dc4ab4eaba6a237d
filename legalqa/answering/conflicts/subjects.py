"""What a provision is about: its words by stem, with words of one meaning in the trade under one name."""

import re
from collections.abc import Mapping
from functools import lru_cache

from legalqa.answering.verification.words import EMPTY, listed, stem_of

Stems = frozenset[str]
Words = Mapping[str, str]  # the name that a word is compared by, and the word as it is written
LIGHT = 0.35  # ours: weight of a word that says little about the subject
_WORD = re.compile(r"[^\W\d_]+")
# Words that different offices or drafters use for the same thing: ours, from handbooks, contracts and statutes.
_SAME = [
    "password passphrase credential secret passcode", "change rotate renew reset replace rotation refresh",
    "keep kept retain store held preserve archive hold retention storage maintain save",
    "notify inform report tell told communicate notification disclose declare report",
    "delete destroy erase dispose remove purge erasure deletion destruction overwrite wipe removal",
    "revoke disable deactivate withdraw deprovision",
    "terminate termination cancel dismissal expire expiry expiration end cease",
    "depart departing departure leaver leave resign separation", "review audit reassess examine inspect",
    "assess assessment evaluate evaluation", "employee staff workforce personnel worker colleague",
    "customer client consumer subscriber", "vendor supplier contractor subcontractor",
    "user person people individual somebody anybody everybody", "annual yearly", "holiday vacation leave",
    "invoice bill payment pay payable paid", "footage cctv video camera",
    "computer workstation laptop device notebook machine", "train training education course",
    "breach incident violation", "test exercise drill", "encrypt encryption",
    "login logon log sign authenticate attempt logins", "lock lockout locked locking",
    "approve approval authorise authorize authorisation authorization permission consent", "agreement contract",
    "rent tenancy lease", "fine penalty sanction", "remote remotely home telework telecommute", "backup back",
    "inactivity idle inactive", "quotation quote bid offer", "prohibit forbid ban", "liability liable",
    "notice announcement", "submit file lodge send claim", "authority regulator supervisor",
    "purchase buy procurement order acquisition", "gift present", "minimum least",
    "software program application app", "document record file documentation", "disposal available availability",
    "director member", "total aggregate overall entire",
]  # fmt: skip
_NAMES: dict[str, str] = {}
for _group in _SAME:
    for _word in _group.split():
        _NAMES.setdefault(stem_of(_word), _group.split()[0])
_LIGHT_WORDS = frozenset(
    stem_of(word)
    for word in listed(
        "policy company organization organisation business firm ensure make provide require following accordance "
        "apply use include take place set have give given relevant applicable appropriate necessary person user "
        "employee agreement contract party parties case time period date end begin start receive after before "
        "event able done need way such same other least most minimum maximum length law act section article "
        "system data information process own new certain well possible per duty obligation right continue conduct "
        "perform carry out repeat complete hold full"
    )
)
# What numbers, bounds, modal verbs, negations and exceptions are made of is compared as such.
_COMPARED = frozenset(
    stem_of(word)
    for word in listed(
        "second minute hour day night week fortnight month quarter year annual annually yearly quarterly monthly "
        "weekly daily nightly hourly calendar working least most more less fewer minimum maximum minimal exceed "
        "later earlier than hundred thousand million billion one two three four five six seven eight nine ten "
        "eleven twelve fifteen twenty thirty forty fifty sixty ninety once twice times every each within dollar "
        "euro pound cent percent eur usd gbp require required permit permitted prohibit prohibited forbid "
        "forbidden allow allowed must shall may can should mandatory voluntary optional will need needed cannot "
        "january february march april june july august september october november december non unless"
    )
)


# Short forms, and words with a second meaning: names of offices, of a proof, of a contract.
_SHORT = [
    (re.compile(pattern, re.IGNORECASE), short)
    for pattern, short in (
        (r"\bchief\s+(\w)\w+\s+officer\b", r"c\1o"),
        (r"\bchief\s+information\s+security\s+officer\b", "ciso"),
        (r"\b(?:(?:multi|two)[- ]?factor(?:\s+authentication)?|second\s+factor|2fa)\b", "mfa"),
        (r"\bhuman\s+resources\b", "hrd"),
        (r"\b(?-i:HR)\b", "hrd"),
        (r"\b(?:non-?disclosure|confidentiality)\s+agreement\b", "nda"),
        (r"\bvirtual\s+private\s+network\b", "vpn"),
        (r"\bvice[- ]president\b", "vicepresident"),
        (r"(?<!year )(?<!renewal )(?<!successive )\bterms\b", "conditions"),  # a "term" is how long something runs
        (r"\b(?-i:VP)\b", "vicepresident"),
    )
]


@lru_cache(maxsize=20_000)
def name_of(word: str) -> str:
    """What a word is compared by; "" for one that says nothing of the subject."""
    lower = word.lower()
    if len(lower) < 3 or lower in EMPTY:
        return ""
    stem = stem_of(lower)
    return "" if stem in _COMPARED else _NAMES.get(stem, stem)


def words_in(text: str) -> Words:
    """The names of the words of a text, each with the word; long and short forms have the same name."""
    for long, short in _SHORT:
        text = long.sub(short, text)
    return {name: word.lower() for word in _WORD.findall(text) if (name := name_of(word))}


def stems_in(text: str) -> Stems:
    """The names of the words of a text."""
    return frozenset(words_in(text))


def weight_of_name(name: str) -> float:
    """How much one name says of a subject."""
    return LIGHT if name in _LIGHT_NAMES else 1.0


@lru_cache(maxsize=20_000)
def weight_of(stems: Stems) -> float:
    """How much a set of names says of a subject."""
    return sum(map(weight_of_name, stems))


_LIGHT_NAMES = frozenset(_NAMES.get(stem, stem) for stem in _LIGHT_WORDS)
