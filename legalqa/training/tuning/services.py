"""Tuning the parameter mapping of a corpus on one of its gold sets, in the background: search, fit, report, use."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef

from corpora.runs.services import Runs
from judging.gold.services.sets import gold_questions_with_evidence, gold_references, gold_set_counted, gold_set_get
from judging.measures.intervals import interval_document
from judging.models import GoldQuestion, GoldReference, TunedSearch, TuningRun
from judging.splits import document_groups
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.config import Config
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.encoder import client as encoder
from legalqa.jobs.services import JobRefused, Lease
from legalqa.training.tuning.choosing import MAX_K, MIN_QUESTIONS, Arm, Cost, SearchedQuestion
from legalqa.training.tuning.report import Tuned, tune
from retrieval.complexity import complexity_predict
from retrieval.models import MappingVersion
from retrieval.pipelines.changing import HYBRID, with_reranker
from retrieval.pipelines.presets import Preset, preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.rewriters import Rewrite
from retrieval.services.lab import query_hash
from retrieval.services.mappings import mapping_read, mapping_save
from retrieval.services.search import SearchResult, corpus_search
from retrieval.stages import Pipeline

SEED = 144
BATCH = 4  # questions between two commits
MAX_RUNS = 100  # kept a corpus; the oldest go


class Tunings(Runs[TuningRun]):
    """Tunings of corpora, one at a time of each."""

    name = "tuning"
    model = TuningRun
    task = "legalqa.training.tasks.tuning_work"
    joined = ("gold_set", "corpus")
    at_work = ("tuning_open", "The corpus is being tuned already. Wait for it, or cancel it first.")


TUNINGS = Tunings()
tuning_retry_check = TUNINGS.retry_check


class TuningOptions(Config):
    """How a tuning searches and what it counts.

    Attributes:
        n_classes: Classes of complexity, 2 to 5.
        is_reranked: Whether the LTR reranker orders the hits.
        rewrites: Numbers of rewrites that are tried, 0 (none) to 10, at most four of them; by rules, so that a tuning
            sends nothing anywhere.
        price: Recall, on its scale of 0 to 1, that 1,000 tokens are worth; above 0, at most 10.
    """

    n_classes: int = 3
    is_reranked: bool = True
    rewrites: tuple[int, ...] = (0,)
    price: float = 0.05


def tuning_options(*, n_classes: int, is_reranked: bool, rewrites: Sequence[int], price: float) -> TuningOptions:
    """Options as people give them.

    Raises:
        ApplicationError: other than 2 to 5 classes, more than 10 rewrites, or a price of zero or less.
    """
    tried = tuple(sorted({0, *rewrites}))
    if not 2 <= n_classes <= 5 or not all(0 <= q <= 10 for q in tried) or len(tried) > 4 or not 0 < price <= 10:
        raise ApplicationError(
            "A tuning has 2 to 5 classes, up to 3 numbers of rewrites from 1 to 10, and a price above 0.",
            code="bad_tuning",
        )
    return TuningOptions(n_classes=n_classes, is_reranked=is_reranked, rewrites=tried, price=price)


def tuning_start(
    *,
    organization: Organization,
    user: User | None,
    gold_set_id: UUID,
    options: TuningOptions,
    corpus_id: UUID | None = None,
) -> TuningRun:
    """Start a tuning as a background job; with `corpus_id`, only where the gold set is of that corpus.

    Raises:
        NotFound: no such gold set, or its corpus is walled off.
        Conflict: the corpus is being tuned already.
        ApplicationError: too few answerable questions.
    """
    gold_set = gold_set_get(organization=organization, gold_set_id=gold_set_id, corpus_id=corpus_id)
    run = TuningRun(
        organization=organization,
        corpus_id=gold_set.corpus_id,
        gold_set=gold_set,
        options=options.model_dump(mode="json"),
        created_by=user,
    )
    TUNINGS.alone_check(run)
    questions = list(gold_questions_with_evidence(gold_set=gold_set))
    _enough_check(questions)
    for old in TUNINGS.of_corpus(gold_set.corpus_id)[MAX_RUNS - 1 :]:
        old.delete()
    TUNINGS.add(run, "tuning.started")
    TUNINGS.work(run, user=user, total=len(questions))
    return run


def _enough_check(questions: Sequence[GoldQuestion]) -> None:
    references = gold_references(questions=questions)
    n_asked = len(set(document_groups([_asks(question.text, references[question.pk]) for question in questions])))
    if n_asked < MIN_QUESTIONS:
        doubled = ""
        if n_asked < len(questions):
            doubled = f", of which {len(questions) - n_asked} ask for the same as another, in the same or other words"
        raise ApplicationError(
            f"The gold set has {len(questions)} questions with known passages{doubled}; a tuning needs {MIN_QUESTIONS} "
            "different ones or more. Add some.",
            code="too_few_questions",
        )


def _asks(text: str, references: Sequence[GoldReference]) -> list[str]:
    """The key that two questions for the same thing share: their words, or all the passages that answer them."""
    return [query_hash(query=text), " ".join(sorted(f"{r.paragraph_id}:{r.start}-{r.end}" for r in references))]


def tuning_use(*, organization: Organization, user: User | None, tuning_id: UUID) -> MappingVersion:
    """Use the mapping that a tuning found, as a new version of the corpus's own.

    Raises:
        NotFound: no such tuning.
        Conflict: it has not come to its end.
    """
    run, _ = TUNINGS.get(organization=organization, run_id=tuning_id)
    if not run.report:
        raise Conflict(
            "This tuning has not finished, so there is no mapping to use yet. Wait for it, or resume it.",
            code="not_tuned",
        )
    return mapping_save(
        organization=organization,
        user=user,
        corpus_id=run.corpus_id,
        mapping=mapping_read(data=run.report["mapping"]),
        tuning_id=run.pk,
    )


def tuning_slice(*, lease: Lease) -> bool:
    """Search for some more questions, or fit and report where all are searched; True once that is stored.

    Raises:
        JobRefused: the run is gone with its gold set, or too few of its questions are left.
    """
    while True:
        with organization_scope(lease.organization_id, user=None):
            run = TuningRun.objects.select_related("corpus", "gold_set").filter(pk=lease.subject_id).first()
            if run is None:
                raise JobRefused("gold_set_removed")
            organization = Organization.objects.get(pk=lease.organization_id)
            searches = TunedSearch.objects.filter(run=run, question=OuterRef("pk"))
            questions = gold_questions_with_evidence(gold_set=run.gold_set)
            batch = list(questions.exclude(Exists(searches))[:BATCH])
        if not batch:
            _finish(lease, run)
            return True
        options = TuningOptions.model_validate(run.options)
        documents = {question.pk: _searched(organization, run, question, options) for question in batch}
        with organization_scope(lease.organization_id, user=None):
            rows = [
                TunedSearch(organization_id=lease.organization_id, run=run, question_id=pk, found=document)
                for pk, document in documents.items()
            ]
            TunedSearch.objects.bulk_create(rows, ignore_conflicts=True)
            n_done = TunedSearch.objects.filter(run=run).count()
            lease.advance(stage="searching", cursor=n_done, total=questions.count())
        if lease.is_over:
            return False


def tuning_preset(*, options: TuningOptions, n_rewrites: int) -> Preset:
    """The search that is tuned: the plain fusion or the ranked one, MAX_K hits deep, with this many rewrites."""
    base = preset_get("fixed-10", {"k": str(MAX_K)})
    pipeline = with_reranker(HYBRID % MAX_K, "learned") if options.is_reranked else HYBRID % MAX_K
    first = (Rewrite(method="rules", q=n_rewrites),) if n_rewrites else ()
    return base.model_copy(update={"pipeline": Pipeline(stages=(*first, *pipeline.stages))})


def _searched(
    organization: Organization, run: TuningRun, question: GoldQuestion, options: TuningOptions
) -> dict[str, Any]:
    """What every arm finds for a question, and its predicted class; searches outside any transaction."""
    with organization_scope(organization, user=None):
        references = gold_references(questions=[question]).get(question.pk, [])
    label = complexity_predict(corpus=run.corpus, text=question.text, n_classes=options.n_classes).label
    gold = {reference.paragraph_id for reference in references}
    arms = {}
    for n_rewrites in options.rewrites:
        preset = tuning_preset(options=options, n_rewrites=n_rewrites)
        result = corpus_search(request=SearchRequest(organization, None, run.corpus_id, question.text, preset))
        arms[str(n_rewrites)] = _arm(result, gold, "learned" if options.is_reranked else "rrf")
    return {
        "label": label,
        "n_gold": len(gold),
        "asks": _asks(question.text, references),
        "documents": sorted({str(reference.paragraph.document_id) for reference in references}),
        "arms": arms,
    }


def _arm(result: SearchResult, gold: set[int], stage: str) -> dict[str, Any]:
    """What each hit of a search handed over; a paragraph belongs to the hit that it was opened from."""
    n_gold: dict[int, int] = defaultdict(int)
    texts: dict[int, list[str]] = defaultdict(list)
    scores: dict[int, float] = {}
    for passage in result.passages:
        n_gold[passage.hit_rank] += passage.position.paragraph_id in gold
        texts[passage.hit_rank].append(passage.text)
        scores[passage.hit_rank] = dict(passage.parts).get(f"{stage}.score", 0.0)
    ranks = sorted(texts)
    lengths = [len(offsets) for offsets in encoder.token_offsets(["\n".join(texts[rank]) for rank in ranks])]
    return {
        "found": [n_gold[rank] for rank in ranks],
        "tokens": lengths,
        "scores": [round(scores[rank], 6) for rank in ranks],
        "seconds": round(sum(timed.milliseconds for timed in result.times) / 1000, 4),
    }


def _finish(lease: Lease, run: TuningRun) -> None:
    """Fit on everything that was searched, and store the report."""
    options = TuningOptions.model_validate(run.options)
    with organization_scope(lease.organization_id, user=None):
        lease.begin(stage="fitting")
        rows = TunedSearch.objects.filter(run=run, question__is_answerable=True).order_by("question__ordinal")
        searches = [(str(row.question_id), row.found) for row in rows]
    searches = [(pk, document) for pk, document in searches if document["n_gold"]]
    if len(searches) < MIN_QUESTIONS:
        raise JobRefused("too_few_questions")
    tuned = tune(
        searched_questions(searches=searches),
        n_classes=options.n_classes,
        measured_on="learned.v1" if options.is_reranked else "rrf.v1",
        is_reranked=options.is_reranked,
        cost=Cost(price=options.price),
        seed=SEED,
    )
    with organization_scope(lease.organization_id, user=None):
        left_out = gold_set_counted(gold_set=run.gold_set).n_unknown
        TuningRun.objects.filter(pk=run.pk).update(report=tuning_report(tuned=tuned) | {"evidence_unknown": left_out})
        lease.advance(stage="fitted", cursor=len(searches), total=len(searches))


def searched_questions(*, searches: Sequence[tuple[str, dict[str, Any]]]) -> list[SearchedQuestion]:
    """Stored searches as questions, grouped so that no document is on both sides of a split.

    A search that was stored before questions were compared asks for something of its own.
    """
    groups = document_groups([document["documents"] for _, document in searches])
    asks = document_groups([document.get("asks", [pk]) for pk, document in searches])
    return [
        SearchedQuestion(
            pk,
            group,
            ask_group,
            document["n_gold"],
            document["label"],
            {
                int(q): Arm(
                    tuple(arm["found"]), tuple(arm["tokens"]), tuple(arm["scores"]), seconds=float(arm["seconds"])
                )
                for q, arm in document["arms"].items()
            },
        )
        for (pk, document), group, ask_group in zip(searches, groups, asks, strict=True)
    ]


def tuning_report(*, tuned: Tuned) -> dict[str, Any]:
    """A tuning as JSON."""
    return {
        "mapping": tuned.mapping.model_dump(mode="json"),
        "fixed_k": tuned.fixed_k,
        "questions": tuned.n_questions,
        "asked": tuned.n_asked,
        "documents": tuned.n_groups,
        "lines": [
            {
                "name": line.name,
                "recall": round(line.recall, 4),
                "kilotokens": round(line.kilotokens, 4),
                "per_kilotoken": round(line.per_kilotoken, 4),
            }
            for line in tuned.lines
        ],
        "differences": {
            "per_kilotoken": interval_document(tuned.per_kilotoken),
            "recall": interval_document(tuned.recall),
            "kilotokens": interval_document(tuned.kilotokens),
            "over_chance": interval_document(tuned.over_chance),
        },
    }
