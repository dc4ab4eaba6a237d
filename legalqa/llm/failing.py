"""What each way of failing means: the outcome, whether to try again or elsewhere, and what is charged."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from legalqa.llm.pricing import tokens_estimate
from legalqa.llm.replies import SENTENCES
from legalqa.llm.types import Outcome
from legalqa.llm.wire import CallFailed, Fault


@dataclass(frozen=True, slots=True)
class Meaning:
    """reason: For people; retry: The same request may work later; falls_back: Another provider may do better.

    is_down: Counts as a failure of the provider; None if it says nothing about it. is_charged: The provider may
    charge for it.
    """

    outcome: Outcome
    reason: str
    retry: bool = False
    falls_back: bool = True
    is_down: bool | None = True
    is_charged: bool = False


_DOWN = Outcome.UNAVAILABLE
MEANINGS: Final[Mapping[Fault, Meaning]] = MappingProxyType(
    {
        Fault.ADDRESS: Meaning(_DOWN, "The provider's address is not allowed.", is_down=None),
        Fault.NAME: Meaning(_DOWN, "The provider's address does not resolve.", retry=True),
        Fault.CONNECT: Meaning(_DOWN, "The provider cannot be reached.", retry=True),
        Fault.CLOSED: Meaning(_DOWN, "The provider's server refused the connection.", retry=True),
        Fault.LATE: Meaning(_DOWN, "The provider did not answer in time.", is_charged=True),
        Fault.CUT: Meaning(_DOWN, "The connection to the provider was lost.", retry=True, is_charged=True),
        Fault.NO_REPLY: Meaning(Outcome.INVALID, "The reply did not come from a language model."),
        Fault.TOO_LARGE: Meaning(Outcome.INVALID, "The provider's reply is far too long.", is_charged=True),
        Fault.CANCELLED: Meaning(
            Outcome.CANCELLED, SENTENCES[Outcome.CANCELLED], falls_back=False, is_down=None, is_charged=True
        ),
        Fault.KEY: Meaning(_DOWN, "The provider does not accept the key."),
        Fault.ACCOUNT: Meaning(Outcome.QUOTA, "The provider account has no credit left."),
        Fault.OVERFLOW: Meaning(Outcome.OVERFLOW, SENTENCES[Outcome.OVERFLOW], falls_back=False, is_down=False),
        Fault.FILTERED: Meaning(Outcome.FILTERED, SENTENCES[Outcome.FILTERED], falls_back=False, is_down=False),
        Fault.BUSY: Meaning(_DOWN, "The provider reports too many requests.", retry=True),
        Fault.SERVER: Meaning(_DOWN, "The provider has a technical fault.", retry=True),
        Fault.REQUEST: Meaning(
            _DOWN, "The provider does not accept the request; check the model's name.", is_down=None
        ),
        Fault.MODEL: Meaning(_DOWN, "The provider has no model of this name.", is_down=None),
        Fault.PARAMETER: Meaning(_DOWN, "The model does not accept the request.", is_down=None),
        Fault.REDIRECT: Meaning(_DOWN, "The provider's address redirects elsewhere, which is not followed."),
        Fault.NO_RECORDING: Meaning(
            _DOWN,
            "Nothing was recorded for this request, and replay mode makes no calls.",
            falls_back=False,
            is_down=None,
        ),
    }
)


def meaning_of(failure: CallFailed) -> Meaning:
    """What a failure means; if text had already arrived, the answer is incomplete and no other model is asked."""
    meaning = MEANINGS[failure.fault]
    if failure.text and failure.fault is not Fault.CANCELLED:
        return Meaning(
            Outcome.TRUNCATED, SENTENCES[Outcome.TRUNCATED], falls_back=False, is_down=meaning.is_down, is_charged=True
        )
    return meaning


def charge_of(failure: CallFailed, *, tokens_in: int, most_out: int) -> tuple[int, int]:
    """Tokens (in, out) to charge for a failed call: none if the provider refused it, else as far as it got."""
    if not (failure.text or meaning_of(failure).is_charged):
        return 0, 0
    if failure.fault is Fault.TOO_LARGE:
        return tokens_in, most_out
    return tokens_in, min(most_out, tokens_estimate([failure.text])[0])
