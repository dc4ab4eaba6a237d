"""Is a verbatim quote really in the paragraph it names? Where, and the whole sentences around it."""

from dataclasses import dataclass

from rapidfuzz.fuzz import partial_ratio_alignment

from legalqa.common.sentences import sentence_spans

MIN_QUOTE_WORDS = 3  # ours: words; fewer are in too many places to prove anything
CLOSE_RATIO = 0.95  # ours: rapidfuzz's ratio of characters, 0 to 1, from which a place is the one that was meant
MAX_CLOSE_CHARS = 600  # ours: a longer quote must be there word for word; nobody misquotes it by a word or two
MAX_TEXT_CHARS = 20_000  # ours: characters of a paragraph in which the closest place is looked for
_SAME = str.maketrans(dict.fromkeys('“”„‟«»"', "'") | dict.fromkeys("‘’‚‛`´ʼ", "'") | dict.fromkeys("‐‑‒–—−", "-"))


@dataclass(frozen=True, slots=True)
class QuotePlace:
    """A quote in a paragraph: half-open offsets, whether word for word, and the whole sentences it touches."""

    start: int
    end: int
    is_exact: bool
    sentences: str


def quote_find(quote: str, paragraph: str) -> QuotePlace | None:
    """Find a quote in a paragraph, whatever the blanks, quotation marks and dashes; None where it is not there.

    Args:
        quote: As the model gave it, at least MIN_QUOTE_WORDS words.
        paragraph: The text it names.

    Returns:
        The exact place, else, for quotes of at most MAX_CLOSE_CHARS, the closest place with a ratio of at least
        CLOSE_RATIO (`is_exact` False).

    Source: security study 5.3, the verbatim gate.
    """
    words, _ = _plain(quote.strip())
    if sum(any(map(str.isalnum, word)) for word in words.split()) < MIN_QUOTE_WORDS:  # marks alone are no words
        return None
    text, places = _plain(paragraph)
    at = text.find(words)
    if at < 0:
        words = words.strip(" .…'")
        at = text.find(words)
    is_exact = at >= 0
    length = len(words)
    if not is_exact:
        close = _closest(words, text)
        if close is None:
            return None
        at, length = close
    start, end = places[at], places[at + length - 1] + 1
    touched = [(a, b) for a, b in sentence_spans(paragraph) if a < end and b > start]
    return QuotePlace(start, end, is_exact, paragraph[touched[0][0] : touched[-1][1]].strip())


def _plain(text: str) -> tuple[str, list[int]]:
    """Lower case, one blank for many, one kind of quotation mark and dash; with the place of each character."""
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text.translate(_SAME)):
        if character.isspace() or character == "\u00a0":
            if characters and characters[-1] != " ":
                characters.append(" ")
                places.append(place)
        elif character not in "\u00ad\u200b\u200c\u200d\ufeff":
            small = character.lower()
            characters.append(small if len(small) == 1 else character)
            places.append(place)
    return "".join(characters), places


def _closest(words: str, text: str) -> tuple[int, int] | None:
    """(place, length) of the window that is most like `words`; None where none is like it, or it is too long."""
    if not words or len(words) > min(MAX_CLOSE_CHARS, len(text)) or len(text) > MAX_TEXT_CHARS:
        return None
    alignment = partial_ratio_alignment(words, text, score_cutoff=100 * CLOSE_RATIO)
    return (alignment.dest_start, alignment.dest_end - alignment.dest_start) if alignment else None
