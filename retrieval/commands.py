"""The options that `search` and `ask` share, and what they mean."""

from argparse import ArgumentParser
from typing import Any

from corpora.models import Corpus, Document
from corpora.selectors import corpus_by_name
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.common.errors import ApplicationError
from legalqa.common.queries import rows_read, settings_read
from retrieval.pipelines.presets import DEFAULT_PRESET, Preset
from retrieval.services.presets import preset_resolve
from retrieval.types import Filters

LISTS = ("document_ids", "kinds", "kind", "jurisdiction", "excluded_paragraph_ids")


def add_search_options(parser: ArgumentParser) -> None:
    parser.add_argument("corpus", help="slug, name or id of the corpus")
    parser.add_argument("text", nargs="?", help="the query or question")
    parser.add_argument("--organization", metavar="SLUG")
    parser.add_argument("--preset", default=DEFAULT_PRESET)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="one setting of the preset")
    parser.add_argument(
        "--filter", action="append", default=[], metavar="KEY=VALUE", help="e.g. heading=Notice or kind=contract"
    )
    parser.add_argument("--as-of", metavar="DATE", help="search the versions in force on that day, e.g. 2024-01-31")
    parser.add_argument("--document", action="append", default=[], metavar="D", help="name, title or id of a document")


def texts_of(options: dict[str, Any], file_option: str) -> list[dict[str, Any]]:
    """The one query of the command line, or the rows of the file.

    Raises:
        ApplicationError: neither or both are given, or the file is wrong.
    """
    file, text = options[file_option], options["text"]
    if (file is None) == (text is None):
        raise ApplicationError(f"Give either one text or --{file_option} FILE.jsonl, not both.", code="bad_arguments")
    return [{"id": "1", "text": text}] if file is None else rows_read(file, needed=("id", "text"))


def search_inputs(options: dict[str, Any], *, hits: int = 1) -> tuple[Organization, Corpus, Preset, Filters]:
    """What the options name.

    Raises:
        ApplicationError: an unknown organisation, corpus, document, preset, setting or filter, or documents twice.
    """
    organization = organization_get(slug=options["organization"])
    filters: dict[str, object] = dict(settings_read(options["filter"]))
    if options["document"] and "document_ids" in filters:
        raise ApplicationError("Name the documents with --document or with --filter, not both.", code="repeated")
    for key in LISTS:
        if isinstance(value := filters.get(key), str):
            filters[key] = [part.strip() for part in value.split(",")]
    with organization_scope(organization, user=None):
        corpus = corpus_by_name(organization=organization, name=options["corpus"])
        if options["document"]:
            filters["document_ids"] = [str(_document(corpus, name).pk) for name in options["document"]]
    preset = preset_resolve(
        organization=organization,
        user=None,
        corpus_id=corpus.pk,
        name=options["preset"],
        overrides=settings_read(options["set"]),
        hits=hits,
    )
    return organization, corpus, preset, Filters.sent(filters, as_of=options["as_of"])


def _document(corpus: Corpus, name: str) -> Document:
    documents = Document.objects.filter(corpus=corpus, removed_at=None)
    for match in ({"name": name}, {"title": name}, {"name__startswith": f"{name}."}):
        documents_of_name = list(documents.filter(**match)[:2])
        if len(documents_of_name) == 1:
            return documents_of_name[0]
    by_id = [d for d in documents if str(d.pk) == name]
    if by_id:
        return by_id[0]
    raise ApplicationError(
        f"The corpus has no document {name!r}. List them with the API or on its page.", code="unknown_document"
    )
