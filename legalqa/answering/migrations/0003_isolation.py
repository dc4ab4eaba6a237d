from django.db import migrations

from legalqa.accounts.isolation import identity, isolate, same_organization

FOREIGN_KEYS = [
    ("answering_question", "corpus_id", "corpora_corpus"),
    ("answering_answer", "question_id", "answering_question"),
    ("answering_claim", "answer_id", "answering_answer"),
    ("answering_citation", "claim_id", "answering_claim"),
    ("answering_citation", "paragraph_id", "corpora_paragraph"),
    ("answering_citation", "version_id", "corpora_documentversion"),
]


class Migration(migrations.Migration):
    dependencies = [("answering", "0002_initial"), ("corpora", "0002_isolation")]

    operations = [
        *(identity(f"answering_{table}") for table in ("question", "answer", "claim")),
        *(same_organization(*key) for key in FOREIGN_KEYS),
        *(isolate(f"answering_{table}") for table in ("question", "answer", "claim", "citation")),
    ]
