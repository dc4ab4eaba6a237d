"""An answer from before steps were rows: its trace becomes its one step."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from pytest_django.plugin import DjangoDbBlocker

from legalqa.answering import migrations
from legalqa.answering.models import Answer
from legalqa.common.database.embedded import embedded_home, superuser_uri
from tests.committed import committed
from tests.database import NAME
from tests.legalqa.answering import writing as w

STEPS = next(Path(*migrations.__path__).glob("*_steps.py")).stem


@pytest.fixture
def answer(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Answer]:
    yield from committed(django_db_blocker, lambda: w.ask(w.make_office(), settings={"answer.mode": "quoted"}))


def test_the_trace_of_an_answer_becomes_its_step(answer: Answer) -> None:
    move = import_module(f"legalqa.answering.migrations.{STEPS}").MOVE_TRACES
    with psycopg.connect(superuser_uri(embedded_home(settings.VAR), NAME)) as connection:
        connection.execute("DELETE FROM answering_answerstep")
        connection.execute("SET ROLE legalqa_owner")  # as a migration runs: its own policies bind it
        connection.execute(
            """ALTER TABLE answering_answer ADD COLUMN trace jsonb NOT NULL DEFAULT '[{"step": "gate"}]'"""
        )
        for statement in filter(str.strip, move.split(";")):
            connection.execute(statement)
        connection.execute("RESET ROLE")
        rows = connection.execute("SELECT answer_id, ordinal, name, state, detail FROM answering_answerstep").fetchall()
        forced = connection.execute(
            "SELECT bool_and(relforcerowsecurity) FROM pg_class"
            " WHERE relname IN ('answering_answer', 'answering_answerstep')"
        ).fetchone()
        connection.rollback()

    assert rows == [(answer.pk, 0, "searching", "done", [{"step": "gate"}])]
    assert forced == (True,)
