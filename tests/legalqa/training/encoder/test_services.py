"""Encoders of a corpus: trained in the background, judged on documents they have not seen, stopped and resumed."""

from typing import Any

import pytest

from corpora.models import Embedding, TrainedEncoder
from corpora.services import encoder_switch_work, encoder_use
from judging.models import GoldSet
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from legalqa.encoder.client import NAME
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_run
from legalqa.training.choices import settings_checked
from legalqa.training.encoder.data import Snapshot, chunks_holding, gold_asked
from legalqa.training.encoder.evaluation import MEASURES, question_figures
from legalqa.training.encoder.finetuning import EncoderTraining
from legalqa.training.encoder.searching import passages_ranked
from legalqa.training.encoder.services import ENCODER, EncoderChoices
from legalqa.training.files import work_folder
from legalqa.training.ranker.services import RANKER
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import corpus_search
from tests.legalqa.training.library import Library
from tests.trained import report_of, trained_ranker

WANTED = EncoderTraining(batch=4, max_tokens=32, learning_rate=1e-4)


def begun(library: Library, **changed: Any) -> tuple[TrainedEncoder, Job]:
    given = {"gold_set_ids": [library.gold_set.pk], "settings": WANTED, **changed}
    with library.inside():
        return ENCODER.start(**library.acting, choices=EncoderChoices(**given))


def test_a_training_ends_with_an_index_beside_the_one_in_use_and_a_report(library: Library) -> None:
    version, job = begun(library, elsewhere=[library.elsewhere.pk], settings=WANTED.model_copy(update={"angle": 0.5}))
    ready = library.worked(ENCODER, version, job)

    assert (Job.objects.get(pk=job.pk).state, ready.state, ready.name[: len(NAME) + 1]) == ("done", "ready", f"{NAME}+")
    with library.inside():
        n_chunks = Embedding.objects.filter(corpus=library.corpus, encoder=NAME).count()
        assert Embedding.objects.filter(corpus=library.corpus, encoder=ready.name).count() == n_chunks == 40
        snapshot = Snapshot.read(bytes(ready.data))
    report = ready.report
    assert report["questions"]["learned"] + report["questions"]["held_out"] == 20  # and not the one without an answer
    assert not {q.group for q in snapshot.learned} & {q.group for q in snapshot.held_out}
    assert all(pair.gold and pair.negatives for pair in snapshot.pairs)
    assert [row["name"] for row in report["rows"]] == ["dense", "default"]
    for row in [*report["rows"], *report["elsewhere"]]:
        assert set(row["before"]) == set(row["after"]) == set(row["difference"]) == set(MEASURES)
    assert [(row["name"], row["corpus"], row["questions"]) for row in report["elsewhere"]] == [
        ("letters", library.other.slug, 6)
    ]
    assert report["training"]["steps"] == len(report["training"]["losses"]) > 0
    assert not work_folder(ready.pk).exists()

    with library.inside():
        switch = encoder_use(**library.acting, encoder_id=ready.pk)
    encoder_switch_work(job_id=switch.pk)
    found = corpus_search(
        request=SearchRequest(
            **library.acting, text="What is owed for the oak plot?", preset=preset_get(DEFAULT_PRESET)
        )
    )
    assert found.corpus.encoder == ready.name
    assert found.passages


def test_a_training_that_died_between_steps_comes_to_the_same_weights(library: Library, settings: Any) -> None:
    whole = library.worked(ENCODER, *begun(library))
    version, job = begun(library)
    settings.JOB_SLICE_S = 0
    job_run(job_id=job.pk, work=ENCODER.slice)
    job_run(job_id=job.pk, work=ENCODER.slice)
    assert (work_folder(version.pk) / "at.st").is_file()
    with library.inside():
        assert not TrainedEncoder.objects.get(pk=version.pk).fingerprint
        with pytest.raises(Conflict, match="being trained already"):
            ENCODER.start(**library.acting, choices=EncoderChoices([library.gold_set.pk], WANTED))
        ENCODER.cancel(version)
        assert Job.objects.get(pk=job.pk).state == "cancelled"
        ENCODER.resume(version)
    assert library.worked(ENCODER, version, job).fingerprint == whole.fingerprint


def first_mined(library: Library) -> tuple[str, list[str]]:
    """A question that a new training learns from, and the passages that it takes for wrong, the worst ones first."""
    version, job = begun(library)
    job_run(job_id=job.pk, work=ENCODER.slice)
    with library.inside():
        snapshot = Snapshot.read(bytes(TrainedEncoder.objects.get(pk=version.pk).data))
        ENCODER.cancel(version)
    return snapshot.pairs[0].question, [snapshot.passages[at] for at in snapshot.pairs[0].negatives]


def test_passages_that_graders_refuted_come_before_those_that_the_search_finds(library: Library, settings: Any) -> None:
    settings.JOB_SLICE_S = 0
    question, found = first_mined(library)
    library.grade(question.upper(), "wrong", passages={found[5]: False, found[7]: False, found[0]: True})

    assert set(first_mined(library)[1][:2]) == {found[5], found[7]}
    library.grade(question, "partly", passages={found[5]: True})
    assert first_mined(library)[1][:2] == [found[7], found[0]]


def test_where_a_ranker_is_in_use_what_misleads_the_search_is_read_behind_it(library: Library, settings: Any) -> None:
    settings.JOB_SLICE_S = 0
    question, fused = first_mined(library)
    ranker = trained_ranker(library.firm, library.corpus, source="rents", report=report_of())
    with library.inside():
        RANKER.use(**library.acting, version_id=ranker.pk)
    default = corpus_search(
        request=SearchRequest(**library.acting, text=question, preset=preset_get(DEFAULT_PRESET, {"k": "10"}))
    )

    ranked = first_mined(library)[1]
    shown = [passage.text for passage in default.passages if passage.text in ranked]
    assert ranked[: len(shown)] == shown != fused[: len(shown)]


def test_what_cannot_be_trained_is_refused_in_a_sentence(library: Library) -> None:
    with pytest.raises(ApplicationError, match="Choose a gold set"):
        begun(library, gold_set_ids=[])
    with pytest.raises(NotFound):
        begun(library, gold_set_ids=[library.elsewhere.pk])
    with pytest.raises(ApplicationError, match="of another corpus"):
        begun(library, elsewhere=[library.gold_set.pk])
    with pytest.raises(ApplicationError, match="questions are left to learn from"):
        begun(library, settings=settings_checked(EncoderTraining, {"held_out": 0.9}))
    with pytest.raises(ApplicationError, match="'mixing'"):
        settings_checked(EncoderTraining, {"mixing": 2})
    with library.inside(), pytest.raises(ApplicationError, match="There are 6 questions"):
        ENCODER.start(
            **library.acting | {"corpus_id": library.other.pk}, choices=EncoderChoices([library.elsewhere.pk], WANTED)
        )


def test_a_version_that_was_removed_ends_its_job(library: Library) -> None:
    version, job = begun(library)
    with library.inside():
        version.delete()
    job_run(job_id=job.pk, work=ENCODER.slice)

    assert Job.objects.get(pk=job.pk).reason == "encoder_removed"


def test_a_passage_is_held_by_the_chunks_that_share_most_of_it(library: Library) -> None:
    with library.inside():
        questions = gold_asked(gold_sets=list(GoldSet.objects.filter(pk=library.gold_set.pk)))
        held = chunks_holding(corpus=library.corpus, questions=questions)

    assert len(questions) == len(held) == 20
    assert all(len(chunks) == 1 for chunks in held.values())
    assert len({question.group for question in questions}) == 3


def test_a_ranking_of_chunks_shows_each_passage_once() -> None:
    ranked = passages_ranked([7, 3, 4, 9], [(3, 4), (3,), (8,)])

    assert ranked == ["7", "gold 0", "gold 1", "9"]
    figures = question_figures(ranked, ["gold 0", "gold 1", "gold 2"])
    assert (figures["recall@1"], figures["mrr"]) == (0.0, 0.5)
    assert figures["recall@5"] == pytest.approx(2 / 3, abs=1e-6)
