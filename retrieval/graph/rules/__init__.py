"""Triplets by rules: legal patterns over the provisions that `corpora.provisions` marks."""
