"""`index CORPUS`: rebuild the index of a corpus beside the one that is searched, and switch when it is complete.

With `--beside` it is kept to be compared and nothing switches; `--use` switches to one that is kept; `--encoder` adds
an encoder and makes its vectors; `--list` says what there is. `--graph` and `--questions` also bring the knowledge
graph and the question index up to date, as `graph build` and `questions build` do.
"""

import json
from argparse import ArgumentParser
from dataclasses import asdict, replace
from io import StringIO
from time import monotonic
from typing import Any

from django.core.management import call_command

from corpora.configs import CHUNKER_KINDS, CONTEXTS
from corpora.indexed import chunk_set_rows, encoder_rows
from corpora.models import Corpus
from corpora.selectors import chunk_set_counts, corpus_by_name
from corpora.services import chunk_set_keep, chunk_set_use, corpus_reindex, encoder_add, encoder_use
from corpora.services.added_encoders import EndpointSettings
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.common.errors import ApplicationError
from legalqa.common.queries import settings_read
from legalqa.jobs.models import Job
from legalqa.jobs.waiting import JobCommand

OF_CHUNK_SETS = ("corpora.tasks.corpus_reindex", "corpora.tasks.chunk_set_fill")
INSTEAD = ("list", "use", "encoder")  # options that build no index
OF_BUILDING = ("chunker", "set", "context", "beside")
BUILT = {"graph": "the knowledge graph", "questions": "the question index"}  # by the commands of these names


class Command(JobCommand):
    help = "Rebuild the index of a corpus; searches keep using the old index and switch when the new one is complete."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("corpus", help="slug, name or id of the corpus")
        parser.add_argument("--organization", metavar="SLUG")
        parser.add_argument("--chunker", metavar="NAME", help="e.g. semantic or semantic.v1; default: the corpus's own")
        parser.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="KEY=VALUE",
            help="a setting of the chunker, e.g. size_tokens=256",
        )
        parser.add_argument("--context", default="", metavar="NAME", help=f"before the text: {', '.join(CONTEXTS)}")
        parser.add_argument("--beside", action="store_true", help="keep it to be compared; searches do not switch")
        parser.add_argument("--use", metavar="NAME", help="switch to this kept chunk set, or to this encoder")
        parser.add_argument("--encoder", metavar="NAME", help="add an encoder: a folder's name, or provider/model")
        parser.add_argument("--list", action="store_true", help="the chunk sets and encoders of the corpus")
        for name, what in BUILT.items():
            parser.add_argument(f"--{name}", action="store_true", help=f"also build {what}, here and now")
        parser.add_argument("--wait", action="store_true", help="work here and return when searches use the new index")

    def run(self, options: dict[str, Any]) -> None:
        started = monotonic()
        _options_check(options)
        organization = organization_get(slug=options["organization"])
        with organization_scope(organization, user=None):
            corpus = corpus_by_name(organization=organization, name=options["corpus"])
        if options["list"]:
            self._list(organization, corpus, options)
            return
        job = _begun(organization, corpus, options)
        if options["wait"]:
            job = self.wait(job)
        built = {name: _built(name, organization, corpus) for name in BUILT if options[name]}
        lines = [f"{name}: {', '.join(f'{n} {what}' for what, n in one.items())}" for name, one in built.items()]
        if job.task not in OF_CHUNK_SETS:
            document: dict[str, Any] = {"corpus": corpus.slug, "state": job.state, "job": str(job.pk), **built}
            lines.insert(0, f"{corpus.slug}: its vectors are being made; job {job.pk}, {job.state}")
            self.emit(document, options, "\n".join(lines))
            return
        with organization_scope(organization, user=None):
            counts = chunk_set_counts(chunk_set_id=job.subject_id)
        document = {
            "corpus": corpus.slug,
            "state": job.state,
            "reason": job.reason,
            **counts,
            "job": str(job.pk),
            **built,
            "seconds": round(monotonic() - started, 2),
        }
        self.emit(document, options, "\n".join([_sentence(document), *lines]))

    def _list(self, organization: Organization, corpus: Corpus, options: dict[str, Any]) -> None:
        with organization_scope(organization, user=None):
            sets = [asdict(replace(row, job=None)) for row in chunk_set_rows(corpus=corpus)]
            encoders = [asdict(replace(row, job=None)) for row in encoder_rows(corpus=corpus)]
        lines = [
            *(
                f"{one['name']}  {one['n_chunks']} chunks, {one['n_bytes']:,} bytes, {one['n_behind']} documents behind"
                for one in sets
            ),
            *(
                f"{one['name']}  {one['dimensions']} dimensions, {one['n_vectors']} vectors, {one['n_lacking']} lacking"
                for one in encoders
            ),
        ]
        self.emit({"chunk_sets": sets, "encoders": encoders}, options, "\n".join(lines))


def _options_check(options: dict[str, Any]) -> None:
    """
    Raises:
        ApplicationError: of an option that is there nothing would be done.
    """
    for name in (name for name in INSTEAD if options[name]):
        others = [*INSTEAD, *OF_BUILDING, *(BUILT if name == "list" else ())]
        if named := [f"--{other}" for other in others if other != name and options[other]]:
            raise ApplicationError(
                f"--{name} does not go with {' and '.join(named)}. Leave one out.", code="bad_arguments"
            )


def _built(name: str, organization: Organization, corpus: Corpus) -> dict[str, int]:
    """How much another command has built, by its command of that name: the apps of both are above this one."""
    out = StringIO()
    call_command(name, "build", str(corpus.pk), "--json", organization=organization.slug, stdout=out)
    return {what: n for what, n in json.loads(out.getvalue()).items() if isinstance(n, int)}


def _begun(organization: Organization, corpus: Corpus, options: dict[str, Any]) -> Job:
    """Start what the options ask for."""
    of: dict[str, Any] = {"organization": organization, "user": None, "corpus_id": corpus.pk}
    if name := options["encoder"]:
        source: dict[str, Any] = {"endpoint": EndpointSettings(name)} if "/" in name else {"folder": name}
        return encoder_add(**of, **source)[1]
    with organization_scope(organization, user=None):
        if name := options["use"]:
            chunk_sets = {row.name: row.id for row in chunk_set_rows(corpus=corpus) if not row.is_live}
            encoders = {row.name: row.id for row in encoder_rows(corpus=corpus)}
            if name in chunk_sets:
                return chunk_set_use(**of, chunk_set_id=chunk_sets[name])
            if name in encoders:
                return encoder_use(**of, encoder_id=encoders[name])
            choices = ", ".join([*chunk_sets, *encoders])
            raise ApplicationError(f"The corpus has nothing called {name[:80]!r} to use; it has: {choices}.")
        start = chunk_set_keep if options["beside"] else corpus_reindex
        return start(**of, chunker=_chunker(corpus, options), context=options["context"])


def _chunker(corpus: Corpus, options: dict[str, Any]) -> dict[str, Any]:
    """The settings asked for: of the named chunker, else of the corpus's own, with `--set` over them."""
    base = dict(corpus.chunker)
    if name := options["chunker"]:
        kind = f"{name}.v1" if f"{name}.v1" in CHUNKER_KINDS else name
        base = base if kind == base["kind"] else {"kind": kind}
    return base | settings_read(options["set"])


def _sentence(document: dict[str, Any]) -> str:
    if document["is_kept"]:
        return f"{document['corpus']}: {document['chunks']} chunks kept as chunk_set={document['name']}"
    if not document["is_live"]:
        return (
            f"{document['corpus']} : its index is being rebuilt; searches use the previous one until that is complete."
        )
    return (
        f"{document['corpus']}: {document['chunks']} chunks of {document['documents']} documents by "
        f"{document['chunker']['kind']}, in use now; {document['seconds']} s"
    )
