"""`clauses DOCUMENT… --corpus CORPUS`: which clauses contracts have and lack, each with its quote."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from corpora.models import Corpus, Document
from corpora.selectors import corpus_by_name
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.answering.clauses.models import ClauseState
from legalqa.answering.clauses.pages import verdict_documents
from legalqa.answering.clauses.services import clauses_ask, clauses_chosen, verdict_list
from legalqa.common.errors import ApplicationError
from legalqa.jobs.waiting import JobCommand


class Command(JobCommand):
    help = "Read contracts for the clauses of the clause library."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("documents", nargs="+", metavar="DOCUMENT", help="file name, title or id; or: all")
        parser.add_argument("--corpus", required=True, help="slug, name or id of the corpus")
        parser.add_argument("--organization", metavar="SLUG")
        parser.add_argument(
            "--clause", action="append", default=[], metavar="KEY", help="only this clause; can be repeated"
        )
        parser.add_argument("--again", action="store_true", help="also re-read contracts that were read before")

    def run(self, options: dict[str, Any]) -> None:
        organization = organization_get(slug=options["organization"])
        with organization_scope(organization, user=None):
            corpus = corpus_by_name(organization=organization, name=options["corpus"])
            ids = _documents(corpus, options["documents"])
            job = clauses_ask(
                organization=organization, user=None, corpus_id=corpus.pk, document_ids=ids,
                clauses=options["clause"], again=options["again"],
            )  # fmt: skip
        self.wait(job)
        with organization_scope(organization, user=None):
            verdicts = _verdicts(organization, corpus, ids, options["clause"])
        self.emit({"verdicts": verdicts}, options, "\n".join(map(_line, verdicts)))


def _documents(corpus: Corpus, names: list[str]) -> list[UUID]:
    there = list(Document.objects.filter(corpus=corpus, removed_at=None))
    if names == ["all"]:
        return [one.pk for one in there if one.current_id is not None]
    documents = []
    for name in names:
        fitting = [one for one in there if name in (one.name, one.title, str(one.pk))]
        if len(fitting) != 1:
            raise ApplicationError(
                f"{len(fitting)} documents of the corpus are named {name!r}. Give the id of one.",
                code="no_such_document",
            )
        documents.append(fitting[0].pk)
    return documents


def _verdicts(organization: Organization, corpus: Corpus, ids: list[UUID], keys: list[str]) -> list[dict[str, Any]]:
    order = {one.key: place for place, one in enumerate(clauses_chosen(organization=organization, keys=keys))}
    rows = [one for one in verdict_list(corpus=corpus).filter(document__in=ids) if one.clause in order]
    rows.sort(key=lambda one: (ids.index(one.document_id), order[one.clause]))
    return verdict_documents(rows, organization=organization)


def _line(verdict: dict[str, Any]) -> str:
    place = f" (p. {verdict['page_label']})" if verdict["page_label"] else ""
    quote = f": “{verdict['quote']}”{place}" if verdict["quote"] else ""
    return f"{verdict['document']}: {verdict['name']}: {ClauseState(verdict['state']).label}{quote}"
