"""Judges and measures beside people on public votes: how far they agree, as was published of the same rows."""

from collections.abc import Mapping, Sequence

from judging.agreement import About, Scale, Statistics, agreement, columns
from judging.collections.corpus import rows
from legalqa.reproduce.types import Context, Figure

Column = Sequence[float | None]


def openqa_eval(context: Context) -> Mapping[str, Figure]:
    """OpenQA-eval: whether people, and GPT-4, accept an answer, and the score of BEM."""
    answers = list(rows(context.data, "openqa_eval/nq301_judgments.jsonl.gz"))
    human = [one["human_acceptable"] for one in answers]
    questions = [one["question_id"] for one in answers]
    gpt4 = _agreed(human, [one.get("judge_gpt4") for one in answers], questions, context)
    bem = _agreed(human, [one.get("bem_score") for one in answers], questions, context)
    return {
        "gpt4_kappa": _figure(gpt4, "kappa"),
        "gpt4_raw": _figure(gpt4, "percent"),
        "bem_spearman": _figure(bem, "spearman"),
        "bem_kendall": _figure(bem, "kendall"),
    }


def alce_human(context: Context) -> Mapping[str, Figure]:
    """ALCE, ASQA: people's utility of an answer, and the share of automatic checks that it passes."""
    answers = [one for one in rows(context.data, "alce_human/utility.jsonl.gz") if one["task"] == "asqa"]
    checks = [one["automatic_correctness"] for one in answers]
    passed = [sum(part) / len(part) if part else None for part in checks]
    questions = [one["question"] for one in answers]
    found = _agreed([one["human_utility"] for one in answers], passed, questions, context)
    return {name: _figure(found, name) for name in ("spearman", "kendall")}


def _agreed(human: Column, judge: Column, questions: Sequence[str], context: Context) -> Statistics:
    about = {str(at): About(question=question) for at, question in enumerate(questions)}
    return agreement(columns(human, judge), about=about, scale=Scale.ORDINAL, seed=context.seed).overall


def _figure(found: Statistics, name: str) -> Figure:
    one = found.by_name[name]
    return Figure(one.value, found.n, one.low, one.high)
