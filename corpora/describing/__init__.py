"""What a document is: its kind, jurisdiction, authority and effective date, guessed from its words with the reason."""

from corpora.describing.guessing import Description, Guess, describe

__all__ = ["Description", "Guess", "describe"]
