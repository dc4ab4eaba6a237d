"""Judges and measures beside people's votes in public sets: how far they agree, beside the published figures."""

from collections.abc import Mapping, Sequence

from judging.judges.kinds.length import LengthJudge
from judging.judges.kinds.rules import RuleJudge
from judging.judges.kinds.words import WordsJudge
from judging.judges.types import JudgedAnswer, JudgedItem
from judging.measures.agreement import About, Scale, Statistics, agreement, columns
from legalqa.reproduce.types import Context, Figure
from legalqa.training.collections.corpus import rows

Column = Sequence[float | None]
WITHOUT_MODEL: dict[str, tuple[RuleJudge, str]] = {
    "token_f1": (WordsJudge("words"), "token F1"),
    "rouge_l": (WordsJudge("words"), "ROUGE-L"),
    "length": (LengthJudge("length"), "length"),
}


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
    statistics = _agreed([one["human_utility"] for one in answers], passed, questions, context)
    return {name: _figure(statistics, name) for name in ("spearman", "kendall")}


def evouna(context: Context) -> Mapping[str, Figure]:
    """EVOUNA-NQ: people's verdict on answers of five systems, and the judges that ask no model."""
    answers = [one for one in rows(context.data, "evouna/nq.jsonl.gz") if not one["improper_question"]]
    human = [one["human_correct"] for one in answers]
    questions = [one["question"] for one in answers]
    verdicts = [
        JudgedItem(one["id"], one["question"], (JudgedAnswer(one["answer"]),), reference_answer=one["gold_answer"])
        for one in answers
    ]
    columns_of = {name: _judged(verdicts, judge, measure) for name, (judge, measure) in WITHOUT_MODEL.items()}
    return {
        f"{name}_spearman": _figure(_agreed(human, column, questions, context), "spearman")
        for name, column in columns_of.items()
    }


def llmbar(context: Context) -> Mapping[str, Figure]:
    """LLMBar: how often the longer of two outputs is the better one, on natural and on adversarial pairs."""
    pairs = list(rows(context.data, "llmbar/pairs.jsonl.gz"))
    items = [
        JudgedItem(one["id"], one["input"], (JudgedAnswer(one["output_1"]), JudgedAnswer(one["output_2"])))
        for one in pairs
    ]
    values = [[judgment.value or 0.0 for judgment in LengthJudge("length").judge(item)] for item in items]
    wins = [(1 if first > second else 2) == one["label"] for one, (first, second) in zip(pairs, values, strict=True)]
    is_natural = [one["subset"] == "Natural" for one in pairs]
    return {
        name: Figure.count(
            sum(won for won, part in zip(wins, is_natural, strict=True) if part == natural), is_natural.count(natural)
        )
        for name, natural in (("natural", True), ("adversarial", False))
    }


def _judged(items: Sequence[JudgedItem], judge: RuleJudge, measure: str) -> list[float | None]:
    """What a judge gives the only answer of each item, in one measure."""
    return [next(each.value for each in judge.judge(item) if each.measure == measure) for item in items]


def _agreed(human: Column, judge: Column, questions: Sequence[str], context: Context) -> Statistics:
    about = {str(at): About(question=question) for at, question in enumerate(questions)}
    return agreement(columns(human, judge), about=about, scale=Scale.ORDINAL, seed=context.seed).overall


def _figure(statistics: Statistics, name: str) -> Figure:
    one = statistics.by_name[name]
    return Figure(one.value, statistics.n, one.low, one.high)
