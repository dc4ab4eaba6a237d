"""Rewriters by name: what is searched for a question, by rules or by a language model.

A rewriter turns a question into `retrieval.types.Queries`: the question to be answered and further ways to put it, each
with its rule and a reason in words. `retrieval.pipelines.rewriting` runs the one that the pipeline names.

To add one: write its file, register it here, name it in `docs/architecture.md` and give it a row in
`tests/contracts/test_rewriters.py`.
"""

from retrieval.rewriters.base import REWRITERS
from retrieval.rewriters.by_rules import RulesRewriter
from retrieval.rewriters.llm import ModelRewriter
from retrieval.rewriters.rewrite import REWRITES, Rewrite

REWRITERS.register("rules.v1", RulesRewriter())
REWRITERS.register("llm.v1", ModelRewriter())

__all__ = ["REWRITERS", "REWRITES", "Rewrite"]
