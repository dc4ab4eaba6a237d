"""Answers without a language model: the sentences of the evidence that say it, in the documents' own words."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from legalqa.answering.types import QuestionTerms, ReadPassage, Sentence
from legalqa.answering.verification.quantities import SMALL_NUMBERS
from legalqa.common.sentences import sentence_spans

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
Tokenise = Callable[[str], Sequence[str]]

MAX_CANDIDATES = 48  # encoding them is the dear step: about a quarter of a second on two cores
MIN_WORDS = 4
# Ours, chosen on `policy_copilot` and a sample of `contractnli`: meaning, the ranker's order, the question's own words.
COSINE_WEIGHT, COVERAGE_WEIGHT, RANK_WEIGHT = 1.0, 0.5, 0.5
RANKED = 10  # hits over which the weight of the ranker's order falls to nothing
KEEP_RATIO = 0.8  # a further sentence must come this close to the best one
NEW_TERMS_SHARE = 0.12  # or bring this much of the question that is not covered yet
SAME_WORDS = 0.8
MIN_PART_WORDS = 4
_LABEL = re.compile(r"^\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]\s+", re.IGNORECASE)
_ALNUM = re.compile(r"[^\W_]+")
_DENIALS = frozenset(("not", "no", "never", "nor", "neither", "without", "unless", "except", "cannot"))
_NUMBERS = {word: str(number) for word, number in SMALL_NUMBERS.items()}

_PART_BREAK = re.compile(
    r"[?;:]\s+|,\s+(?=and\b)|,?\s+and\s+(?=(?:what|which|who|whom|when|where|why|how|may|must|can|does|do|is|are)\b)"
    r"|,\s+(?=(?:what|which|who|when|where|why|how)\b)",
    re.IGNORECASE,
)


def question_parts(text: str) -> tuple[str, ...]:
    """The question, and where it asks several things, each of them: they may be answered in different places.

    Split at question marks, semicolons, colons, and before ", and" or a question word that opens a further clause; a
    part of fewer than MIN_PART_WORDS words asks nothing on its own (ours).
    """
    parts = [" ".join(part.split()) for part in _PART_BREAK.split(text)]
    asked = tuple(part for part in parts if len(part.split()) >= MIN_PART_WORDS)
    return (text, *asked) if len(asked) > 1 else (text,)


def candidate_sentences(
    passages: Sequence[ReadPassage], *, question: QuestionTerms, tokenise: Tokenise
) -> list[Sentence]:
    """The sentences of the passages that may answer, best by the question's words first kept.

    Args:
        passages: Best first.
        question: The question's terms with their weights.
        tokenise: Text to index terms.

    Returns:
        At most MAX_CANDIDATES, in reading order; fragments of fewer than MIN_WORDS words are left out.
    """
    found = []
    for place, passage in enumerate(passages):
        above = frozenset(tokenise(passage.headings))
        for start, end in sentence_spans(passage.text):
            stripped = passage.text[start:end].strip()
            if not is_statement(stripped):
                continue
            at = start + passage.text[start:end].index(stripped)
            own = frozenset(tokenise(stripped))
            found.append(
                Sentence(
                    place,
                    at,
                    at + len(stripped),
                    stripped,
                    own | above,
                    coverage=question.coverage(own) + 0.5 * question.coverage(above - own),
                    hit=passage.hit,
                    ordinal=passage.ordinal,
                )
            )
    if len(found) > MAX_CANDIDATES:
        kept = sorted(found, key=lambda s: (-(s.coverage - 0.02 * s.passage), s.passage, s.start))[:MAX_CANDIDATES]
        found = sorted(kept, key=lambda s: (s.passage, s.start))
    return found


def is_statement(text: str) -> bool:
    """Whether a piece of text can stand as a statement: at least MIN_WORDS words, not only the words of a title."""
    words = text.split()
    return len(words) >= MIN_WORDS and sum(word[:1].islower() for word in words) >= 2


def score_sentences(sentences: Sequence[Sentence], *, parts: Sequence[str], encode: Encode) -> tuple[Sentence, ...]:
    """Score candidates by meaning, words and place in the search, best first.

    Args:
        sentences: Candidates of one question.
        parts: The question and its parts; a sentence counts for the part it is closest to.
        encode: Texts to unit vectors; called once.
    """
    if not sentences:
        return ()
    vectors = encode([*parts, *(s.text for s in sentences)])
    cosines = vectors[len(parts) :] @ vectors[: len(parts)].T
    # The words of a question often stand where its meaning is not nearest: "three days", "each day on which".
    outstanding = {*cosines[:, 1:].argmax(axis=0).tolist(), int(np.argmax([s.coverage for s in sentences]))}
    scored = [
        replace(
            s,
            cosine=float(cosine),
            score=COSINE_WEIGHT * float(cosine)
            + COVERAGE_WEIGHT * min(1.0, s.coverage)
            + RANK_WEIGHT * max(0.0, 1 - s.hit / RANKED),
            stands_out=place in outstanding,
        )
        for place, (s, cosine) in enumerate(zip(sentences, cosines.max(axis=1), strict=True))
    ]
    return tuple(sorted(scored, key=lambda s: (-s.score, s.passage, s.start)))


def select_claims(
    ranked: Sequence[Sentence], *, question: QuestionTerms, max_claims: int
) -> tuple[tuple[Sentence, tuple[Sentence, ...]], ...]:
    """Choose the sentences that make the answer, each with the places where the same words stand.

    The best sentence is taken, then those closest to a part of the question and the one that says most of its words;
    others follow while they come close to the best, or close enough and cover words of the question that nothing chosen
    covers yet. A sentence that says what a chosen one says is no claim of its own: it is kept as "also in".

    Returns:
        (claim, same words elsewhere), at most `max_claims`: chunks in the order of their best claim, and within a chunk
        as the document has it, so that (1) comes before (2).
    """
    if not ranked:
        return ()
    chosen: list[tuple[Sentence, list[Sentence]]] = []
    words = {sentence.text: frozenset(_plain(sentence.text)) for sentence in ranked}
    covered: frozenset[str] = frozenset()
    best = ranked[0].score
    for sentence in (*ranked[:1], *sorted(ranked[1:], key=lambda s: not s.stands_out)):
        twin = next((pair for pair in chosen if _are_same(words[pair[0].text], words[sentence.text])), None)
        if twin is not None:
            twin[1].append(sentence)
            continue
        if len(chosen) == max_claims:
            continue
        gain = question.coverage(sentence.terms - covered)
        is_close = sentence.score >= KEEP_RATIO * best
        is_new = gain >= NEW_TERMS_SHARE or sentence.stands_out
        if not chosen or is_close or (sentence.score >= 0.5 * best and is_new):
            chosen.append((sentence, []))
            covered |= sentence.terms
    places: dict[int, int] = {}
    for claim, _ in chosen:
        places.setdefault(claim.hit, len(places))
    chosen.sort(key=lambda pair: (places[pair[0].hit], pair[0].ordinal, pair[0].start))
    return tuple((claim, tuple(twins)) for claim, twins in chosen)


def is_same(first: str, second: str) -> bool:
    """Whether two sentences say the same: Jaccard of words at least SAME_WORDS, with the same numbers and denials.

    "Ten" and "10" are one number; the label of a list item is no word of it.
    """
    return _are_same(frozenset(_plain(first)), frozenset(_plain(second)))


def _are_same(a: frozenset[str], b: frozenset[str]) -> bool:
    return len(a & b) >= SAME_WORDS * len(a | b) and not any(map(_decides, a ^ b))


def _decides(word: str) -> bool:
    """Whether a word that only one of two sentences has makes them say different things."""
    return word in _DENIALS or any(sign.isdigit() for sign in word)


def _plain(text: str) -> list[str]:
    return [_NUMBERS.get(word, word) for word in _ALNUM.findall(_LABEL.sub("", text).lower())]
