"""Before a statement is withheld: one search with its own words, for evidence that the model did not cite."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from legalqa.answering.calls import calls_of
from legalqa.answering.statements import WrittenClaim
from legalqa.answering.strategies.base import SEARCHING, Work
from legalqa.answering.strategies.evidence import evidence_find
from legalqa.answering.types import Evidence, Place, Question
from legalqa.answering.verification import Check, Claim, Reads, gives_orders, support_checks
from legalqa.answering.verification.words import opened, stems_of
from legalqa.common.errors import ApplicationError
from legalqa.common.sentences import sentence_spans
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from retrieval.services.search import Passage

SEARCHES = 3  # ours: statements of one answer that are searched for; each takes a fraction of a second
UNSEARCHED = "No other passage was searched for it."
PASSAGES = 6  # ours: passages of a search that a statement is compared with


@dataclass(frozen=True, slots=True)
class BetterEvidence:
    """The evidence with the passages found for statements, the result for each statement, and models' calls."""

    evidence: Evidence
    claims: dict[str, WrittenClaim]
    n_searches: int = 0
    calls: tuple[dict[str, Any], ...] = ()


def better_evidence(
    question: Question,
    evidence: Evidence,
    claims: Sequence[WrittenClaim],
    *,
    reads: Reads | None,
    has_time: Callable[[], bool],
) -> BetterEvidence:
    """Search with the words of each statement that its quotes do not support, and check it once more.

    A statement whose quote is not in the passage, or that cites nothing, is not searched for: the model made it up.
    After SEARCHES statements, or when time is up, the reason says that no search was made.

    Args:
        question: Its corpus and filters are searched, as the person who asked.
        evidence: What the model was given passages of.
        claims: After the first check.
        reads: The reader; None checks by rules alone.
        has_time: Asked before each search.

    Source: Policy Copilot, claim verification: evidence is looked for before a statement is pruned.
    """
    better = BetterEvidence(evidence, {})
    waiting = [claim for claim in claims if claim.is_compared and claim.check.verdict == "unsupported"]
    for claim in waiting:
        if better.n_searches == SEARCHES or not has_time():
            unsearched = replace(claim.check, reasons=(UNSEARCHED, *claim.check.reasons))
            better = replace(better, claims=better.claims | {claim.text: replace(claim, check=unsearched)})
        else:
            better = _searched(question, better, claim, reads=reads)
    return better


def _searched(
    question: Question, so_far: BetterEvidence, claim: WrittenClaim, *, reads: Reads | None
) -> BetterEvidence:
    so_far = replace(so_far, n_searches=so_far.n_searches + 1)
    work = Work((SEARCHING,))
    work.begin(SEARCHING[0])
    own = replace(question, text=claim.text, preset=preset_get(DEFAULT_PRESET), former=(), complexity=None)
    try:
        other = evidence_find(own, work)
    except ApplicationError:  # such as a statement without any word to search for
        return so_far
    so_far = replace(so_far, calls=(*so_far.calls, *calls_of(work.steps[0].detail)))
    passages = [p for p in other.passages[:PASSAGES] if not gives_orders(p.position.paragraph.text)]
    checks = support_checks(
        [Claim(claim.text, [p.position.paragraph.text], [p.document.title, p.heading]) for p in passages], reads=reads
    )
    for verdict in ("supported", "contradicted"):
        for passage, check in zip(passages, checks, strict=True):
            if check.verdict == verdict:
                row = next(row for row in other.rows if row["rank"] == passage.rank)
                return _with(so_far, claim, passage, row, check)
    return so_far


def _with(
    so_far: BetterEvidence, claim: WrittenClaim, passage: Passage, row: dict[str, object], check: Check
) -> BetterEvidence:
    """The statement with its new source, and the evidence with that passage where it is not there yet."""
    evidence, paragraph = so_far.evidence, passage.position.paragraph
    known = [one for one in evidence.passages if one.position.paragraph_id == paragraph.pk]
    if known:
        cited = known[0]
    else:
        cited = replace(passage, rank=1 + max((one.rank for one in evidence.passages), default=0))
        evidence = replace(evidence, passages=(*evidence.passages, cited))
    if all(one["rank"] != cited.rank for one in evidence.rows):
        evidence = replace(evidence, rows=(*evidence.rows, row | {"rank": cited.rank, "read": False}))
    place, is_shown = Place(cited, *_nearest(claim.text, paragraph.text)), check.verdict == "supported"
    better = replace(claim, places=(place,) if is_shown else (*claim.places, place), check=check, is_shown=is_shown)
    return replace(so_far, evidence=evidence, claims=so_far.claims | {claim.text: better})


def _nearest(claim: str, text: str) -> tuple[int, int]:
    """Start and end of the sentence that shares most words with a statement."""
    stems = stems_of(opened(claim))
    return max(sentence_spans(text), key=lambda span: len(stems & stems_of(text[span[0] : span[1]])))
