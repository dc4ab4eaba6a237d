"""Orders of the driver about a corpus that switches to an encoder of its own."""

import hashlib
from typing import Any
from uuid import UUID


def encoder_switch(organization: str, corpus: str) -> str:
    """Give the corpus a trained encoder and start switching to it; returns the encoder's name."""
    from django.utils import timezone

    from corpora.models import TrainedEncoder
    from corpora.services import encoder_use
    from legalqa.accounts.models import Organization
    from legalqa.accounts.scoping import organization_scope
    from tests.encoders import disturbed_weights

    firm, weights = Organization.objects.get(pk=organization), disturbed_weights()
    with organization_scope(firm, user=None):
        made = TrainedEncoder.objects.create(
            organization=firm,
            corpus_id=UUID(corpus),
            number=1,
            state="ready",
            training={},
            source="a gold set",
            data=b"",
            data_fingerprint="0" * 64,
            artefact=weights,
            fingerprint=hashlib.sha256(weights).hexdigest(),
            finished_at=timezone.now(),
        )
        encoder_use(organization=firm, user=None, corpus_id=UUID(corpus), encoder_id=made.pk)
    return made.name


def searched_by(organization: str, corpus: str) -> dict[str, Any]:
    """The encoder in use, the chunks that are searched, and those that have a live vector by it."""
    from corpora.hnsw import index_is_ready
    from corpora.models import Chunk, Corpus, Embedding
    from corpora.selectors import activation_list
    from legalqa.accounts.scoping import organization_scope

    with organization_scope(UUID(organization), user=None):
        found = Corpus.objects.get(pk=corpus)
        live = Chunk.objects.filter(corpus=found, is_live=True)
        vectors = Embedding.objects.filter(corpus=found, encoder=found.encoder, is_live=True)
        return {
            "encoder": found.encoder,
            "chunks": sorted(live.values_list("pk", flat=True)),
            "n_documents": live.values("document_id").distinct().count(),
            "with_vectors": sorted(vectors.values_list("chunk_id", flat=True)),
            "n_activations": activation_list(corpus=found).count(),
            "has_index": index_is_ready(corpus=found),
        }
