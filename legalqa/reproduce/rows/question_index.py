"""The row of the question index: what it adds as one more list of the default search."""

from collections.abc import Mapping, Sequence

from judging.measures.intervals import bootstrap_mean
from legalqa.reproduce.question_index import SHARED_WORDS, Matched, ll144_compared, obliqa_compared
from legalqa.reproduce.types import Context, Figure


def question_index(context: Context) -> Mapping[str, Figure]:
    """Recall@10 with the index less that without, templates alone, on ObliQA and on paraphrases of Local Law 144."""
    matches = {
        "obliqa": obliqa_compared(data=context.data, seed=context.seed),
        "ll144": ll144_compared(data=context.data, seed=context.seed),
    }
    return question_index_figures(matches, context)


def question_index_figures(matches: Mapping[str, Sequence[Matched]], context: Context) -> dict[str, Figure]:
    """For each collection the gain, its groups drawn again, the index alone, and how many tests a template foresaw.

    The gain is that of the default search, and of its lists fused without the ranker; both are also given without the
    questions of which an indexed one has more than SHARED_WORDS of the words.
    """
    figures: dict[str, Figure] = {}
    for name, tests in matches.items():
        unseen = [one for one in tests if one.shared <= SHARED_WORDS]
        for kind, part in ((name, tests), (f"{name}_unseen", unseen)):
            groups = [one.group for one in part]
            recalls = [one.after for one in part], [one.before for one in part]
            fused = [one.fused_after for one in part], [one.fused_before for one in part]
            figures[f"gain_{kind}"] = Figure.gained(*recalls, seed=context.seed, groups=groups)
            figures[f"fused_{kind}"] = Figure.gained(*fused, seed=context.seed, groups=groups)
        alone = bootstrap_mean([one.alone for one in tests], seed=context.seed, groups=[one.group for one in tests])
        figures[f"alone_{name}"] = Figure.of(alone)
        figures[f"shared_{name}"] = Figure.count(len(tests) - len(unseen), len(tests))
    return figures
