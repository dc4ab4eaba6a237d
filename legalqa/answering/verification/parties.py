"""Who does it: the party that acts in each clause of a paraphrase must be the one that acts in its source.

The verbs of a paraphrase cannot be compared, so each of its clauses is put beside the clause of the source
that shares most other words with it, and the parties of the two are compared: who acts, who is acted upon, and whether
one clause of the source speaks of both at all. What is unclear (an "it", no actor) is no fault.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from legalqa.answering.verification.events import compared
from legalqa.answering.verification.polarity import is_role
from legalqa.answering.verification.terms import REPORTS
from legalqa.answering.verification.words import Word, listed, stem_of, words_of

_SAME = (
    "tenant renter lessee", "landlord lessor", "buyer purchaser", "seller vendor", "employee worker staff",
    "company firm", "insured policyholder", "borrower debtor", "lender creditor", "court judge",
    "lawyer attorney solicitor",
    "claimant plaintiff", "doctor physician surgeon",
)  # fmt: skip
_ONE = {word: words.split()[0] for words in _SAME for word in words.split()}
# Words with a capital that name nobody.
_TITLES = frozenset(
    listed(
        "party parties company corporation agreement contract euro euros eur gbp usd article section act i mr mrs ms "
        "dr "
        "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
        "september october november december"
    )
)
MAX_NAMES = 4  # ours: names up to which each is taken for a party; of more, most are places and parts of longer names
MAX_OF_REPORT = 2  # ours: other words of "the witness told the court", which only says who reports
_PERSONS = frozenset(
    listed(
        "mother father son daughter widow widower husband wife spouse brother sister accused deceased witness expert "
        "prosecutor judge tribunal insured policyholder renter staff firm bank police auditor board arbitrator heir "
        "attorney surgeon municipality union council commission ministry mediator notary executor trader victim"
    )
)
_SPLIT = re.compile(
    r"[;:,]|\b(?:and|but|or|whereas|while|if|unless|when|where|once|that|because|until|as\s+soon\s+as|although|"
    r"after|before|who|whom|which|whose|than)\b",
    re.IGNORECASE,
)
_GOVERN = frozenset(
    listed("of to for from by with against on in between than at upon about over under among toward towards via")
)
_ARTICLES = frozenset(listed("the a an its their his her this that each every any no some all both other own"))
_BE = frozenset(listed("is are was were be been being get gets got"))
_PARTICIPLE = re.compile(
    r"\w{2,}(?:ed|en)|told|paid|sold|sent|given|held|made|kept|bound|left|shown|put|set|met|lent|brought|heard|"
    r"found|paid"
)
_STILL_ACTIVE = frozenset(
    listed("required obliged obligated entitled allowed permitted barred prohibited forbidden bound advised authorised "
    "authorized expected supposed prevented kept")
)  # fmt: skip
_RECEIVES = frozenset(
    map(
        stem_of,
        listed(
            "receive receives received get gets got obtain obtains obtained inherit inherits inherited borrow borrowed "
            "learn learns learned collect collects acquire acquires acquired"
        ),
    )
)
# "It falls to the tenant to …": the party is behind these.
_FALLS_TO = re.compile(
    r"\b(?:falls?\s+to|up\s+to|is\s+for|are\s+for|lies?\s+with|rests?\s+with|goes\s+to|go\s+to|went\s+to|belongs?\s+to|"
    r"stays?\s+with|remains?\s+with|reserved\s+(?:to|for)|(?:the\s+)?(?:duty|responsibility|job|task|burden|"
    r"heir)\s+(?:of\s+[^.,;]{1,30}\s+(?:is|are)\s*|of\s*))"
    r"(?=\s*(?:the\s+|a\s+|an\s+)?)",
    re.IGNORECASE,
)
_CLEFT = re.compile(r"^\s*it\s+(?:is|was)\s+(?P<who>(?:the\s+)?\w+)\s+(?:who|that|which)\b", re.IGNORECASE)
_LOOK_AFTER = re.compile(r"\blook(?:s|ed|ing)?\s+after\b", re.IGNORECASE)
# Of two courts each has its name, which is made one word.
_COURT = re.compile(
    r"\b(county|appeals?|appellate|supreme|high|district|trial|lower|higher|regional|federal|crown|labour)\s+(court)\b",
    re.IGNORECASE,
)
# These may mean any party.
_ANYBODY = re.compile(
    r"\b(?:any(?:body|one)|every(?:body|one)|whoever|nobody|no\s+one|persons?|those\s+who)\b", re.IGNORECASE
)
_UNCLEAR = frozenset(listed("it he she they him her them latter former this"))


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause: who acts in it ("" where that is unclear), the other parties, and the stems of its other words."""

    agent: str
    others: frozenset[str]
    stems: frozenset[str]
    receives: bool
    is_unclear: bool

    @property
    def parties(self) -> frozenset[str]:
        return self.others | ({self.agent} - {""})


def party_faults(claim: str, sentences: Sequence[str]) -> Iterator[str]:
    """Where another party acts, or is acted upon, than in the source.

    Args:
        claim: One sentence, contractions opened.
        sentences: Of the source, likewise.
    """
    if len({match.group().lower() for sentence in sentences for match in _COURT.finditer(sentence)}) > 1:
        claim, *sentences = (_COURT.sub(lambda m: m[1].title() + m[2].lower(), text) for text in (claim, *sentences))
    names = _names(claim, " ".join(sentences))
    theirs = [clause for sentence in sentences for clause in _clauses(sentence, names)]
    is_of_anybody = any(_ANYBODY.search(sentence) for sentence in sentences)
    known = frozenset().union(*(clause.parties for clause in theirs))
    for ours in _clauses(claim, names):
        for party in () if is_of_anybody else sorted(ours.parties - known - names):
            yield f"The claim speaks of “{party}”, the evidence does not."
        if ours.parties and ours.parties <= known and (fault := _fault(ours, theirs, is_one=len(sentences) == 1)):
            yield fault
    yield from _comparison_faults(claim, sentences, names)


def _fault(ours: _Clause, theirs: Sequence[_Clause], *, is_one: bool) -> str:
    """What counts against a clause whose parties are all in the source; "" for nothing."""
    if len(ours.parties) > 1 and not any(ours.parties <= c.parties or c.is_unclear for c in theirs):
        return f"No clause of the evidence speaks of {' and '.join(sorted(ours.parties))} together."
    near = [c for c in theirs if len(ours.parties) > 1 and (ours.parties <= c.parties)] or theirs
    best = max(near, key=lambda c: (len(c.stems & ours.stems), bool(c.agent), len(c.parties & ours.parties)))
    rivals = [c for c in near if len(c.stems & ours.stems) == len(best.stems & ours.stems)]
    if not is_one and not best.stems & ours.stems:  # of several sentences any may be meant
        return ""
    if not ours.agent or not best.agent or any(_agree(ours, c) for c in rivals):
        return ""
    return f"In the claim “{ours.agent}” acts, in the evidence “{best.agent}”."


def _agree(ours: _Clause, theirs: _Clause) -> bool:
    if not theirs.agent:
        return False
    if ours.receives == theirs.receives:
        is_turned = ours.agent in theirs.others and theirs.agent in ours.others
        return ours.agent == theirs.agent and not is_turned
    return ours.agent in theirs.others or (ours.agent != theirs.agent and theirs.is_unclear)


def _comparison_faults(claim: str, sentences: Sequence[str], names: frozenset[str]) -> Iterator[str]:
    """Where the one that has more has less in the source."""
    ours = compared(claim)
    for sentence in sentences if ours else ():
        theirs = compared(sentence)
        if ours is None or theirs is None:
            continue
        mine, other = ([_of_side(side, names) for side in pair] for pair in (ours, theirs))
        if all(mine) and all(other) and mine == other[::-1]:
            yield "The comparison is the other way round in the evidence."


def _of_side(text: str, names: frozenset[str]) -> str:
    return next((party for word in words_of(text) if (party := _party(word, names))), "")


def _names(claim: str, source: str) -> frozenset[str]:
    """Proper names that either text has within a sentence; none of a text with many."""
    found = set()
    for text in (claim, source):
        for word in words_of(text):
            before = text[: word.at].rstrip()
            is_within = bool(before) and before[-1] not in '.!?:“"('
            if len(word.written) > 1 and word.written[0].isupper() and is_within:
                found.add(word.lower)
    found -= _TITLES
    return frozenset(found if len(found) <= MAX_NAMES else ())


def _party(word: Word, names: frozenset[str]) -> str:
    """The party that a word names, "" for none; two words for one party are one."""
    if len(word.written) == 1:
        return word.written if word.is_letter else ""
    plain = word.lower.removesuffix("s") if word.lower not in _PERSONS else word.lower
    plain = plain[:-2] + "y" if plain.endswith("ie") else plain
    if plain in _ONE:
        return _ONE[plain]
    if is_role(word) or plain in _PERSONS:
        return plain
    return word.lower if word.written[0].isupper() and word.lower in names else ""


def _clauses(sentence: str, names: frozenset[str]) -> list[_Clause]:
    """The clauses of a sentence; one that begins with a verb or "who" has the party before it."""
    sentence = _CLEFT.sub(r"\g<who>", _LOOK_AFTER.sub("keep", sentence))
    found: list[_Clause] = []
    start, joint = 0, ""
    for match in [*_SPLIT.finditer(sentence), None]:
        end = match.start() if match else len(sentence)
        if sentence[start:end].strip():
            clause = _clause(sentence[start:end], names, joint, found[-1] if found else None)
            if found and joint in ("and", "or", ",") and not clause.others and clause.agent == found[-1].agent:
                found[-1] = replace(found[-1], stems=found[-1].stems | clause.stems)  # a list, or one more verb
            else:
                found.append(clause)
        start, joint = (match.end(), match.group().lower()) if match else (end, "")
    return found


def _clause(text: str, names: frozenset[str], joint: str, before: _Clause | None) -> _Clause:
    words = words_of(text)
    parties = [
        (n, party)
        for n, word in enumerate(words)
        if (party := _party(word, names)) and text[word.at + len(word.written) :][:2] not in ("'s", "' ")
    ]
    agent, others = _agent(words, parties, text)
    opens_with_verb = not agent and before is not None and joint in ("and", "but", "or", ",", "who", "which")
    if opens_with_verb and before is not None and words and words[0].lower not in _GOVERN | _ARTICLES | _UNCLEAR:
        last = before.others if joint in ("who", "which") and before.others else {before.agent}
        agent = next(iter(sorted(last))) if len(last) == 1 else ""
        others -= {agent}
    taken = {n for n, _ in parties}
    stems = frozenset(word.stem for n, word in enumerate(words) if word.is_content and n not in taken)
    if REPORTS.search(text) and len(stems) <= MAX_OF_REPORT:
        stems |= {"#reports"}
    at = next((n for n, party in parties if party == agent), -1)
    verbs = {word.stem for word in words[at + 1 : at + 4]}
    unclear = any(word.lower in _UNCLEAR and (n == 0 or words[n - 1].lower in _GOVERN) for n, word in enumerate(words))
    return _Clause(agent, others, stems, bool(verbs & _RECEIVES), unclear)


def _agent(words: Sequence[Word], parties: Sequence[tuple[int, str]], text: str) -> tuple[str, frozenset[str]]:
    """(who acts, the other parties): behind "by" or "falls to", else the first that no preposition governs."""
    every = frozenset(party for _, party in parties)
    if falls := _FALLS_TO.search(text):
        behind = [party for n, party in parties if words[n].at >= falls.end()]
        if behind:
            return behind[0], every - {behind[0]}
    for n, party in parties:
        if _governor(words, n) in _GOVERN:
            continue
        if not _is_passive(words, n):
            return party, every - {party}
        doer = next((p for m, p in parties if m > n and _governor(words, m) == "by"), "")
        return doer, every - {doer}
    doer = next((p for m, p in parties if _governor(words, m) == "by"), "")
    return doer, every - {doer}


def _governor(words: Sequence[Word], n: int) -> str:
    """The preposition before a party, past its articles and one adjective."""
    for at in range(n - 1, max(-1, n - 4), -1):
        word = words[at].lower
        if word in _GOVERN:
            return word
        if word not in _ARTICLES and at < n - 1:
            break
    return ""


def _is_passive(words: Sequence[Word], n: int) -> bool:
    for at in range(n + 1, min(n + 5, len(words) - 1)):
        if words[at].lower in _BE:
            after = next(
                (w.lower for w in words[at + 1 : at + 3] if w.lower not in ("not", "also", "only", "been", "being")), ""
            )
            return _PARTICIPLE.fullmatch(after) is not None and after not in _STILL_ACTIVE
    return False
