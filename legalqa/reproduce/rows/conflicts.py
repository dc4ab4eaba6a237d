"""The row of contradictions: pairs of real policies with labels, and the contradictions of Policy Copilot's set."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from legalqa.answering.conflicts.finding import Finding, notices_of
from legalqa.answering.conflicts.resolving import Provision
from legalqa.answering.services.conflicts import corpus_findings, pairs_judged
from legalqa.reproduce.types import Context, Figure
from legalqa.training.collections.corpus import rows

PAIRS = "policies/conflict_pairs.jsonl"
PARAGRAPHS, QUESTIONS = "policy_copilot/paragraphs.jsonl", "policy_copilot/golden_set.jsonl"


def conflicts(context: Context) -> Mapping[str, Figure]:
    """No rule and no threshold was chosen on either set."""
    labelled = list(rows(context.data, PAIRS))
    findings = pairs_judged(pairs=[(row["quote_a"], row["quote_b"]) for row in labelled])
    figures = pair_figures([row["label"] for row in labelled], [one is not None and one.is_open for one in findings])
    provisions = copilot_provisions(list(rows(context.data, PARAGRAPHS)))
    questions = [row for row in rows(context.data, QUESTIONS) if row["category"] == "contradiction"]
    return figures | copilot_figures(questions, corpus_findings(provisions=provisions))


def pair_figures(labels: Sequence[str], called: Sequence[bool]) -> dict[str, Figure]:
    """Precision and recall of pairs called contradictions, and how many of the others were called so."""
    is_right = [label == "contradiction" for label in labels]
    n_hit = sum(a and b for a, b in zip(is_right, called, strict=True))
    n_false = sum(called) - n_hit
    return {
        "precision": Figure.count(n_hit, sum(called)),
        "recall": Figure.count(n_hit, sum(is_right)),
        "wrongly": Figure.count(n_false, len(labels) - sum(is_right)),
    }


def copilot_provisions(paragraphs: Sequence[Mapping[str, Any]]) -> list[Provision]:
    """The paragraphs of the five policies, each with what its document says that it replaces."""
    texts: dict[str, list[str]] = defaultdict(list)
    for row in paragraphs:
        texts[row["doc_id"]].append(row["text"])
    notices = {document: notices_of(own) for document, own in texts.items()}
    return [
        Provision(
            row["paragraph_id"], row["text"], row["doc_id"], row["doc_id"].replace("_", " "),
            notices=notices[row["doc_id"]],
        )
        for row in paragraphs
    ]  # fmt: skip


def copilot_figures(questions: Sequence[Mapping[str, Any]], findings: Sequence[Finding]) -> dict[str, Figure]:
    """Questions about a contradiction of which a pair of gold paragraphs was found, open or resolved."""
    differences = [one for one in findings if one.resolution is None or one.resolution.rule != "scope"]
    pairs = [{one.a.key, one.b.key} for one in differences]
    n_met = sum(any(pair <= set(question["gold_paragraph_ids"]) for pair in pairs) for question in questions)
    n_resolved = sum(not one.is_open for one in differences)
    note = f"{len(differences)} differences in the five documents, {n_resolved} of them resolved"
    return {"copilot": Figure.count(n_met, len(questions), note=note)}
