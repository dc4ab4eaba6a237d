"""The points at which tests kill a process (`legalqa.common.faults.crash_point`), by the work that passes them."""

CRASH_POINTS = (
    "upload.received",
    "upload.stored",
    "upload.recorded",
    "job.claimed",
    "parse.before",
    "parse.after",
    "parse.stored",
    "chunk.before",
    "chunk.stored",
    "embed.before",
    "embed.encoded",
    "embed.stored",
    "publish.before",
    "publish.done",
    "job.finished",
)

REINDEX_CRASH_POINTS = (
    "reindex.chunked",
    "reindex.embedded",
    "reindex.before_switch",
    "reindex.switched",
    "reindex.removed",
)

# Only a switch of a corpus to another encoder passes through these.
ENCODER_CRASH_POINTS = ("encoder.filled", "encoder.before_switch", "encoder.switched")

# Only a switch of a corpus too large for exact search passes through this one.
ENCODER_INDEX_CRASH_POINT = "encoder.indexed"

# Only documents with scanned pages pass through these.
SCAN_CRASH_POINTS = ("recognise.before", "recognise.stored")

# Only archives and e-mails pass through these.
CONTAINER_CRASH_POINTS = ("member.stored",)

WEBHOOK_CRASH_POINTS = ("webhook.counted", "webhook.sent")

# Only answers that a model writes pass through these.
ANSWER_CRASH_POINTS = ("answer.before_model", "answer.replied", "answer.stored")

# Only fine-tunings, of classifiers, encoders and readers, pass through these.
TRAINING_CRASH_POINTS = ("training.stepped",)

# Only experiments pass through these.
EXPERIMENT_CRASH_POINTS = ("experiment.answered", "experiment.stored")

# Only builds of a question index pass through this one.
QUESTIONS_CRASH_POINT = "questions.stored"

# Only the removal of a corpus passes through these.
REMOVAL_CRASH_POINTS = ("removal.begun", "removal.step", "removal.before_end", "removal.done")

# Only the building of a knowledge graph passes through these.
GRAPH_CRASH_POINTS = ("graph.stored", "graph.linked")

RESTORE_CRASH_POINTS = ("restore.placed", "restore.fed", "restore.committed", "restore.keyed")
