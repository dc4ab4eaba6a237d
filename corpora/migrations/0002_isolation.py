from django.db import migrations

from legalqa.accounts.isolation import CURRENT_USER, IS_SYSTEM, identity, isolate, same_organization

# The wall: named members, and background work. The members' own table carries no wall, or the two would recurse.
INSIDE = (
    f"(NOT is_walled OR {IS_SYSTEM} OR EXISTS (SELECT 1 FROM corpora_corpusmember m"  # noqa: S608 - constants
    f" WHERE m.corpus_id = corpora_corpus.id AND m.user_id = {CURRENT_USER}))"
)
# A document is as visible as its corpus: the sub-select is itself under the policy of corpora_corpus.
IN_VISIBLE_CORPUS = "EXISTS (SELECT 1 FROM corpora_corpus c WHERE c.id = corpus_id)"

FOREIGN_KEYS = [
    ("corpusmember", "corpus_id", "corpus"),
    ("document", "corpus_id", "corpus"),
    ("document", "current_id", "documentversion"),
    ("documentversion", "corpus_id", "corpus"),
    ("documentversion", "document_id", "document"),
    ("page", "version_id", "documentversion"),
    ("paragraph", "document_id", "document"),
    ("position", "version_id", "documentversion"),
    ("position", "paragraph_id", "paragraph"),
    ("chunkset", "corpus_id", "corpus"),
    ("chunk", "corpus_id", "corpus"),
    ("chunk", "chunk_set_id", "chunkset"),
    ("chunk", "document_id", "document"),
    ("chunk", "version_id", "documentversion"),
    ("embedding", "corpus_id", "corpus"),
    ("embedding", "chunk_id", "chunk"),
]


class Migration(migrations.Migration):
    dependencies = [("corpora", "0001_initial"), ("accounts", "0002_isolation")]

    operations = [
        *(
            identity(f"corpora_{t}")
            for t in ("corpus", "document", "documentversion", "paragraph", "chunkset", "chunk")
        ),
        *(same_organization(f"corpora_{t}", column, f"corpora_{parent}") for t, column, parent in FOREIGN_KEYS),
        # Anyone who leaves the organisation leaves every wall, and is not let back inside when invited again.
        migrations.RunSQL(
            "ALTER TABLE corpora_corpusmember ADD CONSTRAINT corpora_corpusmember_is_a_member"
            " FOREIGN KEY (organization_id, user_id) REFERENCES accounts_membership (organization_id, user_id)"
            " ON DELETE CASCADE",
            "ALTER TABLE corpora_corpusmember DROP CONSTRAINT corpora_corpusmember_is_a_member",
        ),
        isolate("corpora_corpus", also=INSIDE),
        isolate("corpora_corpusmember"),
        isolate("corpora_document", also=IN_VISIBLE_CORPUS),
        isolate("corpora_documentversion", also=IN_VISIBLE_CORPUS),
        *(isolate(f"corpora_{t}") for t in ("page", "paragraph", "position", "chunkset", "chunk", "embedding")),
    ]
