"""Where quoted words are in a corpus: for files that bring passages as text, or name documents."""

import re
from collections import defaultdict
from functools import cached_property
from typing import Any

from corpora.in_force import positions_live
from corpora.models import Corpus
from judging.gold.files import MAX_REFERENCES

_BLANKS = re.compile(r"\s+")


class Passages:
    """The live paragraphs of a corpus, searched by words, by document and by id; call it inside a scope."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    @cached_property
    def _by_name(self) -> dict[str, list[tuple[str, str, str]]]:
        """By a name of a document: (id, id in its file, text) of its paragraphs in reading order."""
        by_name: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        columns = ("paragraph__public_id", "paragraph__external_id", "paragraph__text")
        rows = (
            positions_live(corpus=self._corpus)
            .order_by("version", "ordinal")
            .values_list("version__document__name", "version__document__title", *columns)
        )
        for name, title, public, external, text in rows:
            for key in {_key(name), _key(title), _key(name.rsplit(".", 1)[0])}:
                by_name[key].append((public, external, text))
        return dict(by_name)

    @cached_property
    def _ids(self) -> set[str]:
        return {i for rows in self._by_name.values() for public, external, _ in rows for i in (public, external) if i}

    def find(self, quote: str, *, document: str = "") -> dict[str, Any] | None:
        """The first place of a quote, whatever its blanks, as a span of a gold file; None if not found.

        Args:
            quote: Words of one paragraph, or a whole one.
            document: Name or title; looked through first.
        """
        words = quote.split()
        if not words:
            return None
        pattern = re.compile(r"\s+".join(map(re.escape, words)))
        first = self._by_name.get(_key(document), [])
        for public, _, text in (*first, *(row for rows in self._by_name.values() for row in rows)):
            if words[0] in text and (match := pattern.search(text)):
                return {"paragraph_id": public, "start": match.start(), "end": match.end()}
        return None

    def named(self, name: str) -> list[str]:
        """The ids of paragraphs that an id means: one paragraph, or those of a document, at most MAX_REFERENCES."""
        if name in self._ids:
            return [name]
        return [public for public, _, _ in self._by_name.get(_key(name), [])][:MAX_REFERENCES]

    @cached_property
    def texts(self) -> dict[str, str]:
        """The words of each live paragraph by the id that exported files use."""
        return {external or public: text for rows in self._by_name.values() for public, external, text in rows}


def _key(name: str) -> str:
    return _BLANKS.sub(" ", name.strip()).casefold()
