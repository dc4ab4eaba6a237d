"""Whether a question is in another language than what was found for it."""

from corpora.languages import languages_apart
from legalqa.answering.models import Answer


def languages_differ(answer: Answer) -> str:
    """One sentence where the question and the passages found are in different languages; else empty."""
    apart = languages_apart(answer.question.text, " ".join(row["text"] for row in answer.evidence))
    if apart is None:
        return ""
    question, theirs = (language.capitalize() for language in apart)
    return f"The question is in {question}, the passages found are in {theirs}. Ask in {theirs}."
