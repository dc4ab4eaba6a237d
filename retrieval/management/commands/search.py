"""`search CORPUS "query"`: ranked evidence, for people, as JSON, or as a TREC run."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError
from retrieval.commands import add_search_options, search_inputs, texts_of
from retrieval.pages.search import search_document
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import corpus_search
from retrieval.types import MAX_HITS


class Command(LegalQACommand):
    help = "Rank the paragraphs of a corpus for one query or a file of queries."

    def add_options(self, parser: ArgumentParser) -> None:
        add_search_options(parser)
        parser.add_argument("--queries", metavar="FILE.jsonl", help="objects with id and text")
        parser.add_argument("-k", type=int, default=10, help="hits per query")
        parser.add_argument("--run", metavar="OUT.trec", dest="run_file", help="write a six-column TREC run")

    def run(self, options: dict[str, Any]) -> None:
        if not 1 <= options["k"] <= MAX_HITS:
            raise ApplicationError(f"-k is {options['k']}, but must be from 1 to {MAX_HITS}.", code="bad_arguments")
        queries = texts_of(options, "queries")
        organization, corpus, preset, filters = search_inputs(options, hits=options["k"])
        documents = []
        for place, query in enumerate(queries, start=1):
            request = SearchRequest(organization, None, corpus.pk, query["text"], preset, filters)
            result = corpus_search(request=request)
            documents.append({"id": query["id"], **search_document(result=result, k=options["k"])})
            if len(queries) > 1:
                self.progress(f"{place} of {len(queries)}")
        if options["run_file"]:
            Path(options["run_file"]).write_text("".join(_trec(d, preset.name) for d in documents))
        single = documents[0] if options["queries"] is None else {"queries": documents}
        self.emit(single, options, "\n\n".join(_table(d) for d in documents))


def _trec(document: dict[str, Any], tag: str) -> str:
    return "".join(
        f"{document['id']} Q0 {hit['paragraph_id']} {hit['rank']} {hit['score']:.6f} {tag}\n"
        for hit in document["hits"]
    )


def _table(document: dict[str, Any]) -> str:
    lines = [f"{document['id']}: {document['query']}"]
    for hit in document["hits"]:
        where = f"{hit['document'][:40]}, p. {hit['page_label']}"
        lines.append(f"{hit['rank']:3}  {hit['score']:.4f}  {where}  {hit['heading'][:50]}\n     {hit['text'][:160]}")
    lines += [
        f"  +  {side['score']:.4f}  {side['kind']} {side['key']}  {side['text'][:160]}" for side in document["side"]
    ]
    return "\n".join(lines)
