"""Whether a question is in another language than what was found for it."""

from corpora.languages import language_of
from legalqa.answering.models import Answer


def languages_differ(answer: Answer) -> str:
    """One sentence where the question and the passages found are in different languages; else empty."""
    asked = language_of(answer.question.text)
    found = language_of(" ".join(row["text"] for row in answer.evidence))
    if asked is None or found is None or asked == found:
        return ""
    theirs = found.capitalize()
    return f"The question is in {asked.capitalize()}, the passages found are in {theirs}. Ask in {theirs}."
