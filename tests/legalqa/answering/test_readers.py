"""The reader that a corpus has activated reads for its answers, and for those of no other."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from legalqa.accounts.scoping import organization_scope
from legalqa.answering import memory
from legalqa.answering.models import Answer, TrainedReader
from legalqa.answering.readers import reader_in_use
from legalqa.encoder.client import HTTP_READER, WeightsMissing, _reader_trained
from legalqa.encoder.weights import weights_folder
from legalqa.training.reader.services import READER
from tests.ingestion import make_corpus
from tests.legalqa.answering import writing as w
from tests.legalqa.answering.writing import Office
from tests.trained import trained_reader

PAIRS = [("When is the rent due?", "The rent is due on the first day of each month.")]


@pytest.fixture
def office(committed_office: Office, db: None, settings: Settings, tmp_path: Path) -> Iterator[Office]:
    settings.VAR = tmp_path
    memory._readings.clear()
    yield committed_office
    memory._readings.clear()
    _reader_trained.cache_clear()


def activated(office: Office) -> TrainedReader:
    version = trained_reader(office.firm, office.corpus, source="a test")
    with organization_scope(office.firm.organization, user=office.firm.manager):
        READER.use(**office.firm.by_manager, corpus_id=office.corpus.pk, version_id=version.pk)
    return version


def probabilities(answer: Answer) -> list[float]:
    return [row["reader"] for row in answer.evidence if row["reader"] is not None]


def test_answers_are_read_by_the_reader_in_use_and_say_by_which(office: Office) -> None:
    before = w.ask(office, settings={"answer.mode": "quoted"})
    version = activated(office)
    after = w.ask(office, settings={"answer.mode": "quoted"})

    assert (before.made_from["reader"], after.made_from["reader"]) == ("", f"reader+{version.fingerprint[:16]}")
    assert probabilities(before) != probabilities(after)


def test_an_endpoint_in_the_place_of_the_packaged_reader_does_not_take_the_place_of_the_corpus_s_own(
    office: Office, settings: Settings
) -> None:
    settings.READER = HTTP_READER
    activated(office)

    answer = w.ask(office, settings={"answer.mode": "quoted"})  # no endpoint is set up: asking it would be noted
    assert not any("note" in step for step in answer.trace if step["step"] == "reader")


def test_where_readers_are_switched_off_none_reads(office: Office, settings: Settings) -> None:
    activated(office)
    settings.READER = "off"

    answer = w.ask(office, settings={"answer.mode": "quoted"})
    assert (answer.made_from["reader"], probabilities(answer)) == ("", [])


def test_its_weights_come_from_the_database_until_it_is_removed(office: Office) -> None:
    version = activated(office)
    with organization_scope(office.firm.organization, user=office.firm.manager):
        used, other = reader_in_use(corpus=office.corpus), reader_in_use(corpus=make_corpus(office.firm, "Letters"))
    assert other is None
    assert used is not None
    first = used.read(PAIRS)
    for file in weights_folder().iterdir():
        file.unlink()
    _reader_trained.cache_clear()

    assert used.read(PAIRS) == first
    with organization_scope(office.firm.organization, user=None):
        version.delete()
    for file in weights_folder().iterdir():
        file.unlink()
    _reader_trained.cache_clear()
    with pytest.raises(WeightsMissing, match="was removed"):
        used.read(PAIRS)
