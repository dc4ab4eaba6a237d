"""A corpus's own ranker: trained in the background, judged on documents it has not seen, used and taken back."""

import stat
from dataclasses import replace
from functools import partial
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from corpora.services import removal
from judging.models import GoldQuestion
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_run
from legalqa.training.encoder.data import chunks_holding, gold_asked
from legalqa.training.encoder.evaluation import MEASURES
from legalqa.training.files import work_folder
from legalqa.training.ranker import services
from legalqa.training.ranker.services import RANKER, RankerChoices
from legalqa.training.ranker.site import examined_read, question_key
from retrieval.models import TrainedRanker
from retrieval.rerankers.model import RankerModel, model_load
from retrieval.rerankers.versions import ranker_current
from tests.commands import told
from tests.legalqa.training.library import Library


def begun(library: Library) -> tuple[TrainedRanker, Job]:
    with library.inside():
        return RANKER.start(**library.acting, choices=RankerChoices([library.gold_set.pk]))


said = partial(told, "ranker")


def test_a_ranker_is_trained_used_and_taken_back(library: Library) -> None:
    ready = library.worked(RANKER, *begun(library))
    report = ready.report

    assert ready.is_ready
    assert report["questions"] == {"learned": 21, "held_out": 20, "documents_held_out": 3, "encoder_learned": 0}
    assert [set(row["difference"]) for row in report["rows"]] == [set(MEASURES)]
    assert all(0 <= report["calibration"][side] <= 1 for side in ("before", "after"))
    assert not work_folder(ready.pk).exists()

    with library.inside():
        RANKER.use(**library.acting, version_id=ready.pk)
        assert ranker_current(corpus=library.corpus).provenance["source"] == "gold set rents"
        for call, words in ((RANKER.use, "in use already"), (RANKER.remove, "in use")):
            with pytest.raises(Conflict, match=words):
                call(**library.acting, version_id=ready.pk)
        RANKER.roll_back(**library.acting)
        assert ranker_current(corpus=library.corpus) is model_load()
        with pytest.raises(Conflict, match="none before it"):
            RANKER.roll_back(**library.acting)
        RANKER.remove(**library.acting, version_id=ready.pk)
        assert not TrainedRanker.objects.exists()


def test_few_questions_change_the_packaged_ranker_a_little(library: Library) -> None:
    own = RankerModel.read(library.worked(RANKER, *begun(library)).model)

    apart = own.order.weights - model_load().order.weights
    assert 0 < abs(apart).max() < 0.5


def test_a_training_goes_on_from_the_questions_that_it_has_searched(library: Library, settings: Any) -> None:
    version, job = begun(library)
    settings.JOB_SLICE_S = 0
    job_run(job_id=job.pk, work=RANKER.slice)
    assert [file.name for file in work_folder(version.pk).iterdir()] == ["000000.34.npz"]
    with library.inside():
        with pytest.raises(Conflict, match="being trained"):
            RANKER.start(**library.acting, choices=RankerChoices([library.gold_set.pk]))
        RANKER.cancel(version)
        with pytest.raises(Conflict, match="not ready"):
            RANKER.use(**library.acting, version_id=version.pk)
        RANKER.resume(version)
    assert library.worked(RANKER, version, job).is_ready


def test_a_gold_set_that_was_removed_ends_the_job_and_too_few_questions_none_begins(library: Library) -> None:
    _, job = begun(library)
    with library.inside():
        library.gold_set.__class__.objects.filter(pk=library.gold_set.pk).delete()
        with pytest.raises(ApplicationError, match="There are 6 questions"):
            elsewhere = RankerChoices([library.elsewhere.pk])
            RANKER.start(**library.acting | {"corpus_id": library.other.pk}, choices=elsewhere)
    job_run(job_id=job.pk, work=RANKER.slice)

    assert Job.objects.get(pk=job.pk).reason == "gold_set_removed"


def test_the_command_trains_and_another_uses_and_rolls_back(library: Library) -> None:
    told = said("train", "--corpus", library.corpus.slug, "--gold-set", "rents", "--wait")
    assert (told["number"], told["questions"]["learned"]) == (1, 21)

    call_command("trained", "ranker", "use", library.corpus.slug, "--number", "1", stdout=StringIO())
    call_command("trained", "ranker", "roll-back", library.corpus.slug, stdout=StringIO())
    with pytest.raises(CommandError, match="The corpus has: 1"):
        call_command("trained", "ranker", "use", library.corpus.slug, "--number", "7")


def test_kept_searches_stay_with_their_questions(
    library: Library, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question removed between two slices shifts the places of all the others; only what is missing is searched."""
    # Two slices of five questions instead of one of all.
    monkeypatch.setattr(services, "EXAMINED_A_STEP", 5)
    version, job = begun(library)
    settings.JOB_SLICE_S = 0
    for _ in range(2):
        job_run(job_id=job.pk, work=RANKER.slice)
    files = sorted(work_folder(version.pk).iterdir())
    with library.inside():
        GoldQuestion.objects.filter(gold_set=library.gold_set).order_by("ordinal")[:1].get().delete()
        questions = gold_asked(gold_sets=[library.gold_set], with_unanswerable=True)
        chunks = chunks_holding(corpus=library.corpus, questions=questions)

    asked = {question_key(question): question for question in questions}
    kept = [one for file in files for one in examined_read(file, asked, chunks).values()]
    assert len(kept) == 9
    assert all(set(one.question.gold) <= set(one.candidates.tolist()) for one in kept)
    assert question_key(replace(questions[0], text="In other words")) not in asked
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE(work_folder(version.pk).stat().st_mode) == 0o700


def test_one_training_at_a_time_also_when_an_earlier_one_is_resumed(library: Library) -> None:
    first, _ = begun(library)
    with library.inside():
        RANKER.cancel(first)
    begun(library)
    with library.inside(), pytest.raises(Conflict, match="Another ranker is being trained"):
        RANKER.resume(first)


def test_what_a_training_kept_goes_with_its_row(
    library: Library, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    version, job = begun(library)
    settings.JOB_SLICE_S = 0
    job_run(job_id=job.pk, work=RANKER.slice)
    lease = SimpleNamespace(organization_id=library.firm.organization.pk)
    with library.inside(), django_capture_on_commit_callbacks(execute=True):
        removal._forget_files(TrainedRanker, [version.pk], lease)  # type: ignore[arg-type]  # its organisation is read
        assert work_folder(version.pk).exists()
    assert not work_folder(version.pk).exists()
