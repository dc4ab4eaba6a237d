"""Claim against cited text: the numbers must be there, and enough of the words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from corpora.stopwords import STOP_WORDS as STOP_WORDS_BY_LANGUAGE
from legalqa.answering.verification.alignment import CLOSE, alignment_faults
from legalqa.answering.verification.clauses import Reading, clauses_of, reading_of
from legalqa.answering.verification.exceptions import exceptions_left_out
from legalqa.answering.verification.names import name_faults
from legalqa.answering.verification.orders import gives_orders
from legalqa.answering.verification.polarity import (
    duties_added,
    polarity_faults,
    polarity_gaps,
    report_faults,
    wording_of,
)
from legalqa.answering.verification.quantities import quantity_faults
from legalqa.answering.verification.wordings import plain_wording
from legalqa.answering.verification.words import NUMBER_WORDS, opened, stem_of, stems_of
from legalqa.common.sentences import sentence_spans

MIN_OVERLAP = 0.6  # ours: share of the claim's content words that the evidence must hold
PARTLY_OVERLAP = 0.4  # ours: share as MIN_OVERLAP, from which the claim is partly supported
MAX_NAMED = 6  # words that a reason names
MAX_SENTENCES = 40  # ours: sentences of long evidence, those sharing most words, compared word by word
_ORDER = ("supported", "partly", "unsupported", "contradicted")

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+")
_STOP_WORDS = STOP_WORDS_BY_LANGUAGE["english"]
# "not more than 30 days" bounds a number, which is compared as such, and denies nothing.
_NO_DENIAL = re.compile(
    r"\b(?:no|not|nor)\s+(?:(?:to\s+)?exceed(?:s|ing)?|(?:more|less|fewer|later|earlier|longer|greater)\s+than)\b",
    re.IGNORECASE,
)
_NEGATIONS = frozenset(
    {"not", "no", "never", "neither", "nor", "without", "unless", "except", "none", "nobody", "nothing"}
    | {"prohibited", "prohibits", "forbidden", "forbids", "barred", "banned", "cannot"}
)


@dataclass(frozen=True, slots=True)
class Check:
    """The verdict of the checks on one claim.

    Attributes:
        verdict: supported, partly, unsupported, contradicted.
        overlap: Share of the claim's content words that are in the evidence, 0 to 1.
        reasons: Sentences for people.
        is_firm: Words decide it: a changed number, a lost exception. No model that reads may overrule that.
        support: The reader's probability that the evidence supports the claim, where it was asked.
    """

    verdict: str
    overlap: float
    reasons: tuple[str, ...]
    is_firm: bool = False
    support: float | None = None

    @property
    def score(self) -> float:
        """How well it is supported, 0 to 1: by the reader where it was asked, else the overlap of words."""
        return self.overlap if self.support is None else self.support


def claim_check(claim: str, evidence: Sequence[str]) -> Check:
    """Check a claim against the texts it cites.

    A quotation is supported. Otherwise every number of the claim must be in the evidence, in digits or words, a
    negation may not be added or removed, and at least MIN_OVERLAP of its content words must be there.

    Args:
        claim: One sentence.
        evidence: The cited texts; at least one for anything but `unsupported`.

    Source: Policy Copilot, claim verification (token overlap, numeric check). Differs: numbers in words, negation.
    """
    if not any(text.strip() for text in evidence):
        return Check("unsupported", 0.0, ("No evidence is cited.",))
    joined = " ".join(evidence)
    if _flat(claim) in _flat(joined):
        return Check("supported", 1.0, ("The words are in the document.",))
    return _overlap_check(claim, joined)


def prose_check(claim: str, evidence: Sequence[str], *, above: Sequence[str] = ()) -> Check:
    """Check a statement in a model's own words against the sentences it cites; the worst of its sentences decides.

    Stricter than `claim_check`: words taken out of a sentence may turn it round, so only a whole sentence counts as a
    quotation, and on top of overlap and numbers nothing may differ that decides law: units, bounds, dates, "may" and
    "must", negations word by word, opposites, parties and their order, "only" and "all", names, addresses. A condition
    that is left out, or words that are not in the source, make it `partly`, with the words named.

    Args:
        claim: One statement, of one sentence or a few.
        evidence: Whole sentences of the sources.
        above: Titles and headings over the sources: names in them are known.

    Source: Policy Copilot, claim verification. Differs: everything but overlap and numbers is ours; English only.
    """
    if not any(text.strip() for text in evidence):
        return Check("unsupported", 0.0, ("No evidence is cited.",))
    sentences = [text[start:end] for text in evidence for start, end in sentence_spans(text)]
    if any(gives_orders(sentence) for sentence in sentences):
        return Check("unsupported", 0.0, ("The passage it cites gives orders to the model.",), is_firm=True)
    parts = [claim[start:end].strip() for start, end in sentence_spans(claim)]
    checks = [_sentence_check(part, evidence, sentences, above) for part in parts if part]
    if not checks:
        return Check("unsupported", 0.0, ("The statement is empty.",))
    return _worst(checks)


def _worst(checks: Sequence[Check]) -> Check:
    return max(checks, key=lambda check: (_ORDER.index(check.verdict), check.is_firm))


def _sentence_check(claim: str, evidence: Sequence[str], sentences: Sequence[str], above: Sequence[str]) -> Check:
    statement = opened(claim)
    excepted, source = exceptions_left_out(statement, _nearest(statement, [opened(sentence) for sentence in sentences]))
    is_quoted = _flat(claim) in {_flat(text) for text in (*sentences, *evidence)}
    stands = Check("supported", 1.0, ("The sentence is in the document.",))
    check = stands if is_quoted else _wording_check(statement, source, above)
    if not excepted or check.verdict not in ("supported", "partly"):
        return check
    return Check("partly", check.overlap, (*excepted, *check.reasons), is_firm=True)


def _nearest(claim: str, sentences: Sequence[str]) -> list[str]:
    """The MAX_SENTENCES that share most words or numbers with a claim, in their order."""
    if len(sentences) <= MAX_SENTENCES:
        return list(sentences)
    words = stems_of(claim) | _numbers(claim)
    counts = [len(words & (stems_of(sentence) | _numbers(sentence))) for sentence in sentences]
    return [sentences[n] for n in sorted(sorted(range(len(sentences)), key=lambda n: -counts[n])[:MAX_SENTENCES])]


def _wording_check(claim: str, source: Sequence[str], above: Sequence[str]) -> Check:
    """Check one sentence with those of the source, contractions opened, as written and in plain words."""
    as_written = _clauses_check(claim, source, above)
    if as_written.verdict == "supported":
        return as_written
    plain, plain_source = plain_wording(claim), [plain_wording(sentence) for sentence in source]
    if _flat(plain) in {_flat(text) for text in plain_source}:
        return Check("supported", 1.0, ("The document says the same in other words.",))
    in_plain_words = _clauses_check(plain, plain_source, above)
    return in_plain_words if in_plain_words.verdict == "supported" else as_written


def _clauses_check(claim: str, source: Sequence[str], above: Sequence[str]) -> Check:
    headings = stems_of(" ".join(above))
    whole = reading_of(claim, source, headings=headings)
    clauses = clauses_of(claim) if whole and whole.missing and not whole.turned else ()
    if len(clauses) < 2:
        return _clause_check(claim, source, above, headings, whole)
    return _worst(
        [_clause_check(c, source, above, headings, reading_of(c, source, headings=headings)) for c in clauses]
    )


def _clause_check(
    claim: str, sentences: Sequence[str], above: Sequence[str], headings: frozenset[str], reading: Reading | None
) -> Check:
    """Compare one clause, contractions opened, with the clause of the source that it follows, else with all of it."""
    if reading and reading.is_spliced:
        return Check(
            "unsupported", reading.share, ("It combines words from different clauses of the document.",), is_firm=True
        )
    is_close = reading is not None and reading.share >= CLOSE
    all_of_it = [reading.source] if reading and is_close else list(sentences)
    against, open_points = _faults(claim, all_of_it, all_of_it, above, headings)
    if against and reading and CLOSE > reading.share >= MIN_OVERLAP:  # others may deny something else
        against, open_points = _faults(claim, [reading.source], all_of_it, above, headings)
    base = _overlap_check(_NO_DENIAL.sub(" ", claim), _NO_DENIAL.sub(" ", " ".join(all_of_it)))
    if against or base.verdict == "unsupported":
        # A sentence that the claim follows is compared word by word; of others only figures, names and duties.
        is_firm = bool(against) if is_close else bool(_facts_missing(claim, sentences, above))
        return Check("unsupported", base.overlap, tuple(against) or base.reasons, is_firm=is_firm)
    if reading and reading.left_out and not reading.missing:
        words = ", ".join(dict.fromkeys(reading.left_out[:MAX_NAMED]))
        open_points.append(
            f"The document says more here than the claim: {words}{'' if len(reading.left_out) <= MAX_NAMED else ' …'}."
        )
    if reading and reading.missing:
        open_points.append(_missing_words(reading.missing, stems_of(" ".join(sentences)) | headings))
    for ours, theirs in reading.turned if reading else ():
        claim_part, source_part = (f"says “{word}”" if word else "does not" for word in (ours, theirs))
        open_points.append(
            f"The claim {claim_part}, the evidence {source_part}."
            if ours
            else f"The evidence {source_part}, the claim {claim_part}."
        )
    if open_points or base.verdict == "partly":
        return Check("partly", base.overlap, tuple(open_points) or base.reasons)
    return base


def _faults(
    claim: str, sentences: Sequence[str], all_of_it: Sequence[str], above: Sequence[str], headings: frozenset[str]
) -> tuple[list[str], list[str]]:
    """What speaks against a clause, and what it leaves open; its numbers may be in any of the sentences."""
    source = " ".join(sentences)
    against, open_points = quantity_faults(claim, " ".join(all_of_it))
    bare_claim, bare_source = _NO_DENIAL.sub(" ", claim), _NO_DENIAL.sub(" ", source)
    if not denies_alike(claim, source):
        against.append("Only one of claim and evidence has a negation: not verified.")
    against += polarity_faults(
        wording_of([bare_claim]), wording_of(_NO_DENIAL.sub(" ", text) for text in sentences), headings
    )
    against += report_faults(bare_claim, sentences)
    against += alignment_faults(claim, sentences)
    against += name_faults(claim, " ".join([*all_of_it, *above]))
    return against, [*open_points, *polarity_gaps(bare_claim, bare_source)]


def _facts_missing(claim: str, sentences: Sequence[str], above: Sequence[str]) -> list[str]:
    """Numbers, dates, names, addresses and duties of a claim that the evidence lacks."""
    against, _ = quantity_faults(claim, " ".join(sentences))
    duties = duties_added(wording_of([claim]), wording_of(sentences))
    return [*against, *name_faults(claim, " ".join([*sentences, *above])), *duties]


def _missing_words(missing: Sequence[str], vocabulary: frozenset[str]) -> str:
    strange = [word for word in missing if word[0].isalpha() and stem_of(word) not in vocabulary]
    if strange:
        return f"These words are not in the evidence: {', '.join(dict.fromkeys(strange))}."
    return "The document says this in another order, or in several sentences: compare before you rely on it."


def _overlap_check(claim: str, evidence: str) -> Check:
    missing = sorted(_numbers(claim) - _numbers(evidence))
    if missing:
        return Check("unsupported", 0.0, (f"The evidence does not contain the number {missing[0]}.",))
    words = _content(claim)
    overlap = len(words & _content(evidence)) / len(words) if words else 0.0
    if _is_negated(claim) != _is_negated(evidence) and overlap < 1.0:
        return Check("unsupported", overlap, ("Only one of claim and evidence has a negation: not verified.",))
    if overlap >= MIN_OVERLAP:
        return Check("supported", overlap, (f"{overlap:.0%} of its words are in the evidence.",))
    verdict = "partly" if overlap >= PARTLY_OVERLAP else "unsupported"
    return Check(verdict, overlap, (f"Only {overlap:.0%} of its words are in the evidence.",))


def _flat(text: str) -> str:
    return " ".join(re.sub(r"[“”\"‘’']", "", text).lower().split())


def _numbers(text: str) -> set[str]:
    digits = {number.replace(",", "").rstrip(".") for number in _NUMBER.findall(text)}
    return digits | {NUMBER_WORDS[w] for w in _WORD.findall(text.lower()) if w in NUMBER_WORDS}


def _content(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.lower()) if word not in _STOP_WORDS and len(word) > 2}


def denies_alike(claim: str, source: str) -> bool:
    """Whether both deny something, or neither; "no later than" denies nothing."""
    ours, theirs = (_is_negated(_NO_DENIAL.sub(" ", opened(text))) for text in (claim, source))
    return ours == theirs


def _is_negated(text: str) -> bool:
    return bool(_NEGATIONS & set(_WORD.findall(text.lower())))
