"""A language model at the graph: triplets of a paragraph, names that mean the same, a path query for a question."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from corpora.selectors import corpus_get
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError
from legalqa.llm import gateway
from legalqa.llm.prompts import Prompt, prompt_load
from legalqa.llm.types import Message, Role
from retrieval.graph.naming import words_of
from retrieval.graph.queries import GraphPath, PathQuery, path_query_read, path_query_run
from retrieval.graph.types import Triplet
from retrieval.kinds import By, Kind

PROMPTS = Path(__file__).parent / "prompts"
EXTRACT, PATHS = prompt_load(PROMPTS / "triplets.v1.md"), prompt_load(PROMPTS / "path_query.v1.md")
SAME = prompt_load(PROMPTS / "same_entity.v1.md")
MAX_TOKENS = 1500
DEADLINE_S = 60.0
Said = Annotated[str, Field(min_length=1, max_length=600)]
R = TypeVar("R", bound=BaseModel)


class _Typed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ModelTriplet(_Typed):
    kind: Kind
    subject: Said
    predicate: Said
    object: Said


class TripletsReply(_Typed):
    """What the model must reply with."""

    triplets: Annotated[list[ModelTriplet], Field(max_length=40)]


class SameVerdict(_Typed):
    number: int
    same: bool


class SameReply(_Typed):
    """What the model must reply with about pairs of names."""

    verdicts: Annotated[list[SameVerdict], Field(max_length=60)]


def model_triplets(
    *, organization: Organization, text: str, stem: str, place: Triplet
) -> tuple[list[Triplet], int] | None:
    """The triplets that the model of the role "extract" reads in a paragraph, and how many were refused.

    A triplet whose subject or object is not in the paragraph or in the stem above it, or whose predicate has other
    words than these, is refused: what a model adds of its own never comes into the graph.

    Args:
        organization: Whose model and budget.
        text: The paragraph.
        stem: The words above a list item, "" for none.
        place: Where the triplets are; its words are replaced.

    Returns:
        None where there was no reply, or none of the form asked for.
    """
    said = f"<stem>{stem}</stem>\n<paragraph>{text}</paragraph>"
    reply, _ = _asked(organization, EXTRACT, said, TripletsReply, kinds=", ".join(Kind))
    if reply is None:
        return None
    source = f"{stem} {text}"
    statements = [one for one in reply.triplets if _is_in(source, one)]
    within = replace(place, stem=stem, by=By.MODEL)
    triplets = [
        within.says(one.kind, " ".join(one.subject.split()), one.predicate, " ".join(one.object.split()))
        for one in statements
    ]
    return triplets, len(reply.triplets) - len(statements)


def model_same(*, organization: Organization, pairs: Sequence[Mapping[str, Any]]) -> dict[int, bool] | None:
    """For each pair of names, by its number, whether the model of the role "extract" says that they mean the same.

    Args:
        organization: Whose model and budget.
        pairs: Each with its "number", and the "first" and the "second" name as the prompt describes them.

    Returns:
        None where there was no reply, or none of the form asked for.
    """
    lines = "\n".join(json.dumps(pair, ensure_ascii=False) for pair in pairs)
    reply, _ = _asked(organization, SAME, f"<pairs>\n{lines}\n</pairs>", SameReply)
    return None if reply is None else {one.number: one.same for one in reply.verdicts}


def path_query_fill(*, organization: Organization, user: User, question: str) -> PathQuery:
    """The path query that the model of the role "extract" makes of a question; no transaction may be open.

    Raises:
        ApplicationError: no model is set up, it gave no reply, or none that is a path query.
    """
    said, limits = f"<question>{question}</question>", (400, 20.0)
    query, reason = _asked(organization, PATHS, said, PathQuery, user=user, limits=limits, kinds=", ".join(Kind))
    if query is None:
        reason = reason or "The language model gave no path query."
        raise ApplicationError(f"{reason} Fill in the query yourself.", code="no_path_query")
    return query


def path_search(
    *, organization: Organization, user: User, corpus_id: UUID, question: str = "", **fields: object
) -> tuple[PathQuery, list[GraphPath]]:
    """A typed query, or the one that a model makes of a question, with the paths that fit it; opens its own scopes.

    Raises:
        NotFound: no such corpus, or you have no access to it.
        ApplicationError: a field does not fit, or no model filled them in.
    """
    with organization_scope(organization, user=user):
        corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    if question:
        query = path_query_fill(organization=organization, user=user, question=question)
    else:
        query = path_query_read(fields)
    with organization_scope(organization, user=user):
        return query, path_query_run(corpus=corpus, query=query)


def _asked(
    organization: Organization,
    prompt: Prompt,
    said: str,
    schema: type[R],
    *,
    user: User | None = None,
    limits: tuple[int, float] = (MAX_TOKENS, DEADLINE_S),
    **slots: str,
) -> tuple[R | None, str]:
    """What the model of the role "extract" replies, or None and the reason; `limits` are tokens and seconds."""
    messages = Message("system", prompt.render(**slots)), Message("user", said)
    request = prompt.request(Role.EXTRACT, *messages, schema=schema, max_tokens=limits[0], deadline_s=limits[1])
    reply = gateway.complete(organization=organization, user=user, request=request)
    return reply.parsed if reply.is_ok and isinstance(reply.parsed, schema) else None, reply.reason


def _is_in(source: str, one: ModelTriplet) -> bool:
    """Whether a text has the subject and the object word for word, and the words of the predicate."""
    evened = _evened(source)
    has_ends = _evened(one.subject) in evened and _evened(one.object) in evened
    return has_ends and set(words_of(one.predicate)) <= set(words_of(source))


def _evened(text: str) -> str:
    return " ".join(text.lower().split())
