"""`goldset import | export | check | generate | list | graded`: gold sets of a corpus."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from corpora.selectors import corpus_by_name
from judging.gold.formats import READERS, WRITERS
from judging.gold.generation.services import GENERATIONS, generation_start
from judging.gold.services.files import gold_set_bring, gold_set_check, gold_set_file
from judging.gold.services.sets import (
    GoldSetCounts,
    gold_set_by_name,
    gold_set_counted,
    gold_set_list,
    gold_set_of_grades,
)
from judging.models import GoldReference
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.jobs.waiting import JobCommand


class Command(JobCommand):
    help = "Import, export, check, generate or list gold sets of a corpus, or make one of graded answers."
    acts = {
        "import": ("name", "file", "format"),
        "export": ("name", "file", "format"),
        "check": ("name",),
        "generate": ("name", "types", "number", "seed"),
        "list": (),
        "graded": ("name",),
    }

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=list(self.acts))
        parser.add_argument("corpus", help="slug, name or id of the corpus")
        parser.add_argument("name", nargs="?", help="name of the gold set; import: default is the file's name")
        parser.add_argument("--file", type=Path, help="import: the file to read; export: the file to write")
        parser.add_argument(
            "--format", default="jsonl", help=f"import: {', '.join(READERS)}; export: {', '.join(WRITERS)}"
        )
        parser.add_argument("--types", default="", help="generate: question types, separated by commas; default: all")
        parser.add_argument("--number", type=int, default=50, help="generate: number of questions")
        parser.add_argument("--seed", type=int, default=144, help="generate: seed for the choice of passages")
        parser.add_argument("--organization", metavar="SLUG")

    def run(self, options: dict[str, Any]) -> None:
        organization = organization_get(slug=options["organization"])
        act = getattr(self, f"_{options['action']}")
        if act in (self._generate, self._import):  # they open transactions of their own
            act(organization, options)
            return
        with organization_scope(organization, user=None):
            act(organization, options)

    def _import(self, organization: Organization, options: dict[str, Any]) -> None:
        file = self.file_named(options, is_read=True)
        with organization_scope(organization, user=None):
            corpus = corpus_by_name(organization=organization, name=options["corpus"])
        gold_set, notes = gold_set_bring(
            organization=organization,
            user=None,
            corpus_id=corpus.pk,
            name=options["name"] or file.stem,
            data=file.read_bytes(),
            shape=options["format"],
        )
        with organization_scope(organization, user=None):
            counts = gold_set_counted(gold_set=gold_set)
            n_references = GoldReference.objects.filter(question__gold_set=gold_set).count()
        document = _document(counts) | {"corpus": corpus.slug, "references": n_references, "notes": notes}
        lines = [f"{gold_set.name}: {counts.n_questions} questions, {counts.words}.", *notes]
        self.emit(document, options, "\n".join(lines))

    def _check(self, organization: Organization, options: dict[str, Any]) -> None:
        corpus = corpus_by_name(organization=organization, name=options["corpus"])
        gold_set = gold_set_by_name(organization=organization, corpus=corpus, name=options["name"] or "")
        notes = gold_set_check(organization=organization, gold_set=gold_set)
        self.emit({"name": gold_set.name, "notes": notes}, options, "\n".join(notes) or "Nothing to say.")

    def _export(self, organization: Organization, options: dict[str, Any]) -> None:
        file = self.file_named(options, is_read=False)
        corpus = corpus_by_name(organization=organization, name=options["corpus"])
        gold_set = gold_set_by_name(organization=organization, corpus=corpus, name=options["name"] or "")
        body, _, _ = gold_set_file(organization=organization, user=None, gold_set=gold_set, shape=options["format"])
        file.write_bytes(body)
        n_questions = gold_set_counted(gold_set=gold_set).n_questions
        document = {"name": gold_set.name, "corpus": corpus.slug, "questions": n_questions, "file": str(file)}
        self.emit(document, options, f"{n_questions} questions written to {file}.")

    def _graded(self, organization: Organization, options: dict[str, Any]) -> None:
        corpus = corpus_by_name(organization=organization, name=options["corpus"])
        name = options["name"] or "Graded answers"
        counts = gold_set_counted(
            gold_set=gold_set_of_grades(organization=organization, user=None, corpus_id=corpus.pk, name=name)
        )
        document = _document(counts) | {"corpus": corpus.slug}
        self.emit(document, options, f"{counts.gold_set.name}: {counts.n_questions} questions, {counts.words}.")

    def _generate(self, organization: Organization, options: dict[str, Any]) -> None:
        """Generate here and now, without the queue; what is written is kept if it is stopped."""
        types = [name.strip() for name in options["types"].split(",") if name.strip()]
        with organization_scope(organization, user=None):
            corpus = corpus_by_name(organization=organization, name=options["corpus"])
            run = generation_start(
                organization=organization,
                user=None,
                corpus_id=corpus.pk,
                name=options["name"] or "Generated",
                types=types,
                number=options["number"],
                seed=options["seed"],
            )
            _, job = GENERATIONS.get(organization=organization, run_id=run.pk)
        assert job is not None  # made with the run
        self.wait(job)
        with organization_scope(organization, user=None):
            run.refresh_from_db()
        n_written, n_left = sum(run.report["written"].values()), run.report["n_left_out"]
        document = {"id": run.gold_set_id, "questions": n_written, **run.report}
        self.emit(document, options, f"{n_written} drafts written, {n_left} left out.")

    def _list(self, organization: Organization, options: dict[str, Any]) -> None:
        corpus = corpus_by_name(organization=organization, name=options["corpus"])
        gold_sets = gold_set_list(organization=organization, corpus_id=corpus.pk)
        lines = [f"{s.gold_set.name}: {s.n_questions} questions, {s.words}" for s in gold_sets]
        self.emit({"goldsets": list(map(_document, gold_sets))}, options, "\n".join(lines) or "No gold set yet.")


def _document(counts: GoldSetCounts) -> dict[str, Any]:
    return {
        "id": counts.gold_set.pk,
        "name": counts.gold_set.name,
        "questions": counts.n_questions,
        "answerable": counts.n_answerable,
        "evidence_unknown": counts.n_unknown,
    }
