"""Does the cited text support a claim? Deterministic checks; what they cannot decide is not shown as checked."""

from legalqa.answering.verification.orders import gives_orders
from legalqa.answering.verification.quotes import Found, quote_find
from legalqa.answering.verification.support import Check, claim_check, prose_check

__all__ = ["Check", "Found", "claim_check", "gives_orders", "prose_check", "quote_find"]
