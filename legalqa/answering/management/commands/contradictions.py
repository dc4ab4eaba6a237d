"""`contradictions CORPUS`, or `contradictions --pairs FILE.jsonl`: provisions that cannot both be followed."""

from argparse import ArgumentParser
from typing import Any

from corpora.selectors import corpus_by_name
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.answering.conflicts.finding import Finding
from legalqa.answering.services.conflicts import corpus_findings, corpus_provisions, finding_document, pairs_judged
from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError
from legalqa.common.queries import rows_read


class Command(LegalQACommand):
    help = "Find provisions that contradict each other, in a corpus or in pairs of texts."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("corpus", nargs="?", help="slug, name or id of the corpus")
        parser.add_argument("--organization", metavar="SLUG")
        parser.add_argument("--pairs", metavar="FILE.jsonl", help="objects with id, a and b: two texts each")

    def run(self, options: dict[str, Any]) -> None:
        if (options["pairs"] is None) == (options["corpus"] is None):
            raise ApplicationError("Give either a corpus or --pairs FILE.jsonl, not both.", code="bad_arguments")
        pairs = self._of_corpus(options) if options["pairs"] is None else self._of_file(options["pairs"])
        n_open = sum(pair["contradiction"] and pair["resolution"] is None for pair in pairs)
        self.emit({"pairs": pairs, "open": n_open}, options, "\n\n".join(map(_text, pairs)) or "No contradictions.")

    def _of_file(self, file: str) -> list[dict[str, Any]]:
        rows = rows_read(file, needed=("id", "a", "b"))
        findings = pairs_judged(pairs=[(row["a"], row["b"]) for row in rows])
        return [
            {"id": row["id"], "a": row["a"], "b": row["b"], **_document(one)}
            for row, one in zip(rows, findings, strict=True)
        ]

    def _of_corpus(self, options: dict[str, Any]) -> list[dict[str, Any]]:
        organization = organization_get(slug=options["organization"])
        with organization_scope(organization, user=None):
            corpus = corpus_by_name(organization=organization, name=options["corpus"])
            provisions = [provision for _, provision in corpus_provisions(corpus=corpus)]

        def told(n_pairs: int) -> bool:
            self.progress(f"{n_pairs} pairs compared")
            return True

        findings = sorted(
            corpus_findings(provisions=provisions, progress=told),
            key=lambda one: (not one.is_open, -one.conflict.score),
        )
        return [
            {"id": str(place), "a": one.a.key, "b": one.b.key, "document_a": one.a.title, "document_b": one.b.title}
            | _document(one)
            for place, one in enumerate(findings, start=1)
        ]


def _document(finding: Finding | None) -> dict[str, Any]:
    if finding is None:
        return {"contradiction": False, "kind": "", "score": 0.0, "resolution": None, "quotes": []}
    return finding_document(finding=finding)


def _text(pair: dict[str, Any]) -> str:
    if not pair["quotes"]:
        return f"{pair['id']}: no contradiction found"
    resolution = pair["resolution"]
    quotes = "\n".join(f"  - {' '.join(quote['text'].split())}" for quote in pair["quotes"])
    how = f"\n  {resolution['sentence']}" if resolution else ""
    return f"{pair['id']}: {pair['kind']} ({pair['score']:.2f})\n{quotes}{how}"
