"""The knowledge graph of a corpus, for its pages."""

from collections.abc import Sequence
from contextlib import suppress
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.urls import reverse

from corpora.models import Position
from corpora.selectors import corpus_get
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, NotFound
from legalqa.llm.gateway import role_is_configured
from legalqa.llm.types import Role
from retrieval.forms import PathForm
from retrieval.graph import selectors
from retrieval.graph.model import path_search
from retrieval.graph.naming import plain
from retrieval.graph.parser import parser_is_installed
from retrieval.graph.queries import GraphPath, PathQuery
from retrieval.kinds import KIND_CHOICES
from retrieval.models import GraphEntity, GraphLink, GraphTriplet
from retrieval.models.graph import EntityKind, LinkRole
from retrieval.pages.graph_drawing import drawing_of

ROWS_A_PAGE = 50
MAX_MERGE_CHOICES = 50
PLACE = ("entity", "view", "kind", "text", "page")  # the parameters of an address that keep the place in a list


def graph_page(*, organization: Organization, corpus_id: UUID, query: dict[str, str]) -> dict[str, Any]:
    """One page of the statements or the entities of a corpus, and how far its graph is."""
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    graph, job = selectors.graph_of(corpus=corpus), selectors.graph_job(organization=organization, corpus=corpus)
    view = "entities" if query.get("view") == "entities" else "statements"
    kinds = list(EntityKind.choices) if view == "entities" else KIND_CHOICES
    kind = query.get("kind", "") if query.get("kind", "") in dict(kinds) else ""
    text = " ".join(query.get("text", "").replace("\x00", "").split())[:200]
    listed: Any = selectors.entity_list if view == "entities" else selectors.triplet_list
    rows = listed(corpus=corpus, kind=kind, text=text)
    page = Paginator(rows, ROWS_A_PAGE).get_page(query.get("page"))
    here = list(page.object_list)
    listing = statement_rows(here, organization.slug) if view == "statements" else entity_rows(here)
    return {
        "corpus": corpus,
        "graph": graph,
        "job": job,
        "is_working": job is not None and job.is_open,
        "is_behind": graph is not None and graph.built_version is not None and graph.built_version < corpus.version,
        "has_parser": parser_is_installed(),
        "has_model": role_is_configured(organization=organization, role=Role.EXTRACT),
        "n_unread": selectors.paragraphs_unread_count(corpus=corpus),
        "review_url": _review_url(organization.slug, corpus_id, query),
        "view": view,
        "kind": kind,
        "kinds": kinds,
        "text": text,
        "page_obj": page,
        "rows": listing,
        "is_filtered": bool(kind or text),
        "counts": {
            "statements": selectors.triplet_list(corpus=corpus).count(),
            "entities": selectors.entity_list(corpus=corpus).count(),
        },
        "proposals": selectors.proposal_list(corpus=corpus)[:ROWS_A_PAGE],
        "decisions": selectors.decision_list(corpus=corpus)[:ROWS_A_PAGE],
    }


def _review_url(slug: str, corpus_id: UUID, query: dict[str, str]) -> str:
    """Where decisions are sent, with the place that the reviewer comes back to."""
    place = {key: query[key] for key in PLACE if query.get(key)}
    return reverse("graph_review", args=(slug, corpus_id), query=place)


def decided_url(*, organization: Organization, corpus_id: UUID, query: dict[str, str], into_id: UUID | None) -> str:
    """The list or the entity at which something was decided, with its filter and page.

    Args:
        organization: Whose graph it is.
        corpus_id: Its corpus.
        query: As `_review_url` made it.
        into_id: What the entity was merged into, if it was: its own page is gone.
    """
    place = {key: query[key] for key in PLACE if query.get(key)}
    entity_id = place.pop("entity", "")
    rows = GraphEntity.objects.filter(corpus_id=corpus_id, pk__in=_ids(entity_id, into_id))
    there = {str(pk) for pk in rows.values_list("pk", flat=True)}
    if entity_id in there:
        return reverse("graph_entity", args=(organization.slug, corpus_id, entity_id), query=place)
    if str(into_id) in there:
        return reverse("graph_entity", args=(organization.slug, corpus_id, into_id))
    return reverse("graph_page", args=(organization.slug, corpus_id), query={} if entity_id else place)


def _ids(entity_id: str, into_id: UUID | None) -> list[UUID]:
    """Those of the two that are ids."""
    ids = [into_id] if into_id else []
    with suppress(ValueError):
        ids.append(UUID(entity_id))
    return ids


def _other_names(entity: GraphEntity) -> list[str]:
    """What else the documents call it."""
    return [alias for alias in entity.aliases if alias != plain(entity.name)]


def entity_rows(entities: Sequence[GraphEntity]) -> list[dict[str, Any]]:
    """Entities with their other names and, of a section, the document that has it: several have a “§ 1”."""
    homes = selectors.section_documents(entities=entities)
    return [
        {
            "entity": one,
            "other_names": _other_names(one),
            "documents": homes.get(one.pk, []),
        }
        for one in entities
    ]


def entity_page(
    *, organization: Organization, corpus_id: UUID, entity_id: UUID, query: dict[str, str]
) -> dict[str, Any]:
    """An entity with its statements in a list, its neighbourhood drawn, and what may be or was decided about it."""
    text = " ".join(query.get("text", "").replace("\x00", "").split())[:200]
    entity = selectors.entity_get(organization=organization, corpus_id=corpus_id, entity_id=entity_id)
    page = Paginator(selectors.entity_links(entity=entity), ROWS_A_PAGE).get_page(query.get("page"))
    links = list(page.object_list)
    rows = statement_rows([link.triplet for link in links], organization.slug)
    return {
        "corpus": corpus_get(organization=organization, corpus_id=corpus_id),
        "entity": entity,
        "other_names": [name for name in _other_names(entity) if name != entity.key.partition(":")[2]],
        "documents": entity_rows([entity])[0]["documents"],
        "page_obj": page,
        "rows": [
            row
            | {"role": link.get_role_display(), "others": [other for other in row.get("others", ()) if other != entity]}
            for row, link in zip(rows, links, strict=True)
        ],
        "drawing": drawing_of(entity, slug=organization.slug),
        "decisions": selectors.entity_decisions(entity=entity),
        "text": text,
        "review_url": _review_url(organization.slug, corpus_id, query | {"entity": str(entity_id)}),
        "merge_choices": _merge_choices(entity, text)[:MAX_MERGE_CHOICES],
    }


def _merge_choices(entity: GraphEntity, text: str) -> QuerySet[GraphEntity]:
    """Entities that may be the same: those with these words, without any those that share a word with its name."""
    rows = selectors.entity_list(corpus=entity.corpus, text=text).filter(is_rejected=False).exclude(pk=entity.pk)
    if not text:
        rows = rows.filter(reduce(or_, (Q(name__icontains=word) for word in entity.name.split()), Q()))
    return rows.exclude(kind__in=["section", "value"])


def paths_page(
    *, organization: Organization, user: User, corpus_id: UUID, query: QueryDict, question: str = ""
) -> dict[str, Any]:
    """The form of a path query and the paths that fit it; opens its own scopes.

    Args:
        query: The fields as they were sent; empty for a blank form.
        question: In place of the fields: a model fills them in.

    Raises:
        NotFound: no such corpus, or you have no access to it.
    """
    form, path_query, paths = PathForm(query or None), PathQuery(), None
    if question or (query and form.is_valid()):
        fields = {"question": question} if question else form.cleaned_data
        try:
            path_query, paths = path_search(organization=organization, user=user, corpus_id=corpus_id, **fields)
            form = PathForm(initial=path_query.model_dump(mode="json")) if question else form
        except NotFound:
            raise
        except ApplicationError as error:
            form = form if form.is_bound else PathForm({"hops": 2})
            form.add_error(None, error.message)
    with organization_scope(organization, user=user):
        corpus = corpus_get(organization=organization, corpus_id=corpus_id)
        return {
            "corpus": corpus,
            "form": form,
            "question": question,
            "is_searched": paths is not None,
            "graph": selectors.graph_of(corpus=corpus),
            "paths": [_path(path, organization.slug) for path in paths or ()],
            "limit": path_query.limit if paths is not None and len(paths) == path_query.limit else None,
            "has_model": role_is_configured(organization=organization, role=Role.EXTRACT),
        }


def _path(path: GraphPath, slug: str) -> dict[str, Any]:
    """A path as its first entity, then for each step the statement and the entity that it leads to."""
    rows = statement_rows(list(path.triplets), slug)
    steps = [row | {"entity": entity} for row, entity in zip(rows, path.entities[1:], strict=True)]
    return {"start": path.entities[0], "steps": steps}


def statement_rows(rows: list[GraphTriplet], slug: str) -> list[dict[str, Any]]:
    """Statements with the address of their words in the reader, and the entities that they speak of."""
    current = {
        (position.paragraph_id): position
        for position in Position.objects.filter(paragraph_id__in={row.paragraph_id for row in rows}).select_related(
            "version__document"
        )
        if position.version.document.current_id == position.version_id
    }
    named = _entities_named(rows)
    return [_statement(row, current.get(row.paragraph_id), slug) | named.get(row.pk, {}) for row in rows]


def _entities_named(rows: list[GraphTriplet]) -> dict[UUID, dict[str, Any]]:
    """By statement, the entity that is its subject, the one that is its object, and the others that it names."""
    links = GraphLink.objects.filter(triplet__in=rows).exclude(role=LinkRole.SECTION)
    by_role: dict[UUID, dict[str, list[GraphEntity]]] = {}
    for link in links.select_related("entity").order_by("pk"):
        by_role.setdefault(link.triplet_id, {}).setdefault(link.role, []).append(link.entity)
    named = {}
    for pk, roles in by_role.items():
        ends = {role: roles[role][0] for role in (LinkRole.SUBJECT, LinkRole.OBJECT) if len(roles.get(role, ())) == 1}
        others = {
            entity.pk: entity for entities in roles.values() for entity in entities if entity not in ends.values()
        }
        named[pk] = {
            "subject_entity": ends.get(LinkRole.SUBJECT),
            "object_entity": ends.get(LinkRole.OBJECT),
            "others": list(others.values()),
        }
    return named


def _statement(row: GraphTriplet, position: Position | None, slug: str) -> dict[str, Any]:
    place = {"at": f"{position.ordinal}:{row.start}-{row.end}"} if position else {}
    return {
        "statement": row,
        "quote": row.paragraph.text[row.start : row.end].strip(),
        "page_label": position.page_label if position and position.version.kind == "pdf" else "",
        "url": reverse("document_detail", args=(slug, row.document_id), query=place),
    }
