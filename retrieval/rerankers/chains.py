"""Chains of passages that answer together: each next one is scored given the question and those chosen before it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from retrieval.rerankers.features import NAMES
from retrieval.rerankers.model import ModelError
from retrieval.rerankers.trees import Trees

CHAIN_FILE = Path(__file__).with_name("chains.v1.json")
BEAMS = 3  # chains that are followed at once
HOPS = 4  # passages of a chain at most
STOP = 0.3  # probability of the best next passage below which a chain ends
FAR = 999.0  # places between passages of different documents
TENTH = 10
READ = ("cosine", "cosine_gap", "coverage_title", "bm25", "length", "with_title", "window")
OWN = ("gap", "gap to the tenth", "log rank", "share", *READ)
CHAIN = (
    "log places to the nearest", "within 1", "within 3", "within 10", "of its document", "share of its document",
    "nearest in meaning", "mean in meaning", "weighted in meaning", "meaning of the first", "log places to the first",
    "length of the chain", "before or after",
)  # fmt: skip

Values = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Listed:
    """The candidates of one question as chains are made of them.

    Attributes:
        scores: By the evidence ranker, [n].
        features: What it looked at, [n, len(NAMES) or more].
        places: Of each in its corpus, in reading order, [n].
        documents: The number of each one's document, [n].
        cosines: Of each pair, [n, n].
    """

    scores: Values
    features: Values
    places: Places
    documents: Places
    cosines: Values


def chain_features(listed: Listed, chain: Sequence[int]) -> Values:
    """What the scorer looks at for every candidate behind a chain, [n, len(OWN + CHAIN)], in the order of both.

    Args:
        listed: The candidates.
        chain: Places in `listed` of those already chosen, in their order; their columns are 0 for an empty one.
    """
    scores, n = listed.scores, len(listed.scores)
    ordered = np.sort(scores)[::-1]
    ranks = np.empty(n)
    ranks[np.argsort(-scores, kind="stable")] = np.arange(n)
    share = np.exp(scores - ordered[0])
    share /= share.sum()
    columns = [listed.features[:, NAMES.index(name)] for name in READ]
    own = [scores - ordered[0], scores - ordered[min(TENTH, n) - 1], np.log1p(ranks), share, *columns]
    if not chain:
        return np.stack([*own, *np.zeros((len(CHAIN), n))], axis=1)
    at = np.asarray(chain)
    same = listed.documents[:, None] == listed.documents[at][None, :]
    apart = np.where(same, np.abs(listed.places[:, None] - listed.places[at][None, :]).astype(np.float64), FAR)
    meaning = listed.cosines[:, at]
    nearest = apart.argmin(axis=1)
    side = np.sign(listed.places - listed.places[at][nearest]) * (apart.min(axis=1) <= 3)
    chained = [
        np.log1p(apart.min(axis=1)),
        *((apart <= reach).sum(axis=1) for reach in (1, 3, 10)),
        same.sum(axis=1),
        same.mean(axis=1),
        meaning.max(axis=1),
        meaning.mean(axis=1),
        meaning @ (share[at] / share[at].sum()),
        meaning[:, 0],
        np.log1p(apart[:, 0]),
        np.full(n, len(at)),
        side,
    ]
    return np.stack([*own, *(np.asarray(column, np.float64) for column in chained)], axis=1)


@dataclass(frozen=True)
class ChainModel:
    """Trees that give the log-odds of a candidate behind a chain; `provenance` says what they were trained on."""

    trees: Trees
    provenance: Mapping[str, Any]

    def odds(self, listed: Listed, chain: Sequence[int]) -> Values:
        """Log-odds of each candidate that it answers too, [n]."""
        return self.trees.score(chain_features(listed, chain))

    def as_mapping(self) -> dict[str, Any]:
        return {"features": [*OWN, *CHAIN], "trees": self.trees.as_mapping(), "provenance": dict(self.provenance)}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """The model that `as_mapping` wrote.

        Raises:
            ModelError: it was trained on other features than this code measures.
        """
        if tuple(data.get("features", ())) != (*OWN, *CHAIN):
            raise ModelError(
                "The chains' model was trained on other features. Train it with `manage.py ranker chains`."
            )
        return cls(Trees.read(data["trees"]), data["provenance"])


@cache
def chain_model_load() -> ChainModel:
    """The packaged scorer of chains; its file is read once a process."""
    return ChainModel.read(json.loads(CHAIN_FILE.read_text()))


@dataclass(frozen=True, slots=True)
class Chained:
    """The candidates in their new order, each with its log-odds; the first `n_hops` of them are the best chain."""

    order: tuple[int, ...]
    odds: Values
    n_hops: int


def beam_search(listed: Listed, model: ChainModel, *, beams: int, hops: int, stop: float) -> Chained:
    """Keep the `beams` best chains over at most `hops` hops; a chain ends where no next one has a chance of `stop`.

    A chain's score is the sum of its passages' log-odds above those of `stop`. The best chain comes first, in its
    order; the others follow by the log-odds that they have behind it.

    Source: Zhang et al. 2024, Beam Retrieval, as PathLex 7.11 uses it. Differs: trees over features score a candidate
    where a transformer reads question, chain and candidate, which takes minutes on a processor; the best chain orders
    what it does not hold (both ours).
    """
    least = float(np.log(stop / (1 - stop)))
    going: list[tuple[tuple[int, ...], tuple[float, ...]]] = [((), ())]
    ended: list[tuple[tuple[int, ...], tuple[float, ...]]] = []
    for _ in range(min(hops, len(listed.scores))):
        grown: dict[frozenset[int], tuple[tuple[int, ...], tuple[float, ...]]] = {}
        for chain, odds in going:
            next_odds = model.odds(listed, chain)
            next_odds[list(chain)] = -np.inf
            best = np.argsort(-next_odds, kind="stable")[:beams].tolist()
            following = [
                place for place in best if np.isfinite(next_odds[place]) and (not chain or next_odds[place] >= least)
            ]
            if not following:
                ended.append((chain, odds))
            for place in following:
                longer = ((*chain, place), (*odds, float(next_odds[place])))
                rival = grown.setdefault(frozenset(longer[0]), longer)
                if sum(longer[1]) > sum(rival[1]):
                    grown[frozenset(longer[0])] = longer
        going = sorted(grown.values(), key=lambda one: (-sum(one[1]), one[0]))[:beams]
        if not going:
            break
    chain, _ = min((*ended, *going), key=lambda one: (-sum(odds - least for odds in one[1]), one[0]))
    rest = model.odds(listed, chain)
    others = [place for place in np.argsort(-rest, kind="stable").tolist() if place not in chain]
    return Chained((*chain, *others), rest, len(chain))
