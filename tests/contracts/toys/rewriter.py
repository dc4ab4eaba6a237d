"""A rewriter in one file: the question shouted."""

from legalqa.accounts.models import Organization
from retrieval.rewriters.base import RewriteRequest
from retrieval.types import Queries, Rewritten


class Toy:
    """Capital letters."""

    label = "by a toy"
    missing = "The toy is broken"

    def is_available(self, *, organization: Organization) -> bool:
        return organization.slug != ""

    def __call__(self, request: RewriteRequest) -> Queries:
        loud = Rewritten(f"{request.text.upper()} PLEASE", "toy", "It may be heard better.")
        return Queries(request.text, request.text, (loud,), "toy")
