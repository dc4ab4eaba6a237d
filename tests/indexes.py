"""Chunk sets and encoders beside those in use, as rows, without the work of filling them."""

from collections.abc import Mapping
from typing import Any

from corpora.configs import SentenceChunking
from corpora.models import AddedEncoder, ChunkSet, Corpus, EncoderSource
from legalqa.accounts.scoping import organization_scope
from tests.people import Firm


def kept_set(firm: Firm, corpus: Corpus, marker: str) -> ChunkSet:
    """A kept chunk set that holds nothing yet; its fingerprint bears the marker."""
    with organization_scope(firm.organization, user=firm.owner):
        return ChunkSet.objects.create(
            organization=firm.organization,
            corpus=corpus,
            chunker=SentenceChunking(size_tokens=99, overlap_tokens=0).model_dump(mode="json"),
            fingerprint=marker,
            is_live=False,
            is_kept=True,
        )


def added_encoder(firm: Firm, corpus: Corpus, marker: str) -> AddedEncoder:
    """An encoder over the network whose title bears the marker."""
    with organization_scope(firm.organization, user=firm.owner):
        return AddedEncoder.objects.create(
            organization=firm.organization,
            corpus=corpus,
            source=EncoderSource.ENDPOINT,
            name=f"endpoint:{marker}+0123456789abcdef",
            title=f"Encoder {marker}",
            model=f"Provider/{marker}",
            dimensions=2,
            window_tokens=254,
            created_by=firm.owner,
        )


def index_rows(firm: Firm, corpora: Mapping[str, tuple[Corpus, str]]) -> dict[str, Any]:
    """Both of each corpus, by the names that a house of the isolation world has for them after these prefixes."""
    rows: dict[str, Any] = {}
    for prefix, (corpus, marker) in corpora.items():
        rows[f"{prefix}kept_set"] = kept_set(firm, corpus, marker)
        rows[f"{prefix}added"] = added_encoder(firm, corpus, marker)
    return rows
