"""The words of a document, asked when a line ends in a hyphen."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_WORD = re.compile(r"[^\W\d_]+(?:['’\-\u2010][^\W\d_]+)*")
_BROKEN = re.compile(r"[\-\u2010][ \t]*\r?\n\s*\w+")
_LAST_WORD = re.compile(r"[\w\-\u2010]*$")
_WORD_LENGTH = 80  # characters looked at before a line end; without a bound a line of one endless word costs its square
_LAST_PART = re.compile(r"[^\W\d_]+(?:[\-\u2010][^\W\d_]+)*$")
_FIRST_PART = re.compile(r"[^\W\d_]+")
_SHORTEST_WORD = 3  # letters


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Lower-case words, compounds with their hyphens."""

    words: frozenset[str]

    def drops_hyphen(self, before: str, after: str) -> bool:
        """Decide whether the hyphen between two lines was only put there to break a word.

        Rule: never before anything but a lower-case letter. Drop it when the document has the word without the hyphen;
        keep it when it has the word with the hyphen, or both halves as words of three letters or more; else drop it.

        Args:
            before: Text up to the hyphen, without it.
            after: Text from the next line on.

        Returns:
            True if the hyphen goes.
        """
        head, tail = _LAST_PART.search(before), _FIRST_PART.match(after)
        if head is None or tail is None or not after[0].islower():
            return False
        left, right = head.group().lower().replace("\u2010", "-"), tail.group().lower()
        if left + right in self.words:
            return True
        if f"{left}-{right}" in self.words:
            return False
        last = left.rsplit("-", 1)[-1]
        halves = last in self.words and right in self.words
        return not (halves and min(len(last), len(right)) >= _SHORTEST_WORD)


EMPTY_VOCABULARY = Vocabulary(frozenset())


def vocabulary_collect(text: str) -> Vocabulary:
    """Collect the words of a document, leaving out those that a line end breaks.

    Args:
        text: The raw text with its line ends.

    Returns:
        Its vocabulary.
    """
    whole = " ".join(_whole_parts(text))
    return Vocabulary(frozenset(word.lower().replace("\u2010", "-") for word in _WORD.findall(whole)))


def _whole_parts(text: str) -> Iterator[str]:
    last = 0
    for match in _BROKEN.finditer(text):
        head = text[max(last, match.start() - _WORD_LENGTH) : match.start()]
        fragment = _LAST_WORD.search(head)
        yield text[last : match.start() - (len(fragment.group()) if fragment else 0)]
        last = match.end()
    yield text[last:]
