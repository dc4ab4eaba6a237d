"""The provisions that a text names by number, "Article 13" or "§ 20-871", found in the documents of a corpus."""

import re
from collections.abc import Iterable
from uuid import UUID

from django.db.models import F, Func, Q, QuerySet, TextField, Value

from corpora.in_force import chunks_searched, positions_live
from corpora.models import Corpus, Position
from corpora.provisions.types import Role

MAX_NAMED = 3  # ours: provisions of one question that are looked up
MAX_LINE_WORDS = 20
MAX_PARAGRAPHS = 80  # ours: paragraphs of a named provision, or of provisions of that number, that are looked at
_SECTIONS = "§+|sections?|sec\\.|rules?|regulations?|paragraphs?|clauses?"
_ARTICLES = "articles?|art\\."
UNITS = f"{_SECTIONS}|{_ARTICLES}|chapters?|part|schedule"
_PARTS = "chapter|part|schedule|annex|appendix|exhibit|title|recital"
_DIGITS = "[0-9]+[A-Za-z]?(?:[.:-][0-9]+[A-Za-z]?)*"
_LETTERS = r"(?-i:[IVXLC]{2,}|[B-HJ-Z]|[AI](?!\s+[a-z]))(?!\w)"  # "Annex III", not "the part I need"
NAMED = re.compile(rf"(?<!\w)(?P<unit>{UNITS}|{_PARTS})\s*(?P<number>{_DIGITS}|{_LETTERS})", re.IGNORECASE)
RECITAL = "recital"
_END = "(?![0-9A-Za-z-])"


def provision_pattern(*, numbers: str) -> str:
    """A pattern, for Python and PostgreSQL, of texts that begin with one of these numbers of provisions.

    Args:
        numbers: A pattern of them, such as "3\\.2|3\\.4".
    """
    return rf"^\s*({UNITS})?\s*({numbers}){_END}"


def provisions_named(*, corpus: Corpus, text: str) -> list[str]:
    """The first lines of the provisions that a text names by number, such as "§ 5-301 Bias Audit."; at most MAX_NAMED.

    A provision is a chunk that begins with the number, or the heading over one.
    """
    lines: list[str] = []
    for unit, number in dict.fromkeys((match["unit"], match["number"]) for match in NAMED.finditer(text)):
        for begins in _beginnings(unit, number):
            rows = chunks_searched(corpus=corpus).filter(Q(text__iregex=begins) | Q(heading__iregex=begins))
            if (chunk := rows.order_by("pk").first()) is not None:
                line = chunk.text if re.match(begins, chunk.text, re.IGNORECASE) else chunk.heading
                lines.append(" ".join(line.split("\n")[0].split()[:MAX_LINE_WORDS]))
                break
    return lines[:MAX_NAMED]


def provision_paragraphs(
    *, corpus: Corpus, unit: str, number: str, document_ids: Iterable[str]
) -> dict[UUID, list[Position]]:
    """The paragraphs of the provisions of a number, by the version of their document, in their order.

    Those under a heading that begins with the unit and the number; where there is none, those that begin with them;
    then the same with the number alone, "14. Confidentiality".

    Args:
        unit: As it was typed: "Article", "§".
        number: "13", "20-871".
        document_ids: Documents that alone are looked at; empty for all.
    """
    live = positions_live(corpus=corpus).select_related("paragraph")
    if chosen := [UUID(str(one)) for one in document_ids]:
        live = live.filter(version__document__in=chosen)
    path = Func(F("heading_path"), Value("\n"), function="array_to_string", output_field=TextField())
    text = live.exclude(kind="heading").exclude(role__in=(Role.NOTE, Role.CONTENTS))
    if unit.lower() == RECITAL:
        text = text.filter(role=Role.RECITAL)
    for begins in _beginnings(unit, number):
        headed = text.annotate(path=path).filter(path__iregex=begins.replace("^", "(^|\n)", 1))
        for positions in (headed, text.filter(paragraph__text__iregex=begins)):
            by_version: dict[UUID, list[Position]] = {}
            for position in positions.order_by("version_id", "ordinal")[:MAX_PARAGRAPHS]:
                by_version.setdefault(position.version_id, []).extend(_under_title(position, live, number))
            if by_version:
                return by_version
    return {}


def _under_title(position: Position, live: QuerySet[Position], number: str) -> list[Position]:
    """A paragraph, or of one that is only a title ("14. Confidentiality."), those up to the next title."""
    after = live.filter(version_id=position.version_id, ordinal__gt=position.ordinal).order_by("ordinal")
    if position.role != Role.HEADING:
        return [position]
    titles = after.filter(Q(role=Role.HEADING) | Q(kind="heading"))
    end = titles.exclude(paragraph__text__iregex=rf"^\s*{re.escape(number)}[.(]\s*[0-9a-z]").first()
    rows = after.filter(ordinal__lt=end.ordinal) if end else after
    return list(rows.exclude(role__in=(Role.NOTE, Role.CONTENTS))[:MAX_PARAGRAPHS]) or [position]


def _beginnings(unit: str, number: str) -> list[str]:
    """Patterns of how a provision begins, the surest first.

    Article 27 is not the footnote "27 Directive 2014/90/EU", but section 14 may be the clause "14. Confidentiality".
    """
    typed, ends = unit.lower(), rf"\s*{re.escape(number)}{_END}"
    if re.match(_ARTICLES, typed):
        return [rf"^\s*({_ARTICLES}){ends}"]
    if typed == RECITAL:
        return [rf"^\s*\(?{re.escape(number)}[.)]"]
    if part := re.match(_PARTS, typed):
        return [rf"^\s*{part[0]}{ends}"]
    return [rf"^\s*({_SECTIONS}){ends}", rf"^\s*{re.escape(number)}[.:)]?\s+[^0-9\s]"]
