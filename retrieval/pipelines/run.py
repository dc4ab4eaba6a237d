"""A question and its rewrites searched by one pipeline."""

from dataclasses import replace

from retrieval.cutoffs import Cut
from retrieval.evidence import ranked_by_rest
from retrieval.fusion.queries import joined, widened
from retrieval.pipelines.rewriting import Rewriting
from retrieval.stages import Resources
from retrieval.types import Filters, Query, Ranking


def queries_run(rewriting: Rewriting, *, filters: Filters, resources: Resources) -> Ranking:
    """The ranking of a question and its rewrites.

    Each is searched. What other words for the same question find is ranked once, for the question; questions that were
    asked at once are ranked each for itself. The cutoff, and what follows it, comes once the rankings are merged and
    excluded paragraphs no longer count.

    Args:
        rewriting: The question and its rewrites; an empty pipeline finds nothing.
        filters: Of the search.
        resources: Of the search, without a vector; the stages note in it what they did.
    """
    queries, stages = rewriting.queries, rewriting.pipeline.stages
    cut = next((place for place, stage in enumerate(stages) if isinstance(stage, Cut)), len(stages))
    if not stages[:cut]:
        return Ranking(queries.text, ())
    search, rerankers = stages[0], stages[1:cut]
    texts = [Query(text, filters) for text in queries.texts]
    each = [replace(resources, vector=vector) for vector in rewriting.vectors] or [resources] * len(texts)
    rankings = [search.apply(query, Ranking(query.text, ()), own) for query, own in zip(texts, each, strict=True)]
    parts = [number for number, rewrite in enumerate(queries.rewrites, start=1) if rewrite.is_part]
    others = {number: rankings[number] for number in range(1, len(rankings)) if number not in parts}
    ranked = {0: widened(rankings[0], others), **{number: rankings[number] for number in parts}}
    for stage in rerankers:
        ranked = {n: stage.apply(texts[n], ranking, each[n]) for n, ranking in ranked.items()}
    whole = ranked_by_rest(joined(ranked.pop(0), ranked), query=texts[0], corpus=resources.corpus)
    for stage in stages[cut:]:
        whole = stage.apply(texts[0], whole, resources)
    return whole
