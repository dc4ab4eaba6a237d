"""What people choose for a training: gold sets of the corpus to learn from, and settings."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar
from uuid import UUID

from pydantic import BaseModel, ValidationError

from corpora.models import Corpus
from judging.gold.services.sets import GoldSetCounts, gold_set_get, gold_set_list, gold_sets_elsewhere
from judging.models import GoldSet
from legalqa.accounts.models import Organization
from legalqa.common.errors import ApplicationError, NotFound

MIN_QUESTIONS = 20  # ours: with fewer, neither side of a split means anything
NO_GOLD_SET = "A training learns from gold sets. Name at least one of the corpus's."

S = TypeVar("S", bound=BaseModel)
Choices = list[tuple[str, str]]


def settings_checked(model: type[S], values: Mapping[str, Any]) -> S:
    """Training settings from what people typed.

    Raises:
        ApplicationError: one of them does not fit; it is named.
    """
    try:
        return model.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise ApplicationError(
            f"The setting {name!r} of the training does not fit: {first['msg']}.", code="bad_setting"
        ) from error


def gold_sets_chosen(
    *, organization: Organization, corpus: Corpus, gold_set_ids: Sequence[UUID]
) -> tuple[list[GoldSet], str]:
    """The chosen gold sets of a corpus, each once, and the words by which a version names what it learned from.

    Raises:
        NotFound: one of them is not the corpus's.
        ApplicationError: none was chosen.
    """
    if not gold_set_ids:
        raise ApplicationError("Choose a gold set of this corpus to learn from.", code="no_gold_set")
    gold_sets = [gold_set_get(organization=organization, gold_set_id=one) for one in dict.fromkeys(gold_set_ids)]
    if any(gold_set.corpus_id != corpus.pk for gold_set in gold_sets):
        raise NotFound("gold set")
    names = ", ".join(gold_set.name for gold_set in gold_sets)
    return gold_sets, f"gold set{'s' if len(gold_sets) > 1 else ''} {names}"[:120]


def gold_set_choices(*, organization: Organization, corpus_id: UUID) -> tuple[Choices, Choices]:
    """For a form: the gold sets that a corpus can learn from, and those of other corpora."""

    def words(row: GoldSetCounts) -> str:
        return f"{row.gold_set.name} ({row.words})"

    own = gold_set_list(organization=organization, corpus_id=corpus_id)
    others = gold_sets_elsewhere(organization=organization, corpus_id=corpus_id)
    return (
        [(str(row.gold_set.pk), words(row)) for row in own],
        [(str(row.gold_set.pk), f"{row.gold_set.corpus.name}: {words(row)}") for row in others],
    )


def gold_sets_lacking(*, organization: Organization, corpus_id: UUID) -> dict[str, Any] | None:
    """What a corpus still needs before a model can learn from its gold sets; None for nothing."""
    rows = gold_set_list(organization=organization, corpus_id=corpus_id)
    n_answerable = sum(row.n_answerable for row in rows)
    if n_answerable >= MIN_QUESTIONS:
        return None
    if not rows:
        words = (
            f"Training learns from questions with their right passages, {MIN_QUESTIONS} at least; a few hundred are "
            "worth the time. Grade answers, mark passages in the search lab, or upload a file."
        )
        return {"title": "No gold set yet", "words": words, "do": "Make a gold set"}
    words = (
        f"The gold sets of this corpus have {n_answerable} answerable question{'' if n_answerable == 1 else 's'}. "
        f"Training needs {MIN_QUESTIONS}, on more than one document; a few hundred are worth the time."
    )
    return {"title": f"{n_answerable} of {MIN_QUESTIONS} questions", "words": words, "do": "Add questions"}
