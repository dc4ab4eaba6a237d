"""What an experiment is made from, and whether one of its models judges its own text."""

from dataclasses import asdict
from typing import Any

from corpora.models import ChunkSet
from judging.experiments.indexes import indexes_document
from judging.experiments.settings import ExperimentSettings
from judging.gold.services.sets import gold_questions, gold_questions_approved, question_rows_of
from judging.judges.asking import is_same_model
from judging.judges.services import judge_model, judge_now
from judging.models import Experiment, GoldSet
from legalqa.accounts.models import Organization, User
from legalqa.common.config import fingerprint_of
from legalqa.common.revision import SCORING, code_revision, package_versions
from legalqa.llm.selectors import candidate_list
from legalqa.llm.types import Role

TAKEN_OVER_FROM = "taken_over_from"


def provenance_now(
    gold_set: GoldSet, settings: ExperimentSettings, *, user: User | None, taken_over: Experiment | None = None
) -> dict[str, Any]:
    """What the answers will be made from, as it is now, as JSON; every answer keeps its own as well.

    Args:
        gold_set: Whose questions are asked.
        settings: Of the experiment.
        user: Who starts it; None for the system.
        taken_over: The experiment whose answers are taken over; what those were made from is said, too.

    Raises:
        ApplicationError: as `judge_now`, of a judge.
    """
    corpus = gold_set.corpus
    rows = question_rows_of(questions=list(gold_questions_approved(gold_set=gold_set)))
    chunk_set = ChunkSet.objects.filter(corpus=corpus, is_live=True).first()
    indexes = indexes_document(corpus=corpus, cells=settings.cells)
    return {
        "corpus_version": corpus.version,
        "chunk_set": str(chunk_set.pk) if chunk_set else "",
        "chunker": chunk_set.chunker if chunk_set else {},
        "encoder": corpus.encoder,
        "code": code_revision(),
        "scoring_code": code_revision(SCORING),
        "packages": package_versions(),
        "seed": settings.seed,
        "gold_set": fingerprint_of([asdict(row) for row in rows]),
        "questions": len(rows),
        "left_out": gold_questions(gold_set=gold_set).count() - len(rows),
        "model": ", ".join(_writers(corpus.organization, settings)),
        "judges": {
            name: judge_now(organization=corpus.organization, user=user, name=name, corpus_id=corpus.pk)
            for name in settings.judges
        },
        "own_judging": own_judging_words(gold_set=gold_set, settings=settings),
        **({"indexes": indexes} if indexes else {}),
        **(_taken_over(taken_over) if taken_over else {}),
    }


def own_judging_words(*, gold_set: GoldSet, settings: ExperimentSettings) -> str:
    """Where a model judges what it wrote itself, answers or questions, in sentences; "" where none does."""
    organization = gold_set.organization
    judging = dict.fromkeys(judge_model(organization=organization, name=judge) for judge in settings.judges)
    asked = gold_questions_approved(gold_set=gold_set).exclude(written_by="")
    authors = asked.order_by().values_list("written_by", flat=True).distinct() if any(judging) else ()
    wrote = {
        "writes answers and judges them": _writers(organization, settings),
        "wrote questions of the gold set and judges by them": list(authors),
    }
    return " ".join(
        f"{model} {what}, too: choose another judge, or expect high values."
        for model in judging
        for what, writers in wrote.items()
        if any(is_same_model(model, writer) for writer in writers)
    )


def judges_of(experiment: Experiment) -> dict[str, dict[str, Any]]:
    """The judges of an experiment as they were at its start, by name; {} in what began before that was kept."""
    judges: dict[str, dict[str, Any]] = experiment.provenance.get("judges", {})
    return judges


def _taken_over(previous: Experiment) -> dict[str, Any]:
    return {
        TAKEN_OVER_FROM: str(previous.pk),
        "taken_over_code": previous.provenance["code"],
        "taken_over_corpus_version": previous.provenance["corpus_version"],
    }


def _writers(organization: Organization, settings: ExperimentSettings) -> list[str]:
    """The models that write answers, each once."""
    models = candidate_list(organization=organization, role=Role.ANSWER)
    first = models[0].model if models else ""
    return list(dict.fromkeys(cell.model or first for cell in settings.cells if cell.is_written))
