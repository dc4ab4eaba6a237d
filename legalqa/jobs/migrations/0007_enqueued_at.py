"""The trade's word: a job is enqueued, and not rung for."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("jobs", "0006_spare_lane")]

    operations = [migrations.RenameField(model_name="job", old_name="rung_at", new_name="enqueued_at")]
