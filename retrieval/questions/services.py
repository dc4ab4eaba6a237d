"""The question index of a corpus as page, endpoint and command see it: build, list, edit, reject, import, export."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from corpora.in_force import positions_live
from corpora.models import Corpus
from corpora.selectors import corpus_get
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError, Conflict, NotFound, existing
from legalqa.common.transitions import sources
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.selectors import job_latest, job_latest_by_subject, jobs_open
from legalqa.jobs.services import job_cancel, job_create, job_ensure, job_retry
from retrieval.graph.selectors import BUILD
from retrieval.models import (
    QUESTION_TRANSITIONS,
    AskedParagraph,
    IndexedQuestion,
    QuestionIndex,
    QuestionSource,
    QuestionState,
)
from retrieval.questions.building import (
    MAX_QUESTIONS,
    TASK,
    UNTOUCHED,
    index_changed,
    is_stale,
    question_key,
)
from retrieval.questions.files import MAX_CHARS, Pair, pairs_read, questions_file
from retrieval.questions.model import has_model

GONE = "gone"
STATES = {**dict(QuestionState.choices), GONE: "Passage changed or removed"}  # the filter's states, as shown


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of real questions: how many were added and were there already, and why others were left out."""

    n_added: int
    n_known: int
    left_out: tuple[str, ...]


def question_index_get(
    *, organization: Organization, corpus_id: UUID
) -> tuple[Corpus, QuestionIndex | None, Job | None]:
    """A corpus with its question index and the newest build; None where there is none yet.

    Raises:
        NotFound: no such corpus, or you have no access to it.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    index = QuestionIndex.objects.filter(corpus=corpus).first()
    if index is None:
        return corpus, None, None
    index.corpus = corpus
    return corpus, index, job_latest(organization=organization, subject_id=index.pk)


def questions_build(
    *, organization: Organization, user: User | None, corpus_id: UUID, uses_model: bool | None = None
) -> Job:
    """Build the question index of a corpus, or bring it up to date, in the background.

    Args:
        uses_model: Whether a language model writes the questions, one call a paragraph; None: where one is set up.

    Raises:
        NotFound: no such corpus.
        Conflict: it is being built.
        ApplicationError: a model is asked for and none is set up.
    """
    index = _index_held(organization, user, corpus_id)
    job = job_latest(organization=organization, subject_id=index.pk)
    if job is not None and job.is_open:
        raise Conflict("The question index is being built already. Wait, or cancel it first.", code="building")
    is_there = has_model(organization=organization)
    if uses_model and not is_there:
        raise ApplicationError(
            "No language model is set up for rewriting. Set one up, or let templates write the questions.",
            code="no_model",
        )
    index.uses_model = is_there if uses_model is None else uses_model
    if paragraphs_replaced(corpus=index.corpus).exists():
        index.made = {}  # every version is looked at again, only these paragraphs redone
    index.save(update_fields=["uses_model", "made"])
    audit(organization=organization, actor=user, action="question_index.built", subject_id=index.corpus_id)
    return job_create(organization=organization, task=TASK, subject_id=index.pk, user=user, corpus_id=index.corpus_id)


def paragraphs_replaced(*, corpus: Corpus) -> QuerySet[AskedParagraph]:
    """Those whose questions templates wrote, because the model gave none that fit; a build by hand asks it again."""
    return AskedParagraph.objects.filter(corpus=corpus, basis="")


def _index_held(organization: Organization, user: User | None, corpus_id: UUID) -> QuestionIndex:
    """The index of a corpus, locked; made where there is none."""
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    QuestionIndex.objects.bulk_create(
        [QuestionIndex(organization=organization, corpus=corpus, created_by=user)], ignore_conflicts=True
    )
    index = QuestionIndex.objects.select_for_update(of=("self",)).get(corpus=corpus)
    index.corpus = corpus
    return index


def _job_ensure(index: QuestionIndex) -> None:
    job_ensure(organization=index.organization_id, task=TASK, subject_id=index.pk, corpus_id=index.corpus_id)


def questions_build_cancel(*, organization: Organization, corpus_id: UUID) -> Job:
    """Stop the build; what it has made is kept and searched. Raises NotFound, and as `job_cancel`."""
    return job_cancel(organization=organization, job_id=_job(organization, corpus_id).pk)


def questions_build_resume(*, organization: Organization, corpus_id: UUID) -> Job:
    """Resume a build that was cancelled or failed, where it stopped. Raises NotFound, and as `job_retry`."""
    return job_retry(organization=organization, job_id=_job(organization, corpus_id).pk)


def _job(organization: Organization, corpus_id: UUID) -> Job:
    _, _, job = question_index_get(organization=organization, corpus_id=corpus_id)
    return existing(job, "build of a question index")


def question_list(
    *, organization: Organization, corpus_id: UUID, source: str = "", state: str = "", words: str = ""
) -> QuerySet[IndexedQuestion]:
    """The questions of a corpus's index with their paragraphs, in the order in which they were made.

    Args:
        source: A QuestionSource; "" for all.
        state: A QuestionState, or GONE for those whose passage is in no current version; "" for all.

    Raises:
        NotFound: no such corpus.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    questions = IndexedQuestion.objects.filter(corpus=corpus).select_related("paragraph__document").defer("vector")
    if source:
        questions = questions.filter(source=source)
    if state == GONE:
        questions = questions.exclude(paragraph__in=positions_live(corpus=corpus).values("paragraph"))
    elif state:
        questions = questions.filter(state=state)
    if words:
        questions = questions.filter(text__icontains=words.replace("\x00", "")[:MAX_CHARS])
    return questions.order_by("pk")


def question_get(*, organization: Organization, question_id: int) -> IndexedQuestion:
    """An indexed question.

    Raises:
        NotFound: there is none, or you have no access to its corpus.
    """
    questions = IndexedQuestion.objects.filter(organization=organization, pk=question_id)
    return existing(questions.select_related("paragraph__document", "corpus").defer("vector").first(), "question")


def question_state_set(
    *, organization: Organization, user: User | None, question_id: int, state: str
) -> IndexedQuestion:
    """Reject a question, or index it again; a rebuild keeps that. One that is in the state already stays as it is.

    Raises:
        NotFound: there is none, or somebody else has just put it in other words.
        ApplicationError: no such state.
    """
    if state not in QuestionState.values:
        raise ApplicationError(
            f"There is no state {state!r}; choose one of: {', '.join(QuestionState.values)}.", code="unknown_state"
        )
    question = question_get(organization=organization, question_id=question_id)
    index = _index_held(organization, user, question.corpus_id)
    before = IndexedQuestion.objects.filter(
        organization=organization, pk=question.pk, state__in=sources(QUESTION_TRANSITIONS, QuestionState(state))
    )
    if before.update(state=state):
        index_changed(index=index)
        audit(organization=organization, actor=user, action=f"indexed_question.{state}", subject_id=question.corpus_id)
    return question_get(organization=organization, question_id=question_id)


def question_edit(*, organization: Organization, user: User | None, question_id: int, text: str) -> IndexedQuestion:
    """Put a question in other words; a rebuild keeps them. It is matched once the job has encoded it.

    Its number changes with its words: nothing that holds the old ones can take them for the new ones.

    Raises:
        NotFound: there is none, or somebody else has just put it in other words.
        ApplicationError: the words do not fit.
    """
    words = " ".join(text.replace("\x00", "").split())
    if not 8 <= len(words) <= MAX_CHARS:
        raise ApplicationError(
            f"A question has 8 to {MAX_CHARS:,} characters. Shorten or extend it.", code="bad_question"
        )
    question = question_get(organization=organization, question_id=question_id)
    if words == question.text:
        return question
    index = _index_held(organization, user, question.corpus_id)
    if not IndexedQuestion.objects.filter(pk=question.pk).delete()[0]:
        raise NotFound("question")
    question.pk, question.text, question.encoder, question.vector = None, words, "", None
    question.state, question.created_by = QuestionState.INDEXED, user
    question.save(force_insert=True)
    index_changed(index=index)
    _job_ensure(index)
    audit(organization=organization, actor=user, action="indexed_question.edited", subject_id=question.corpus_id)
    return question_get(organization=organization, question_id=question.pk)


def pairs_add(
    *, organization: Organization, user: User | None, corpus_id: UUID, pairs: Iterable[Pair], left_out: Sequence[str]
) -> Imported:
    """Add questions to the index of a corpus; the job encodes them, and drops what they make superfluous.

    Args:
        pairs: Questions on paragraphs of the corpus: real ones, or as another index has them.
        left_out: Why others are not among them, a sentence each.

    Raises:
        NotFound: no such corpus.
        ApplicationError: more than MAX_QUESTIONS.
    """
    index = _index_held(organization, user, corpus_id)
    all_pairs = list(pairs)
    by_key = {(pair.paragraph_id, question_key(pair.made_text or pair.text)): pair for pair in all_pairs}
    questions = IndexedQuestion.objects.filter(corpus=index.corpus)
    if questions.count() + len(by_key) > MAX_QUESTIONS:
        raise ApplicationError(f"A question index has at most {MAX_QUESTIONS:,} questions.", code="too_many_questions")
    of: Any = {"organization": organization, "corpus": index.corpus, "created_by": user}
    rows = []
    for (_, key), pair in by_key.items():
        columns = asdict(pair) | {"made_text": pair.made_text or pair.text, "author": pair.author[:200]}
        rows.append(IndexedQuestion(**of, **columns, key=key))
    same = questions.filter(
        UNTOUCHED, paragraph__in={paragraph for paragraph, _ in by_key}, key__in={key for _, key in by_key}
    )
    chosen = {at for at, pair in by_key.items() if not pair.is_generated}
    generated = [pk for pk, *at in same.values_list("pk", "paragraph", "key") if tuple(at) in chosen]
    questions.filter(pk__in=generated).delete()  # a real, rejected or edited question takes its place
    n_before = questions.count()
    IndexedQuestion.objects.bulk_create(rows, ignore_conflicts=True, batch_size=1000)
    n_added = questions.count() - n_before
    if n_added:
        index_changed(index=index)
        _job_ensure(index)
    audit(organization=organization, actor=user, action="question_index.imported", subject_id=corpus_id, n=n_added)
    return Imported(n_added, len(all_pairs) - n_added, tuple(left_out))


def pairs_import(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    lines: Iterable[tuple[int, Mapping[str, Any]]],
    author: str,
) -> Imported:
    """Add the real questions of numbered lines of a file, or of objects as such lines have them.

    Args:
        author: Where they come from: the file's name.

    Raises:
        NotFound, ApplicationError: as `pairs_read` and `pairs_add`.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    pairs, left_out = pairs_read(lines, corpus=corpus, author=author)
    return pairs_add(organization=organization, user=user, corpus_id=corpus_id, pairs=pairs, left_out=left_out)


def pair_remove(*, organization: Organization, user: User | None, question_id: int) -> IndexedQuestion:
    """Remove a real question; generated ones that it made superfluous come back with the next build.

    Raises:
        NotFound: there is none.
        Conflict: it was generated: a build would make it again.
    """
    question = question_get(organization=organization, question_id=question_id)
    if question.source != QuestionSource.PAIR:
        raise Conflict("A generated question comes back with the next build. Reject it instead.", code="generated")
    index = _index_held(organization, user, question.corpus_id)
    IndexedQuestion.objects.filter(pk=question.pk).delete()
    AskedParagraph.objects.filter(corpus=index.corpus, paragraph=question.paragraph_id).delete()
    QuestionIndex.objects.filter(pk=index.pk).update(made={})  # every version is looked at again, only this redone
    index_changed(index=index)
    _job_ensure(index)
    audit(organization=organization, actor=user, action="indexed_question.removed", subject_id=question.corpus_id)
    return question


def questions_export(*, organization: Organization, user: User | None, corpus_id: UUID, shape: str) -> tuple[str, str]:
    """The questions of a corpus as a file, with its content type. Raises NotFound, and as `questions_file`."""
    questions = list(question_list(organization=organization, corpus_id=corpus_id))
    file = questions_file(questions, shape=shape)
    audit(organization=organization, actor=user, action="question_index.exported", subject_id=corpus_id)
    return file


def indexes_refresh() -> int:
    """Bring every index up to date whose documents or encoder have changed since it was built; returns how many.

    `index_follow` misses what reviewers reject of the graph, and does not come where the graph's build fails.
    """
    n_begun = 0
    for organization in Organization.objects.all():
        with organization_scope(organization, user=None):
            for index in _resting(organization):
                if is_stale(index=index):
                    _job_ensure(index)
                    n_begun += 1
    return n_begun


def index_follow(*, corpus: Corpus) -> None:
    """Bring the question index of a corpus up to date, where it has one.

    Follows `corpus_changed` and `graph_built` (settings.FOLLOWERS), in the transaction of either.
    """
    for index in _resting(corpus.organization, corpus=corpus):
        _job_ensure(index)


def encoder_keep(*, corpus: Corpus, name: str) -> None:
    """Follows `encoder_removing` (settings.FOLLOWERS).

    Raises:
        Conflict: questions of the index are still compared by the encoder.
    """
    if IndexedQuestion.objects.filter(corpus=corpus, encoder=name).exists():
        raise Conflict(
            "The question index is still compared by this encoder. Build the question index, then remove the encoder.",
            code="encoder_in_use",
        )


def _resting(organization: Organization, **of: Corpus) -> list[QuestionIndex]:
    """The indexes that were built and are not being built; where a build was cancelled or failed, people decide.

    Without those whose templates will ask about a knowledge graph that is being built.
    """
    indexes = QuestionIndex.objects.filter(**of, corpus__removal_begun_at=None).select_related("corpus")
    built = indexes.exclude(built_at=None).exclude(uses_model=False, corpus__in=_graphs_at_work(organization))
    jobs = job_latest_by_subject(organization=organization, subject_ids=[index.pk for index in built])
    return [index for index in built if (job := jobs.get(index.pk)) is None or job.state == JobState.DONE]


def _graphs_at_work(organization: Organization) -> list[UUID]:
    """The corpora whose knowledge graph is being built."""
    return list(jobs_open(organization=organization).filter(task=BUILD).values_list("subject_id", flat=True))


def waits_for_graph(*, index: QuestionIndex | None, job: Job | None) -> bool:
    """Whether an index, with its newest build, is brought up to date only after the knowledge graph is built."""
    if index is None or index.built_at is None or index.uses_model or (job and job.state != JobState.DONE):
        return False
    return index.corpus_id in _graphs_at_work(index.organization)
