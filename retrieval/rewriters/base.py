"""What every rewriter takes and gives."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from corpora.models import Corpus
from legalqa.accounts.models import Organization, User
from legalqa.common.registry import Registry, registered_name, setting_name
from legalqa.llm.types import CallRecord
from retrieval.types import Queries


@dataclass(slots=True)
class RewriteRequest:
    """A question to be rewritten.

    Attributes:
        organization: Whose corpus, models and budget.
        user: Who asks; None for the system.
        corpus_id: The corpus that will be searched.
        text: The question.
        history: The questions before it, oldest first.
        q: Rewrites at most.
        reads_meaning: Whether the search compares meanings, so that the rewriter may too.
        corpus: The corpus, left here by a rewriter that has looked it up, so that it is not looked up again.
    """

    organization: Organization
    user: User | None
    corpus_id: UUID
    text: str
    history: Sequence[str]
    q: int
    reads_meaning: bool
    corpus: Corpus | None = None


class RewritingFailed(Exception):
    """A rewriter that gave no queries; says why in one sentence, and `call` what a model was asked."""

    def __init__(self, message: str, call: CallRecord | None = None) -> None:
        super().__init__(message)
        self.call = call


class Rewriter(Protocol):
    """Puts a question in further ways; no transaction is open when it is called.

    Every rewriter keeps the contract of `tests/contracts/test_rewriters.py`: at most q rewrites, each once and none of
    them the question, what was typed among them where the question was changed.

    Attributes:
        label: How it does it, in words: "by rules".
        missing: What is said where it is asked for and cannot be used.
    """

    label: str
    missing: str

    def is_available(self, *, organization: Organization) -> bool:
        """Whether an organisation can use it here."""

    def __call__(self, request: RewriteRequest) -> Queries:
        """What is searched for the question.

        Returns:
            The question to be answered and at most `request.q` further ways to put it, the best first.

        Raises:
            RewritingFailed: it could not rewrite it.
        """


REWRITERS: Registry[Rewriter] = Registry("rewriter")


def rewriter_named(method: str) -> Rewriter:
    """The rewriter of a setting.

    Raises:
        LookupError: nothing has that name.
    """
    return REWRITERS.get(registered_name(method))


def rewriter_label(method: str) -> str:
    """How a rewriter does it, in words; the name itself of one that this version no longer has."""
    return rewriter_named(method).label if method in rewriter_methods() else f"by {method}"


def rewriter_methods() -> tuple[str, ...]:
    """The registered rewriters as settings name them."""
    return tuple(map(setting_name, REWRITERS.names()))
