"""`index CORPUS`: rebuild the index of a corpus beside the one that is searched, and switch when it is complete."""

from argparse import ArgumentParser
from time import monotonic, sleep
from typing import Any
from uuid import UUID

from corpora.configs import CHUNKER_KINDS, CONTEXTS
from corpora.models import Corpus
from corpora.pages.documents import JOB_REASONS
from corpora.selectors import chunk_set_counts, corpus_by_name
from corpora.services import corpus_reindex, reindex_work
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import organization_get
from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.selectors import job_get


class Command(LegalQACommand):
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
        parser.add_argument("--wait", action="store_true", help="work here and return when searches use the new index")

    def run(self, options: dict[str, Any]) -> None:
        started = monotonic()
        organization = organization_get(slug=options["organization"])
        with organization_scope(organization, user=None):
            corpus = corpus_by_name(organization=organization, name=options["corpus"])
            chunker = _chunker(corpus, options)
            job = corpus_reindex(
                organization=organization,
                user=None,
                corpus_id=corpus.pk,
                chunker=chunker,
                context=options["context"],
            )
        if options["wait"]:
            job = self._wait(organization, job)
        with organization_scope(organization, user=None):
            counts = chunk_set_counts(chunk_set_id=job.subject_id)
        document = {
            "corpus": corpus.slug,
            "chunker": counts.chunker,
            "state": job.state,
            "reason": job.reason,
            "is_live": counts.is_live,
            "documents": counts.n_documents,
            "chunks": counts.n_chunks,
            "larger_pieces": counts.n_parents,
            "embeddings": counts.n_embeddings,
            "job": str(job.pk),
            "seconds": round(monotonic() - started, 2),
        }
        self.emit(document, options, _sentence(document))

    def _wait(self, organization: Organization, job: Job) -> Job:
        """Work on the job here until it has ended: without a running worker nobody else would."""
        job_id: UUID = job.pk
        while (job := job_get(organization=organization, job_id=job_id)).is_open:
            self.progress(f"{job.stage or 'waiting'} {job.percent} %")
            reindex_work(job_id=job_id)
            if job_get(organization=organization, job_id=job_id).lease is not None:
                sleep(0.3)  # a worker has it
        if job.state != JobState.DONE:
            raise ApplicationError(JOB_REASONS.get(job.reason, "The rebuild did not finish."), code=job.reason)
        return job


def _chunker(corpus: Corpus, options: dict[str, Any]) -> dict[str, Any]:
    """The settings asked for: of the named chunker, else of the corpus's own, with `--set` over them."""
    pairs = [pair.partition("=") for pair in options["set"]]
    if bad := next((key for key, equals, _ in pairs if not equals), None):
        raise ApplicationError(f"--set {bad!r} has no '='. Write it as KEY=VALUE.", code="bad_setting")
    base = dict(corpus.chunker)
    if named := options["chunker"]:
        kind = f"{named}.v1" if f"{named}.v1" in CHUNKER_KINDS else named
        base = base if kind == base["kind"] else {"kind": kind}
    return base | {key: value for key, _, value in pairs}


def _sentence(document: dict[str, Any]) -> str:
    if not document["is_live"]:
        return (
            f"{document['corpus']} : its index is being rebuilt; searches use the previous one until that is complete."
        )
    return (
        f"{document['corpus']}: {document['chunks']} chunks of {document['documents']} documents by "
        f"{document['chunker']['kind']}, in use now; {document['seconds']} s"
    )
