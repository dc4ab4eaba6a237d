"""The answer before it is stored: which sentences, checked how, and whether to speak at all."""

from collections.abc import Sequence
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
from legalqa.answering.gate import Decision, EncodeTokens, GateModel, Offsets, gate_features
from legalqa.answering.presets import AnswerPolicy
from legalqa.answering.types import Draft, DraftClaim, QuestionTerms, ReadPassage, Sentence
from legalqa.answering.verification import claim_check

MAX_QUOTED = 5  # ours: an answer in quotations stops being one beyond this


@dataclass(frozen=True, slots=True)
class Reading:
    """How sentences are read: into index terms, into vectors, into vectors of their tokens, and by which gate.

    Attributes:
        tokenise: Text to index terms.
        encode: Texts to unit vectors.
        encode_tokens: Texts to unit vectors of their tokens.
        offsets: A text to the character spans of its tokens.
        gate: Says how likely the sentences answer.
    """

    tokenise: Tokenise
    encode: Encode
    encode_tokens: EncodeTokens
    offsets: Offsets
    gate: GateModel


def draft_extractive(
    *,
    text: str,
    passages: Sequence[ReadPassage],
    question: QuestionTerms,
    policy: AnswerPolicy,
    reading: Reading,
) -> Draft:
    """Quote the sentences that answer, or stay silent with the reason.

    Args:
        text: The question.
        passages: Of those found, best first.
        question: Its index terms with weights.
        policy: Whether to gate and verify, and how many claims at most.
        reading: Tokeniser, encoder and gate.

    Source: Policy Copilot, extractive mode, abstention gate and claim verification; the gate's model is ours.
    """
    started = perf_counter()
    parts = question_parts(text)
    candidates = candidate_sentences(passages, question=question, tokenise=reading.tokenise)
    ranked = score_sentences(candidates, parts=parts, encode=reading.encode)
    weighed = {
        "step": "sentences",
        "milliseconds": round(1000 * (perf_counter() - started), 1),
        "hits": len(ranked),
    }
    decision = _decision(text, parts, ranked, reading)
    probability, gated = decision.probability, decision.as_step()
    if not ranked or (policy.gate and not decision.is_open):
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


def _decision(text: str, parts: Sequence[str], ranked: Sequence[Sentence], reading: Reading) -> Decision:
    if not ranked:
        return Decision(0.0, reading.gate.threshold)
    measured = gate_features(
        text,
        parts,
        ranked,
        tokenise=reading.tokenise,
        encode_tokens=reading.encode_tokens,
        offsets=reading.offsets,
    )
    return Decision(float(reading.gate.chances(measured[None, :])[0]), reading.gate.threshold)


def _claim(
    sentence: Sentence, twins: tuple[Sentence, ...], passages: Sequence[ReadPassage], policy: AnswerPolicy
) -> DraftClaim:
    source = passages[sentence.passage].text[sentence.start : sentence.end]
    check = claim_check(sentence.text, [source])
    return DraftClaim(sentence, twins, check, is_shown=not policy.verify or check.verdict in ("supported", "partly"))
