"""What passes between the stages of a search: queries, filters, hits and rankings."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Self

from corpora.describing.types import DOCUMENT_KINDS
from corpora.parsers.detect import FORMATS
from corpora.tokens import tokens
from legalqa.common.dates import day_fault
from legalqa.common.errors import ApplicationError
from legalqa.common.storable import UNSTORABLE
from legalqa.llm.types import CallRecord

MAX_HITS = 200  # that one search gives
MAX_FILTER_VALUES = 1000  # ours: keeps one request from carrying a corpus of ids
MAX_FILTER_CHARS = 500


class FilterError(ApplicationError, ValueError):
    """A filter that cannot be applied: the message says what is wrong, by which rule, and what to do."""

    def __init__(self, key: str, rule: str, remedy: str) -> None:
        super().__init__(
            f"Filter {key!r}: {rule}; {remedy}.",
            code="malformed_filter",
            extra={"key": key, "rule": rule, "remedy": remedy},
        )


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that every hit meets; an empty field sets no condition.

    A hit's document is one of `document_ids`, its file of one of the formats `kinds`, the document itself of one of the
    kinds `kind` (`corpora.describing`), of one of `jurisdiction` and of one of `authority` (any case), its law in
    effect from `date_from` to `date_to` (both included), `heading` occurs in its heading path (any case), and it
    touches none of the excluded paragraphs. With `as_of`, the versions that were in force on that day are searched
    instead of the current ones.
    """

    document_ids: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    date_from: date | None = None
    date_to: date | None = None
    heading: str = ""
    excluded_paragraph_ids: tuple[str, ...] = ()
    as_of: date | None = None
    kind: tuple[str, ...] = ()
    jurisdiction: tuple[str, ...] = ()
    authority: tuple[str, ...] = ()

    @classmethod
    def parse(cls, mapping: Mapping[str, object]) -> Self:
        """Read filters from a request's JSON or form values.

        Lists may be given as one string; they are sorted and freed of repetitions, so that equal
        filters compare equal. Document ids are UUIDs, dates are ISO dates.

        Args:
            mapping: Filter names with their values; None and empty values set no condition.

        Raises:
            FilterError: unknown name, wrong type, malformed id or date, or dates in the wrong order.
        """
        names = cls.__dataclass_fields__
        for key in mapping:
            if key not in names:
                raise FilterError(str(key), "there is no such filter", "use one of: " + ", ".join(sorted(names)))
        filters = cls(
            document_ids=tuple(sorted({_uuid("document_ids", v) for v in _strings(mapping, "document_ids")})),
            kinds=tuple(sorted(set(_strings(mapping, "kinds")))),
            date_from=_date(mapping, "date_from"),
            date_to=_date(mapping, "date_to"),
            heading=_string("heading", mapping.get("heading") or ""),
            excluded_paragraph_ids=tuple(sorted(set(_strings(mapping, "excluded_paragraph_ids")))),
            as_of=_date(mapping, "as_of"),
            kind=tuple(sorted({_document_kind(value) for value in _strings(mapping, "kind")})),
            jurisdiction=tuple(sorted(set(_strings(mapping, "jurisdiction")))),
            authority=tuple(sorted(set(_strings(mapping, "authority")))),
        )
        if filters.date_from and filters.date_to and filters.date_from > filters.date_to:
            raise FilterError(
                "date_from",
                f"{filters.date_from} is after date_to, {filters.date_to}",
                "give the earlier date as date_from",
            )
        return filters

    @classmethod
    def sent(cls, mapping: Mapping[str, object], *, as_of: object = None) -> Self:
        """Read the filters of a request as `parse` does, with the day that it has beside them.

        Raises:
            FilterError: as of `parse`; a format that no file has, with which nothing would be found; or two days.
        """
        filters = cls.parse(mapping)
        if unknown := next((kind for kind in filters.kinds if kind not in FORMATS), ""):
            raise FilterError("kinds", f"{unknown!r} is no format of files", f"use one of: {', '.join(FORMATS)}")
        if as_of and filters.as_of:
            raise FilterError("as_of", "the day is given beside the filters, too", "give it once")
        return replace(filters, as_of=_date({"as_of": as_of}, "as_of") or filters.as_of)

    def as_mapping(self) -> dict[str, object]:
        """Return the set conditions as JSON values; `Filters.parse` reads them back."""
        return {name: _as_json(value) for name in self.__dataclass_fields__ if (value := getattr(self, name))}


@dataclass(frozen=True, slots=True)
class Query:
    """The string given to a retriever, which may be a rewrite of the question, with its filters."""

    text: str
    filters: Filters = field(default_factory=Filters)


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A further way in which a question is put to the search, by which rule, and why in words.

    `is_part` marks one of several questions that were asked at once: it has an answer of its own.
    """

    text: str
    rule: str
    reason: str
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class Queries:
    """What is searched for one question.

    Attributes:
        asked: The question as it was typed.
        text: The question to be answered: follow-ups resolved, distractions left out; else as typed.
        rewrites: The further ways to put it, the best first.
        method: "rules" or "llm"; "" where the pipeline rewrites nothing.
        reasons: In words, why `text` is not what was typed.
        note: Why a method that was asked for did not do its work.
        call: What the language model was asked and what became of it; None where none was.
    """

    asked: str
    text: str
    rewrites: tuple[Rewritten, ...] = ()
    method: str = ""
    reasons: tuple[str, ...] = ()
    note: str = ""
    call: CallRecord | None = None

    @property
    def to_answer(self) -> str:
        """The question that passages are read for: as typed, unless words of an earlier question complete it.

        What a person tells ("We never advertised in France.") draws a search away, and decides which passage answers.
        """
        return self.asked if set(tokens(self.text)) <= set(tokens(self.asked)) else self.text

    @property
    def texts(self) -> tuple[str, ...]:
        """All that is searched, the question first."""
        return (self.text, *(rewrite.text for rewrite in self.rewrites))


@dataclass(frozen=True, slots=True)
class Source:
    """What a piece of evidence is.

    Attributes:
        kind: "chunk", or what else a retriever finds.
        key: Which one of its kind.
    """

    kind: str
    key: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A scored chunk. `parts` says what each stage made of it: ("bm25.rank", 3.0), ("bm25.score", 7.1), …"""

    chunk_id: int
    rank: int
    score: float
    parts: tuple[tuple[str, float], ...] = ()

    @property
    def source(self) -> Source:
        return Source("chunk", str(self.chunk_id))

    def part(self, name: str) -> float | None:
        """Return one stage's number, such as "bm25.rank"; None if that stage did not return the chunk."""
        return dict(self.parts).get(name)


@dataclass(frozen=True, slots=True)
class SideEvidence:
    """Evidence that is not a passage of a document, as a retriever states it, beside the hits.

    Attributes:
        source: What it is.
        text: What it says.
        score: By the stage that found it; means nothing outside it.
        stage: That stage.
    """

    source: Source
    text: str
    score: float
    stage: str


@dataclass(frozen=True, slots=True)
class Ranking:
    """The hits of one query, best first, ranked from 1 without gaps, no chunk twice; and the evidence beside them."""

    query_text: str
    hits: tuple[Hit, ...]
    side: tuple[SideEvidence, ...] = ()

    def __post_init__(self) -> None:
        """Refuse hits that are not a ranking."""
        for expected, hit in enumerate(self.hits, start=1):
            if hit.rank != expected:
                raise ValueError(f"Chunk {hit.chunk_id} has rank {hit.rank} in place {expected}; rank from 1, no gaps.")
        if len({hit.chunk_id for hit in self.hits}) < len(self.hits):
            raise ValueError("A chunk is ranked twice; merge its scores before making a ranking.")

    @classmethod
    def of(cls, query_text: str, scored: Iterable[tuple[int, float]], *, stage: str) -> Self:
        """Rank (chunk id, score) pairs by falling score, ties by rising chunk id.

        Args:
            query_text: The query they answer.
            scored: Chunks in any order, each once.
            stage: The name under which the hits' parts keep rank and score, such as "bm25".
        """
        ordered = sorted(scored, key=lambda pair: (-pair[1], pair[0]))
        return cls(
            query_text,
            tuple(
                Hit(int(chunk_id), rank, float(score), _stage_parts(stage, rank, float(score)))
                for rank, (chunk_id, score) in enumerate(ordered, start=1)
            ),
        )

    def cut(self, k: int) -> "Ranking":
        """Return the best k hits.

        Raises:
            ValueError: k < 1.
        """
        if k < 1:
            raise ValueError(f"The cutoff is {k}; keep at least one hit.")
        return replace(self, hits=self.hits[:k])


def sides_of(rankings: Iterable[Ranking]) -> tuple[SideEvidence, ...]:
    """The evidence beside several rankings, each source once, as it was first found."""
    first: dict[Source, SideEvidence] = {}
    for ranking in rankings:
        for side in ranking.side:
            first.setdefault(side.source, side)
    return tuple(first.values())


@dataclass(frozen=True, slots=True)
class Timed:
    """One stage that ran: its name, its milliseconds, how many hits it gave, and what there is to say of it.

    `call` is what a model was asked for it; None where none was.
    """

    stage: str
    milliseconds: float
    n_hits: int
    note: str = ""
    call: CallRecord | None = None


def _stage_parts(stage: str, rank: int, score: float) -> tuple[tuple[str, float], ...]:
    return ((f"{stage}.rank", float(rank)), (f"{stage}.score", score))


def _strings(mapping: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = mapping.get(key)
    if value is None or value == "":
        return ()
    if isinstance(value, str | uuid.UUID):
        return (_string(key, str(value)),)
    if not isinstance(value, list | tuple):
        raise FilterError(key, f"{value!r} is not a list", "give a list of strings")
    if len(value) > MAX_FILTER_VALUES:
        raise FilterError(key, f"{len(value)} values are more than {MAX_FILTER_VALUES}", "give fewer")
    return tuple(_string(key, str(item) if isinstance(item, uuid.UUID) else item) for item in value)


def _string(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise FilterError(key, f"{value!r} is not text", "give a string")
    if UNSTORABLE.search(value):
        raise FilterError(key, "a value has a null character or half a surrogate pair", "remove it")
    if len(value) > MAX_FILTER_CHARS:
        raise FilterError(key, f"a value has more than {MAX_FILTER_CHARS} characters", "shorten it")
    return value.strip()


def _as_json(value: object) -> object:
    if isinstance(value, date):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else value


def _uuid(key: str, value: str) -> str:
    try:
        return str(uuid.UUID(value))
    except ValueError:
        raise FilterError(key, f"{value!r} is not a document id", "give ids as the document list shows them") from None


def _document_kind(value: str) -> str:
    if value not in DOCUMENT_KINDS:
        raise FilterError("kind", f"{value!r} is no kind of document", f"use one of: {', '.join(DOCUMENT_KINDS)}")
    return value


def _date(mapping: Mapping[str, object], key: str) -> date | None:
    value = mapping.get(key)
    if value is None or value == "":
        return None
    text = value.isoformat() if type(value) is date else _string(key, value)
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise FilterError(key, *day_fault(text)) from None
