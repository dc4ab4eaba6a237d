"""Building the question index of a corpus in the background: what changed is asked about again, the rest is kept.

A build reads the current versions that it has not read yet by the present recipe. Of each it makes questions on the
paragraphs about which other ones would be asked than when theirs were made (`AskedParagraph.basis`), and removes those
of paragraphs that are no longer there. Each batch is one transaction with the job's progress, so a build that is killed
resumes where it was; run over an unchanged corpus it changes nothing. What people rejected, edited or imported stays.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.utils import timezone

from corpora.in_force import positions_live, versions_live
from corpora.models import Corpus, DocumentVersion, Position
from corpora.provisions.types import Role
from corpora.services.encoding import encoder_load
from corpora.services.provisions import part_of
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.common.faults import crash_point
from legalqa.encoder.client import FloatMatrix
from legalqa.jobs.services import JobRefused, Lease
from retrieval.models import AskedParagraph, IndexedQuestion, QuestionIndex, QuestionSource, QuestionState
from retrieval.questions.decisions import Decided, decisions_read
from retrieval.questions.model import PROMPT, has_model, questions_ask
from retrieval.questions.sentences import QuestionBasis, paragraphs_asked
from retrieval.questions.stated import graph_states, statements_of

TASK = "retrieval.questions.tasks.questions_work"
BY_TEMPLATES = "templates"
BY_GRAPH = "templates, from the knowledge graph"
RECIPE = "templates 2"  # raise the number when the templates ask otherwise: everything is then asked about again
BATCH = 100  # paragraphs between two commits where templates write; a model's are committed one by one
ENCODED = 256
MAX_QUESTIONS = 200_000  # ours, a corpus: what a process still holds in memory
# Cosine of the packaged encoder from which two questions ask the same. Chosen on the 117 different queries of the small
# LegalBench-RAG, which no figure of ours is measured on: 79 % of 819 rewordings by rule lie above it, and none of the
# 6,786 pairs of different questions, most of which differ in a few words only.
SAME_QUESTION = 0.96
_MADE = Q(source__in=[QuestionSource.PROVISION, QuestionSource.DECISION], state=QuestionState.INDEXED)
UNTOUCHED = _MADE & Q(text=F("made_text"))

Making = QuestionBasis | Decided


@dataclass(frozen=True, slots=True)
class Planned:
    """A paragraph to be asked about, and the hash by which a build knows whether other questions would be asked."""

    paragraph_id: int
    making: Making
    basis: str


@dataclass(frozen=True, slots=True)
class Made:
    """The questions on one paragraph; `is_replaced`: templates replace a reply of the model that was no use."""

    planned: Planned
    rows: list[IndexedQuestion]
    is_replaced: bool


def question_key(text: str) -> str:
    """What a rebuild knows a question by: its words, whatever their case and blanks."""
    return sha256(" ".join(text.casefold().split()).encode()).hexdigest()


def recipe_of(index: QuestionIndex) -> str:
    """By what the questions of an index are made."""
    return f"model {PROMPT.sha256[:12]}" if index.uses_model else RECIPE


def recipes_of(index: QuestionIndex, versions: Iterable[DocumentVersion]) -> dict[str, str]:
    """By id of a version, what its questions are made by: the recipe, and what the knowledge graph states of it now."""
    recipe, states = recipe_of(index), {} if index.uses_model else graph_states(corpus=index.corpus)
    return {
        str(version.pk): f"{recipe} graph {states[version.document_id]}" if version.document_id in states else recipe
        for version in versions
    }


def questions_slice(*, lease: Lease) -> bool:
    """Build some more of an index; True once it is that of the corpus as it is.

    For what changes later `index_follow` finds no open job, and makes one.

    Raises:
        JobRefused: the corpus was removed, or has more than MAX_QUESTIONS.
    """
    while not _encode_some(lease):
        if lease.is_over:
            return False
    while versions := _versions_left(lease):
        if not all(_version_made(lease, version) for version in versions):
            return False
    with organization_scope(lease.organization_id, user=None):
        index = _index(lease)
        index.corpus = Corpus.objects.select_for_update(no_key=True).get(pk=index.corpus_id)
        if is_stale(index=index):
            return False
        live = positions_live(corpus=index.corpus).values("paragraph")
        _forget(index, AskedParagraph.objects.exclude(paragraph__in=live))
        n_asked = AskedParagraph.objects.filter(corpus=index.corpus).count()
        lease.advance(stage="ready", cursor=n_asked, total=n_asked)
        QuestionIndex.objects.filter(pk=index.pk).update(built_at=timezone.now())
        lease.finish()
    return True


def is_stale(*, index: QuestionIndex) -> bool:
    """Whether a build would change anything: documents came or went, or the encoder is another one."""
    recipes = recipes_of(index, versions_live(corpus=index.corpus).only("pk", "document_id"))
    return index.made != recipes or _unencoded(index.corpus).exists()


def _index(lease: Lease) -> QuestionIndex:
    index = QuestionIndex.objects.select_for_update(of=("self",)).filter(pk=lease.subject_id).first()
    if index is None or (corpus := Corpus.objects.filter(pk=index.corpus_id, removal_begun_at=None).first()) is None:
        raise JobRefused("corpus_gone")
    index.corpus = corpus
    return index


# -- Making ------------------------------------------------------------------------------------------------------------


def _versions_left(lease: Lease) -> list[DocumentVersion]:
    """The versions whose questions are to be made; those that are no longer current are struck off the list."""
    with organization_scope(lease.organization_id, user=None):
        index = _index(lease)
        versions = versions_live(corpus=index.corpus).select_related("document").defer("text")
        live = {str(version.pk): version for version in versions}
        if gone := index.made.keys() - live.keys():
            index.made = {key: value for key, value in index.made.items() if key not in gone}
            index.save(update_fields=["made"])
        recipes = recipes_of(index, versions)
        return [live[key] for key in sorted(live) if index.made.get(key) != recipes[key]]


def _version_made(lease: Lease, version: DocumentVersion) -> bool:
    """Make the questions of one version; False where the slice is over, whether they are all made or not."""
    with organization_scope(lease.organization_id, user=None):
        index = _index(lease)
        organization = Organization.objects.get(pk=lease.organization_id)
        makings, recipes = _makings(index, version), recipes_of(index, [version])
        bases = dict(
            AskedParagraph.objects.filter(corpus=index.corpus, paragraph__document=version.document_id).values_list(
                "paragraph", "basis"
            )
        )
    planned = [Planned(key, making, _basis(index, key, making)) for key, making in makings.items()]
    writes = index.uses_model and has_model(organization=organization)
    missing = [entry for entry in planned if bases.get(entry.paragraph_id) != entry.basis]
    size = 1 if writes else BATCH
    for batch in (missing[at : at + size] for at in range(0, len(missing), size)):
        entries = [_made(index, entry, organization if writes else None) for entry in batch]
        if texts := [row.text for entry in entries for row in entry.rows]:
            vectors = iter(encoder_load(corpus=index.corpus).encode(texts))
            for row in (row for entry in entries for row in entry.rows):
                row.encoder, row.vector = index.corpus.encoder, next(vectors)
        _store(lease, entries)
        crash_point("questions.stored")
        if lease.is_over:
            return False
    with organization_scope(lease.organization_id, user=None):
        index = _index(lease)
        here = AskedParagraph.objects.filter(paragraph__document=version.document_id)
        _forget(index, here.exclude(paragraph__in=[entry.paragraph_id for entry in planned]))
        index.made |= recipes
        index.save(update_fields=["made"])
        _report(lease, index.corpus)
    return not lease.is_over


def _makings(index: QuestionIndex, version: DocumentVersion) -> dict[int, Making]:
    """What questions on each paragraph of a version are made of, by the paragraph's primary key."""
    positions = list(Position.objects.filter(version=version).select_related("paragraph").order_by("ordinal"))
    parts = [part_of(position=position) for position in positions]
    paragraphs = {position.ordinal: position.paragraph_id for position in positions}
    is_decision = version.document.kind == "decision"
    stated = {} if index.uses_model else statements_of(corpus=index.corpus, positions=positions)
    makings: Iterable[Making] = decisions_read(parts) if is_decision else paragraphs_asked(parts, stated)
    return {paragraphs[making.ordinal]: making for making in makings}


def _basis(index: QuestionIndex, paragraph_id: int, making: Making) -> str:
    """A hash of what a model would read; where templates write, of the questions themselves, which cost little."""
    made_of = [making.basis]
    if not index.uses_model:
        made_of = [f"{one.kind} {one.references} {one.is_stated} {one.text}" for one in making.questions(paragraph_id)]
    return sha256("\0".join((recipe_of(index), making.source, *made_of)).encode()).hexdigest()


def _made(index: QuestionIndex, entry: Planned, organization: Organization | None) -> Made:
    """The questions on one paragraph: a model's, where one is asked and replies as it should, else the templates'."""
    making = entry.making
    if organization is not None:
        heading = making.heading if isinstance(making, QuestionBasis) else ""
        issues = making.issues if isinstance(making, Decided) else ()
        passage = " ".join((making.stem, making.text)) if isinstance(making, QuestionBasis) else making.text
        texts, reply = questions_ask(organization=organization, passage=passage, heading=heading, issues=issues)
        if texts is not None:
            author, whole = f"{reply.provider}/{reply.model}"[:200], (0, len(making.text))
            return Made(entry, [_row(index, entry, text, "", whole, author) for text in texts], is_replaced=False)
    rows = []
    for question in making.questions(entry.paragraph_id):
        _, start, end = question.references[0]
        author = BY_GRAPH if question.is_stated else BY_TEMPLATES
        rows.append(_row(index, entry, question.text, question.kind, (start, end), author))
    return Made(entry, rows, is_replaced=index.uses_model)


def _row(
    index: QuestionIndex, entry: Planned, text: str, kind: str, span: tuple[int, int], author: str
) -> IndexedQuestion:
    return IndexedQuestion(
        organization_id=index.organization_id,
        corpus_id=index.corpus_id,
        source=entry.making.source,
        kind=kind,
        text=text,
        made_text=text,
        key=question_key(text),
        paragraph_id=entry.paragraph_id,
        start=span[0],
        end=span[1],
        author=author,
    )


def _store(lease: Lease, entries: Sequence[Made]) -> None:
    """Put the questions of some paragraphs in place of those made before, with the job's progress, or none of it."""
    with organization_scope(lease.organization_id, user=None):
        index = _index(lease)
        paragraphs = [entry.planned.paragraph_id for entry in entries]
        rows = [row for entry in entries for row in entry.rows]
        for row in rows:
            if row.encoder != index.corpus.encoder:  # they are encoded again by the one in use now
                row.encoder, row.vector = "", None
        every = IndexedQuestion.objects.filter(corpus=index.corpus)
        mine = every.filter(paragraph__in=paragraphs)
        mine.filter(UNTOUCHED).delete()
        IndexedQuestion.objects.bulk_create(rows, ignore_conflicts=True)
        doubles_drop(questions=mine)
        if every.count() > MAX_QUESTIONS:
            raise JobRefused("too_many_questions")
        AskedParagraph.objects.filter(corpus=index.corpus, paragraph__in=paragraphs).delete()
        of = {"organization_id": index.organization_id, "corpus_id": index.corpus_id}
        AskedParagraph.objects.bulk_create(
            AskedParagraph(
                **of,
                paragraph_id=entry.planned.paragraph_id,
                basis="" if entry.is_replaced else entry.planned.basis,
            )
            for entry in entries
        )
        index_changed(index=index)
        _report(lease, index.corpus)


def _forget(index: QuestionIndex, paragraphs: QuerySet[AskedParagraph]) -> None:
    """Remove what was made of paragraphs that are no longer asked about."""
    gone = list(paragraphs.filter(corpus=index.corpus).values_list("paragraph", flat=True))
    if gone:
        IndexedQuestion.objects.filter(UNTOUCHED, corpus=index.corpus, paragraph__in=gone).delete()
        AskedParagraph.objects.filter(corpus=index.corpus, paragraph__in=gone).delete()
        index_changed(index=index)


def _report(lease: Lease, corpus: Corpus) -> None:
    total = positions_live(corpus=corpus).filter(role__in=[Role.OPERATIVE, Role.DEFINITION]).count()
    n_done = AskedParagraph.objects.filter(corpus=corpus).count()
    lease.advance(stage="writing", cursor=min(n_done, total), total=total)


# -- Encoding ----------------------------------------------------------------------------------------------------------


def _unencoded(corpus: Corpus) -> QuerySet[IndexedQuestion]:
    return IndexedQuestion.objects.filter(corpus=corpus).exclude(encoder=corpus.encoder)


def _encode_some(lease: Lease) -> bool:
    """Encode some questions that have no vector by the corpus's encoder; True where none is left."""
    with organization_scope(lease.organization_id, user=None):
        corpus = _index(lease).corpus
        rows = list(_unencoded(corpus).order_by("pk")[:ENCODED])
    if not rows:
        return True
    vectors = encoder_load(corpus=corpus).encode([row.text for row in rows])
    with organization_scope(lease.organization_id, user=None):
        index = _index(lease)
        if index.corpus.encoder != corpus.encoder:
            return False
        for row, vector in zip(rows, vectors, strict=True):
            row.encoder, row.vector = corpus.encoder, vector
        IndexedQuestion.objects.bulk_update(rows, ["encoder", "vector"], batch_size=ENCODED)
        paragraphs = {row.paragraph_id for row in rows}
        doubles_drop(questions=IndexedQuestion.objects.filter(corpus=corpus, paragraph__in=paragraphs))
        index_changed(index=index)
        _report(lease, corpus)
    return False


def index_changed(*, index: QuestionIndex) -> None:
    """Tell every process that its questions are not the present ones, in the transaction that changes them."""
    QuestionIndex.objects.filter(pk=index.pk).update(revision=F("revision") + 1)


def doubles_drop(*, questions: QuerySet[IndexedQuestion]) -> int:
    """Remove questions that ask the same of the same paragraph as a better one; how many.

    What people rejected or edited comes before real questions, these before generated ones, these in their order. The
    same question of another paragraph is not a double: both paragraphs answer it.
    """
    order = Case(
        When(~Q(text=F("made_text")) | Q(state=QuestionState.REJECTED), then=Value(0)),
        When(source=QuestionSource.PAIR, then=Value(1)),
        default=Value(2),
    )
    rows = questions.exclude(encoder="").order_by("paragraph", order, "pk")
    originals: dict[tuple[int, str], list[FloatMatrix]] = {}
    doubled = []
    for pk, paragraph, encoder, place, vector in rows.values_list("pk", "paragraph", "encoder", order, "vector"):
        near = originals.setdefault((paragraph, encoder), [])
        if place and near and float(max(np.stack(near) @ vector)) >= SAME_QUESTION:
            doubled.append(pk)
        else:
            near.append(vector)
    IndexedQuestion.objects.filter(pk__in=doubled).delete()
    return len(doubled)
