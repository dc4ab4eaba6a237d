"""`ingest CORPUS PATH…`: files, folders and passages files into a corpus."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from corpora.models import Corpus, WatchedFolder
from corpora.pages.documents import row_state
from corpora.selectors import corpus_by_name, document_rows, member_job_ids, watched_files
from corpora.services import corpus_create, document_ingest, document_upload, folder_look, folder_watch
from corpora.services.watching import Look
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.accounts.services import organization_first
from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError

PART_BYTES = 1 << 20


class Command(LegalQACommand):
    help = "Put files, folders or a passages.jsonl into a corpus."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("corpus", help="slug, name or id of the corpus")
        parser.add_argument("paths", nargs="+", metavar="PATH", help="files or folders")
        parser.add_argument("--organization", metavar="SLUG")
        parser.add_argument(
            "--create",
            action="store_true",
            help="create the corpus if there is none of that name, and the first organisation if there is none at all",
        )
        parser.add_argument("--wait", action="store_true", help="return when every document is ready or refused")
        parser.add_argument(
            "--chunker", metavar="NAME", help="chunker for a corpus made by --create, e.g. recursive.v1"
        )
        parser.add_argument(
            "--watch", action="store_true", help="keep running, and add files that arrive in the one folder given"
        )
        parser.add_argument(
            "--remove-missing", action="store_true", help="with --watch: remove documents whose file is gone"
        )
        parser.add_argument(
            "--every", type=float, default=2.0, metavar="SECONDS", help="between two checks (default 2)"
        )
        parser.add_argument("--password", action="append", default=[], metavar="FILE=PASSWORD")

    def run(self, options: dict[str, Any]) -> None:
        started = monotonic()
        if options["remove_missing"] and not options["watch"]:
            raise ApplicationError(
                "--remove-missing goes with --watch. Add it, or leave the other out.", code="bad_watch"
            )
        organization = _organization(options)
        if options["watch"]:
            self._watch(organization, options)
            return
        files = list(_files(options["paths"]))
        _check_names([name for _, name in files])
        passwords = _passwords(options["password"], [file for file, _ in files])
        corpus = _corpus(organization, options)
        outcomes = [self._upload(organization, corpus, file, name, passwords) for file, name in files]
        if options["wait"]:
            self._wait(organization, outcomes)
        document = _summary(organization, corpus, outcomes, monotonic() - started)
        self.emit(document, options, _table(document))

    def _watch(self, organization: Organization, options: dict[str, Any]) -> None:
        """Look at a folder until the command is ended, and read what was taken."""
        started = monotonic()
        if len(options["paths"]) != 1 or options["password"] or options["every"] <= 0:
            raise ApplicationError(
                "--watch takes one folder, no --password, and --every more than 0 seconds.", code="bad_watch"
            )
        corpus = _corpus(organization, options)
        with organization_scope(organization, user=None):
            folder = folder_watch(
                organization=organization,
                user=None,
                corpus_id=corpus.pk,
                path=options["paths"][0],
                removes_missing=options["remove_missing"],
                is_by_command=True,
            )
        self.note(f"Watching {folder.path} for {corpus.slug}; Ctrl-C ends it.")
        outcomes: list[dict[str, Any]] = []
        with suppress(KeyboardInterrupt):
            while True:
                look = folder_look(organization=organization, folder_id=folder.pk)
                if look is not None:
                    self._tell(look)
                    outcomes += [{"job_id": job_id} for job_id in look.job_ids]
                    self._wait(organization, outcomes[-len(look.job_ids) :] if look.job_ids else [])
                sleep(options["every"])
        document = _watched(organization, folder, monotonic() - started)
        self.emit(document, options, _watched_table(document))

    def _tell(self, look: Look) -> None:
        """What a look did, one line each; a folder in which nothing happened says nothing."""
        for word, names in (
            ("taken", look.taken),
            ("removed", look.removed),
            ("no longer in the folder", look.missing),
            ("refused", look.refused),
        ):
            for name in names:
                self.note(f"{name}: {word}")
        if look.problem:
            self.note(look.problem)

    def _upload(
        self, organization: Organization, corpus: Corpus, file: Path, name: str, passwords: dict[str, str]
    ) -> dict[str, Any]:
        password = passwords.get(str(file), passwords.get(file.name, ""))
        try:
            with file.open("rb") as handle:
                upload = document_upload(
                    organization=organization,
                    user=None,
                    corpus_id=corpus.pk,
                    name=name,
                    parts=iter(lambda: handle.read(PART_BYTES), b""),
                    password=password,
                )
        except ApplicationError as error:
            return {"name": name, "status": "refused", "reason": error.message, "code": error.code}
        return {"name": name, "document_id": upload.document.pk, "job_id": upload.job.pk}

    def _wait(self, organization: Organization, outcomes: list[dict[str, Any]]) -> None:
        """Work on the jobs here until all have ended: without a running worker nobody else would."""
        from legalqa.jobs.selectors import job_get

        waiting = [outcome["job_id"] for outcome in outcomes if "job_id" in outcome]
        for place, job_id in enumerate(waiting, start=1):
            while (job := job_get(organization=organization, job_id=job_id)).is_open:
                self.progress(f"{place} of {len(waiting)}: {job.stage or 'waiting'} {job.percent} %")
                document_ingest(job_id=job_id)
                if job_get(organization=organization, job_id=job_id).lease is not None:
                    sleep(0.3)  # a worker has it
            with organization_scope(organization, user=None):  # what came out of an archive is waited for as well
                waiting += member_job_ids(organization=organization, job_id=job_id)


def _watched(organization: Organization, folder: WatchedFolder, seconds: float) -> dict[str, Any]:
    """What became of each file of a watched folder, up to now."""
    with organization_scope(organization, user=None):
        files = [
            {"name": f.name, "status": f.state, "reason": f.reason, "document_id": f.document_id and str(f.document_id)}
            for f in watched_files(folder=folder)
        ]
    return {"folder": folder.path, "files": files, "seconds": round(seconds, 2)}


def _watched_table(document: dict[str, Any]) -> str:
    lines = [f"{row['name'][:60]:60} {row['status']:9} {row['reason']}" for row in document["files"]]
    return "\n".join([*lines, f"{len(lines)} files seen in {document['folder']}"])


def _files(paths: list[str]) -> Iterator[tuple[Path, str]]:
    """Every file with the name its document gets: for a file in a folder, the way to it from the folder given."""
    for raw in paths:
        path = Path(raw)
        if path.is_dir():
            files = sorted(p for p in path.rglob("*") if p.is_file() and not p.name.startswith("."))
            yield from ((p, " – ".join(p.relative_to(path).parts)) for p in files)
        elif path.is_file():
            yield path, path.name
        else:
            raise ApplicationError(f"There is no file or folder {raw!r}. Check the path.", code="no_such_file")


def _check_names(names: list[str]) -> None:
    """Refuse two files of one name: the second would take the place of the first without a word."""
    twice = sorted(name for name, n in Counter(names).items() if n > 1)
    if twice:
        raise ApplicationError(
            f"Two of the files are named {twice[0]!r}, and a corpus knows documents by name. Rename one of them.",
            code="same_name",
        )


def _passwords(pairs: list[str], files: list[Path]) -> dict[str, str]:
    """The password of each file that has one, by its path or its name.

    Raises:
        ApplicationError: a password without a file, a second one of a file, or one of a file that is not read.
    """
    known = {name for file in files for name in (str(file), file.name)}
    passwords: dict[str, str] = {}
    for pair in pairs:
        file, equals, password = pair.partition("=")
        if not equals:
            raise ApplicationError(f"--password {file!r} has no '='. Write it as FILE=PASSWORD.", code="bad_password")
        if file not in known or file in passwords:
            fault = "is given twice" if file in passwords else "is of no file that is read"
            raise ApplicationError(f"The --password of {file!r} {fault}. Correct it.", code="bad_password")
        passwords[file] = password
    return passwords


def _organization(options: dict[str, Any]) -> Organization:
    """The organisation that is meant; in an empty installation --create makes the first one."""
    slug: str | None = options["organization"]
    if options["create"]:
        organization_first(slug=slug or "main")
    return organization_get(slug=slug)


def _corpus(organization: Organization, options: dict[str, Any]) -> Corpus:
    with organization_scope(organization, user=None):
        wanted = options["chunker"]
        try:
            corpus = corpus_by_name(organization=organization, name=options["corpus"])
        except ApplicationError:
            if not options["create"]:
                raise
            chunker = {"kind": wanted} if wanted else None
            return corpus_create(organization=organization, user=None, name=options["corpus"], chunker=chunker)
    if wanted not in (None, corpus.chunker["kind"]):
        raise ApplicationError(
            f"The corpus is there already, split by {corpus.chunker['kind']}. Leave --chunker out, or use "
            f"`manage.py index {corpus.slug} --chunker {wanted}`.",
            code="chunker_differs",
        )
    return corpus


def _summary(
    organization: Organization, corpus: Corpus, outcomes: list[dict[str, Any]], seconds: float
) -> dict[str, Any]:
    with organization_scope(organization, user=None):
        rows = {row.document.pk: row for row in document_rows(organization=organization, corpus=corpus)}
    documents = []
    for outcome in outcomes:
        row = rows.get(outcome["document_id"]) if "document_id" in outcome else None
        if row is None:
            empty = {"pages": 0, "paragraphs": 0, "chunks": 0}
            documents.append({k: outcome.get(k, "") for k in ("name", "status", "reason", "code")} | empty)
            continue
        version = row.version
        documents.append(
            {
                "name": row.document.name,
                "id": str(row.document.pk),
                "status": row_state(row)[0],
                "reason": version.detail or (row.job.reason if row.job else ""),
                "code": version.reason,
                "warnings": version.warnings,
                "pages": version.n_pages,
                "paragraphs": version.n_paragraphs,
                "chunks": version.n_chunks,
            }
        )
    totals = {key: sum(d[key] for d in documents) for key in ("pages", "paragraphs", "chunks")}
    return {
        "corpus": corpus.slug,
        "documents": documents,
        "totals": {"documents": len(documents), "ready": sum(d["status"] == "ready" for d in documents), **totals},
        "seconds": round(seconds, 2),
    }


def _table(document: dict[str, Any]) -> str:
    lines = [f"{'document':40} {'status':16} {'pages':>6} {'paragraphs':>10} {'chunks':>7}  reason"]
    lines += [
        f"{row['name'][:40]:40} {row['status']:16} {row['pages']:6} {row['paragraphs']:10}"
        f" {row['chunks']:7}  {row['reason']}"
        for row in document["documents"]
    ]
    totals = document["totals"]
    lines.append(f"{totals['ready']} of {totals['documents']} ready in {document['seconds']} s")
    return "\n".join(lines)
