"""Does the cited text bear a claim out? Deterministic checks; what they cannot decide is not shown as checked."""

from legalqa.answering.verification.support import Check, claim_check

__all__ = ["Check", "claim_check"]
