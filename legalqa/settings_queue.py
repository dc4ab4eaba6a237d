"""Settings of background work: django-q2 rings, legalqa.jobs keeps the books."""

from collections.abc import Mapping
from math import ceil
from typing import NamedTuple

from legalqa.env import env_int

JOB_LEASE_S = env_int("LEGALQA_JOB_LEASE_S", 60, low=2, high=3600)
JOB_SLICE_S = env_int("LEGALQA_JOB_SLICE_S", 30, low=1, high=240)
JOB_ATTEMPTS = env_int("LEGALQA_JOB_ATTEMPTS", 3, low=1, high=20)
JOB_SWEEP_S = env_int("LEGALQA_JOB_SWEEP_S", 10, low=1, high=600)
JOB_STALLED_S = env_int("LEGALQA_JOB_STALLED_S", 30, low=5, high=3600)
WATCH_EVERY_S = env_int("LEGALQA_WATCH_EVERY_S", 10, low=1, high=3600)
PERIODIC_TASKS = {  # dotted task: seconds between two runs
    "legalqa.jobs.tasks.heartbeat_write": 30,
    "corpora.tasks.files_sweep": 3600,
    "corpora.tasks.folders_look": WATCH_EVERY_S,
    "corpora.tasks.passages_sweep": 3600,
    "legalqa.accounts.tasks.sessions_clear": 86_400,
    "legalqa.accounts.tasks.sign_in_failures_record": 60,
    "legalqa.accounts.tasks.api_rows_clear": 3600,
    "legalqa.webhooks.tasks.deliveries_clear": 86_400,
    "legalqa.llm.tasks.calls_sweep": 300,
    "judging.tasks.experiments_rerun": 3600,
    "retrieval.questions.tasks.indexes_refresh": 600,
}


class JobKind(NamedTuple):
    """What the ledger knows of a task: its name for people, and what happens when its tries are used up.

    `on_failure` is a task like any other, called with the job's id in the transaction that closes it. `before_retry`
    names what is called with the organisation and the job's subject in the transaction that puts a job back in the
    queue, wherever that is asked for; it may refuse, in words or by a code of `reasons`, and what it returns is the
    stage that the job has then. A job that is not `by_hand` has a way of its own to be stopped, or none: lists show it
    without buttons. `reasons` has a sentence for each code of why it ends early, besides those of every kind
    (`legalqa.jobs.pages`); `shown` names what adds to its rows in the list. What `is_apart` waits minutes for others,
    in one piece: it has a place apart from those of other work.
    """

    label: str
    on_failure: str = ""
    before_retry: str = ""
    by_hand: bool = True
    is_apart: bool = False
    reasons: Mapping[str, str] = {}
    shown: str = ""


JOB_CORPUS = "corpora.selectors.corpus_get"  # whose wall a job is behind
_FEW_LEFT = "Too few of the questions have a passage that is still searched. Bring the gold sets up to date."
_LEARNING = {
    "too_few_pairs": _FEW_LEFT,
    "too_few_questions": _FEW_LEFT,
    "training_refused": "The training questions do not cover every class. Add more of each.",
    "gold_set_removed": "A gold set that it learns from was removed.",
}
_ASKED = {
    "model_silent": "The language model did not answer. What was read so far is kept; try again.",
    "encoder_gone": "The encoder was removed.",
}


def _training(label: str) -> JobKind:
    return JobKind(label, before_retry="legalqa.training.registry.version_retry_check", reasons=_LEARNING)


JOB_TASKS: dict[str, JobKind] = {  # the tasks that the ledger may start
    "corpora.tasks.corpus_reindex": JobKind(
        "Rebuild the index",
        before_retry="corpora.services.reindex_retry_check",
        reasons={"index_replaced": "Newer settings for splitting documents replaced these, or they were removed."},
    ),
    "corpora.tasks.corpus_remove": JobKind("Remove the corpus", by_hand=False),
    "corpora.tasks.document_ingest": JobKind(
        "Read a document",
        on_failure="corpora.tasks.document_failed",
        reasons={
            "crashed": "Reading was interrupted several times and was abandoned.",
            "cancelled": "This was cancelled.",
        },
        shown="corpora.pages.documents.readings_shown",
    ),
    "corpora.tasks.encoder_clean": JobKind("Remove what is no longer searched", by_hand=False),
    "corpora.tasks.encoder_switch": JobKind(
        "Switch the encoder",
        before_retry="corpora.services.encoder_switch_retry_check",
        reasons={"encoder_gone": "Another switch took its place, or the encoder was removed."},
    ),
    "corpora.tasks.passages_encode": JobKind("Prepare passages for answers"),
    "judging.tasks.experiment_work": JobKind(
        "Run an experiment",
        before_retry="judging.experiments.services.experiment_reopen",
        reasons={
            "preset_gone": "One of its presets was deleted or is no longer valid.",
            "experiment_gone": "The experiment or its gold set was removed.",
        },
    ),
    "judging.tasks.case_evaluation_work": JobKind(
        "Evaluate solved cases",
        reasons={
            **_ASKED,
            "model_silent": "The language model gave no reply that can be used. Try again.",
            "case_evaluation_gone": "The evaluation was removed.",
            "case_not_used": "A case that a test question needs is not in use any more. Measure without that question.",
        },
    ),
    "judging.tasks.generation_work": JobKind(
        "Generate gold questions",
        before_retry="judging.gold.generation.services.generation_retry_check",
        reasons={
            "gold_set_removed": "The gold set was removed.",
            "nothing_to_ask": "Rules found nothing in the documents to ask about. Add documents, or set up a language "
            "model.",
        },
    ),
    "legalqa.training.tasks.complexity_train": _training("Train a question classifier"),
    "legalqa.training.tasks.encoder_train": _training("Train an encoder"),
    "legalqa.training.tasks.ranker_train": _training("Train a ranker"),
    "legalqa.training.tasks.reader_train": _training("Train a reader"),
    "legalqa.training.tasks.version_train": _training("Train a model"),
    "legalqa.training.tasks.tuning_work": JobKind(
        "Tune the search", before_retry="legalqa.training.tuning.services.tuning_retry_check", reasons=_LEARNING
    ),
    "legalqa.answering.tasks.answer_work": JobKind(
        "Answer a question", on_failure="legalqa.answering.tasks.answer_failed", by_hand=False, is_apart=True
    ),
    "legalqa.answering.tasks.contradictions_find": JobKind("Find contradictions"),
    "legalqa.answering.tasks.clauses_read": JobKind("Read contracts for clauses"),
    "legalqa.webhooks.tasks.delivery_send": JobKind("Send a webhook", by_hand=False),
    "retrieval.tasks.corpus_index": JobKind("Build the vector index", by_hand=False),
    "corpora.tasks.chunk_set_fill": JobKind(
        "Build a chunk set beside the live one",
        before_retry="corpora.services.chunk_set_fill_retry_check",
        reasons={"index_replaced": "The chunk set was removed, or is the live one by now."},
    ),
    "corpora.tasks.encoder_fill": JobKind(
        "Make vectors by an added encoder",
        before_retry="corpora.services.encoder_fill_retry_check",
        reasons={"encoder_gone": "The encoder was removed."},
    ),
    "retrieval.tasks.cases_embed": JobKind(
        "Compare solved cases",
        reasons={**_ASKED, "case_index_gone": "The cases are no longer compared by this encoder."},
    ),
    "retrieval.tasks.cases_entities": JobKind("Read entities of solved cases", reasons=_ASKED),
    "retrieval.questions.tasks.questions_work": JobKind(
        "Build the question index",
        reasons={
            "too_many_questions": "A question index has at most 200,000 questions. Move documents to another corpus."
        },
    ),
    "retrieval.tasks.graph_build": JobKind("Build the knowledge graph"),
}
BELL = "legalqa.jobs.tasks.job_work"
TASKS = frozenset((*PERIODIC_TASKS, BELL))  # whatever else a row of the queue names is not called
LLM_DEADLINE_MAX_S = 900  # seconds for all of a request, whatever its models are set to
WORKERS = env_int("LEGALQA_WORKERS", 1, low=1, high=32)
PROCESSES = WORKERS + 2  # one for work apart, one for short jobs: legalqa.jobs.turns
PARSE_SECONDS = env_int("LEGALQA_PARSE_SECONDS", 120, low=5, high=3600)
PARSE_TEXT_SECONDS = env_int("LEGALQA_PARSE_TEXT_SECONDS", 25, low=5, high=3600)
# What one organisation may use, so that none stops the work of the others; 0 for no limit.
OPEN_JOBS = env_int("LEGALQA_OPEN_JOBS", 2000, low=0, high=1_000_000)
UPLOAD_DOCUMENTS = env_int("LEGALQA_UPLOAD_DOCUMENTS", 5000, low=0, high=1_000_000)
DAY_UPLOAD_BYTES = env_int("LEGALQA_DAY_UPLOAD_MB", 10_000, low=0, high=100_000_000) * 1024 * 1024
DAY_PROCESSOR_S = env_int("LEGALQA_DAY_PROCESSOR_S", 43_200, low=0, high=10_000_000)
QUEUE_TIMEOUT_S = max(2 * PARSE_SECONDS, 3 * PARSE_TEXT_SECONDS, LLM_DEADLINE_MAX_S + 240) + 60
Q_CLUSTER = {
    "name": "long",
    "orm": "default",
    "broker_class": "legalqa.jobs.doorbell.Doorbell",
    "scheduler": False,
    "cached": 60,  # results stay in memory, signed: in its table they would be unsigned pickles
    "workers": PROCESSES,
    "queue_limit": 1,
    "bulk": 1,
    # A slice ends after JOB_SLICE_S; the timeout is for one that hangs, and longer than the longest file may take.
    # retry > timeout * (1 + ceil((queue_limit + 1) / workers)), or a waiting task is delivered twice.
    "timeout": QUEUE_TIMEOUT_S,
    "retry": QUEUE_TIMEOUT_S * (1 + ceil(2 / PROCESSES)) + 60,
    "ack_failures": True,
    "max_attempts": 1,
    "recycle": 50,
    "save_limit": -1,
    "poll": 0.3,
    "guard_cycle": 0.5,
}
