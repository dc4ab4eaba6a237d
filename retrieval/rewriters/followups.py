"""Follow-up questions made whole, from the questions before them."""

import re
from collections.abc import Callable, Mapping, Sequence

from retrieval.rewriters.clauses import clauses, content, is_elliptical, pointer

Weigh = Callable[[str], Mapping[str, float]]  # from a text to its index terms with their idf in the corpus

MAX_SUBJECT_WORDS = 8  # ours: a longer run is a clause, not a subject
LOOKED_BACK = 3  # ours: questions before this one in which a subject is looked for

_WORD = re.compile(r"[^\W_]+(?:['’‑-][^\W_]+)*")
_ABOUT = re.compile(
    r"^\W*(?:(?:and|or|but|so|then)\s+)?(?:what|how)\s+about\s+|^\W*(?:and|or|but|so|then)\s+", re.IGNORECASE
)


def followup_resolved(text: str, *, history: Sequence[str], weigh: Weigh, language: str) -> tuple[str, str] | None:
    """The question with what it leans on put in, and why in words; None where it stands by itself.

    Args:
        text: What was typed.
        history: The questions before it in the chat, oldest first.
        weigh: Index terms of a text with their idf in the corpus.
        language: Of the corpus.

    Source: ours; the kind of question is "conversational" of HyPA-RAG's Table 3.
    """
    if not history:
        return None
    before = [question for question in history if question.strip()][-LOOKED_BACK:]
    if is_elliptical(text):
        return _completed(text, before, weigh, language)
    span = pointer(text, language=language)
    if span is None:
        return None
    for question in reversed(before):
        if subject := subject_of(question, weigh=weigh, language=language):
            word = text[span[0] : span[1]]
            put = f"{subject}'s" if word.lower() in ("its", "their") else subject
            resolved = f"{text[: span[0]]}{put}{text[span[1] :]}"
            return resolved, f"“{word}” was read as “{subject}”, from the question before."
    return None


def _completed(text: str, before: Sequence[str], weigh: Weigh, language: str) -> tuple[str, str] | None:
    """The last question that stands by itself, with this one's words behind it."""
    for question in reversed(before):
        if not is_elliptical(question) and subject_of(question, weigh=weigh, language=language):
            asked = [clause.text for clause in clauses(question) if clause.asks] or [question]
            added = _ABOUT.sub("", text).strip()
            joined = f"{asked[-1].rstrip(' ?.!')} {added[:1].lower()}{added[1:]}" if added else asked[-1]
            return joined, "It goes on from the question before, which was put in front of it."
    return None


def subject_of(text: str, *, weigh: Weigh, language: str) -> str:
    """What a question is about, in its own words: the run of naming words with the largest idf; "" without one.

    A run goes on over "of" and "for" between naming words; words that no document holds weigh nothing.
    """
    weights = weigh(text)
    best, most = "", 0.0
    for run in _runs(text, language):
        mass = sum(weights.get(term, 0.0) for term in content(run, language=language))
        if mass > most:
            best, most = run, mass
    return best


def _runs(text: str, language: str) -> list[str]:
    """Naming words that follow each other with nothing but blanks between them."""
    found: list[tuple[int, int, int]] = []
    joins = True
    end = 0
    for match in _WORD.finditer(text):
        is_naming = bool(content(match[0], language=language))
        touches = bool(found) and joins and not text[end : match.start()].strip(" \u201c\u201d\"'‘’")
        if is_naming and touches and found[-1][2] < MAX_SUBJECT_WORDS:
            found[-1] = (found[-1][0], match.end(), found[-1][2] + 1)
        elif is_naming:
            found.append((match.start(), match.end(), 1))
        joins, end = is_naming, match.end()
    return [text[start:stop] for start, stop, _ in found]
