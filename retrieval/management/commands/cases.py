"""`cases import | export | build | search | approve | entities`: the case base of a corpus."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command

from corpora.models import Corpus
from corpora.selectors import corpus_by_name
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.common.errors import ApplicationError
from legalqa.common.text_files import file_read
from legalqa.jobs.models import Job
from legalqa.jobs.waiting import JobCommand
from retrieval.cases.files import case_lines, case_rows_read
from retrieval.cases.indexing import TASK, case_index_build, case_index_list
from retrieval.cases.reading import case_entities_begin
from retrieval.cases.selectors import case_documents, case_list
from retrieval.cases.services import cases_add, cases_approve_waiting


class Command(JobCommand):
    help = (
        "Import, export, approve or search the solved cases of a corpus, compare them by an encoder, or read entities."
    )
    acts = {
        "import": ("file",),
        "export": ("file",),
        "approve": (),
        "build": ("encoder", "cue"),
        "search": ("text",),
        "entities": (),
    }

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=list(self.acts))
        parser.add_argument("corpus", help="slug, name or id of the corpus")
        parser.add_argument("text", nargs="?", help="search: the question; as `search` with the preset casebase")
        parser.add_argument("--file", type=Path, help="import: the JSONL or CSV to read; export: the JSONL to write")
        parser.add_argument("--encoder", default="", help="build: name of the encoder; default: the corpus's")
        parser.add_argument(
            "--cue", help="build: text put before a question that seeks supports; as it is without this"
        )
        parser.add_argument("--organization", metavar="SLUG")

    def run(self, options: dict[str, Any]) -> None:
        if options["action"] == "search":
            if options["text"] is None:
                raise ApplicationError("Give the question after the corpus.", code="bad_arguments")
            of = {name: options[name] for name in ("organization", "json")}
            call_command("search", options["corpus"], options["text"], preset="casebase", stdout=self.stdout, **of)
            return
        organization = organization_get(slug=options["organization"])
        with organization_scope(organization, user=None):
            corpus = corpus_by_name(organization=organization, name=options["corpus"])
            act = {"import": self._import, "export": self._export, "approve": self._approve}.get(options["action"])
            if act is not None:
                act(organization, corpus, options)
                return
        if options["action"] == "entities":
            self._read_entities(organization, corpus, options)
            return
        self._build(organization, corpus, options)

    def _import(self, organization: Organization, corpus: Corpus, options: dict[str, Any]) -> None:
        file = self.file_named(options, is_read=True)
        rows = case_rows_read(file_read(file))
        added = cases_add(organization=organization, user=None, corpus_id=corpus.pk, rows=rows)
        message = f"{len(added.cases)} cases wait for review; {added.n_known} were there already."
        document = {"added": len(added.cases), "known": added.n_known, "unplaced": added.n_unplaced}
        self.emit(document, options, f"{message} {added.warning}".strip())

    def _export(self, organization: Organization, corpus: Corpus, options: dict[str, Any]) -> None:
        cases = list(case_list(organization=organization, corpus_id=corpus.pk))
        self.file_named(options, is_read=False).write_text(case_lines(case_documents(cases=cases)), encoding="utf-8")
        document = {"cases": len(cases), "file": str(options["file"])}
        self.emit(document, options, f"{len(cases)} cases written to {options['file']}.")

    def _approve(self, organization: Organization, corpus: Corpus, options: dict[str, Any]) -> None:
        n = cases_approve_waiting(organization=organization, user=None, corpus_id=corpus.pk)
        self.emit({"approved": n}, options, f"{n} cases were approved.")

    def _read_entities(self, organization: Organization, corpus: Corpus, options: dict[str, Any]) -> None:
        """Let a model read them here, without the queue; what is read is kept if it is stopped."""
        with organization_scope(organization, user=None):
            job = case_entities_begin(organization=organization, user=None, corpus_id=corpus.pk)
        n = self.wait(job).cursor
        self.emit({"read": n}, options, f"A model has read the entities of {n} cases.")

    def _build(self, organization: Organization, corpus: Corpus, options: dict[str, Any]) -> None:
        """Encode here, without the queue; what is encoded is kept if it is stopped."""
        with organization_scope(organization, user=None):
            index = case_index_build(
                organization=organization,
                user=None,
                corpus_id=corpus.pk,
                encoder=options["encoder"],
                cue=options["cue"],
            )
        job = Job.objects.filter(task=TASK, subject_id=index.pk).latest("created_at")
        self.wait(job)
        with organization_scope(organization, user=None):
            states = case_index_list(organization=organization, corpus_id=corpus.pk)
        (state,) = [state for state in states if state.index.pk == index.pk]
        document = {"encoder": index.encoder, "cue": index.cue, "cases": state.n_cases}
        self.emit(document, options, f"{state.n_cases} cases compared by {index.encoder}.")
