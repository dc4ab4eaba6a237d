"""The answer before it is stored: which sentences, checked how, and whether to speak at all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from legalqa.answering.extraction import (
    Encode,
    Tokenise,
    candidate_sentences,
    question_parts,
    score_sentences,
    select_claims,
)
from legalqa.answering.gate import gate_decide
from legalqa.answering.types import QuestionTerms, Sentence
from legalqa.answering.verification import Check, claim_check
from retrieval.presets import AnswerPolicy

MAX_QUOTED = 5  # ours: an answer in quotations stops being one beyond this


@dataclass(frozen=True, slots=True)
class DraftClaim:
    sentence: Sentence
    elsewhere: tuple[Sentence, ...]
    check: Check
    is_shown: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """What will be stored: state, claims, the scored sentences, and why it was said or not said."""

    state: str
    why: str
    probability: float | None
    claims: tuple[DraftClaim, ...]
    ranked: tuple[Sentence, ...]
    trace: tuple[dict[str, object], ...]


def draft_extractive(
    *,
    text: str,
    passages: Sequence[tuple[str, str, int]],
    question: QuestionTerms,
    policy: AnswerPolicy,
    answerable: Callable[[float], float | None],
    threshold: float,
    tokenise: Tokenise,
    encode: Encode,
) -> Draft:
    """Quote the sentences that answer, or stay silent with the reason.

    Args:
        text: The question.
        passages: (text, headings, place of its chunk in the ranking from 0) of the passages found, best first.
        question: Its index terms with weights.
        policy: Whether to gate and verify, and how many claims at most.
        answerable: From the best sentence's cosine to the chance of an answer; None where no ranker gave one.
        threshold: The chance from which the gate opens.
        tokenise: Text to index terms.
        encode: Texts to unit vectors.

    Source: Policy Copilot, extractive mode, abstention gate and claim verification; the gate's model is ours.
    """
    started = perf_counter()
    candidates = candidate_sentences(passages, question=question, tokenise=tokenise)
    ranked = score_sentences(candidates, parts=question_parts(text), encode=encode)
    weighed = {
        "step": "sentences",
        "milliseconds": round(1000 * (perf_counter() - started), 1),
        "hits": len(ranked),
    }
    best = max((s.cosine for s in ranked), default=0.0)
    decision = gate_decide(answerable(best) if ranked else 0.0, threshold=threshold)
    probability, is_open = decision.probability, decision.is_open
    gated = decision.as_step()
    if not ranked or (policy.gate and not is_open):
        why = "The nearest passages do not fit the question closely enough to answer from them."
        return Draft("insufficient_evidence", why, probability, (), ranked, (weighed, gated))
    chosen = select_claims(ranked, question=question, max_claims=min(policy.max_claims, MAX_QUOTED))
    claims = tuple(_claim(sentence, twins, passages, policy) for sentence, twins in chosen)
    checked = {"step": "verify", "checked": len(claims), "shown": sum(c.is_shown for c in claims)}
    if not any(c.is_shown for c in claims):
        why = "Statements were found, but none could be verified against its source."
        return Draft("insufficient_evidence", why, probability, claims, ranked, (weighed, gated, checked))
    state = "answered" if all(c.is_shown for c in claims) else "partial"
    return Draft(state, "Quoted from the documents.", probability, claims, ranked, (weighed, gated, checked))


def _claim(
    sentence: Sentence, twins: tuple[Sentence, ...], passages: Sequence[tuple[str, str, int]], policy: AnswerPolicy
) -> DraftClaim:
    source = passages[sentence.passage][0][sentence.start : sentence.end]
    check = claim_check(sentence.text, [source])
    return DraftClaim(sentence, twins, check, is_shown=not policy.verify or check.verdict in ("supported", "partly"))
