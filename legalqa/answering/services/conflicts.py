"""Provisions that contradict each other: two texts, or all documents of a corpus."""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, replace
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models.functions import Left

from corpora.in_force import corpus_as_of, versions_searched
from corpora.models import Corpus, DocumentVersion, Position
from legalqa.answering.composing.documents import OPENING_CHARS, identity_of
from legalqa.answering.conflicts.contracts import Contract
from legalqa.answering.conflicts.engine import Denies
from legalqa.answering.conflicts.finding import Finding, Neighbours, StatedSentences, compared, notices_of
from legalqa.answering.conflicts.resolving import Provision, source_of
from legalqa.answering.verification import reads_support
from legalqa.encoder.sentences import sentences_encode

BATCH = 200  # ours: pairs compared between two checks of the time


def pairs_judged(*, pairs: Sequence[tuple[str, str]]) -> list[Finding | None]:
    """The difference of each pair of texts; None if there is none."""
    provisions = [(Provision("a", a, "a"), Provision("b", b, "b")) for a, b in pairs]
    return list(compared(provisions, encode=sentences_encode, denies=sentences_read()))


def sentences_read() -> Denies | None:
    """How the reader says that one of two sentences contradicts the other; None where there is none, or it is off."""
    if (reads := reads_support()) is None:
        return None

    def denies(one: str, other: str) -> float:
        return max(contradicts for _, contradicts, _ in reads([(one, other), (other, one)]))

    return denies


def corpus_provisions(*, corpus: Corpus) -> list[tuple[Position, Provision]]:
    """The paragraphs of all documents in the versions in force today, each with its place, in the order of ids."""
    positions = Position.objects.filter(version__in=versions_today(corpus=corpus)).select_related(
        "paragraph__document", "version"
    )
    rows = list(positions.defer("version__text").order_by("paragraph_id"))
    placed = [((str(row.paragraph.document_id), row.version.number), _provision(row)) for row in rows]
    return list(zip(rows, provisions_known(placed=placed), strict=True))


def provisions_known(*, placed: Sequence[tuple[tuple[str, int], Provision]]) -> list[Provision]:
    """Provisions with what is known of their documents: kind, day, what they replace, and the parties of contracts.

    Args:
        placed: Each with the id of its document and the number of the version; of one that is gone nothing is known.
    """
    texts: dict[str, list[str]] = defaultdict(list)
    for _, one in placed:
        texts[one.document].append(one.text)
    notices = {document: notices_of(own) for document, own in texts.items()}
    versions = DocumentVersion.objects.filter(
        document_id__in={document for (document, _), _ in placed}, number__in={number for (_, number), _ in placed}
    ).annotate(opening=Left("text", OPENING_CHARS))
    known: dict[tuple[str, int], dict[str, Any]] = {}
    for document, number, kind, effective, title, opening in versions.values_list(
        "document_id", "number", "document__kind", "effective_date", "document__title", "opening"
    ):
        contract = contract_read(title=title, kind=kind, opening=opening, notices=notices.get(str(document), ()))
        known[str(document), number] = {"kind": kind, "effective": effective, "contract": contract}
    return [replace(one, notices=notices[one.document], **known.get(version, {})) for version, one in placed]


def versions_today(*, corpus: Corpus) -> Collection[UUID]:
    """The versions that answer a question asked now: none that is not yet in force."""
    today = Corpus.objects.get(pk=corpus.pk)  # a row of its own: the caller's is not changed
    searched = versions_searched(corpus=corpus_as_of(corpus=today, day=None))
    return list(searched.values_list("pk", flat=True))


def contract_read(*, title: str, kind: str, opening: str, notices: Sequence[str]) -> Contract | None:
    """The parties of a contract; None for other documents. One of unknown kind is a contract if it names parties."""
    parties = tuple(party.words for party in identity_of(title, opening).parties)
    is_contract = kind == "contract" or (kind in ("", "other") and len(parties) > 1)
    return Contract(title, parties, " ".join((opening, *notices))) if is_contract else None


def _provision(row: Position) -> Provision:
    paragraph, title = row.paragraph, row.paragraph.document.title
    source = source_of(
        document=str(paragraph.document_id), title=title, kind=row.version.kind, headings=row.heading_path
    )
    return Provision(paragraph.shown_id, paragraph.text, *source)


def corpus_findings(
    *, provisions: Sequence[Provision], progress: Callable[[int], bool] = lambda _: True
) -> list[Finding]:
    """The differences between documents; `progress` hears how many pairs are done, and stops the work with False."""
    differences: list[Finding] = []
    n_pairs = 0
    denies = sentences_read()
    neighbours, statements = Neighbours(provisions), StatedSentences(provisions)
    candidates = neighbours.pairs(range(len(provisions)))
    while batch := list(islice(candidates, BATCH)):
        pairs = [(provisions[a], provisions[b]) for a, b in batch]
        findings = compared(pairs, encode=sentences_encode, denies=denies)
        differences += [one for one in findings if one is not None and not statements.both_sides(one)]
        n_pairs += len(batch)
        if not progress(n_pairs):
            break
    return differences


def finding_document(*, finding: Finding) -> dict[str, Any]:
    """A difference as JSON: kind, the words on both sides with their offsets, and how it is resolved."""
    conflict, resolution = finding.conflict, finding.resolution
    return {
        "kind": conflict.kind,
        "score": conflict.score,
        "contradiction": resolution is None or resolution.rule != "scope",
        "resolution": asdict(resolution) if resolution else None,
        "quotes": [
            {"text": sentence.words, "start": sentence.start, "end": sentence.end, "words": words.words,
             "words_start": words.start, "words_end": words.end}
            for sentence, words in ((conflict.sentence_a, conflict.a), (conflict.sentence_b, conflict.b))
        ],
    }  # fmt: skip
