"""A document's kind, jurisdiction, authority and effective date, guessed from its words, each with the reason."""

from corpora.describing.guessing import describe
from corpora.describing.types import DOCUMENT_KINDS, Description
