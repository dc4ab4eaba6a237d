"""`questions build | import | export CORPUS`: the question index of a corpus."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from corpora.selectors import corpus_by_name
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.jobs.waiting import JobCommand
from retrieval.questions import services
from retrieval.questions.files import file_lines


class Command(JobCommand):
    help = "Build the question index of a corpus, import real questions into it, or export it."
    acts = {"build": ("templates",), "import": ("file",), "export": ("file", "format")}

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=list(self.acts))
        parser.add_argument("corpus", help="slug, name or id of the corpus")
        parser.add_argument("--file", type=Path, help="import: JSONL or CSV to read; export: the file to write")
        parser.add_argument("--format", default="jsonl", help="export: jsonl or csv")
        parser.add_argument("--templates", action="store_true", help="build: by templates even if a model is set up")
        parser.add_argument("--organization", metavar="SLUG")

    def run(self, options: dict[str, Any]) -> None:
        organization = organization_get(slug=options["organization"])
        who: Any = {"organization": organization, "user": None}
        with organization_scope(organization, user=None):
            corpus = corpus_by_name(organization=organization, name=options["corpus"])
            if options["action"] == "export":
                text, _ = services.questions_export(**who, corpus_id=corpus.pk, shape=options["format"])
                self.file_named(options, is_read=False).write_text(text, encoding="utf-8")
                self.emit({"file": str(options["file"])}, options, f"Written to {options['file']}.")
                return
            if options["action"] == "import":
                file = self.file_named(options, is_read=True)
                lines = file_lines(file.read_bytes())
                report = services.pairs_import(**who, corpus_id=corpus.pk, lines=lines, author=file.name)
                document = {"added": report.n_added, "known": report.n_known, "left_out": list(report.left_out)}
                told = [f"{report.n_added} questions added, {report.n_known} known already.", *report.left_out]
                self.emit(document, options, "\n".join(told))
                return
            _, _, before = services.question_index_get(organization=organization, corpus_id=corpus.pk)
        self.wait_open(before)
        uses_model = False if options["templates"] else None
        with organization_scope(organization, user=None):
            job = services.questions_build(**who, corpus_id=corpus.pk, uses_model=uses_model)
        self.wait(job)
        with organization_scope(organization, user=None):
            n = services.question_list(organization=organization, corpus_id=corpus.pk).count()
            n_replaced = services.paragraphs_replaced(corpus=corpus).count()
        note = f" Templates wrote those on {n_replaced} paragraphs, because the model returned none that could be used."
        document = {"corpus": corpus.slug, "questions": n, "replaced": n_replaced}
        self.emit(document, options, f"{n} questions indexed.{note if n_replaced else ''}")
