"""The page about chunking and indexing a corpus."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

from corpora.configs import MODEL_KINDS
from corpora.delimiters import Suggestion
from corpora.forms.chunking import HIDDEN, PRESETS, ChunkingForm, chunker_words
from corpora.models import ChunkSet, Corpus
from corpora.selectors import chunk_set_building, corpus_get, document_names
from corpora.services import chunking_preview, delimiters_suggested
from corpora.services.corpus import chunker_check
from corpora.services.previewing import Preview
from legalqa.accounts.access import MemberRequest
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, NotFound
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.pages import reason_words, work_state
from legalqa.jobs.selectors import job_latest

CHUNKS_SHOWN = 12  # chunks of a preview


@dataclass(frozen=True, slots=True)
class IndexState:
    """The live chunk set, and the job that builds its successor, or the last job that did."""

    words: str
    job: Job | None
    next_words: str
    reason: str

    @property
    def is_working(self) -> bool:
        return self.job is not None and self.job.is_open

    @property
    def state(self) -> str:
        return work_state(self.job, without="")


def index_state(*, organization: Organization, corpus: Corpus) -> IndexState:
    live = ChunkSet.objects.filter(corpus=corpus, is_live=True).first()
    building = chunk_set_building(corpus=corpus)
    chunk_set = building or live
    job = job_latest(organization=organization, subject_id=chunk_set.pk) if chunk_set else None
    if job is not None and building is None and job.state == JobState.DONE:
        job = None
    return IndexState(
        chunker_words(live.chunker if live else chunker_check(settings=corpus.chunker)),
        job,
        chunker_words(building.chunker) if building else "",
        reason_words(job) if job is not None else "",
    )


def chunking_page(request: MemberRequest, corpus_id: UUID, *, error: ApplicationError | None = None) -> dict[str, Any]:
    """The page's context: the form as asked for in the address, or as the corpus has it, and what it would do."""
    parameters = request.POST if request.method == "POST" else request.GET
    with organization_scope(request.organization, user=request.user):
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        own = chunker_check(settings=corpus.chunker).model_dump(mode="json")
        form = _form(parameters, own | {"context": corpus.context})
        state = index_state(organization=request.organization, corpus=corpus)
        documents = document_names(corpus=corpus)
        suggestions: tuple[Suggestion, ...] = ()
        if form.chosen == "pattern.v1":
            suggestions = delimiters_suggested(organization=request.organization, corpus_id=corpus_id)
    preview, document_id = None, _document(parameters.get("document", ""))
    try:
        if error is not None:
            raise error
        preview = chunking_preview(
            **request.acting,
            corpus_id=corpus_id,
            chunker=form.settings() if form.is_bound else own,
            context=form.context(),
            document_id=document_id,
        )
    except NotFound:
        raise
    except ApplicationError as refusal:
        form.is_bound = True
        form.refuse(refusal)
    base = reverse("corpus_chunking", args=(request.organization.slug, corpus_id))
    return {
        "corpus": corpus,
        "form": form,
        "state": state,
        "documents": documents,
        "document_id": document_id or (preview.document.pk if preview else None),
        "preview": _shown(preview),
        "settings": [*_settings(preview), ("context", form.context() or corpus.context)],
        "asks_model": form.chosen in MODEL_KINDS,
        "is_own": preview is not None
        and preview.chunker.model_dump(mode="json") == own
        and form.context() in ("", corpus.context),
        "presets": [{"preset": p, "url": f"{base}?{urlencode(p.settings)}"} for p in PRESETS],
        "suggestions": [
            {"found": suggestion, "url": f"{base}?{urlencode({'kind': 'pattern.v1', 'pattern': suggestion.pattern})}"}
            for suggestion in suggestions
        ],
    }


def _form(parameters: Any, own: dict[str, Any]) -> ChunkingForm:
    """A form with what was typed; with the defaults of a chunker that was chosen just now; or with what is live."""
    kind = parameters.get("kind", "")
    if not kind:
        return ChunkingForm(own)
    initial = {"kind": kind, "context": parameters.get("context") or own["context"]}
    if parameters.get("shown", kind) != kind:
        return ChunkingForm(initial, initial)
    form = ChunkingForm(initial)
    defaults = {name: field.initial for name, field in form.fields.items()}
    entries = {name: parameters[name] for name in form.fields if parameters.get(name)}
    return ChunkingForm(initial, {name: str(value) for name, value in (defaults | entries).items()})


def _document(raw: str) -> UUID | None:
    try:
        return UUID(raw) if raw else None
    except ValueError:
        raise NotFound("document") from None


def _settings(preview: Preview | None) -> list[tuple[str, Any]]:
    """What the button that starts indexing sends."""
    if preview is None:
        return []
    values = preview.chunker.model_dump(mode="json")
    return [(name, value) for name, value in values.items() if name not in HIDDEN or name == "kind"]


def _shown(preview: Preview | None) -> dict[str, Any] | None:
    """The preview with differences in words."""
    if preview is None:
        return None
    more = len(preview.chunks) - preview.n_live
    return {
        "all": preview,
        "n_chunks": len(preview.chunks),
        "chunks": preview.chunks[:CHUNKS_SHOWN],
        "n_hidden": max(0, len(preview.chunks) - CHUNKS_SHOWN),
        "change": f"{abs(more)} {'more' if more > 0 else 'fewer'} than now" if more else "same as now",
        "n_new": None if preview.n_known is None else preview.n_vectors - preview.n_known,
    }
