"""A corpus's own reader: trained in the background, judged on questions it has not learned, used and taken back."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from legalqa.answering.models import TrainedReader
from legalqa.answering.readers import reader_in_use
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from legalqa.encoder.client import reading
from legalqa.encoder.reading import PACKAGED, reader_about
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_run
from legalqa.training.files import work_folder
from legalqa.training.reader.own import MEASURES
from legalqa.training.reader.questions import questions_read
from legalqa.training.reader.services import READER, OwnReaderTraining, ReaderChoices
from tests.commands import told
from tests.legalqa.training.library import Library

WANTED = OwnReaderTraining(batch=4, max_tokens=48, steps=3, learning_rate=1e-3, head_rate=1e-3)
PAIRS = [("How much is owed for the oak plot?", "The tenant of the oak garden pays 3 euros.")]


def begun(library: Library, **changed: Any) -> tuple[TrainedReader, Job]:
    given = {"gold_set_ids": [library.gold_set.pk], "with_grades": False, "settings": WANTED, **changed}
    with library.inside():
        return READER.start(**library.acting, choices=ReaderChoices(**given))


def test_a_reader_is_trained_from_the_packaged_one_used_and_taken_back(library: Library) -> None:
    ready = library.worked(READER, *begun(library))
    report = ready.report

    assert ready.is_ready
    assert report["questions"]["learned"] + report["questions"]["held_out"] == 20
    assert report["questions"]["learned_unanswered"] + report["questions"]["held_out_unanswered"] == 1
    [row] = report["rows"]
    assert row["questions"] == report["questions"]["held_out"] >= 5
    assert set(row["before"]) == set(row["after"]) == set(row["difference"]) == set(MEASURES)
    assert all(0 <= report["calibration"][side] <= 1 for side in ("before", "after"))
    assert (report["training"]["steps"], len(report["training"]["losses"])) == (3, 3)
    assert not work_folder(ready.pk).exists()
    about = reader_about(bytes(ready.artefact or b""))
    assert about["calibration"] == reader_about(PACKAGED.read_bytes())["calibration"]
    assert about["provenance"]["source"] == "gold set rents"

    with library.inside():
        READER.use(**library.acting, version_id=ready.pk)
        used = reader_in_use(corpus=library.corpus)
        assert used is not None
        for call, words in ((READER.use, "in use already"), (READER.remove, "in use")):
            with pytest.raises(Conflict, match=words):
                call(**library.acting, version_id=ready.pk)
    assert used.read(PAIRS)[0].answers != reading(PAIRS)[0].answers
    with library.inside():
        READER.roll_back(**library.acting)
        assert reader_in_use(corpus=library.corpus) is None
        with pytest.raises(Conflict, match="none before it"):
            READER.roll_back(**library.acting)
        READER.remove(**library.acting, version_id=ready.pk)
        assert not TrainedReader.objects.exists()


def test_a_training_that_died_between_steps_comes_to_the_same_reader(library: Library, settings: Any) -> None:
    whole = library.worked(READER, *begun(library))
    version, job = begun(library)
    with library.inside():  # the same passages: the encoder's last digits depend on what it encodes together
        TrainedReader.objects.filter(pk=version.pk).update(data=whole.data, data_fingerprint=whole.data_fingerprint)
    settings.JOB_SLICE_S = 0
    job_run(job_id=job.pk, work=READER.slice)
    job_run(job_id=job.pk, work=READER.slice)
    assert (work_folder(version.pk) / "at.st").is_file()
    with library.inside():
        assert not TrainedReader.objects.get(pk=version.pk).fingerprint
        READER.cancel(version)
        with pytest.raises(Conflict, match="Resume its training first"):
            READER.use(**library.acting, version_id=version.pk)
        READER.resume(version)

    resumed = library.worked(READER, version, job)
    assert (resumed.fingerprint, resumed.report["rows"]) == (whole.fingerprint, whole.report["rows"])


def test_a_search_that_was_stopped_is_resumed_with_the_questions_that_it_has_done(
    library: Library, settings: Any
) -> None:
    version, job = begun(library)
    settings.JOB_SLICE_S = 0
    job_run(job_id=job.pk, work=READER.slice)
    assert (Job.objects.get(pk=job.pk).cursor, Job.objects.get(pk=job.pk).total) == (10, 21)
    job_run(job_id=job.pk, work=READER.slice)
    job_run(job_id=job.pk, work=READER.slice)

    with library.inside():
        found = questions_read(bytes(TrainedReader.objects.get(pk=version.pk).data))
    assert len(found) == 21
    assert all(question.others for question in found)


def test_graded_answers_alone_are_enough_where_there_are_as_many(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ApplicationError, match="There are 0 questions"):
        begun(library, gold_set_ids=[], with_grades=True)
    monkeypatch.setattr("legalqa.training.reader.services.MIN_QUESTIONS", 2)  # or it takes twenty answers
    monkeypatch.setattr("legalqa.training.reader.services.MIN_HELD_OUT", 1)  # likewise
    for name in ("oak", "elm", "fern"):
        library.grade(f"What does the tenant of the {name} garden pay?", "right", passages={})
    version, _ = begun(library, gold_set_ids=[], with_grades=True)

    assert version.source == "graded answers"
    assert begun_with_both(library).source == "gold set rents and graded answers"


def begun_with_both(library: Library) -> TrainedReader:
    with library.inside():
        for version in TrainedReader.objects.all():
            READER.cancel(version)
    return begun(library, with_grades=True)[0]


def test_what_cannot_be_trained_is_refused_in_a_sentence(library: Library) -> None:
    with pytest.raises(ApplicationError, match="Choose a gold set"):
        begun(library, gold_set_ids=[])
    with pytest.raises(NotFound):
        begun(library, gold_set_ids=[library.elsewhere.pk])
    with pytest.raises(ApplicationError, match="are held out together"):
        begun(library, settings=WANTED.model_copy(update={"held_out": 0.95}))
    with library.inside(), pytest.raises(ApplicationError, match="There are 6 questions"):
        choices = ReaderChoices([library.elsewhere.pk], with_grades=False, settings=WANTED)
        READER.start(**library.acting | {"corpus_id": library.other.pk}, choices=choices)


def test_too_few_passages_that_are_still_searched_end_the_job(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    version, job = begun(library)
    # As if every passage were gone.
    monkeypatch.setattr("legalqa.training.reader.services.question_searched", lambda question, **_: question)
    library.worked(READER, version, job)

    assert Job.objects.get(pk=job.pk).reason == "too_few_questions"


def test_the_command_trains_a_corpus_s_own_and_the_common_one_uses_it(library: Library) -> None:
    slug = library.corpus.slug
    few = ["--batch", "4", "--steps", "1", "--max-tokens", "32"]
    document = told("reader", "train", "--corpus", slug, "--gold-set", "rents", "--wait", *few)
    assert (document["number"], document["training"]["steps"]) == (1, 1)

    call_command("trained", "reader", "use", slug, "--number", "1", stdout=StringIO())
    with library.inside():
        assert reader_in_use(corpus=library.corpus) is not None
    with pytest.raises(CommandError, match="Name rows with --data"):
        call_command("reader", "evaluate")
