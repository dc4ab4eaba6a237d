"""Claim support by the rules and by the reader: words that decide are for the rules, paraphrases for the reader.

The rules have the last word on a changed number, a party in another's place, a lost exception. The reader reads claims
for which the rules only miss words, and also whether the document says the opposite.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from legalqa.answering.verification.paraphrases import paraphrase_faults
from legalqa.answering.verification.support import Check, denies_alike, prose_check
from legalqa.answering.verification.words import listed, opened, stem_of, stems_of
from legalqa.common.sentences import sentence_spans
from legalqa.encoder import client

Support = tuple[float, float, float]  # probabilities: supported, contradicted, not mentioned
Reads = Callable[[Sequence[tuple[str, str]]], Sequence[Support]]

# From half of the development rows of `data/reading`: balanced accuracy .82 (at most .83, at .44).
SUPPORTED_FROM = 0.45
CONTRADICTED_FROM = 0.8  # probability from which a reader's "contradicts" counts: a precision of .9 on the same rows
# Where only one of a claim and the sentence nearest to it denies something: a precision of .9 on the rows left out,
# where SUPPORTED_FROM has .81.
SUPPORTED_DESPITE_NEGATION = 0.7
WINDOW_WORDS = 110  # ours: words of evidence read at once: with a claim of 40 below the reader's 256 tokens
WINDOWS = 4  # ours: windows read for one claim, beside its best sentences together
QUOTED_CHARS = 110  # characters of a sentence that a reason quotes
# Words that reverse a sentence and are no paraphrase of the words that they replace.
_TURNING = frozenset(
    stem_of(word)
    for word in listed(
        "first last next previous former latter earlier later higher lower allow allowed permit permitted"
    )
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement, the texts it cites, and the titles and headings above them."""

    text: str
    evidence: Sequence[str]
    above: Sequence[str] = ()


def reads_support(*, is_urgent: bool = False) -> Reads | None:
    """How the reader reads pairs of claim and evidence, each pair once; None where there is none, or it is off.

    Args:
        is_urgent: A person waits: go before the batches of others.
    """
    if not client.reader_is_on():
        return None
    cache: dict[tuple[str, str], Support] = {}

    def reads(pairs: Sequence[tuple[str, str]]) -> list[Support]:
        new = [pair for pair in dict.fromkeys(pairs) if pair not in cache]
        scores = [reading.support for reading in client.reading(new, is_urgent=is_urgent)]
        cache.update(zip(new, scores, strict=True))
        return [cache[pair] for pair in pairs]

    return reads


def support_check(claim: str, evidence: Sequence[str], *, above: Sequence[str] = (), reads: Reads | None) -> Check:
    """Decide supported, partly, unsupported or contradicted of a claim and its evidence.

    Args:
        claim: One statement, of one sentence or a few.
        evidence: The cited texts, however long: of long ones the sentences nearest to the claim are read.
        above: Titles and headings over the sources.
        reads: The reader; None decides by rules alone.

    Source: Policy Copilot, claim verification; entailment where a model is present.
    """
    [check] = support_checks([Claim(claim, evidence, above)], reads=reads)
    return check


def support_checks(claims: Sequence[Claim], *, reads: Reads | None) -> list[Check]:
    """`support_check` of several claims, their pairs read together."""
    checks = [prose_check(claim.text, claim.evidence, above=claim.above) for claim in claims]
    if reads is None:
        return checks
    windows = [
        () if check.verdict == "supported" else tuple(evidence_windows(claim.text, claim.evidence))
        for claim, check in zip(claims, checks, strict=True)
    ]
    scores = iter(reads([(claim.text, text) for claim, own in zip(claims, windows, strict=True) for text in own]))
    return [
        _decided(claim, check, [(text, next(scores)) for text in own])
        for claim, check, own in zip(claims, checks, windows, strict=True)
    ]


def _decided(claim: Claim, rules: Check, readings: Sequence[tuple[str, Support]]) -> Check:
    """What the rules say, and what the reader makes of the windows, as one verdict."""
    if not readings:
        return rules
    source, support = max(((text, scores[0]) for text, scores in readings), key=lambda pair: pair[1])
    text, against = max(((text, scores[1]) for text, scores in readings), key=lambda pair: pair[1])
    denies = against >= CONTRADICTED_FROM and against > support
    if denies and rules.verdict == "unsupported":
        quote = f"The document says otherwise: “{_shortened(_nearest(claim.text, text))}”."
        return replace(rules, verdict="contradicted", reasons=(quote, *rules.reasons), support=support)
    sentences = [claim.text[start:end] for start, end in sentence_spans(claim.text)]
    is_alike = all(denies_alike(sentence, _nearest(sentence, source)) for sentence in sentences)
    enough = SUPPORTED_FROM if is_alike else SUPPORTED_DESPITE_NEGATION
    if rules.is_firm or support < enough or not _has_words_of_its_own(claim):
        return replace(rules, support=support)
    if faults := paraphrase_faults(sentences, source, claim.above):
        verdict = "unsupported" if rules.verdict == "supported" else rules.verdict
        return Check(verdict, rules.overlap, tuple(faults), is_firm=True, support=support)
    return Check("supported", rules.overlap, ("The document says this in other words.",), support=support)


def _has_words_of_its_own(claim: Claim) -> bool:
    """Whether a claim uses other words than its evidence, which is what a reader can judge.

    A claim made of the evidence's own words in another order, or with "last" for "first", may exchange parties, amounts
    or times: a reader that learned from paraphrases took 49 of 147 such forgeries for true, the rules none.
    """
    stems = stems_of(opened(" ".join((*claim.evidence, *claim.above))))
    own = stems_of(opened(claim.text)) - stems - _TURNING
    return any(word not in stems and not word.startswith("un") for word in own)


def evidence_windows(claim: str, evidence: Sequence[str]) -> Iterator[str]:
    """What of the evidence is read with a claim: all of it where it is short, else what shares most words with it.

    Of long evidence, WINDOWS runs of sentences, the nearest first, and the nearest sentences together, in their order:
    a claim may rest on several.
    """
    sentences = [text[start:end].strip() for text in evidence for start, end in sentence_spans(text)]
    sentences = [sentence for sentence in sentences if sentence]
    if not sentences:
        return
    if sum(len(sentence.split()) for sentence in sentences) <= WINDOW_WORDS:
        yield " ".join(sentences)
        return
    claim_stems = stems_of(opened(claim))
    stems = [stems_of(sentence) for sentence in sentences]
    weights = {stem: 1 / (1 + sum(stem in own for own in stems)) ** 0.5 for stem in claim_stems}
    near = sorted(range(len(sentences)), key=lambda n: -sum(weights[stem] for stem in stems[n] & claim_stems))
    windows: list[set[int]] = []
    for place in near:
        if len(windows) == WINDOWS:
            break
        if not any(place in own for own in windows):
            windows.append(_around(place, sentences))
    apart: set[int] = set()
    covered: set[str] = set()
    for place in near:
        words = sum(len(sentences[n].split()) for n in apart | {place})
        if words <= WINDOW_WORDS and (stems[place] & claim_stems) - covered:
            apart.add(place)
            covered |= stems[place] & claim_stems
    for own in [apart, *windows] if apart and apart not in windows else windows:
        yield " ".join(sentences[n] for n in sorted(own))


def _around(place: int, sentences: Sequence[str]) -> set[int]:
    """The sentence with those before and after it, as many as make a window."""
    own, words = {place}, len(sentences[place].split())
    for step in (1, -1, 2, -2):
        near = place + step
        if 0 <= near < len(sentences) and words + len(sentences[near].split()) <= WINDOW_WORDS:
            own.add(near)
            words += len(sentences[near].split())
    return own


def _nearest(claim: str, text: str) -> str:
    """The sentence of a text that shares most words with a claim."""
    stems = stems_of(opened(claim))
    return max((text[a:b] for a, b in sentence_spans(text)), key=lambda sentence: len(stems & stems_of(sentence)))


def _shortened(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= QUOTED_CHARS else f"{flat[:QUOTED_CHARS].rsplit(' ', 1)[0]} …"
