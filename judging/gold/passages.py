"""Where quoted words are in a corpus: for files that bring passages as text, or name documents."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

from corpora.in_force import positions_live
from corpora.models import Corpus
from judging.gold.files import MAX_REFERENCES
from legalqa.accounts.models import User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.common.work import Work

Row = tuple[str, str, str]  # of a paragraph: id, id in its file, text


class Passages:
    """The live paragraphs of a corpus, searched by words, by document and by id.

    They are read when first needed, in a transaction of their own, so that none is open while they are searched.

    Args:
        corpus: Whose paragraphs.
        user: Who reads them; None for background work.
        work: Characters that may be put together and looked through for quotes; None where nobody waits.

    Attributes:
        n_unsearched: Quotes that were not looked for, because too little of `work` was left.
    """

    def __init__(self, corpus: Corpus, *, user: User | None, work: Work | None = None) -> None:
        self._corpus, self._user, self._work = corpus, user, work
        self._texts: dict[str, _Text] = {}
        self.n_unsearched = 0

    @cached_property
    def _by_name(self) -> dict[str, list[Row]]:
        """By a name of a document: its paragraphs in reading order."""
        by_name: dict[str, list[Row]] = defaultdict(list)
        columns = ("paragraph__public_id", "paragraph__external_id", "paragraph__text")
        with organization_scope(self._corpus.organization_id, user=self._user):
            rows = (
                positions_live(corpus=self._corpus)
                .order_by("version", "ordinal")
                .values_list("version__document__name", "version__document__title", *columns)
            )
            for name, title, public, external, text in rows:
                for key in {_key(name), _key(title), _key(name.rsplit(".", 1)[0])}:
                    by_name[key].append((public, external, text))
        connection_give_back()
        return dict(by_name)

    @cached_property
    def _ids(self) -> set[str]:
        return {i for rows in self._by_name.values() for public, external, _ in rows for i in (public, external) if i}

    @cached_property
    def _everything(self) -> "_Text":
        return _Text(tuple({row[0]: row for rows in self._by_name.values() for row in rows}.values()))

    def find(self, quote: str, *, document: str = "") -> dict[str, Any] | None:
        """The first place of a quote, whatever its blanks, as a span of a gold file; None if not found.

        Args:
            quote: Words of one paragraph, or a whole one.
            document: Name or title; looked through first.
        """
        words = " ".join(quote.split())
        if not words:
            return None
        for text in (self._of(_key(document)), self._everything):
            length = len(text.joined)
            if self._work is not None and not self._work.take(length):
                self.n_unsearched += 1
                return None
            at = text.joined.find(words)
            if at >= 0:
                if self._work is not None:
                    self._work.left += length - at
                return text.span(at, len(words))
        return None

    def _of(self, name: str) -> "_Text":
        """The paragraphs of a document, put together once: that is work, too."""
        if name not in self._texts:
            self._texts[name] = _Text(self._by_name.get(name, ()))
            if self._work is not None:
                self._work.take(len(self._texts[name].joined))
        return self._texts[name]

    def named(self, name: str) -> list[str]:
        """The ids of paragraphs that an id means: one paragraph, or those of a document, at most MAX_REFERENCES."""
        if name in self._ids:
            return [name]
        return [public for public, _, _ in self._by_name.get(_key(name), [])[:MAX_REFERENCES]]

    @cached_property
    def texts(self) -> dict[str, str]:
        """The words of each live paragraph by the id that exported files use."""
        return {external or public: text for rows in self._by_name.values() for public, external, text in rows}


class _Text:
    """Paragraphs in one text, each on a line with single blanks, so that a quote is looked for in all of them at once.

    One search takes time in proportion to the text, whatever the words: searches of many short texts need not.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        lines = [_spaced(text) for _, _, text in rows]
        self._starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
        self.joined = "\n".join(lines)

    def span(self, at: int, length: int) -> dict[str, Any]:
        """What is at a place of `joined`, as a span of a gold file."""
        number = bisect_right(self._starts, at) - 1
        public, _, text = self._rows[number]
        places = [place for word in re.finditer(r"\S+", text) for place in range(word.start(), word.end() + 1)]
        first = at - self._starts[number]
        return {"paragraph_id": public, "start": places[first], "end": places[first + length - 1] + 1}


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _key(name: str) -> str:
    return _spaced(name).casefold()
