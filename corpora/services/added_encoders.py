"""Encoders that a corpus is given: a folder on this server, or an embedding model of the organisation's."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from corpora.hnsw import DIMENSIONS_MAX
from corpora.models import AddedEncoder, Corpus, EncoderSource
from corpora.selectors import corpus_get
from corpora.services.encoders import encoder_fill_start
from corpora.services.encoding import ENDPOINT, EndpointEncoder
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.encoder.client import folder_cards
from legalqa.jobs.models import Job
from legalqa.llm.selectors import candidate_list
from legalqa.llm.types import Role

ADDED_MAX = 8  # ours: each brings a vector for every passage
WINDOW_MIN, WINDOW_MAX = 32, 8192  # ours
PROBE = "The tenant pays the rent on the first day of each month."


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """What an embedding model over the network does not say of itself.

    `window_tokens` are counted by the packaged encoder's tokenizer: name fewer than the model reads by its own.
    """

    model: str
    window_tokens: int = 254
    cue_query: str = ""
    cue_passage: str = ""
    licence: str = ""


def models_offered(*, organization: Organization) -> list[str]:
    """The embedding models that the organisation has set up, as "provider/model"; inside its scope."""
    return [f"{one.provider}/{one.model}" for one in candidate_list(organization=organization, role=Role.EMBED)]


def encoder_add(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    folder: str = "",
    endpoint: EndpointSettings | None = None,
) -> tuple[AddedEncoder, Job]:
    """Give a corpus an encoder by its folder or its model, and start to make its vectors beside those in use.

    Opens its own short transactions: a model over the network is asked for one vector first, which says how many
    dimensions it has. From then on the corpus's passages are sent to it.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        ApplicationError: no such folder or model, or more dimensions than can be indexed.
        Conflict: the corpus has it already, or has ADDED_MAX.
        EncoderAway: the model gave no vector.
    """
    with organization_scope(organization, user=user):
        corpus = corpus_get(organization=organization, corpus_id=corpus_id)
        models = models_offered(organization=organization)
    connection_give_back()
    fields = _of_folder(folder) if endpoint is None else _of_endpoint(organization, endpoint, models)
    if fields["dimensions"] > DIMENSIONS_MAX:
        raise ApplicationError(
            f"This encoder has {fields['dimensions']:,} dimensions; at most {DIMENSIONS_MAX:,} can be searched. Choose "
            "a smaller one.",
            code="too_many_dimensions",
        )
    with organization_scope(organization, user=user):
        corpus = Corpus.objects.select_for_update().get(pk=corpus.pk)
        there = AddedEncoder.objects.filter(corpus=corpus)
        if there.filter(name=fields["name"]).exists():
            raise Conflict(
                f"The corpus has the encoder {fields['name']} already. Choose another, or use it on Indexes.",
                code="encoder_there",
            )
        if there.count() >= ADDED_MAX:
            raise Conflict(f"A corpus has at most {ADDED_MAX} added encoders. Remove one first.", code="too_many")
        added = AddedEncoder.objects.create(organization=organization, corpus=corpus, created_by=user, **fields)
        audit(organization=organization, actor=user, action="encoder.added", subject_id=corpus.pk, encoder=added.name)
        job = encoder_fill_start(organization=organization, user=user, corpus_id=corpus.pk, encoder_id=added.pk)
    return added, job


def _of_folder(slug: str) -> dict[str, Any]:
    card = next((card for card in folder_cards() if card.slug == slug), None)
    if card is None:
        choices = ", ".join(card.slug for card in folder_cards())
        raise ApplicationError(
            f"There is no encoder folder {slug[:40]!r} on this server; available: {choices or 'none'}.",
            code="no_encoder",
        )
    fields = ("name", "title", "dimensions", "window_tokens", "pooling", "cue_query", "cue_passage", "licence")
    return {"source": EncoderSource.FOLDER, "n_bytes": card.n_bytes} | {name: getattr(card, name) for name in fields}


def _of_endpoint(organization: Organization, endpoint: EndpointSettings, models: Sequence[str]) -> dict[str, Any]:
    if endpoint.model not in models:
        raise ApplicationError(
            f"No embedding model {endpoint.model[:80]!r} is set up; there is: {', '.join(models) or 'none'}. Add one "
            "under Language models, in the role Embed texts.",
            code="no_encoder",
        )
    if not WINDOW_MIN <= endpoint.window_tokens <= WINDOW_MAX:
        raise ApplicationError(
            f"The window is {endpoint.window_tokens}; give {WINDOW_MIN} to {WINDOW_MAX} tokens.", code="bad_window"
        )
    vector = EndpointEncoder(organization.pk, endpoint.model).encode([PROBE])[0]
    identity = [endpoint.model, len(vector), endpoint.window_tokens, endpoint.cue_query, endpoint.cue_passage]
    mark = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:16]
    return {
        "source": EncoderSource.ENDPOINT,
        "name": f"{ENDPOINT}{_short(endpoint.model)}+{mark}",
        "title": endpoint.model[:120],
        "dimensions": len(vector),
        **asdict(endpoint),
    }


def _short(model: str) -> str:
    """The model's own name, as far as it fits into the name of its vectors, without what settings are parted by."""
    return "".join(c if c.isalnum() or c in "._-" else "-" for c in model.rpartition("/")[2])[:40]
