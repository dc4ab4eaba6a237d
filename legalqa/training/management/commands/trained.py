"""`trained KIND list | report | use | roll-back | cancel | resume | remove`: what a corpus has trained."""

import json
from argparse import ArgumentParser
from typing import Any

from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.selectors import with_jobs
from legalqa.training.registry import FACES
from legalqa.training.versions.commands import TrainingCommand, corpus_named
from legalqa.training.versions.pages import AnyFace


class Command(TrainingCommand):
    help = "List what a corpus has trained, read a report, activate a version, roll back, cancel, resume and remove."
    acts = {
        "list": (),
        "report": ("number",),
        "use": ("number", "wait", "classes"),
        "roll-back": ("wait", "classes"),
        "cancel": ("number",),
        "resume": ("number",),
        "remove": ("number",),
    }

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("kind", choices=[face.trainer.name for face in FACES])
        parser.add_argument("action", choices=list(self.acts))
        parser.add_argument("corpus", help="slug, name or id of the corpus")
        parser.add_argument("--organization", metavar="SLUG")
        parser.add_argument(
            "--number",
            type=int,
            help="number of the version; default: the newest one that is ready; use: 0 is the packaged one",
        )
        parser.add_argument("--wait", action="store_true", help="use, roll-back: return when searches use it")
        parser.add_argument("--classes", type=int, help="use, roll-back: number of classes of the classifier, 2 to 5")

    def run(self, options: dict[str, Any]) -> None:
        face: AnyFace = next(face for face in FACES if face.trainer.name == options["kind"])
        organization, corpus = corpus_named(options)
        if options["action"] in ("use", "roll-back"):
            self._activate(face, organization, corpus, options)
            return
        with organization_scope(organization, user=None):
            if options["action"] == "list":
                self._list(face, organization, corpus, options)
                return
            version = self.version_numbered(face.trainer, corpus, options["number"])
            if options["action"] == "remove":
                of: dict[str, Any] = {"organization": organization, "user": None, "corpus_id": corpus.pk}
                face.trainer.remove(**of, version_id=version.pk)
            elif options["action"] != "report":
                getattr(face.trainer, options["action"])(version)
        document = {"id": version.pk, "number": version.number}
        words = "Done."
        if options["action"] == "report":
            document |= {"report": version.report}
            words = json.dumps(version.report, indent=2)
        self.emit(document, options, words)

    def _activate(self, face: AnyFace, organization: Any, corpus: Any, options: dict[str, Any]) -> None:
        """Roll back, or activate the version of `--number`: 0 is the packaged one."""
        trainer, slot = face.trainer, face.slot({"classes": options["classes"]})
        of: dict[str, Any] = {"organization": organization, "user": None, "corpus_id": corpus.pk, "slot": slot}
        with organization_scope(organization, user=None):
            if options["action"] == "roll-back":
                job = trainer.roll_back(**of)
            else:
                version = self.version_numbered(trainer, corpus, options["number"]) if options["number"] != 0 else None
                job = trainer.use(**of, version_id=version and version.pk)
        if job and options["wait"]:
            job = self.wait(job)
        is_pending = job is not None and job.is_open
        words = "Searches use it once every passage has its vector." if is_pending else "Searches use it from now on."
        self.emit({"corpus": corpus.slug, "job": job and job.pk}, options, words)

    def _list(self, face: AnyFace, organization: Any, corpus: Any, options: dict[str, Any]) -> None:
        in_use = face.trainer.in_use(corpus=corpus)
        rows = [
            {
                "number": version.number,
                "learned_from": version.source,
                "standing": str(face.trainer.standing(version, job=job, in_use=in_use)),
            }
            for version, job in with_jobs(organization=organization, rows=face.trainer.of_corpus(corpus))
        ]
        lines = [f"{row['number']:>4}  {row['standing']:10} {row['learned_from']}" for row in rows]
        self.emit({"corpus": corpus.slug, "versions": rows}, options, "\n".join(lines) or "Nothing trained yet.")
