"""`goldset import | export | list | graded`: gold sets of a corpus as JSONL, or of graded answers."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from corpora.selectors import corpus_by_name
from judging.gold.files import gold_lines, gold_rows_read
from judging.gold.services import (
    gold_set_by_name,
    gold_set_counted,
    gold_set_import,
    gold_set_list,
    gold_set_of_grades,
    gold_set_rows,
)
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError


class Command(LegalQACommand):
    help = "Import a gold set of a corpus from JSONL, export one, list them, or make one of graded answers."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["import", "export", "list", "graded"])
        parser.add_argument("corpus", help="slug, name or id of the corpus")
        parser.add_argument("name", nargs="?", help="of the gold set; import: the file's name where left out")
        parser.add_argument("--file", type=Path, help="import: the JSONL to read; export: the file to write")
        parser.add_argument("--organization", metavar="SLUG")

    def run(self, options: dict[str, Any]) -> None:
        organization = organization_get(slug=options["organization"])
        acts = {"import": self._import, "export": self._export, "list": self._list, "graded": self._graded}
        act = acts[options["action"]]
        with organization_scope(organization, user=None):
            act(organization, options)

    def _import(self, organization: Organization, options: dict[str, Any]) -> None:
        file = _file(options)
        if not file.is_file():
            raise ApplicationError(f"There is no file {str(file)!r}. Check the path.", code="no_such_file")
        rows = gold_rows_read(file.read_text(encoding="utf-8", errors="replace"))
        corpus = corpus_by_name(organization=organization, name=options["corpus"])
        gold_set = gold_set_import(
            organization=organization, user=None, corpus_id=corpus.pk, name=options["name"] or file.stem, rows=rows
        )
        made = gold_set_counted(gold_set=gold_set)
        document = {
            "id": gold_set.pk,
            "name": gold_set.name,
            "corpus": corpus.slug,
            "questions": len(rows),
            "answerable": made.n_answerable,
            "evidence_unknown": made.n_unknown,
            "references": sum(len(row.references) for row in rows),
        }
        self.emit(document, options, f"{gold_set.name}: {len(rows)} questions, {made.words}.")

    def _export(self, organization: Organization, options: dict[str, Any]) -> None:
        file = _file(options)
        corpus = corpus_by_name(organization=organization, name=options["corpus"])
        gold_set = gold_set_by_name(organization=organization, corpus=corpus, name=options["name"] or "")
        rows = gold_set_rows(gold_set=gold_set)
        file.write_text("".join(gold_lines(rows)), encoding="utf-8")
        document = {"name": gold_set.name, "corpus": corpus.slug, "questions": len(rows), "file": str(file)}
        self.emit(document, options, f"{len(rows)} questions written to {file}.")

    def _graded(self, organization: Organization, options: dict[str, Any]) -> None:
        corpus = corpus_by_name(organization=organization, name=options["corpus"])
        name = options["name"] or "Graded answers"
        made = gold_set_counted(
            gold_set=gold_set_of_grades(organization=organization, user=None, corpus_id=corpus.pk, name=name)
        )
        document = {
            "id": made.gold_set.pk,
            "name": made.gold_set.name,
            "corpus": corpus.slug,
            "questions": made.n_questions,
            "answerable": made.n_answerable,
            "evidence_unknown": made.n_unknown,
        }
        self.emit(document, options, f"{made.gold_set.name}: {made.n_questions} questions, {made.words}.")

    def _list(self, organization: Organization, options: dict[str, Any]) -> None:
        corpus = corpus_by_name(organization=organization, name=options["corpus"])
        found = gold_set_list(organization=organization, corpus_id=corpus.pk)
        document = {
            "goldsets": [
                {
                    "id": s.gold_set.pk,
                    "name": s.gold_set.name,
                    "questions": s.n_questions,
                    "answerable": s.n_answerable,
                    "evidence_unknown": s.n_unknown,
                }
                for s in found
            ]
        }
        lines = [f"{s.gold_set.name}: {s.n_questions} questions, {s.words}" for s in found]
        self.emit(document, options, "\n".join(lines) or "No gold set yet.")


def _file(options: dict[str, Any]) -> Path:
    if options["file"] is None:
        raise ApplicationError("Name the JSONL file with --file FILE.", code="bad_arguments")
    return Path(options["file"])
