"""Reading a graph: behind the wall of its corpus."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery, Sum

from corpora.models import Corpus, Document
from corpora.selectors import corpus_get
from legalqa.accounts.models import Organization
from legalqa.common.errors import existing
from legalqa.jobs.models import Job
from retrieval.graph.naming import grams, plain
from retrieval.models import Graph, GraphDecision, GraphDocument, GraphEntity, GraphLink, GraphTriplet
from retrieval.models.graph import DecisionKind, EntityKind, LinkRole

BUILD = "retrieval.tasks.graph_build"


def graph_of(*, corpus: Corpus) -> Graph | None:
    """How the corpus's graph is built; None where it has none."""
    return Graph.objects.filter(corpus=corpus).first()


def paragraphs_unread_count(*, corpus: Corpus) -> int:
    """For how many paragraphs the model gave no answer."""
    return GraphDocument.objects.filter(corpus=corpus).aggregate(n=Sum("n_unread"))["n"] or 0


def graph_job(*, organization: Organization, corpus: Corpus) -> Job | None:
    """The newest job that builds the graph, done or under way."""
    jobs = Job.objects.filter(organization_id=organization.pk, task=BUILD, subject_id=corpus.pk)
    return jobs.order_by("-created_at").first()


def documents_current(*, corpus: Corpus) -> list[tuple[UUID, UUID]]:
    """(document, version) of what searches of the corpus read now."""
    documents = Document.objects.filter(corpus=corpus, removed_at=None, current__isnull=False)
    return [(pk, version) for pk, version in documents.order_by("pk").values_list("pk", "current_id") if version]


def triplet_list(*, corpus: Corpus, kind: str = "", text: str = "") -> QuerySet[GraphTriplet]:
    """The statements of a corpus in reading order, those of one kind or with these words only; rejected ones too.

    Those of removed documents do not count, though the graph may not have been built since.
    """
    rows = GraphTriplet.objects.filter(corpus=corpus, document__removed_at=None).select_related("document", "paragraph")
    if kind:
        rows = rows.filter(kind=kind)
    for word in text.split()[:8]:
        rows = rows.filter(Q(subject__icontains=word) | Q(predicate__icontains=word) | Q(object__icontains=word))
    return rows.order_by("document__title", "paragraph_id", "start", "kind", "pk")


def entity_list(*, corpus: Corpus, kind: str = "", text: str = "") -> QuerySet[GraphEntity]:
    """The entities of a corpus, those with the most statements first."""
    rows = GraphEntity.objects.filter(corpus=corpus)
    if kind:
        rows = rows.filter(kind=kind)
    if text:
        rows = rows.filter(name__icontains=text) | rows.filter(aliases__contains=[plain(text)])
    return rows.order_by("-n_triplets", "name", "pk")


def entity_get(*, organization: Organization, corpus_id: UUID, entity_id: UUID) -> GraphEntity:
    """One entity.

    Raises:
        NotFound: no such entity, or you have no access to its corpus.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    return existing(GraphEntity.objects.filter(corpus=corpus, pk=entity_id).first(), "entity")


def entity_links(*, entity: GraphEntity) -> QuerySet[GraphLink]:
    """The links of an entity to statements, in reading order."""
    links = GraphLink.objects.filter(entity=entity, triplet__is_rejected=False, triplet__document__removed_at=None)
    links = links.select_related("triplet__document", "triplet__paragraph")
    return links.order_by("triplet__document__title", "triplet__paragraph_id", "triplet__start", "triplet_id", "role")


def decision_list(*, corpus: Corpus) -> QuerySet[GraphDecision]:
    """What reviewers decided, newest first."""
    said_by_model = (DecisionKind.PROPOSED, DecisionKind.DIFFERS)
    rows = GraphDecision.objects.filter(corpus=corpus).exclude(kind__in=said_by_model)
    return rows.select_related("created_by").order_by("-created_at", "pk")


def entity_decisions(*, entity: GraphEntity) -> QuerySet[GraphDecision]:
    """What reviewers decided about an entity: merged into it, split off it or as it, rejected; newest first."""
    prefix, _, own = entity.key.partition(":")
    keys = [entity.key, *(f"{prefix}:{alias}" for alias in entity.aliases)]
    merged = Q(kind=DecisionKind.MERGE, into__in=keys)
    off = Q(words__iendswith=f" ≠ {own}") | Q(words__iendswith=f" ≠ {entity.name}")
    split = Q(kind=DecisionKind.SPLIT) & (Q(key__in=entity.aliases) | off)
    rejected = Q(kind=DecisionKind.REJECT_ENTITY, key=entity.key)
    return decision_list(corpus=entity.corpus).filter(merged | split | rejected)


def section_documents(*, entities: Iterable[GraphEntity]) -> dict[UUID, list[str]]:
    """By section, the titles of the documents that have it: several have a “§ 1”."""
    links = GraphLink.objects.filter(entity__in=list(entities), entity__kind=EntityKind.SECTION, role=LinkRole.SECTION)
    homes: dict[UUID, list[str]] = {}
    titles = links.values_list("entity_id", "triplet__document__title").distinct()
    for entity_id, title in titles.order_by("triplet__document__title"):
        homes.setdefault(entity_id, []).append(title)
    return homes


def proposal_list(*, corpus: Corpus) -> QuerySet[GraphDecision]:
    """Which entities a model proposes to merge and nobody has decided about, each with the ids of both."""
    entities_there = GraphEntity.objects.filter(corpus=corpus)
    rows = GraphDecision.objects.filter(corpus=corpus, kind=DecisionKind.PROPOSED).annotate(
        entity_id=Subquery(entities_there.filter(key=OuterRef("key")).values("pk")),
        into_id=Subquery(entities_there.filter(key=OuterRef("into")).values("pk")),
    )
    return rows.order_by("words", "pk")


def entities_named(*, corpus: Corpus, text: str) -> list[tuple[GraphEntity, int]]:
    """The entities that a text names, with how many of its words the name takes; none inside a longer one."""
    stretches = list(grams(text))
    forms = {form for _, _, form in stretches}
    rows = GraphEntity.objects.filter(corpus=corpus, is_rejected=False, aliases__overlap=sorted(forms))
    by_form: dict[str, list[GraphEntity]] = {}
    for row in rows.order_by("-n_triplets", "key"):
        for form in forms.intersection(row.aliases):
            by_form.setdefault(form, []).append(row)
    by_id: dict[UUID, tuple[GraphEntity, int]] = {}
    used_places: set[int] = set()
    for start, size, form in stretches:
        places = set(range(start, start + size))
        if form in by_form and not used_places & places:
            used_places |= places
            for row in by_form[form]:
                by_id.setdefault(row.pk, (row, size))
    return list(by_id.values())
