"""Changing questions so that a classifier does not learn their length and manner (HyPA-RAG 7.1, A.9).

Every change keeps how many pieces of evidence the question needs. The rules of `judging.gold.generation.wording` work
without a language model; where one is set up, its wording of the vague, verbose and concise form takes the rule's place
(`prompts/`).
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from judging.gold.generation.wording import CHANGES
from legalqa.common.config import Config
from retrieval.complexity.types import LabelledText


class Shares(Config):
    """The share of questions for each change; a question is changed at most once.

    Defaults: section 7.1. Ten per cent get "random noise words or punctuation", half of them either.

    Attributes:
        vague: Share of the questions, 0 to 1, without numbers, provisions and exact nouns.
        noise_words: The same, with empty words between the words.
        punctuation: The same, with marks on words.
        noise_both: The same, with both.
        reorder: The same, with clauses in another order.
        misspell: The same, with words misspelt.
        verbose: Share of the questions of the lowest class, 0 to 1, put at length.
        concise: Share of those of the highest class, 0 to 1, put briefly.
    """

    vague: float = 0.10
    noise_words: float = 0.05
    punctuation: float = 0.05
    noise_both: float = 0.10
    reorder: float = 0.05
    misspell: float = 0.05
    verbose: float = 0.25
    concise: float = 0.25


@dataclass(frozen=True, slots=True)
class Augmented:
    """The changed questions, and the share of all questions that they come to."""

    rows: tuple[LabelledText, ...]
    shares: Mapping[str, float]
    total: float


def changes_plan(rows: Sequence[LabelledText], *, shares: Shares, seed: int) -> list[tuple[int, str]]:
    """Which row is changed how: (place, change), each row at most once.

    Raises:
        ValueError: the shares of one class come to more than all of its questions.
    """
    chance = random.Random(seed)  # noqa: S311 - draws, guards nothing
    highest = max((row.label for row in rows), default=0)
    planned: list[tuple[int, str]] = []
    free = set(range(len(rows)))
    for name in ("verbose", "concise", *[n for n in CHANGES if n not in ("verbose", "concise")]):
        share = float(getattr(shares, name.replace("-", "_")))
        label = {"verbose": 0, "concise": highest}.get(name)
        pool = [at for at in range(len(rows)) if label is None or rows[at].label == label]
        n, open_ = round(share * len(pool)), sorted(free.intersection(pool))
        if share < 0 or n > len(open_):
            raise ValueError(f"The share {share} of {name} is more than what is left. Make the shares smaller.")
        for at in chance.sample(open_, n):
            planned.append((at, name))
            free.discard(at)
    return sorted(planned)


def augment(
    rows: Sequence[LabelledText],
    *,
    shares: Shares,
    seed: int,
    rewrite: Callable[[str, str], str] = lambda _text, _change: "",
    note: Callable[[str], None] = lambda _: None,
) -> Augmented:
    """Change a share of the questions.

    Args:
        rows: Questions with labels, unchanged ones.
        shares: How many of what.
        seed: Of every draw.
        rewrite: Another wording of a text, by the name of the change; where it has none, "", a rule changes the text.
        note: Says how far it is.

    Returns:
        The changed questions, in the order of the originals; one that changes nothing, or ends in words that are there
        already, is left out. Each keeps its original and is in its group, so on its side of every split.
    """
    chance = random.Random(f"{seed} changes")  # noqa: S311 - draws, guards nothing
    plan, changed, seen = changes_plan(rows, shares=shares, seed=seed), [], {row.text.casefold() for row in rows}
    for number, (place, change) in enumerate(plan, start=1):
        row = rows[place]
        text = rewrite(row.text, change) or CHANGES[change](row.text, chance)
        if text and text.casefold() not in seen:
            seen.add(text.casefold())
            changed.append(LabelledText(text, row.label, row.group, change, row.text))
        note(f"{number} of {len(plan)} changed")
    counts = {name: sum(row.change == name for row in changed) for name in CHANGES}
    total = max(1, len(rows))
    reached = {name: round(count / total, 4) for name, count in counts.items() if count}
    return Augmented(tuple(changed), reached, round(len(changed) / total, 4))
