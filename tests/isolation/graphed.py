"""The knowledge graph of a corpus, with a decision that bears the marker."""

from typing import Any

from corpora.models import Corpus
from legalqa.accounts.scoping import organization_scope
from retrieval.graph.building import graph_start, graph_work
from retrieval.graph.reviewing import graph_decide
from retrieval.models import GraphEntity
from tests.people import Firm


def make_graph(firm: Firm, corpus: Corpus, marker: str) -> GraphEntity:
    """The party that may end the lease, as an entity; the roof of the lease was split off and merged back."""
    acting: Any = {"organization": firm.organization, "user": firm.owner, "corpus_id": corpus.pk}
    with organization_scope(firm.organization, user=firm.owner):
        job = graph_start(**acting)
    graph_work(job_id=job.pk)
    with organization_scope(firm.organization, user=firm.owner):
        entity = GraphEntity.objects.filter(corpus=corpus).order_by("key").first()
        assert entity is not None
        decided = graph_decide(**acting, action="reject", entity_id=entity.pk)
        assert decided is not None
        decided.words = f"A party to the lease of {marker}"
        decided.save()
        return entity
