"""The row of adaptive retrieval: a tuned mapping against the best fixed k, on held-out questions."""

from collections.abc import Mapping

from legalqa.reproduce.types import Context, Figure
from legalqa.training.tuning.evaluation import tuned_on_obliqa
from legalqa.training.tuning.report import Line, Tuned


def adaptive(context: Context) -> Mapping[str, Figure]:
    """Tuned `pa-3+rerank` and `pa-3` on ObliQA, each against the best fixed k of the same search."""
    context.note("tuning behind the learned ranker …")
    ranked = tuned_on_obliqa(data=context.data, is_reranked=True, seed=context.seed)
    context.note("tuning behind the plain fusion …")
    plain = tuned_on_obliqa(data=context.data, is_reranked=False, seed=context.seed)
    return figures(ranked, plain)


def figures(ranked: Tuned, plain: Tuned) -> Mapping[str, Figure]:
    """The figures of the row."""
    lines = {line.name: line for line in ranked.lines}
    return {
        "gain": Figure.of(ranked.per_kilotoken, note=_compared(ranked)),
        "recall": Figure.of(ranked.recall, note=_compared(ranked)),
        "tokens": Figure.of(ranked.kilotokens, note="thousands of tokens a question"),
        "oracle": _line(lines["oracle class"], ranked),
        "random": _line(lines["random class"], ranked),
        "hand_set": _line(lines["hand-set"], ranked),
        "gain_plain": Figure.of(plain.per_kilotoken, note=_compared(plain)),
        "recall_plain": Figure.of(plain.recall, note=_compared(plain)),
    }


def _line(line: Line, tuned: Tuned) -> Figure:
    return Figure(line.per_kilotoken, tuned.n_questions, note=f"recall {line.recall:.3f}")


def _compared(tuned: Tuned) -> str:
    lines = {line.name: line for line in tuned.lines}
    ours, theirs = lines["tuned"], lines["fixed"]
    return (
        f"tuned {ours.per_kilotoken:.3f} at recall {ours.recall:.3f}, best fixed k ({tuned.fixed_k}) "
        f"{theirs.per_kilotoken:.3f} at recall {theirs.recall:.3f}"
    )
