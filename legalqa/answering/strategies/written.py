"""Answers that a language model writes from the evidence; what code cannot check against its source is withheld."""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic, perf_counter
from uuid import UUID

from corpora.models import Corpus
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import connection_give_back
from legalqa.answering.composing.together import parts_unstated
from legalqa.answering.statements import (
    DEADLINE_S,
    WrittenClaim,
    WrittenReply,
    answer_request,
    claims_beyond,
    claims_check,
)
from legalqa.answering.strategies.base import SEARCHING, Names, Proposal, Work
from legalqa.answering.strategies.better_evidence import BetterEvidence, better_evidence
from legalqa.answering.strategies.evidence import evidence_find
from legalqa.answering.strategies.quoted import quotations
from legalqa.answering.types import Composition, Ending, Evidence, Generation, GivenCases, Question, Statement
from legalqa.answering.verification import Reads, reads_support
from legalqa.common.faults import crash_point
from legalqa.jobs.services import JobCancelled
from legalqa.llm import gateway
from legalqa.llm.pricing import tokens_estimate
from legalqa.llm.replies import SENTENCES
from legalqa.llm.types import LLMReply, LLMRequest, Outcome, Role, call_record
from retrieval.cases.merging import merged
from retrieval.cases.selectors import case_as_text, cases_usable
from retrieval.retrievers import Cases
from retrieval.services.search import Passage

logger = logging.getLogger(__name__)
CHECKS_S = 10.0  # ours: for all checks of one answer; a statement takes milliseconds
SEARCHES_S = 8.0  # ours: for the search for better evidence before the checks; when it is over, the rest stays withheld
SUPPORT_CHARS = 2000  # ours: characters of each case's support
CHECKED_ANYWAY = "as all that a model writes is, although these settings ask for no check."


class Written:
    """Answers in a model's words: it reads the evidence, and what its sources do not support is withheld.

    Where no model answers, or nothing of what it wrote is supported, the answer is in quotations.

    Source: Policy Copilot 2.5 (claims verified, those unsupported pruned). Differs: the checks of
    `legalqa.answering.verification` in place of word overlap (ours).
    """

    name, label = "written.v1", "Written by a model"
    plan: tuple[Names, ...] = (
        SEARCHING,
        ("writing", "Writing", "The model is reading the passages and writing."),
        ("checking", "Checking", "Every statement is being compared with its source."),
    )
    is_slow = True

    def is_possible(self, *, organization: Organization) -> bool:
        return gateway.role_is_configured(organization=organization, role=Role.ANSWER)

    def seconds(self, *, organization: Organization) -> float:
        return gateway.seconds_for(organization=organization, role=Role.ANSWER, asked_s=DEADLINE_S)

    def answer(self, question: Question, work: Work) -> Proposal:
        """Search, have a model write, and check what it wrote.

        Returns:
            At most `max_claims` statements with their checks, those that fail withheld; silence where the model found
            no answer, quotations where it did not reply or nothing that it wrote holds.

        Raises:
            ApplicationError, NotFound, JobCancelled: as of `Strategy`.
        """
        work.begin("searching")
        evidence = evidence_find(question, work)
        if evidence.draft.is_silent or not self.is_possible(organization=question.organization):
            return quotations(question, evidence)
        work.begin("writing", evidence=evidence.rows)
        crash_point("answer.before_model")
        reply = model_write(question, evidence, work)
        crash_point("answer.replied")
        work.begin("checking")

        def clock(seconds: float) -> Callable[[], bool]:
            until = monotonic() + seconds

            def has_time() -> bool:
                work.stop_if_cancelled()
                return monotonic() < until

            return has_time

        reads, has_time = reads_support(is_urgent=True), clock(SEARCHES_S)
        claims = reply.claims(reads=reads, has_time=has_time)
        better = better_evidence(question, evidence, claims, reads=reads, has_time=has_time)
        check = partial(ending_written, reply, better, reads=reads, has_time=clock(CHECKS_S))
        return Proposal(better.evidence, check)


@dataclass(frozen=True, slots=True)
class BlocksReply:
    """A reply with its input: passages, statements of the graph, solved cases; as many as fit were sent, in order."""

    reply: LLMReply
    request: LLMRequest
    passages: tuple[Passage, ...]
    max_claims: int
    n_stated: int = 0
    cases: GivenCases | None = None

    @property
    def parsed(self) -> WrittenReply | None:
        """What the model wrote; None where it wrote nothing that can be read."""
        return self.reply.parsed if self.reply.is_ok and isinstance(self.reply.parsed, WrittenReply) else None

    def claims(
        self, *, reads: Reads | None, has_time: Callable[[], bool], readable: Collection[int] | None = None
    ) -> tuple[WrittenClaim, ...]:
        """The model's statements, checked; of the passages, all or those that the person may read at this moment."""
        if self.parsed is None:
            return ()
        return claims_check(
            self.parsed,
            passages=self.sent,
            readable={one.position.paragraph_id for one in self.sent} if readable is None else readable,
            max_claims=self.max_claims,
            reads=reads,
            has_time=has_time,
        )

    @property
    def limit(self) -> Composition:
        """The note of an answer that has as many statements as it may have: how many, and how many more there are."""
        n_more = claims_beyond(self.parsed, max_claims=self.max_claims) if self.parsed else None
        return Composition() if n_more is None else Composition(n_more=n_more, limit=self.max_claims)

    @property
    def n_sent(self) -> int:
        return self.request.n_blocks - self.reply.blocks_dropped

    @property
    def sent(self) -> tuple[Passage, ...]:
        """The passages that were sent."""
        return self.passages[: self.n_sent]

    @property
    def n_statements(self) -> int:
        return min(self.n_stated, max(0, self.n_sent - len(self.passages)))

    @property
    def n_cases(self) -> int:
        is_sent = self.cases is not None and not self.reply.blocks_dropped
        return self.cases.n_cases if self.cases is not None and is_sent else 0

    @property
    def n_dropped(self) -> int:
        return len(self.passages) - len(self.sent)

    @property
    def generation(self) -> Generation:
        record = Generation(n_passages=len(self.sent), n_dropped=self.n_dropped)
        if self.n_stated:
            record["n_statements"] = self.n_statements
        if self.cases is not None:
            record["n_cases"] = self.n_cases
        record.update(call_record(self.request, self.reply))  # type: ignore[typeddict-item]  # a part of its keys
        return record


def model_write(question: Question, evidence: Evidence, work: Work) -> BlocksReply:
    """Ask the model, with no transaction open; failures are in the reply, JobCancelled if a person stops it."""
    connection_give_back()
    passages, cases = evidence.passages[: evidence.n_given], _cases_given(question, evidence)
    max_claims = evidence.policy.max_claims
    request = answer_request(question, passages, evidence.statements, cases, max_claims=max_claims)
    reply = gateway.complete(
        organization=question.organization,
        user=question.user,
        request=request,
        on_delta=work.heard,
        cancelled=work.is_cancelled,
    )
    if reply.outcome is Outcome.CANCELLED:
        raise JobCancelled
    tokens = reply.usage.input_tokens + reply.usage.output_tokens
    logger.info("a model has replied", extra={"fields": {"outcome": reply.outcome.value, "tokens": tokens}})
    written = BlocksReply(reply, request, passages, max_claims, len(evidence.statements), cases)
    work.note(_part(written, evidence))
    return written


def _cases_given(question: Question, evidence: Evidence) -> GivenCases | None:
    """The cases that the search found beside the evidence and that are still in use; None where there are none.

    The search's setting `cases.context` says which parts of each are given: "none" keeps them from the model.
    """
    search = next((stage for stage in evidence.preset.pipeline.walk() if isinstance(stage, Cases)), None)
    rows = evidence.index.get("cases")
    if search is None or search.context == "none" or not isinstance(rows, list):
        return None
    ids = [UUID(row["case_id"]) for row in rows]
    with question.scope():
        corpus = Corpus.objects.get(pk=question.corpus_id)
        cases = cases_usable(corpus=corpus).in_bulk(ids)
    connection_give_back()
    texts = [case_as_text(case=cases[case_id]) for case_id in ids if case_id in cases]
    if not texts:
        return None
    short = [replace(text, support=text.support[:SUPPORT_CHARS]) for text in texts]
    whole = merged(short, context=search.context, language=corpus.language)
    return GivenCases(whole.text, search.context, len(texts))


def ending_written(
    written: BlocksReply,
    better: BetterEvidence,
    readable: Collection[int],
    *,
    reads: Reads | None,
    has_time: Callable[[], bool],
) -> Ending:
    """The ending: the model's checked statements, silence if it found no answer, or quotations.

    Args:
        written: What the model was asked and replied.
        better: The evidence, with the answer in quotations to fall back on, and what was found for single statements.
        readable: Paragraphs that the person may read at this moment.
        reads: The reader; None checks by rules alone.
        has_time: Whether there is time left for checks; asked before each.
    """
    started = perf_counter()
    evidence = better.evidence
    reply, generation = written.reply, written.generation
    if written.parsed is None:
        return _quoted_instead(evidence, f"The language model did not answer ({_reason(reply)}).", generation)
    if written.parsed.verdict == "insufficient":
        why = "The language model read the nearest passages and found no answer in them."
        return Ending("insufficient_evidence", "extractive", why, evidence, generation=generation, unchecked=reply.text)
    claims = [
        _if_readable(better.claims.get(claim.text, claim), claim, readable)
        for claim in written.claims(reads=reads, has_time=has_time, readable=readable)
    ]
    n_shown = sum(claim.is_shown for claim in claims)
    milliseconds = round(1000 * (perf_counter() - started), 1)
    part: dict[str, object] = {
        "step": "verify",
        "checked": len(claims),
        "shown": n_shown,
        "searched": better.n_searches,
        "milliseconds": milliseconds,
    }
    if better.calls:
        part["calls"] = list(better.calls)
    if not n_shown:
        why = "None of the language model's statements could be verified against its source."
        return _quoted_instead(evidence, why, generation, claims, reply.text, part)
    asked = evidence.draft.composition.get("parts", [])
    unstated = parts_unstated(asked, [_told(claim) for claim in claims if claim.is_shown])
    state = "answered" if n_shown == len(claims) and not unstated else "partial"
    why = f"Written by a language model from the passages{_by(reply)}; every statement was checked against its source."
    if not evidence.policy.verify:
        why = f"{why[:-1]}, {CHECKED_ANYWAY}"
    said = written.limit
    if unstated:
        said["unstated"] = unstated
    return Ending(state, "written", why, evidence, tuple(claims), generation, reply.text, (part,), said)


def _quoted_instead(
    evidence: Evidence,
    why: str,
    generation: Generation,
    withheld: Sequence[Statement] = (),
    unchecked: str = "",
    *parts: dict[str, object],
) -> Ending:
    """Quotations in place of the model's answer, saying so on the page and in the trace."""
    return Ending(
        evidence.draft.state,
        "extractive",
        f"{why[:-1]}; quoted from the documents instead.",
        evidence,
        (*evidence.draft.claims, *withheld),
        generation,
        unchecked,
        (*parts, {"step": "fallback", "note": "quoted instead"}),
    )


def _if_readable(better: WrittenClaim, claim: WrittenClaim, readable: Collection[int]) -> WrittenClaim:
    """The statement with the source that was found for it, where that may be read still and the first check holds."""
    ids = (place.passage.position.paragraph_id for place in better.places)
    return better if claim.is_compared and all(paragraph_id in readable for paragraph_id in ids) else claim


def _told(statement: Statement) -> str:
    """A statement with what it cites."""
    cited = (place.passage.position.paragraph.text[place.start : place.end] for place in statement.places)
    return " ".join((statement.text, *cited))


def _reason(reply: LLMReply) -> str:
    reason = (reply.reason or SENTENCES.get(reply.outcome, SENTENCES[Outcome.INVALID])).strip().rstrip(".")
    return reason[:1].lower() + reason[1:]


def _by(reply: LLMReply) -> str:
    return f" by the second provider, {reply.provider}, because the first did not answer" if reply.is_fallback else ""


def _part(written: BlocksReply, evidence: Evidence) -> dict[str, object]:
    reply = written.reply
    part: dict[str, object] = {
        "step": "write",
        "milliseconds": round(reply.milliseconds, 1),
        "outcome": reply.outcome.value,
        "model": reply.model,
        "provider": reply.provider,
    }
    notes = [_statements_note(written, evidence)] if evidence.statements else []
    notes += [_cases_note(written.cases, written.n_cases)] if written.cases else []
    if written.n_dropped:
        notes.append(f"{written.n_dropped} passages were not sent: they are more than the model is given to read.")
    return part | ({"note": " ".join(notes)} if notes else {})


def _cases_note(cases: GivenCases, n_sent: int) -> str:
    """How many solved cases the model read as context, which parts of them, and how many tokens that is."""
    if not n_sent:
        return "Solved cases were not sent: they are more than the model is given to read."
    content = "their supports only" if cases.context == "support" else "questions, supports and answers"
    return f"With {n_sent} solved cases as context, {content} ({sum(tokens_estimate([cases.text]))} tokens)."


def _statements_note(written: BlocksReply, evidence: Evidence) -> str:
    """How many tokens the knowledge graph added to what the model read: of statements, and of their passages."""
    texts = [one.text for one in evidence.statements[: written.n_statements]]
    more = [passage.position.paragraph.text for passage in written.sent[evidence.n_read :]]
    return (
        f"With {len(texts)} statements of the knowledge graph ({sum(tokens_estimate(texts))} tokens) and "
        f"{len(more)} further passages of theirs ({sum(tokens_estimate(more))} tokens)."
    )
