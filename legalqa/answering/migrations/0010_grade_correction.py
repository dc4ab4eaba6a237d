"""What a grader would have answered instead."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("answering", "0009_contradictions")]

    operations = [
        migrations.AddField(
            model_name="answergrade",
            name="correction",
            field=models.TextField(default=""),
        ),
    ]
