"""Jobs from before they named their corpus: filled in from what they work on."""

from django.db import migrations

# Row-level security holds the owner as well, so each organisation is entered in turn.
FILL = """
DO $$
DECLARE
    organization uuid;
BEGIN
    PERFORM set_config('app.user_id', 'system', true);
    FOR organization IN SELECT id FROM accounts_organization LOOP
        PERFORM set_config('app.organization_id', organization::text, true);
        UPDATE jobs_job SET corpus_id = subject.corpus_id
            FROM (
                SELECT id, corpus_id FROM corpora_documentversion UNION ALL
                SELECT id, corpus_id FROM corpora_chunkset UNION ALL
                SELECT id, corpus_id FROM corpora_trainedencoder UNION ALL
                SELECT id, corpus_id FROM corpora_encoderactivation UNION ALL
                SELECT id, corpus_id FROM retrieval_complexityclassifier UNION ALL
                SELECT id, corpus_id FROM retrieval_trainedranker UNION ALL
                SELECT id, corpus_id FROM judging_tuningrun UNION ALL
                SELECT id, id FROM corpora_corpus
            ) AS subject
            WHERE jobs_job.organization_id = organization AND jobs_job.subject_id = subject.id;
    END LOOP;
    PERFORM set_config('app.organization_id', '', true), set_config('app.user_id', '', true);
END $$
"""


class Migration(migrations.Migration):
    dependencies = [
        ("judging", "0001_gold_sets"),
        ("jobs", "0005_job_of_corpus"),
        ("corpora", "0008_operators_names"),
        ("retrieval", "0004_trained_rankers"),
    ]

    operations = [migrations.RunSQL(FILL, migrations.RunSQL.noop)]
