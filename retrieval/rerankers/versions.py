"""The evidence rankers of a corpus: which version orders its passages, and the versions it has.

A ranker belongs to the encoder that it was trained over, because its features read that encoder's cosines. A corpus
that switches to another encoder is ordered by the ranker in use over that one, or by the packaged ranker.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from corpora.models import Corpus
from retrieval.models import RankerActivation, TrainedRanker
from retrieval.rerankers.model import RankerModel, model_load

HELD = 32  # ours: models of this process, a few kilobytes each


def model_fingerprint(model: Mapping[str, Any]) -> str:
    """SHA-256 of a model as `RankerModel.as_mapping` gives it."""
    return hashlib.sha256(json.dumps(model, sort_keys=True).encode()).hexdigest()


def ranker_current(*, corpus: Corpus) -> RankerModel:
    """The model that orders passages of a corpus now; read it in the transaction of the search.

    Raises:
        ModelError: the corpus's own ranker was trained on other features than this version measures.
    """
    used = activation_list(corpus=corpus, encoder=corpus.encoder).values_list("ranker_id", "ranker__fingerprint")
    ranker_id, fingerprint = used.first() or (None, None)
    if ranker_id is None or fingerprint is None:
        return model_load()
    return _model(ranker_id, fingerprint)


@lru_cache(maxsize=HELD)
def _model(ranker_id: UUID, _fingerprint: str) -> RankerModel:
    return RankerModel.read(TrainedRanker.objects.values_list("model", flat=True).get(pk=ranker_id))


def activation_list(*, corpus: Corpus, encoder: str) -> QuerySet[RankerActivation]:
    """What a corpus has used over an encoder, newest first; the first one holds."""
    return RankerActivation.objects.filter(corpus=corpus, encoder=encoder).select_related("ranker").order_by("-pk")


def ranker_in_use(*, corpus: Corpus) -> TrainedRanker | None:
    """The ranker in use over the corpus's encoder; None for the packaged one."""
    newest = activation_list(corpus=corpus, encoder=corpus.encoder).first()
    return newest.ranker if newest is not None else None
