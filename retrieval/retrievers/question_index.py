"""Search by questions: the question asked is matched to the indexed ones, and their paragraphs are returned."""

from typing import Literal

from retrieval.questions.matching import MATCHED, questions_current
from retrieval.retrievers.base import Retriever
from retrieval.stages import Resources
from retrieval.types import Hit, Query, Ranking
from retrieval.vectors import question_vector


class QuestionMatch(Retriever):
    """The chunks to which the nearest indexed questions lead, by the cosine of questions.

    Attributes:
        top_k: Hits at most, 1 to 10,000.

    Source: Ryu et al. 2023, Eval-RAG, section 2 (retriever). Differs: any number of passages instead of one, and a
    passage is the chunk that holds the paragraph, not a whole document.
    """

    label = "Questions"
    action = "Matched to indexed questions"
    settable = ("top_k",)
    reads_vector = True

    kind: Literal["question-index.v1"] = "question-index.v1"

    def search(self, query: Query, resources: Resources) -> Ranking:
        """Rank chunks by the cosine of the best question that leads to them.

        Returns:
            At most `top_k` chunks, best first, ties by rising chunk id; none where the corpus has no question index,
            or where the question has no vector by the encoder of the indexed ones, which is noted. Scores are cosines,
            -1 to 1; each hit names its question among its parts (`matching.MATCHED`).

        Raises:
            ValueError: the query was not encoded.
        """
        if resources.vector is None:
            raise ValueError("Questions are matched by vectors: encode the query before building the search.")
        corpus, matrix = resources.corpus, questions_current(corpus=resources.corpus)
        if matrix is None:
            return Ranking(query.text, ())
        vector = question_vector(
            corpus=corpus,
            text=query.text,
            encoder=matrix.encoder,
            own=resources.vector,
            vectors=resources.vectors,
            is_needed=False,
        )
        matches = [] if vector is None else matrix.top(vector, k=self.top_k, allowed=resources.allowed)
        hits = []
        for rank, match in enumerate(matches, start=1):
            parts = (
                (f"{self.name}.rank", float(rank)),
                (f"{self.name}.score", match.score),
                (MATCHED, float(match.question_id)),
            )
            hits.append(Hit(match.chunk_id, rank, match.score, parts))
        return Ranking(query.text, tuple(hits))

    def run(self, query: Query, before: Ranking, resources: Resources) -> tuple[Ranking, str]:
        """The ranking, with a note where no indexed question leads anywhere, or they cannot be compared now."""
        ranking = self.search(query, resources)
        if query.text in resources.vectors.without:
            return ranking, "The question index was not searched: its encoder is away."
        return ranking, "" if ranking.hits else "No indexed question leads to a passage that is searched."
