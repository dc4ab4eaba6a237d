"""Generating gold questions from a corpus in the background: planned once, written in slices, drafts until approved."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from corpora.models import Paragraph
from corpora.runs.services import Runs
from corpora.selectors import corpus_get
from judging.gold.files import MAX_QUESTIONS, GoldRow, GoldSpan
from judging.gold.generation.model import has_model, question_ask
from judging.gold.generation.planning import plan_make, written_of
from judging.gold.services.doubles import doubles_of, question_as_text
from judging.gold.services.kinds import kinds_all
from judging.gold.services.sets import gold_questions, gold_questions_add, gold_set_create, gold_set_get
from judging.gold.taxonomy import Kind
from judging.models import GoldGeneration, Review
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError
from legalqa.jobs.services import JobRefused, Lease
from retrieval.questions.templates import Stretch, Written

MAX_NUMBER = 500  # ours: questions that experts review in a week
BATCH = 25  # questions between two commits where rules write them; a model's are committed one by one
MAX_SAID = 200  # questions left out that the report names
BY_RULES = "templates"


class Generations(Runs[GoldGeneration]):
    """Generations of questions, one at a time for each gold set."""

    name = "generation"
    model = GoldGeneration
    task = "judging.tasks.generation_work"
    joined = ("gold_set", "corpus")
    large = ("plan",)
    alone_in = "gold_set_id"
    at_work = ("generating", "Questions are being generated for this gold set already. Wait, or cancel that first.")


GENERATIONS = Generations()
generation_retry_check = GENERATIONS.retry_check


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of one entry of a plan: a question with its author, or why there is none.

    `is_replaced`: a template replaces a reply of the model that was no use.
    """

    kind: str
    question: Written | None
    author: str
    reason: str = ""
    is_replaced: bool = False


def generation_start(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    name: str = "",
    gold_set_id: UUID | None = None,
    types: Sequence[str] = (),
    number: int = 50,
    seed: int = 144,
) -> GoldGeneration:
    """Start to generate questions for a new gold set, or for one of the corpus, as a background job.

    Args:
        name: Of the new gold set, where no `gold_set_id` is given.
        types: Names of the taxonomy; none for every type.
        number: How many, 1 to MAX_NUMBER, shared equally among the types.
        seed: Of the choice of passages and templates.

    Raises:
        NotFound: no such corpus or gold set.
        Conflict: the gold set is being added to already, or its name is taken.
        ApplicationError: an unknown type, or a number that does not fit.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    kinds = _kinds(organization, types)
    if not 1 <= number <= MAX_NUMBER:
        raise ApplicationError(f"Ask for 1 to {MAX_NUMBER} questions at a time.", code="bad_number")
    if gold_set_id is None:
        gold_set = gold_set_create(organization=organization, user=user, corpus=corpus, name=name)
    else:
        gold_set = gold_set_get(organization=organization, gold_set_id=gold_set_id, corpus_id=corpus.pk)
    run = GoldGeneration(
        organization=organization,
        corpus=corpus,
        gold_set=gold_set,
        created_by=user,
        options={"types": [kind.name for kind in kinds], "number": number, "seed": seed},
    )
    GENERATIONS.alone_check(run)
    if gold_questions(gold_set=gold_set).count() + number > MAX_QUESTIONS:
        raise ApplicationError(f"A gold set has at most {MAX_QUESTIONS:,} questions.", code="too_many_questions")
    GENERATIONS.add(run, "gold_set.generated", questions=number)
    GENERATIONS.work(run, user=user, total=number)
    return run


def _kinds(organization: Organization, types: Sequence[str]) -> list[Kind]:
    by_name = {kind.name: kind for kind in kinds_all(organization=organization)}
    if unknown := [name for name in types if name not in by_name]:
        raise ApplicationError(
            f"There is no question type {unknown[0]!r}. The types are {', '.join(by_name)}.", code="unknown_type"
        )
    return [by_name[name] for name in dict.fromkeys(types)] or list(by_name.values())


# -- In the background -------------------------------------------------------------------------------------------------


def generation_slice(*, lease: Lease) -> bool:
    """Write some more questions; True once there are as many as were asked for, or no more can be written.

    Raises:
        JobRefused: the gold set was removed, or nothing in the corpus can be asked about.
    """
    with organization_scope(lease.organization_id, user=None):
        organization = Organization.objects.get(pk=lease.organization_id)
    uses_model = has_model(organization=organization)
    vectors: dict[str, Any] = {}
    while True:
        with organization_scope(lease.organization_id, user=None):
            run = _run(lease)
            entries = _planned(lease, run, organization, uses_model=uses_model)
            size = 1 if uses_model else BATCH
            is_complete = sum(run.report["written"].values()) >= run.options["number"]
            batch = [] if is_complete else entries[run.n_done : run.n_done + size]
            kinds = {kind.name: kind for kind in kinds_all(organization=organization)}
            texts = [question_as_text(text=q.text, history=q.history) for q in gold_questions(gold_set=run.gold_set)]
            stretches = _stretches(batch) if uses_model else {}
            if not batch:
                GoldGeneration.objects.filter(pk=run.pk).update(plan=[])  # it holds words of documents
                return True
        attempts = [_attempt(organization, entry, kinds, stretches) for entry in batch]
        attempts = _without_doubles(run, attempts, texts, vectors)
        with organization_scope(lease.organization_id, user=None):
            _stored(lease, run, attempts, len(batch))
        if lease.is_over:
            return False


def _run(lease: Lease) -> GoldGeneration:
    run = GoldGeneration.objects.select_related("corpus", "gold_set").filter(pk=lease.subject_id).first()
    if run is None:
        raise JobRefused("gold_set_removed")
    return run


def _planned(
    lease: Lease, run: GoldGeneration, organization: Organization, *, uses_model: bool
) -> list[dict[str, Any]]:
    if not run.plan and not run.report:
        lease.begin(stage="planning")
        run.plan = plan_make(
            corpus=run.corpus,
            kinds=_kinds(organization, run.options["types"]),
            number=run.options["number"],
            seed=run.options["seed"],
            has_model=uses_model,
        )
        if not run.plan:
            raise JobRefused("nothing_to_ask")
        run.report = {"written": {}, "left_out": [], "n_left_out": 0, "n_replaced": 0}
        run.save(update_fields=["plan", "report"])
    return list(run.plan)


def _stretches(entries: Sequence[dict[str, Any]]) -> dict[int, Stretch]:
    """The passages that a model is shown for these entries, those that are still there, by id."""
    paragraphs = Paragraph.objects.in_bulk([pk for entry in entries for pk in entry["passages"]])
    return {pk: Stretch(pk, paragraph.text) for pk, paragraph in paragraphs.items()}


def _attempt(
    organization: Organization, entry: dict[str, Any], kinds: dict[str, Kind], stretches: dict[int, Stretch]
) -> Attempt:
    """The question of one entry: the model's, where one is asked and replies as it should, else the template's."""
    kind, reason = kinds.get(entry["kind"]), ""
    passages = [stretches[pk] for pk in entry["passages"] if pk in stretches]
    if passages and kind is not None:
        question, reply = question_ask(organization=organization, kind=kind, passages=passages)
        if question is not None:
            return Attempt(entry["kind"], question, f"{reply.provider}/{reply.model}"[:200])
        reason = f"The model returned no question that can be used. {reply.reason}".strip()
    if entry["written"] is not None:
        return Attempt(entry["kind"], written_of(entry["written"]), BY_RULES, is_replaced=bool(passages))
    return Attempt(entry["kind"], None, "", reason or "There is no template for this type; it needs a language model.")


def _without_doubles(
    run: GoldGeneration, attempts: Sequence[Attempt], earlier: Sequence[str], vectors: dict[str, Any]
) -> list[Attempt]:
    """The attempts that are needed, those that ask the same as an earlier question turned into the reason.

    A reserve that is not needed is not an earlier question: nobody will see it.
    """
    counts, each, texts = Counter(run.report["written"]), _each(run), list(earlier)
    new = [question_as_text(text=w.text, history=w.history) for a in attempts if (w := a.question) is not None]
    doubles_of(texts=[*earlier, *new], n_known=len(earlier), vectors=vectors)  # encodes all of them in one go
    outcomes = []
    for attempt in attempts:
        if (question := attempt.question) is None:
            outcomes.append(attempt)
        elif counts[attempt.kind] < each:
            text = question_as_text(text=question.text, history=question.history)
            double = next(iter(doubles_of(texts=[*texts, text], n_known=len(texts), vectors=vectors)), None)
            if double is None:
                texts.append(text)
                counts[attempt.kind] += 1
                outcomes.append(attempt)
            else:
                reason = f"It asks the same as “{texts[double.earlier][:160]}”."
                outcomes.append(Attempt(attempt.kind, question, "", reason))
    return outcomes


def _each(run: GoldGeneration) -> int:
    """How many questions of each type are wanted."""
    n_types = len(run.options["types"])
    return int(-(-run.options["number"] // n_types))


def _stored(lease: Lease, run: GoldGeneration, attempts: Sequence[Attempt], n_entries: int) -> None:
    """Store the questions as drafts, and how far the plan is, in one transaction with the job's progress."""
    counts, left_out = Counter(run.report["written"]), list(run.report["left_out"])
    n_left_out, n_replaced = run.report["n_left_out"], run.report["n_replaced"]
    paragraph_ids = {pk for a in attempts if a.question for pk, _, _ in a.question.references}
    paragraphs = {str(pk): paragraph for pk, paragraph in Paragraph.objects.in_bulk(paragraph_ids).items()}
    each = _each(run)
    rows: list[GoldRow] = []
    for attempt in attempts:
        if counts[attempt.kind] >= each or sum(counts.values()) >= run.options["number"]:
            continue  # a reserve that is not needed
        reason, question = attempt.reason, attempt.question
        if question is not None and not reason and any(str(pk) not in paragraphs for pk, _, _ in question.references):
            reason = "A passage that answers it was removed."
        if question is None or reason:
            n_left_out += 1
            text = question.text if question is not None else ""
            left_out.append({"kind": attempt.kind, "text": text, "reason": reason})
            continue
        counts[attempt.kind] += 1
        n_replaced += attempt.is_replaced
        rows.append(_row(question, attempt.author, paragraphs))
    gold_questions_add(gold_set=run.gold_set, rows=rows, paragraphs=paragraphs)
    run.n_done += n_entries
    run.report = {
        "written": dict(counts),
        "left_out": left_out[:MAX_SAID],
        "n_left_out": n_left_out,
        "n_replaced": n_replaced,
    }
    run.save(update_fields=["n_done", "report"])
    lease.advance(stage="writing", cursor=sum(counts.values()), total=run.options["number"])


def _row(question: Written, author: str, paragraphs: dict[str, Paragraph]) -> GoldRow:
    spans = []
    for pk, start, end in question.references:
        is_whole = start == 0 and end >= len(paragraphs[str(pk)].text)
        spans.append(GoldSpan(str(pk)) if is_whole else GoldSpan(str(pk), start, end))
    return GoldRow(
        0,
        "",
        question.text,
        question.answer,
        tuple(dict.fromkeys(spans)),
        question.kind,
        question.is_answerable,
        question.history,
        review=Review.DRAFT,
        topic=question.topic,
        written_by=author,
    )
