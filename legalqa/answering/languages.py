"""Whether a question is in another language than what was found for it."""

from corpora.languages import language_of
from legalqa.answering.models import Answer


def languages_differ(answer: Answer) -> str:
    """One sentence where the question and the passages found are in different languages; else empty."""
    question = language_of(answer.question.text)
    passages = language_of(" ".join(row["text"] for row in answer.evidence))
    if question is None or passages is None or question == passages:
        return ""
    theirs = passages.capitalize()
    return f"The question is in {question.capitalize()}, the passages found are in {theirs}. Ask in {theirs}."
