"""Rewriters: what is searched for a question, by rules or by a language model.

A rewriter turns a question into `retrieval.types.Queries`: the question to be answered and further ways to put it, each
with its rule and a reason in words. `retrieval.rewriters.stage` runs the one that the pipeline names, on a corpus.
"""
