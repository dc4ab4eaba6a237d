"""The model's part of an answer: ask it, check what it says, and say in words what came of it."""

import logging
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from time import perf_counter

from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back
from legalqa.answering.draft import Draft
from legalqa.answering.models import AnswerMode, AnswerState
from legalqa.answering.presets import policy_of
from legalqa.answering.services.finding import Asked, Found
from legalqa.answering.services.storing import Ending, ending_quoted
from legalqa.answering.types import Generation
from legalqa.answering.written import DEADLINE_S, Block, WrittenClaim, WrittenReply, answer_request, claims_check
from legalqa.llm import gateway
from legalqa.llm.types import LLMReply, LLMRequest, Outcome, Role, call_record

logger = logging.getLogger(__name__)
CHECKED_ANYWAY = "as all that a model writes is, although these settings ask for no check."
NOT_SET_UP = "No language model is set up for answers."


@dataclass(frozen=True, slots=True)
class Written:
    """A reply with the passages that it was given."""

    reply: LLMReply
    request: LLMRequest
    blocks: tuple[Block, ...]


def is_written(*, organization: Organization, asked: Asked) -> bool:
    """Whether a model writes the answer: asked for or left open, and the organisation has one for it."""
    wanted = policy_of(asked.preset).mode
    return wanted != "quoted" and gateway.role_is_configured(organization=organization, role=Role.ANSWER)


def write_seconds(*, organization: Organization) -> float:
    """The longest that writing an answer takes here, in seconds."""
    return gateway.seconds_for(organization=organization, role=Role.ANSWER, asked_s=DEADLINE_S)


def answer_write(
    *,
    organization: Organization,
    user: User | None,
    asked: Asked,
    found: Found,
    on_delta: Callable[[str], None],
    cancelled: Callable[[], bool],
) -> Written:
    """Ask the model, with no transaction open; never raises for trouble with it."""
    connection_give_back()
    blocks = tuple(
        Block(
            id=f"S{place + 1}",
            place=place,
            paragraph_id=passage.position.paragraph_id,
            text=passage.position.paragraph.text,
            title=passage.document.title,
            heading=passage.heading,
        )
        for place, passage in enumerate(found.result.passages[: found.n_read])
    )
    request = answer_request(
        question=asked.text,
        former=asked.former[0] if asked.former else "",
        blocks=blocks,
        max_claims=policy_of(found.preset).max_claims,
        temperature=asked.temperature or 0.0,
        tag=f"passage-{secrets.token_hex(8)}",
    )
    reply = gateway.complete(
        organization=organization, user=user, request=request, on_delta=on_delta, cancelled=cancelled
    )
    if not reply.is_ok:
        logger.warning("the answer's model gave no answer: %s", reply.outcome.value)
    return Written(reply, request, blocks[: len(blocks) - reply.blocks_dropped])


def ending_written(
    written: Written, found: Found, *, readable: Collection[int], has_time: Callable[[], bool]
) -> Ending:
    """What is said in the end: the model's checked statements, silence where it found no answer, or quotes.

    Args:
        written: What the model was asked and replied.
        found: The evidence, with the answer in quotes to fall back on.
        readable: Paragraphs that the person may read at this moment.
        has_time: Whether there is time left for checks; asked before each.
    """
    started = perf_counter()
    generation, step = _generation(written), _step(written)
    reply, draft = written.reply, found.draft
    if not isinstance(reply.parsed, WrittenReply) or not reply.is_ok:
        return _instead(draft, f"The language model did not answer ({_reason(reply)}).", generation, (step,), ())
    if reply.parsed.verdict == "insufficient":
        why = "The language model read the nearest passages and found no answer in them."
        return Ending(AnswerState.INSUFFICIENT_EVIDENCE, AnswerMode.EXTRACTIVE, why, (), (), generation, (step,))
    max_claims = policy_of(found.preset).max_claims
    claims = claims_check(
        reply.parsed, blocks=written.blocks, readable=readable, max_claims=max_claims, has_time=has_time
    )
    n_shown = sum(claim.is_shown for claim in claims)
    milliseconds = round(1000 * (perf_counter() - started), 1)
    checked: dict[str, object] = {
        "step": "verify",
        "checked": len(claims),
        "shown": n_shown,
        "milliseconds": milliseconds,
    }
    if not n_shown:
        why = "None of the language model's statements could be verified against its source."
        return _instead(draft, why, generation, (step, checked), claims)
    state = AnswerState.ANSWERED if n_shown == len(claims) else AnswerState.PARTIAL
    why = f"Written by a language model from the passages{_by(reply)}; every statement was checked against its source."
    if not policy_of(found.preset).verify:
        why = f"{why[:-1]}, {CHECKED_ANYWAY}"
    return Ending(state, AnswerMode.WRITTEN, why, (), claims, generation, (step, checked))


def _instead(
    draft: Draft,
    why: str,
    generation: Generation,
    steps: tuple[dict[str, object], ...],
    withheld: tuple[WrittenClaim, ...],
) -> Ending:
    """Quotes in place of the model's answer, saying so on the page and in the trail."""
    note = f"{why[:-1]}; quoted from the documents instead."
    told: dict[str, object] = {"step": "fallback", "note": "quoted instead"}
    return Ending(
        AnswerState(draft.state), AnswerMode.EXTRACTIVE, note, draft.claims, withheld, generation, (*steps, told)
    )


def ending_unwritten(asked: Asked, found: Found) -> Ending:
    """The quoted answer where no model writes: by choice, for want of one, or because the documents are silent."""
    is_missed = policy_of(asked.preset).mode == "written" and found.draft.state != "insufficient_evidence"
    return ending_quoted(found.draft, note=NOT_SET_UP if is_missed else "")


def _reason(reply: LLMReply) -> str:
    words = reply.reason.strip().rstrip(".") or _OUTCOMES[reply.outcome]
    return words[:1].lower() + words[1:]


_OUTCOMES = {
    Outcome.OK: "its reply could not be used",
    Outcome.REFUSED: "it declined",
    Outcome.TRUNCATED: "its reply was cut off",
    Outcome.FILTERED: "the provider's filter stopped it",
    Outcome.INVALID: "its reply could not be used",
    Outcome.OVERFLOW: "the passages are too long for it",
    Outcome.QUOTA: "the budget is used up",
    Outcome.UNAVAILABLE: "no provider could be reached",
    Outcome.CANCELLED: "it was cancelled",
}


def _by(reply: LLMReply) -> str:
    return f" by the second provider, {reply.provider}, because the first did not answer" if reply.is_fallback else ""


def _generation(written: Written) -> Generation:
    made = Generation(n_passages=len(written.blocks), n_dropped=written.reply.blocks_dropped)
    made.update(call_record(written.request, written.reply))  # type: ignore[typeddict-item]  # a part of its keys
    return made


def _step(written: Written) -> dict[str, object]:
    reply = written.reply
    step: dict[str, object] = {
        "step": "write",
        "milliseconds": round(reply.milliseconds, 1),
        "outcome": reply.outcome.value,
        "model": reply.model,
        "provider": reply.provider,
    }
    if reply.blocks_dropped:
        step["note"] = f"{reply.blocks_dropped} passages were not sent: the model is not given so much to read."
    return step
