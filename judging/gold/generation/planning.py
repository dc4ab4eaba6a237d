"""What a generation will write, settled before it begins, so that it can be resumed: one entry a question."""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import zip_longest
from typing import Any

from django.db.models import Q, QuerySet

from corpora.in_force import positions_live
from corpora.models import Corpus, Position
from corpora.provisions.types import Role
from judging.gold.generation.model import BY_RULE_ONLY
from judging.gold.generation.templates import GENERAL, questions_on
from judging.gold.generation.wording import CHANGES
from judging.gold.taxonomy import Kind
from retrieval.questions.templates import Stretch, Written

MAX_DOCUMENTS, MAX_PARAGRAPHS = 60, 400  # ours: read for one generation, and of one document
PASSAGES = 6  # shown to a model: of one document, next to each other
RESERVE = 3  # templates planned for each question that is wanted, for those that turn out to be doubles
FOREIGN = 4  # documents of other corpora that out-of-scope questions are made of, of each


def plan_make(
    *, corpus: Corpus, kinds: Sequence[Kind], number: int, seed: int, has_model: bool
) -> list[dict[str, Any]]:
    """The entries of a generation: `kind`, `passages` to show a model, by id, and what a template has `written`.

    Types take turns, so that a generation that is cancelled has some of each. Call it inside the organisation's scope.
    """
    chance = random.Random(seed)  # noqa: S311 - draws, guards nothing
    documents = _documents(positions_live(corpus=corpus), chance)
    templates = _templates(corpus, documents, chance)
    each = -(-number // max(1, len(kinds)))
    lists = []
    for kind in kinds:
        questions = templates.get(kind.name, [])[: each * RESERVE]
        asks = has_model and kind.name not in BY_RULE_ONLY and bool(documents)
        windows = [_window(documents, chance) for _ in range(each)] if asks else []
        lists.append([_entry(kind, p, w) for p, w in zip_longest(windows, questions)])
    return [entry for turn in zip_longest(*lists) for entry in turn if entry is not None]


def _entry(kind: Kind, passages: list[Stretch] | None, question: Written | None) -> dict[str, Any]:
    return {
        "kind": kind.name,
        "passages": [stretch.id for stretch in passages or ()],
        "written": asdict(question) if question else None,
    }


def written_of(document: Mapping[str, Any]) -> Written:
    """A question of a plan."""
    references = tuple((pk, start, end) for pk, start, end in document["references"])
    return Written(**{**document, "references": references, "history": tuple(document["history"])})


def _documents(live: QuerySet[Position], chance: random.Random, most: int = MAX_DOCUMENTS) -> list[list[Stretch]]:
    """The operative paragraphs and definitions of drawn documents, in reading order."""
    ids = sorted(live.order_by().values_list("version", flat=True).distinct())
    chance.shuffle(ids)
    documents: dict[Any, list[Stretch]] = {pk: [] for pk in ids[:most]}
    rows = live.filter(version__in=list(documents), role__in=[Role.OPERATIVE, Role.DEFINITION, ""]).exclude(
        kind="heading"
    )
    for position in rows.select_related("paragraph").order_by("version", "ordinal"):
        if len(stretches := documents[position.version_id]) < MAX_PARAGRAPHS:
            heading = position.heading_path[-1] if position.heading_path else ""
            text = position.paragraph.text
            stretches.append(Stretch(position.paragraph_id, text, position.role, heading, position.label))
    return [stretches for stretches in documents.values() if stretches]


def _window(documents: Sequence[list[Stretch]], chance: random.Random) -> list[Stretch]:
    document = chance.choice(list(documents))
    start = chance.randrange(max(1, len(document) - PASSAGES + 1))
    return document[start : start + PASSAGES]


def _templates(corpus: Corpus, documents: Sequence[list[Stretch]], chance: random.Random) -> dict[str, list[Written]]:
    """The questions that rules make, by type, shuffled."""
    templates: dict[str, list[Written]] = defaultdict(list)
    for stretches in documents:
        for question in questions_on(stretches):
            templates[question.kind].append(question)
    for question in list(templates["simple"]):
        templates["perturbed"] += _reworded(question, "perturbed", chance)
        templates["vague"] += _reworded(question, "vague", chance)
    templates["out of scope"] = list(_out_of_scope(corpus, chance))
    for held_of_kind in templates.values():
        chance.shuffle(held_of_kind)
    return templates


def _reworded(question: Written, kind: str, chance: random.Random) -> list[Written]:
    change = "vague" if kind == "vague" else chance.choice(("misspell", "reorder", "noise-both", "concise"))
    text = CHANGES[change](question.text, chance)
    return [replace(question, kind=kind, text=text)] if text and text != question.text else []


def _out_of_scope(corpus: Corpus, chance: random.Random) -> Iterator[Written]:
    """Terms that only other corpora define, and general questions; none whose words are in a live paragraph.

    Of other corpora only those without a wall are used: everyone who sees this gold set may see them.
    """
    live = positions_live(corpus=corpus)
    others = Corpus.objects.filter(organization_id=corpus.organization_id, is_walled=False, removal_begun_at=None)
    for other in others.exclude(pk=corpus.pk).order_by("pk"):
        for stretches in _documents(positions_live(corpus=other), chance, FOREIGN):
            for question in questions_on(stretches):
                term = question.text.removeprefix("What is meant by “").removesuffix("”?")
                if question.kind == "simple" and term != question.text and not _is_in(live, term):
                    yield Written("out of scope", question.text, "", (), is_answerable=False)
    for text, word in GENERAL:
        if not _is_in(live, word):
            yield Written("out of scope", text, "", (), is_answerable=False)


def _is_in(live: QuerySet[Position], words: str) -> bool:
    return live.filter(Q(paragraph__text__icontains=words)).exists()
