"""Ways to answer that experiments compare with ours; they are used for nothing else.

Source: Policy Copilot 2.5 and 3.2: B1 prompt-only, B2 naive, B3 with a gate on the reranker's score and a verifier by
token overlap and numbers.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import exp
from pathlib import Path

from corpora.tokens import tokens
from legalqa.accounts.scoping import connection_give_back
from legalqa.answering.presets import AnswerPolicy, AnswerPreset, policy_of
from legalqa.answering.statements import DEADLINE_S
from legalqa.answering.strategies.base import SEARCHING, Names, Proposal, Work
from legalqa.answering.strategies.evidence import evidence_find
from legalqa.answering.strategies.quoted import Quoted
from legalqa.answering.strategies.written import BlocksReply, Written, model_write
from legalqa.answering.types import Draft, Ending, Evidence, Generation, Place, Question, Statement
from legalqa.answering.verification import Check, claim_check, reads_support
from legalqa.common.sentences import sentence_spans
from legalqa.llm import gateway
from legalqa.llm.prompts import prompt_load
from legalqa.llm.types import LLMRequest, Message, Role, call_record
from retrieval.rerankers import Learned
from retrieval.retrievers import Dense
from retrieval.services.search import Passage
from retrieval.stages import Pipeline

PROMPT = prompt_load(Path(__file__).parent / "prompts" / "prompt_only.v1.md")
DOES_NOT_KNOW = "i do not know"
WRITING: tuple[Names, ...] = (("writing", "Writing", "The model is writing."),)
UNCHECKED_WHY = "Written by a language model and not checked: for comparison only."
NO_REPLY = "The model did not answer:"
BELOW = "The best passage scores too low to answer from it."
# Ours, because the paper gives no figures: the gate opens at a chance of one half, or at a cosine of this.
GATE_CHANCE, GATE_COSINE = 0.5, 0.5
LEAST_OVERLAP = 0.1  # ours: Jaccard overlap of a claim's words with its paragraph's
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")

# Experiments read the whole text of these, including what a check would withhold.
UNCHECKED = frozenset({"prompt-only", "written-unchecked"})


class _Asking(Written):
    """A baseline that asks a model: its needs and its time limit are those of the written strategy."""

    plan = (SEARCHING, *WRITING)


class PromptOnly(_Asking):
    """A model that is given the question and nothing else.

    Source: Policy Copilot 2.5, B1.
    """

    name, label = "prompt-only.v1", "Prompt only, unchecked"
    plan = WRITING

    def answer(self, question: Question, work: Work) -> Proposal:
        """Ask the model, and search nothing.

        Returns:
            The reply's sentences, all withheld as unsupported, and the whole reply as `unchecked`; silence where the
            model says that it does not know, a failed ending where it did not reply.
        """
        work.begin("writing")
        connection_give_back()
        request = LLMRequest(
            role=Role.ANSWER,
            messages=(Message("system", PROMPT.text), Message("user", question.text)),
            prompt=PROMPT.label,
            prompt_hash=PROMPT.sha256,
            temperature=question.temperature or 0.0,
            deadline_s=DEADLINE_S,
            is_evaluation=True,
            model=question.model,
            subject=question.subject,
            sample=question.sample,
        )
        reply = gateway.complete(organization=question.organization, user=question.user, request=request)
        draft = Draft("insufficient_evidence", "Nothing was searched.", None, (), ())
        evidence = Evidence((), 0, draft, question.preset, (), {})
        record: Generation = call_record(request, reply)  # type: ignore[assignment]  # a part of its keys
        if not reply.is_ok:
            return _ended(Ending("failed", "written", f"{NO_REPLY} {reply.reason}", evidence, generation=record))
        is_silent = reply.text.strip().lower().startswith(DOES_NOT_KNOW)
        check = Check("unsupported", 0.0, ("Nothing was retrieved.",))
        return _ended(
            Ending(
                "insufficient_evidence" if is_silent else "answered",
                "written",
                UNCHECKED_WHY,
                evidence,
                () if is_silent else _sentences(reply.text, check),
                generation=record,
                unchecked=reply.text,
            )
        )


class WrittenUnchecked(_Asking):
    """A model that is given the passages, all of whose statements are taken.

    Source: Policy Copilot 2.5, B2.
    """

    name, label = "written-unchecked.v1", "Written by a model, unchecked"

    def answer(self, question: Question, work: Work) -> Proposal:
        """Search and have a model write.

        Returns:
            At most `max_claims` statements of the model, all of them shown; silence where it found no answer, a failed
            ending where it did not reply.

        Raises:
            ApplicationError, NotFound, JobCancelled: as of `Strategy`.
        """
        evidence = _evidence(question, work)
        work.begin("writing")
        return _ended(_written(evidence, model_write(question, evidence, work), verify=False))


class SeedWritten(_Asking):
    """As `WrittenUnchecked` behind the gate, and what fails the seed's verifier is pruned.

    Source: Policy Copilot 2.5, B3 generative. Differs: the figures of gate and overlap are ours.
    """

    name, label = "policy-copilot.v1", "Policy Copilot, written"

    def answer(self, question: Question, work: Work) -> Proposal:
        """Search, look at the gate, have a model write, and verify by words and numbers.

        Returns:
            At most `max_claims` statements of the model, those that fail withheld where the policy verifies; silence
            where the gate is shut or the model found no answer, a failed ending where it did not reply.

        Raises:
            ApplicationError, NotFound, JobCancelled: as of `Strategy`.
        """
        evidence = _evidence(question, work)
        if question.policy.gate and not _is_open(evidence):
            return _silent(evidence)
        work.begin("writing")
        draft = model_write(question, evidence, work)
        return _ended(_written(evidence, draft, verify=question.policy.verify))


class SeedQuoted(Quoted):
    """The whole of the best paragraph where its score opens the gate.

    Source: Policy Copilot 2.5, B3 extractive. Differs: the figures of the gate are ours.
    """

    name, label = "policy-copilot-quoted.v1", "Policy Copilot, quoted"

    def answer(self, question: Question, work: Work) -> Proposal:
        """Search, look at the gate, and quote.

        Returns:
            One statement, the best paragraph; silence where there is none or the gate is shut.

        Raises:
            ApplicationError, NotFound: as `evidence_find`.
        """
        evidence = _evidence(question, work)
        if not evidence.passages or (question.policy.gate and not _is_open(evidence)):
            return _silent(evidence)
        best = evidence.passages[0]
        paragraph = best.position.paragraph.text
        text = paragraph.strip()
        start = paragraph.index(text)
        place = Place(best, start, start + len(text))
        statement = Statement(text, claim_check(text, [text]), is_shown=True, places=(place,))
        return _ended(Ending("answered", "extractive", "The best paragraph.", evidence, (statement,)))


STRATEGIES = (PromptOnly(), WrittenUnchecked(), SeedWritten(), SeedQuoted())
# The name of a baseline: its search, and the strategies by which it quotes and writes; "" where it cannot.
PRESETS: dict[str, tuple[AnswerPreset, str, str]] = {
    preset.name: (preset, quoted, written)
    for preset, quoted, written in (
        (
            AnswerPreset(
                name="prompt-only",
                title="Prompt only (B1)",
                description="A model answers from what it remembers; nothing is searched or checked.",
                pipeline=Pipeline(stages=()),
                answer=AnswerPolicy(gate=False, verify=False, evidence_k=1),
            ),
            "",
            "prompt-only",
        ),
        (
            AnswerPreset(
                name="naive-unchecked",
                title="Naive, unchecked (B2)",
                description="Meaning search; a model writes from the best five passages and nothing is checked.",
                pipeline=Dense() % 5,
                answer=AnswerPolicy(gate=False, verify=False, evidence_k=5),
            ),
            "",
            "written-unchecked",
        ),
        (
            AnswerPreset(
                name="policy-copilot",
                title="Policy Copilot (B3)",
                description=(
                    "Meaning search, the best 20 reranked; answers where the reranker's score allows; quotes the best "
                    "paragraph, or writes and prunes by shared words and numbers."
                ),
                pipeline=(Dense(top_k=20) >> Learned(depth=20)) % 5,
                answer=AnswerPolicy(gate=True, verify=True, evidence_k=5),
            ),
            "policy-copilot-quoted",
            "policy-copilot",
        ),
    )
}


def _evidence(question: Question, work: Work) -> Evidence:
    """What the preset finds, without our gate and our reader; the preset is kept as it was."""
    work.begin("searching")
    policy = question.policy.model_copy(update={"gate": False})
    ungated = question.preset.model_copy(update={"answer": policy})
    evidence = evidence_find(replace(question, preset=ungated), work, is_read=False)
    answer = policy_of(evidence.preset).model_copy(update={"gate": question.policy.gate})
    draft = replace(evidence.draft, probability=_score(evidence.passages)[0])
    return replace(evidence, draft=draft, preset=evidence.preset.model_copy(update={"answer": answer}))


def _is_open(evidence: Evidence) -> bool:
    """Whether the score of the best passage opens the gate."""
    score, least = _score(evidence.passages)
    return score is not None and score >= least


def _score(passages: Sequence[Passage]) -> tuple[float | None, float]:
    """The score of the best passage, 0 to 1, and where the gate opens: the reranker's, or the cosine without one."""
    if not passages:
        return None, GATE_CHANCE
    parts = dict(passages[0].parts)
    if "learned.probability" in parts:
        return parts["learned.probability"], GATE_CHANCE
    for stage in ("cross-encoder.score", "http-rerank.score"):
        if stage in parts:
            return 1 / (1 + exp(-parts[stage])), GATE_CHANCE
    return min(1.0, max(0.0, parts.get("dense.score", 0.0))), GATE_COSINE


def _ended(ending: Ending) -> Proposal:
    """An ending that is the same for everyone who reads it."""
    return Proposal(ending.evidence, lambda _: ending)


def _silent(evidence: Evidence) -> Proposal:
    return _ended(Ending("insufficient_evidence", "extractive", BELOW, evidence))


def _written(evidence: Evidence, draft: BlocksReply, *, verify: bool) -> Ending:
    """The model's statements with our check's verdict on each; with `verify`, what the seed prunes is not shown."""
    reply = draft.reply
    if draft.parsed is None:
        why = f"{NO_REPLY} {reply.reason}"
        return Ending("failed", "written", why, evidence, generation=draft.generation, unchecked=reply.text)
    statements = []
    for claim in draft.claims(reads=reads_support(), has_time=lambda: True):
        texts = [place.passage.position.paragraph.text for place in claim.places]
        statements.append(replace(claim, is_shown=not verify or _holds(claim.text, texts)))
    is_said = draft.parsed.verdict == "answered" and any(statement.is_shown for statement in statements)
    return Ending(
        "answered" if is_said else "insufficient_evidence",
        "written",
        UNCHECKED_WHY,
        evidence,
        tuple(statements) if draft.parsed.verdict == "answered" else (),
        draft.generation,
        reply.text,
        written=draft.limit,
    )


def _holds(claim: str, paragraphs: Iterable[str]) -> bool:
    """The seed's verifier: a cited paragraph shares enough words with the claim and has all of its numbers."""
    ours, numbers = set(tokens(claim)), set(_NUMBER.findall(claim))
    for text in paragraphs:
        theirs = set(tokens(text))
        shared = len(ours & theirs) / len(ours | theirs) if ours | theirs else 0.0
        if shared >= LEAST_OVERLAP and numbers <= set(_NUMBER.findall(text)):
            return True
    return False


def _sentences(text: str, check: Check) -> tuple[Statement, ...]:
    parts = (text[start:end].strip() for start, end in sentence_spans(text))
    return tuple(Statement(part, check, is_shown=False, places=()) for part in parts if part)
