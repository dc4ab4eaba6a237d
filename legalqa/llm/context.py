"""Fitting a request into a model's context: if it is too long, the lowest-ranked evidence is left out first."""

from dataclasses import dataclass

from legalqa.llm.pricing import MESSAGE_TOKENS, tokens_estimate
from legalqa.llm.types import LLMRequest

Turn = dict[str, str]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A request as it is sent.

    tokens: Its length, estimated with a margin.
    n_kept: Number of blocks in it.
    """

    turns: list[Turn]
    tokens: int
    n_kept: int
    n_dropped: int


def fit(
    request: LLMRequest,
    *,
    context_tokens: int,
    evidence_tokens: int | None = None,
    n_most: int | None = None,
    note: str = "",
) -> Fitted | None:
    """The request with as many blocks as fit beside the answer; None if it is too long even without any block.

    Blocks are ranked across all turns: an earlier turn has the better ones.

    Args:
        context_tokens: Size of the model's context, including the answer of `max_tokens`.
        evidence_tokens: Limit for all blocks together; the first is sent even if it is longer. None: no limit.
        n_most: Maximum number of blocks; None for all.
        note: Our own system turn in front, which says how the reply must look.
    """
    fixed = [part for message in request.messages for part in (message.text, message.after)]
    blocks = [block for message in request.messages for block in message.blocks]
    counts = tokens_estimate([note, *fixed, *blocks])
    n_fixed = 1 + len(fixed)
    room = context_tokens - request.max_tokens
    total = sum(counts[:n_fixed]) + MESSAGE_TOKENS * (len(request.messages) + bool(note))
    if total > room:
        return None
    n_kept = n_evidence = 0
    for count in counts[n_fixed:][:n_most]:
        n_evidence += count
        if total + count > room or (evidence_tokens is not None and n_kept and n_evidence > evidence_tokens):
            break
        total, n_kept = total + count, n_kept + 1
    return Fitted(_turns(request, n_kept, note), total, n_kept, len(blocks) - n_kept)


def _turns(request: LLMRequest, n_blocks: int, note: str) -> list[Turn]:
    turns: list[Turn] = [{"role": "system", "content": note}] if note else []
    for message in request.messages:
        n_here = min(n_blocks, len(message.blocks))
        n_blocks -= n_here
        turns.append({"role": message.role, "content": message.content(n_here)})
    return turns
