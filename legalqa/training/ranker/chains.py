"""Training the scorer of chains: which passage answers a question together with those found before it.

Every question with several right passages teaches by the chains that a search begins with: none, and the first one,
three and five by the ranker, right or wrong, as a search will have them too.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from legalqa.training.collections.corpus import MemoryCorpus
from legalqa.training.collections.questions import LabelledQuestion
from legalqa.training.ranker.boosting import trees_grow
from legalqa.training.ranker.training import SEED, Examined
from retrieval.rerankers.chains import BEAMS, HOPS, STOP, ChainModel, Listed, beam_search, chain_features
from retrieval.rerankers.model import RankerModel

BEGUN = (0, 1, 3, 5)  # ours: passages of the chains that are learned from
LEARNED = 60  # ours: candidates of a question that are learned from
SINGLES, SINGLES_SEED = 300, 1  # ours: questions with one right passage that are learned from beside the others


def questions_chosen(questions: Sequence[LabelledQuestion]) -> tuple[LabelledQuestion, ...]:
    """The questions with several right passages, and SINGLES of those with one."""
    single = [question for question in questions if len(question.gold) == 1]
    places = np.random.default_rng(SINGLES_SEED).permutation(len(single))[:SINGLES]
    return (*(q for q in questions if len(q.gold) > 1), *(single[place] for place in sorted(places.tolist())))


def listed_of(one: Examined, model: RankerModel, corpus: MemoryCorpus) -> Listed:
    """The candidates of a question of a collection in memory; a passage's place there is its id."""
    vectors = corpus.vectors[one.candidates]
    return Listed(
        model.scores(one.features),
        one.features,
        one.candidates,
        corpus.outline.versions[one.candidates],
        np.asarray(vectors @ vectors.T, np.float64),
    )


def chains_train(
    parts: Sequence[tuple[Sequence[Examined], MemoryCorpus]], model: RankerModel, *, provenance: Mapping[str, object]
) -> ChainModel:
    """Grow the trees; deterministic.

    Args:
        parts: Questions with their candidates, and the corpus that they were asked of.
        model: The ranker whose scores the chains begin with.
        provenance: Kept with the model.
    """
    rows: list[NDArray[np.float64]] = []
    labels: list[NDArray[np.float64]] = []
    for examined, corpus in parts:
        for one in examined:
            if one.labels.any():
                listed = listed_of(one, model, corpus)
                first = np.argsort(-listed.scores, kind="stable")[:LEARNED]
                for n in BEGUN:
                    rows.append(chain_features(listed, first[:n].tolist())[first])
                    labels.append(one.labels[first])
    return ChainModel(trees_grow(np.concatenate(rows), np.concatenate(labels), seed=SEED), provenance)


def chained(one: Examined, model: RankerModel, chains: ChainModel, corpus: MemoryCorpus) -> NDArray[np.int64]:
    """The candidates of a question as the beam orders them, best first."""
    beam = beam_search(listed_of(one, model, corpus), chains, beams=BEAMS, hops=HOPS, stop=STOP)
    return np.asarray(one.candidates[list(beam.order)])
