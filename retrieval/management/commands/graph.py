"""`graph build | show | export | path`: the knowledge graph of a corpus."""

from argparse import ArgumentParser
from typing import Any

from corpora.models import Corpus
from corpora.selectors import corpus_by_name
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.common.errors import ApplicationError
from legalqa.common.json_lines import NotJson, json_read
from legalqa.jobs.waiting import JobCommand
from retrieval.graph import selectors
from retrieval.graph.building import graph_start
from retrieval.graph.exporting import FORMATS, graph_text, triplet_row
from retrieval.graph.queries import path_query_read, path_query_run
from retrieval.kinds import KIND_CHOICES

ROWS = 50


class Command(JobCommand):
    help = "Build the knowledge graph of a corpus, look at it, export it, or search paths in it."
    acts = {"build": ("parser", "model"), "show": ("text", "kind"), "export": ("shape",), "path": ("text",)}

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=list(self.acts))
        parser.add_argument("corpus", help="slug, name or id of the corpus")
        parser.add_argument("text", nargs="?", default="", help="show: words that must occur; path: the query as JSON")
        parser.add_argument("--organization", metavar="SLUG")
        parser.add_argument("--parser", action="store_true", help="build: read with the dependency parser too")
        parser.add_argument("--model", action="store_true", help="build: read with the language model too")
        kinds = [kind for kind, _ in KIND_CHOICES]
        parser.add_argument("--kind", default="", choices=kinds, help="show: statements of one kind")
        parser.add_argument("--shape", choices=list(FORMATS), default="csv", help="export: the format")

    def run(self, options: dict[str, Any]) -> None:
        organization = organization_get(slug=options["organization"])
        with organization_scope(organization, user=None):
            corpus = corpus_by_name(organization=organization, name=options["corpus"])
        if options["action"] == "build":
            self._build(organization, corpus, options)
        with organization_scope(organization, user=None):
            document, text = self._shown(corpus, options)
        self.emit(document, options, text)

    def _build(self, organization: Organization, corpus: Corpus, options: dict[str, Any]) -> None:
        with organization_scope(organization, user=None):
            before = selectors.graph_job(organization=organization, corpus=corpus)
        self.wait_open(before)
        with organization_scope(organization, user=None):
            job = graph_start(
                organization=organization,
                user=None,
                corpus_id=corpus.pk,
                uses_parser=options["parser"],
                uses_model=options["model"],
            )
        self.wait(job)

    def _shown(self, corpus: Corpus, options: dict[str, Any]) -> tuple[dict[str, Any], str]:
        if options["action"] == "export":
            text = graph_text(corpus=corpus, kind=options["shape"])
            return {"shape": options["shape"], "content": text}, text
        if options["action"] == "path":
            return self._paths(corpus, options["text"])
        rows = selectors.triplet_list(corpus=corpus, kind=options["kind"], text=options["text"])
        counts = {"statements": rows.count(), "entities": selectors.entity_list(corpus=corpus).count()}
        examples = [] if options["action"] == "build" else [triplet_row(row) for row in rows[:ROWS]]
        lines = [f"{one['section'] or one['document']}: {_line(one)}" for one in examples]
        head = f"{counts['statements']} statements, {counts['entities']} entities"
        return counts | {"first": examples}, "\n".join([head, *lines])

    def _paths(self, corpus: Corpus, text: str) -> tuple[dict[str, Any], str]:
        try:
            query = path_query_read(json_read(text))
        except NotJson:
            raise ApplicationError(
                'The path query is not JSON; write it as {"start": "employer", "hops": 1}.', code="bad_path_query"
            ) from None
        paths = path_query_run(corpus=corpus, query=query)
        rows = [[triplet_row(row) for row in path.triplets] for path in paths]
        names = [[entity.name for entity in path.entities] for path in paths]
        lines = ["\n   ".join([" → ".join(ends), *map(_line, path)]) for ends, path in zip(names, rows, strict=True)]
        if len(paths) == query.limit:
            lines.append(f"These are the first {query.limit} paths; there may be more (limit: at most 200).")
        return {"paths": rows, "entities": names}, "\n".join(lines) or "No path fits."


def _line(one: dict[str, Any]) -> str:
    return f"{one['subject']} {one['predicate']} {one['object']}"
