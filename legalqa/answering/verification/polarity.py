"""May, must, not, and who does it to whom: the small words that turn a claim into the opposite of its source."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from legalqa.answering.verification.words import MODALS, Word, listed, stem_of, words_of

_MODALS = MODALS | dict.fromkeys(listed("mandatory obligatory compulsory"), "must")
_BEFORE_TO = {  # "required to", "permitted to", …
    "required": "must", "obliged": "must", "obligated": "must", "bound": "must", "has": "must", "have": "must",
    "had": "must", "needs": "must", "need": "must", "requires": "must",
    "permitted": "may", "allowed": "may", "entitled": "may", "authorised": "may", "authorized": "may", "free": "may",
    "recommended": "should", "encouraged": "should", "advised": "should", "expected": "should",
}  # fmt: skip
_REQUIRE = frozenset({"required", "requires", "require", "requirement", "obligation", "obligations", "duty", "obliged"})
_PERMIT = frozenset({"permitted", "allowed", "permission", "entitled", "entitlement", "right", "permits", "allows"})
_NEGATORS = frozenset({"not", "no", "never", "neither", "nor", "without"})
_FORBID = frozenset(stem_of(w) for w in ("prohibit", "forbid", "forbidden", "bar", "ban", "preclude", "refrain"))
_LIGHT = frozenset(
    listed(
        "be been being is are was were has have had do does did also only then thereby always in any event at all "
        "times the a an of to from by such so as its their his her it he she they this that these those make made"
    )
)
_OPPOSITES = [
    ("permit allow authorise authorize entitle", "prohibit forbid forbidden ban preclude"),
    ("increase raise", "decrease reduce lower"),
    ("before prior preceding", "after following subsequent"),
    ("more greater higher above", "less fewer lower below"),
    ("maximum", "minimum"),
    ("include", "exclude"),
    ("grant approve accept", "deny refuse reject"),
    ("valid", "invalid void"),
    ("lawful legal", "unlawful illegal"),
    ("mandatory compulsory obligatory", "optional voluntary"),
    ("begin start commence", "end expire terminate cease"),
    ("oral orally verbal", "writing written"),
    ("public publicly", "private privately confidential"),
    ("joint jointly", "separate separately"),
    ("temporary", "permanent"),
    ("direct", "indirect"),
    ("comply compliance", "breach violate violation"),
    ("earlier", "later"),
    ("always", "never"),
]
_PAIRS = [(frozenset(map(stem_of, a.split())), frozenset(map(stem_of, b.split()))) for a, b in _OPPOSITES]
_ROLES = frozenset(
    listed(
        "tenant landlord lessee lessor buyer seller purchaser vendor employer employee worker manager director "
        "candidate applicant auditor licensor licensee borrower lender creditor debtor plaintiff defendant claimant "
        "respondent appellant appellee controller processor customer supplier contractor subcontractor trustee "
        "beneficiary insurer insured guarantor principal agent agency commissioner court regulator company "
        "shareholder owner operator user provider consumer patient physician donor recipient receiver discloser "
        "assignor assignee minister parent child deployer importer distributor manufacturer consultant franchisor "
        "franchisee client lawyer solicitor authority"
    )
)
_ONLY = frozenset({"only", "solely", "exclusively", "merely"})
_ALL = frozenset({"all", "every", "each", "any", "always", "everyone", "anyone", "everybody", "whoever", "no", "never"})
_SOME = frozenset({"some", "certain", "most", "many", "few", "several", "sometimes", "generally", "usually"})
# A document does not assert what it only reports; but law itself says "provides that" and "states that".
_REPORTED = re.compile(
    r"\b(alleg\w+|claim(?:s|ed|ing)?(?=\s+(?:that|to)\b)|argu\w+|contend\w*|assert\w*|suggest\w*|believ\w+|say|says|said|saying|pretend\w*|"
    r"den(?:y|ies|ied)|suppos\w+|rumou?r\w*|whether|testif\w+|(?:state|stated|conclude|concluded|concludes|finding|reported)\s+that|"
    r"would\s+hold|reads\s*[,:]|deleted\s*:)\b(?:[^.;]{0,60}?\bthat)?\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|except|until|provided\s+that|subject\s+to|in\s+the\s+event|on\s+condition|only\s+(?:when|where)|"
    r"(?:as|so)\s+long\s+as|in\s+case|other\s+than|excluding|save\s+(?:for|that|where|as)|"
    r"with\s+(?:the\s+|its\s+|their\s+|his\s+|her\s+)?(?:\w+\s+){0,3}(?:consent|approval|permission|authori[sz]ation))\b",
    re.IGNORECASE,
)
_ANY_CONDITION = re.compile(
    rf"{_CONDITION.pattern}|\b(?:when|where|once|only|provided|case|after|whenever|without)\b", re.IGNORECASE
)


@dataclass(slots=True)
class Wording:
    """What the small words of a text do: verbs (by stem) under each modal verb, words under a negation, all words."""

    modal: dict[str, set[str]] = field(default_factory=dict)
    verbs: set[str] = field(default_factory=set)  # modal verbs that occur at all
    denied: set[str] = field(default_factory=set)
    stated: set[str] = field(default_factory=set)  # stems that occur without a negation or a modal verb before them
    stems: set[str] = field(default_factory=set)  # stems of the words that say something
    every: set[str] = field(default_factory=set)
    forms: dict[str, str] = field(default_factory=dict)  # a stem as the text writes it
    lower: set[str] = field(default_factory=set)
    roles: set[str] = field(default_factory=set)
    acts: set[tuple[str, str, str]] = field(default_factory=set)  # (who, what, to whom)

    @property
    def plain(self) -> set[str]:
        """Stems that occur at least once without a negation."""
        return self.stated | (set(self.modal) - self.denied)


def wording_of(sentences: Iterable[str]) -> Wording:
    """Read the small words of sentences whose contractions are opened."""
    wording = Wording()
    for sentence in sentences:
        words = words_of(sentence)
        wording.stems |= {word.stem for word in words if word.is_content}
        wording.every |= {word.stem for word in words}
        wording.forms |= {word.stem: word.lower for word in words}
        wording.lower |= {word.lower for word in words}
        wording.roles |= {word.stem for word in words if is_role(word)}
        governed = set(_read(words, wording))
        wording.stated |= {w.stem for n, w in enumerate(words) if w.is_content and n not in governed}
        wording.acts |= set(_acts(words))
    return wording


def _read(words: tuple[Word, ...], wording: Wording) -> Iterator[int]:
    """Note modal verbs and negations with the word that each governs; yields the places of those words."""
    for n, word in enumerate(words):
        kind = _kind(words, n)
        negated = word.lower in _NEGATORS or word.stem in _FORBID
        if not kind and not negated:
            continue
        at, is_denied = _governed(words, n + 1)
        is_denied = is_denied or negated
        if kind:
            before = {w.lower for w in words[max(0, n - 2) : n]}
            is_denied = is_denied or bool(before & {"not", "no", "never"})
            # "may not" and "must not" forbid; "not required to" and "need not" set free.
            if is_denied and kind != "should":
                is_exempt = kind == "must" and word.lower not in ("must", "shall")
                kind = "need not" if is_exempt else "must not"
            wording.verbs.add(kind)
        elif word.stem in _FORBID:
            kind = "must not"
            wording.verbs.add(kind)
        if at is None:
            continue
        yield at
        if kind:
            wording.modal.setdefault(words[at].stem, set()).add(kind)
        if is_denied:
            wording.denied.add(words[at].stem)


def _kind(words: tuple[Word, ...], n: int) -> str:
    word, after = words[n].lower, words[n + 1].lower if n + 1 < len(words) else ""
    if word in _MODALS:
        return _MODALS[word]
    if word in _BEFORE_TO and after == "to":
        return _BEFORE_TO[word]
    if word == "need" and after == "not":
        return "must"
    if word in _REQUIRE:
        return "must"
    return "may" if word in _PERMIT and word != "right" else ""


def _governed(words: tuple[Word, ...], start: int) -> tuple[int | None, bool]:
    """The first word from `start` on that says something, at most six on, and whether a negation is before it."""
    is_denied = False
    for at in range(start, min(start + 6, len(words))):
        word = words[at]
        if word.lower in ("not", "never"):
            is_denied = True
        elif word.lower in _REQUIRE | _PERMIT or word.lower in _BEFORE_TO:
            continue
        elif word.is_content and word.lower not in _LIGHT and not word.lower.endswith("ly"):
            return at, is_denied
    return None, is_denied


def is_role(word: Word) -> bool:
    """Whether it names a party, by a role or a letter: "receiver" does, "received" has the same stem and does not."""
    return (
        word.is_letter
        or word.lower in _ROLES
        or word.lower.removesuffix("s") in _ROLES
        or word.lower.replace("ies", "y") in _ROLES
    )


def _acts(words: tuple[Word, ...]) -> Iterator[tuple[str, str, str]]:
    """(role, verb, other role): the first word after a role that says something, and the role that comes next."""
    places = [n for n, word in enumerate(words) if is_role(word)]
    for left, right in pairwise(places):
        at, _ = _governed(words, left + 1)
        if at is None or at >= right or words[left].stem == words[right].stem:
            continue
        between = {word.lower for word in words[left:right]}
        is_passive = "by" in between and bool(between & {"is", "are", "was", "were", "be", "been", "being"})
        first, second = (right, left) if is_passive else (left, right)
        yield words[first].stem, words[at].stem, words[second].stem


def polarity_faults(claim: Wording, evidence: Wording, headings: frozenset[str]) -> list[str]:
    """What speaks against the claim, in sentences.

    Args:
        claim: Its small words.
        evidence: Those of the cited sentences.
        headings: Stems that the headings above the source hold: they say whom it speaks of.
    """
    return [
        *_modal_faults(claim, evidence),
        *_denials(claim, evidence),
        *_opposites(claim, evidence),
        *_role_faults(claim, evidence, headings),
        *_scope_faults(claim.lower, evidence.lower),
    ]


def _modal_faults(claim: Wording, evidence: Wording) -> Iterator[str]:
    for kind in sorted(claim.verbs - evidence.verbs):
        yield f"The claim says “{kind}”, the evidence does not: not verified."
    for verb, kinds in claim.modal.items():
        modals = evidence.modal.get(verb)
        if modals and not kinds & modals:
            ours, theirs = f"{min(kinds)} {claim.forms[verb]}", f"{min(modals)} {evidence.forms[verb]}"
            yield f"The claim says “{ours}”, the evidence “{theirs}”."
    for verb, modals in evidence.modal.items():
        is_weak = not modals & {"must", "must not"}
        if is_weak and verb in claim.stated and verb not in claim.modal and verb not in evidence.stated:
            yield f"The claim leaves out the “{min(modals)}” before “{evidence.forms[verb]}”."


def duties_added(claim: Wording, evidence: Wording) -> Iterator[str]:
    """Where a claim turns a permission of the evidence into a duty: no other wording of "may" says "must".

    "May only" is left out: "may be paid only by cheque" is "must be paid by cheque".
    """
    for verb, kinds in claim.modal.items():
        if kinds == {"must"} and evidence.modal.get(verb) == {"may"} and not evidence.lower & _ONLY:
            yield f"The claim says “must {claim.forms[verb]}”, the evidence “may {evidence.forms[verb]}”."


def _denials(claim: Wording, evidence: Wording) -> Iterator[str]:
    for stem in sorted(claim.denied & evidence.stems - evidence.denied):
        yield f"The claim denies “{claim.forms[stem]}”, the evidence does not."
    for stem in sorted((evidence.denied - evidence.plain) & claim.stems - claim.denied):
        yield f"The evidence denies “{evidence.forms[stem]}”, the claim does not."


def _opposites(claim: Wording, evidence: Wording) -> Iterator[str]:
    for one, other in (*_PAIRS, *((b, a) for a, b in _PAIRS)):
        ours, theirs = claim.every & one, evidence.every & other
        if ours and theirs and not claim.every & other and not evidence.every & one:
            words = claim.forms[min(ours)], evidence.forms[min(theirs)]
            yield "The evidence says “{1}” where the claim says “{0}”.".format(*words)


def _role_faults(claim: Wording, evidence: Wording, headings: frozenset[str]) -> Iterator[str]:
    for role in sorted(claim.roles - evidence.stems - headings):
        yield f"The claim speaks of the “{claim.forms[role]}”, the evidence does not."
    for who, act, whom in sorted(claim.acts - evidence.acts):
        if (whom, act, who) in evidence.acts:
            yield f"Who does what to whom is the other way round in the evidence (“{claim.forms[act]}”)."


def _scope_faults(claim: set[str], evidence: set[str]) -> Iterator[str]:
    if claim & _ONLY and not evidence & _ONLY:
        yield "The claim says “only”, the evidence does not."
    if claim & _ALL and evidence & _SOME and not evidence & _ALL:
        yield "The claim speaks of all, the evidence of some."


def report_faults(claim: str, evidence: Sequence[str]) -> Iterator[str]:
    """Where the evidence only reports what the claim says."""
    for text in evidence:
        match = _REPORTED.search(text)
        if match and stem_of(match.group(1).lower()) not in {word.stem for word in words_of(claim)}:
            yield f"The evidence only reports this (“{match.group(1).lower()} …”)."
            return


def polarity_gaps(claim: str, evidence: str) -> Iterator[str]:
    """What the claim leaves open that the evidence says."""
    match = _CONDITION.search(evidence)
    if match and not _ANY_CONDITION.search(claim):
        yield f"The evidence sets a condition (“{match.group().lower()} …”) that the claim leaves out."
