"""Experiments that look like real ones, built in bulk; every figure follows from the place of its question."""

from decimal import Decimal
from typing import Any
from uuid import uuid4

from corpora.models import Corpus
from judging.experiments.settings import experiment_settings
from judging.models import Experiment, ExperimentAnswer, ExperimentScore, GoldQuestion, GoldSet
from legalqa.answering.models import Answer, AnswerState, Claim, Purpose, Question, Verdict
from tests.people import Firm

UNDEFINED = {"status": "not applicable", "reason": "nothing was said"}
MEASURES = (
    ("right", "", "Decided right", False, True),
    ("answer_rate", "", "Answer rate", False, True),
    ("citation_precision", "", "Citation precision", False, True),
    ("ungrounded", "", "Ungrounded", True, True),
    ("seconds", "", "Seconds", True, False),
    ("correctness", "llamaindex", "correctness (llamaindex)", False, False),
)
TYPES = ("simple", "complex", "distracting", "situational", "double", "conversational", "out of scope", "vague")


def gold_set_made(
    firm: Firm, corpus: Corpus, *, n: int, marker: str = "Question"
) -> tuple[GoldSet, list[GoldQuestion]]:
    """A gold set of n questions; every type has as many, and those out of scope are not answerable."""
    gold_set = GoldSet.objects.create(
        organization=firm.organization, corpus=corpus, name=f"{marker} set", created_by=firm.owner
    )
    return gold_set, GoldQuestion.objects.bulk_create(
        GoldQuestion(
            organization=firm.organization,
            gold_set=gold_set,
            ordinal=at,
            text=f"{marker} {at + 1}: when must the bias audit of a hiring tool have been done?",
            reference_answer="No more than one year before the tool is used.",
            question_type=TYPES[at % len(TYPES)],
            is_answerable=TYPES[at % len(TYPES)] != "out of scope",
        )
        for at in range(n)
    )


def experiment_made(
    firm: Firm,
    gold_set: GoldSet,
    questions: list[GoldQuestion],
    *,
    cells: list[str],
    name: str = "Weekly",
    shift: int = 0,
) -> Experiment:
    """An experiment that has ended: later cells are right more often; `shift` makes all of them a little better."""
    experiment = Experiment.objects.create(
        organization=firm.organization,
        corpus_id=gold_set.corpus_id,
        gold_set=gold_set,
        name=name,
        created_by=firm.owner,
        settings=experiment_settings(presets=cells).model_dump(mode="json"),
        provenance={
            "corpus_version": 7,
            "encoder": "all-MiniLM-L6-v2",
            "code": "0f" * 32,
            "model": "",
            "questions": len(questions),
        },
    )
    held = [(cell, at, q) for cell in range(len(cells)) for at, q in enumerate(questions)]
    own = {"organization": firm.organization}
    said = [_is_said(cell, at) for cell, at, _ in held]
    answers = _answers(gold_set, held, said, cells, shift)
    rows = ExperimentAnswer.objects.bulk_create(
        ExperimentAnswer(
            **own,
            experiment=experiment,
            question=q,
            cell=cells[cell],
            answer=answer,
            fingerprint="f",
            seconds=0.5 + cell / 4,
            tokens=900 * cell,
            cost=Decimal("0.002") * cell,
        )
        for answer, (cell, _, q) in zip(answers, held, strict=True)
    )
    values = [_values(cell, at, is_said, shift) for is_said, (cell, at, _) in zip(said, held, strict=True)]
    ExperimentScore.objects.bulk_create(
        ExperimentScore(
            **own,
            experiment_id=row.experiment_id,
            answer=row,
            judge=judge,
            measure=measure,
            value=found[measure],
            **({"status": "judged"} if found[measure] is not None else UNDEFINED),
        )
        for row, found in zip(rows, values, strict=True)
        for measure, judge, *_ in MEASURES
    )
    experiment.report = report_made(questions, cells, shift)
    experiment.save(update_fields=["report"])
    return experiment


def _answers(
    gold_set: GoldSet, held: list[tuple[int, int, GoldQuestion]], said: list[bool], cells: list[str], shift: int
) -> list[Answer]:
    """The answers of an experiment, each with one claim where something was said."""
    own = {"organization": gold_set.organization}
    asked = Question.objects.bulk_create(
        Question(**own, corpus_id=gold_set.corpus_id, text=q.text, asker=None, conversation=uuid4()) for _, _, q in held
    )
    answers = Answer.objects.bulk_create(
        Answer(
            **own,
            question=question,
            purpose=Purpose.EXPERIMENT,
            state=AnswerState.ANSWERED if is_said else AnswerState.INSUFFICIENT_EVIDENCE,
            confidence=((at * 37) % 100) / 100,
            preset=cells[cell].split()[0],
            pipeline={},
            fingerprint="f",
        )
        for question, is_said, (cell, at, _) in zip(asked, said, held, strict=True)
    )
    Claim.objects.bulk_create(
        Claim(
            **own,
            answer=answer,
            ordinal=0,
            text="A bias audit must have been conducted no more than one year before the tool is used.",
            verdict=Verdict.SUPPORTED if _is_right(cell, at, shift) else Verdict.UNSUPPORTED,
            is_shown=True,
        )
        for answer, is_said, (cell, at, _) in zip(answers, said, held, strict=True)
        if is_said
    )
    return answers


def report_made(questions: list[GoldQuestion], cells: list[str], shift: int) -> dict[str, Any]:
    """The report of such an experiment, with rough intervals in place of drawn ones."""
    by_cell = [[_values(c, at, _is_said(c, at), shift) for at in range(len(questions))] for c in range(len(cells))]
    rows, types = [], []
    for at, cell in enumerate(cells):
        for measure, judge, *_ in MEASURES:
            mine, base = ([held[measure] for held in by_cell[c]] for c in (at, 0))
            pairs = [(a, b) for a, b in zip(mine, base, strict=True) if a is not None and b is not None]
            row = _figure(cell, measure, judge, mine)
            rows.append(row | {"reasons": {}, "delta": _delta(pairs) if at else None})
            for kind in TYPES:
                of_kind = [v for v, q in zip(mine, questions, strict=True) if q.question_type == kind]
                types.append({"type": kind, **_figure(cell, measure, judge, of_kind)})
    return {
        "baseline": cells[0],
        "seed": 144,
        "level": 0.95,
        "is_whole": True,
        "marked": sum(bool(row["delta"] and row["delta"]["is_marked"]) for row in rows),
        "cost": "1.2",
        "judge_cost": "0.8",
        "measures": [
            {
                "name": n,
                "judge": j,
                "label": label,
                "help": f"{label}, by rule.",
                "is_share": share,
                "less_is_better": less,
            }
            for n, j, label, less, share in MEASURES
        ],
        "cells": [
            {
                "key": cell,
                "preset": cell.split()[0],
                "title": cell.split()[0].capitalize(),
                "overrides": dict(part.split("=") for part in cell.split() if "=" in part),
                "generator": "quoted",
                "is_unchecked": False,
                "n": len(questions),
                "failed": 0,
                "reused": 0,
                "seconds_median": 0.5 + at / 4,
                "seconds_p95": 0.9 + at / 2,
                "tokens": 900 * at * len(questions),
                "cost": str(Decimal("0.002") * at * len(questions)),
                "judge_cost": "0.1",
            }
            for at, cell in enumerate(cells)
        ],
        "rows": rows,
        "types": types,
        "compared": None,
    }


def _is_right(cell: int, at: int, shift: int) -> bool:
    return (at * 7 + cell) % 10 < 4 + (cell + shift) // 2


def _is_said(cell: int, at: int) -> bool:
    return cell < 2 or at % (7 + cell) != 0


def _values(cell: int, at: int, is_said: bool, shift: int) -> dict[str, float | None]:
    is_right = _is_right(cell, at, shift)
    return {
        "right": float(is_right),
        "answer_rate": float(is_said),
        "citation_precision": (at % 5) / 4 if is_said else None,
        "ungrounded": float(not is_right) / (2 + cell / 3) if is_said else None,
        "seconds": 0.5 + cell / 4,
        "correctness": float(4 + at % 2 if is_right else 1 + at % 3),
    }


def _figure(cell: str, measure: str, judge: str, values: list[float | None]) -> dict[str, Any]:
    held = [value for value in values if value is not None]
    mean = sum(held) / len(held) if held else None
    half = 1 / max(1, len(held)) ** 0.5
    return {
        "preset": cell,
        "metric": measure,
        "judge": judge,
        "value": mean,
        "low": None if mean is None else max(0.0, mean - half),
        "high": None if mean is None else mean + half,
        "n": len(held),
        "undefined": len(values) - len(held),
    }


def _delta(pairs: list[tuple[float, float]]) -> dict[str, Any]:
    moved = [a - b for a, b in pairs]
    mean, half = sum(moved) / len(moved), 1 / len(moved) ** 0.5
    wins, losses = sum(d > 0 for d in moved), sum(d < 0 for d in moved)
    return {
        "value": mean,
        "low": mean - half,
        "high": mean + half,
        "n": len(moved),
        "wins": wins,
        "ties": len(moved) - wins - losses,
        "losses": losses,
        "p": 0.01,
        "p_holm": 0.04 if mean > half else 0.3,
        "is_marked": mean > half,
        "is_worse": mean < 0,
    }
