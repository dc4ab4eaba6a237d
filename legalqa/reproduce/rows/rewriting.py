"""The row of rewriting: what it gains on awkward questions, kind by kind, and what it leaves alone."""

from collections.abc import Mapping, Sequence

from judging.measures.values import average
from legalqa.reproduce.rewriting.evaluation import PLAIN, PLAIN_IN_CHAT, Compared, rewriting_compared
from legalqa.reproduce.rewriting.questions import KINDS
from legalqa.reproduce.types import Context, Figure


def rewriting(context: Context) -> Mapping[str, Figure]:
    """Recall@10 with rewriting by rules less that without, on the templates that the rules were not written with."""
    return rewriting_figures(rewriting_compared(data=context.data, seed=context.seed), context)


def rewriting_figures(comparisons: Sequence[Compared], context: Context) -> dict[str, Figure]:
    """The gain of each kind, of all together, and of plain questions; documents, or questions of the law, are drawn."""
    figures = {f"gain_{kind}": _gain([one for one in comparisons if one.kind == kind], context) for kind in KINDS}
    figures["gain"] = _gain([one for one in comparisons if one.kind in KINDS], context)
    for name, kind in (("plain", PLAIN), ("plain_chat", PLAIN_IN_CHAT)):
        figures[name] = _gain([one for one in comparisons if one.kind == kind], context)
    same = [float(one.is_same) for one in comparisons if one.kind == PLAIN]
    figures["same"] = Figure.share(average(same))
    return figures


def _gain(comparisons: Sequence[Compared], context: Context) -> Figure:
    before, after = [one.before for one in comparisons], [one.after for one in comparisons]
    groups = [f"{one.collection} {one.group}" for one in comparisons]
    return Figure.gained(after, before, seed=context.seed, groups=groups)
