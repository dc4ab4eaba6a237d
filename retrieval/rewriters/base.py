"""What every rewriter takes and gives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID

from corpora.models import Corpus
from legalqa.accounts.models import Organization, User
from legalqa.common.registry import Registry, registered_name, setting_name
from legalqa.llm.types import CallRecord
from retrieval.selectors import corpus_searched
from retrieval.types import Filters, Queries


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
        filters: Of the search: a rewriter reads no other passages than the search may find.
        compared: The index that is searched, as of `retrieval.selectors.corpus_searched`.
        corpus: The corpus once it was looked up, so that it is not looked up again.
    """

    organization: Organization
    user: User | None
    corpus_id: UUID
    text: str
    history: Sequence[str]
    q: int
    reads_meaning: bool
    filters: Filters = field(default_factory=Filters)
    compared: Mapping[str, str] = field(default_factory=dict)
    corpus: Corpus | None = None

    def searched(self) -> Corpus:
        """The corpus as the search reads it; inside the person's scope. Raises as `corpus_searched`."""
        if self.corpus is None:
            self.corpus = corpus_searched(
                organization=self.organization,
                corpus_id=self.corpus_id,
                filters=self.filters,
                compared=self.compared,
            )
        return self.corpus


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
