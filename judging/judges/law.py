"""The law that a judge is shown: by a search of its own, or, as a control, law that has no bearing on the question.

Source: Ryu et al. 2023, Eval-RAG. Its retriever returns the one document of the question nearest to the query: that is
`question-index` here. Else it is one paragraph (`law_k`) by word search alone, which no preset answers with: a
retriever that judge and answer share would share its blind spots. A longer prompt moves scores by itself, so the
control shows as many paragraphs of about the same length that the search does not find. Both are of the law in force
on the day of the answer.
"""

from collections.abc import Sequence
from datetime import date
from random import Random
from uuid import UUID

from django.db.models import Count, F, QuerySet

from corpora.in_force import versions_in_force
from corpora.models import Corpus, Document, Position
from corpora.selectors import corpus_get
from judging.judges.asking import Law, LawShown, ModelSettings
from judging.judges.types import JudgedItem
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError
from retrieval.pipelines.presets import Preset, preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.retrievers import Bm25
from retrieval.services.search import MAX_QUERY_CHARS, Passage, corpus_search
from retrieval.types import Filters

HITS = 20  # ours: a paragraph beyond them has no bearing
QUESTION_INDEX = "question-index"  # the preset
DRAWN = 40  # ours: passages drawn, of which those nearest in length are shown
LAW_SEARCH = Preset(name="judges-law", title="Law for judges", description="Word search alone.", pipeline=Bm25() % HITS)


class CorpusLaw:
    """The law of one corpus, for one judge."""

    def __init__(
        self, *, organization: Organization, user: User | None, corpus_id: UUID, settings: ModelSettings
    ) -> None:
        self._organization, self._user, self._corpus_id = organization, user, corpus_id
        self._settings = settings
        with organization_scope(organization, user=user):
            self._jurisdiction = jurisdiction_of(corpus_get(organization=organization, corpus_id=corpus_id))

    def __call__(self, item: JudgedItem) -> LawShown:
        """The passages for an item; the same ones each time while the corpus does not change.

        Raises:
            ApplicationError: the corpus is gone, or the question cannot be searched; or the judge reads the law that
                the question index leads to, and there is none.
        """
        passages = self._found(item, preset_get(QUESTION_INDEX) if self._settings.law is Law.QUESTIONS else LAW_SEARCH)
        if not passages and self._settings.law is Law.QUESTIONS:
            raise ApplicationError(
                "No indexed question leads to law in this corpus. Build its question index, then judge again.",
                code="no_question_index",
            )
        first = passages[: self._settings.law_k]
        if self._settings.law is not Law.UNRELATED:
            places = [(passage.position, passage.document.title) for passage in first]
        else:
            places = self._unrelated(item, first, passages)
        return LawShown(
            self._jurisdiction,
            tuple(_text(position, title) for position, title in places),
            tuple(position.paragraph_id for position, _ in places),
        )

    def _found(self, item: JudgedItem, preset: Preset) -> Sequence[Passage]:
        request = SearchRequest(
            self._organization,
            self._user,
            self._corpus_id,
            item.question[:MAX_QUERY_CHARS],
            preset,
            Filters(as_of=item.as_of),
        )
        return corpus_search(request=request).passages

    def _unrelated(
        self, item: JudgedItem, first: Sequence[Passage], passages: Sequence[Passage]
    ) -> list[tuple[Position, str]]:
        """For each passage that the search gives, one of about its length that it does not give."""
        near = {passage.position.paragraph_id for passage in passages}
        with organization_scope(self._organization, user=self._user):
            live = _positions(self._corpus_id, item.as_of).exclude(kind="heading")
            far = [key for key in live.order_by("pk").values_list("paragraph_id", flat=True) if key not in near]
            chance = Random(f"{self._settings.seed}:{item.id}:{item.question}")  # noqa: S311 - a draw that can be repeated
            ids = chance.sample(far, min(DRAWN, len(far)))
            rows = live.filter(paragraph__in=ids).select_related("paragraph", "paragraph__document")
            rest = sorted(rows, key=lambda row: ids.index(row.paragraph_id))
            places = []
            for length in [len(passage.text) for passage in first] or [0]:
                if rest:
                    nearest = min(rest, key=lambda row: abs(len(row.paragraph.text) - length))
                    rest.remove(nearest)
                    places.append((nearest, nearest.paragraph.document.title))
        return places


def _positions(corpus_id: UUID, day: date | None) -> QuerySet[Position]:
    """The paragraphs of the versions in force on a day; for None, of the current ones."""
    positions = Position.objects.filter(version__corpus_id=corpus_id)
    if day is None:
        return positions.filter(version=F("paragraph__document__current"))
    return positions.filter(version__in=list(versions_in_force(day=day, corpus_id=corpus_id).values()))


def jurisdiction_of(corpus: Corpus) -> str:
    """What the law of a corpus is called: the jurisdiction of most of its documents, or its own name."""
    documents = Document.objects.filter(corpus=corpus, removed_at=None).exclude(jurisdiction="")
    most = documents.values("jurisdiction").annotate(n=Count("pk")).order_by("-n", "jurisdiction").first()
    return str(most["jurisdiction"]) if most else corpus.name


def _text(position: Position, title: str) -> str:
    return "\n".join([" › ".join([title, *position.heading_path]), position.paragraph.text.strip()])
