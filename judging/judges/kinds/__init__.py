"""Kinds of judges, one file for those of one source: by rules, by the reader, or by prompts to a language model.

To add one: write its file, and register it in `judging.judges.registry`.
"""
