"""Rewriting as a stage: which rewriter is asked, and which one takes over if that one cannot."""

from dataclasses import replace
from typing import Literal

from pydantic import Field, field_validator

from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import connection_give_back
from retrieval.rewriters.base import RewriteRequest, RewritingFailed, rewriter_methods, rewriter_named
from retrieval.stages import Resources, Stage, StageRegistry
from retrieval.types import Queries, Query, Ranking

AUTO, ALWAYS = "auto", "rules"  # "auto" is the model where there is one; rules can always be asked


class Rewrite(Stage):
    """The question put in up to `q` further ways, each of which is searched too; the first stage.

    Attributes:
        method: A rewriter by its name in `retrieval.rewriters`, such as "rules" or "llm"; or "auto": the language model
            where one is configured, else the rules.
        q: Rewrites at most, 1 to 10.

    Source: HyPA-RAG 3 (Q sub-queries). Differs: rules can write them too, and do so where a model fails (ours).
    """

    label = "Rewrite"
    action = "Question rewritten"
    gives = "Queries"

    kind: Literal["rewrite.v1"] = "rewrite.v1"
    method: str = AUTO
    q: int = Field(default=3, ge=1, le=10)

    @field_validator("method")
    @classmethod
    def _method_exists(cls, method: str) -> str:
        if method not in methods():
            raise ValueError(f"No rewriter is called {method!r}; choose one of: {', '.join(methods())}.")
        return method

    @property
    def words(self) -> str:
        how = "by a language model where there is one" if self.method == AUTO else rewriter_named(self.method).label
        return f"Question rewritten {how}, in at most {self.q} further ways"

    def run(self, query: Query, before: Ranking, resources: Resources) -> tuple[Ranking, str]:
        """Refused: a question is rewritten before the search."""
        raise ValueError("Rewrite makes no ranking; run its queries by queries_run.")

    def queries(self, request: RewriteRequest) -> Queries:
        """The queries of the question, by the rewriter that is set; by the rules, which say so, where it fails.

        Returns:
            The question and at most `request.q` rewrites of it; a note where the rules were used instead, else "".
        """
        method, note, call = self._chosen(request.organization), "", None
        if method != ALWAYS:
            rewriter = rewriter_named(method)
            if not rewriter.is_available(organization=request.organization):
                note = f"{rewriter.missing}, so the rules did it."
            else:
                connection_give_back()
                try:
                    return rewriter(request)
                except RewritingFailed as failure:
                    note, call = f"{str(failure).rstrip('.')}, so the rules did it.", failure.call
        return replace(rewriter_named(ALWAYS)(request), note=note, call=call)

    def _chosen(self, organization: Organization) -> str:
        if self.method != AUTO:
            return self.method
        return "llm" if rewriter_named("llm").is_available(organization=organization) else ALWAYS


REWRITES: StageRegistry[Rewrite] = StageRegistry("rewriting")
REWRITES.register("rewrite.v1", Rewrite)


def methods() -> tuple[str, ...]:
    """What may be set as the rewriter, besides none at all."""
    return (*rewriter_methods(), AUTO)
