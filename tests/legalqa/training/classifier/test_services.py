"""Classifiers of a corpus: from questions to a version in use, its report, and back."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services.tokens import token_create
from legalqa.answering.pages.panel import question_classed
from legalqa.answering.types import Question
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from legalqa.encoder.classifier import HEAD_BIAS, HEAD_WEIGHT, classifier_pack, weights_fingerprint
from legalqa.encoder.weights import weights_folder
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_run
from legalqa.training.classifier.data import csv_rows, csv_text_of
from legalqa.training.classifier.fitting import TrainingSettings
from legalqa.training.classifier.report import report_document
from legalqa.training.classifier.services import CHECKPOINT, CLASSIFIER, ClassifierChoices
from legalqa.training.files import work_folder
from retrieval.complexity import complexity_predict
from retrieval.complexity.transformer import TransformerClassifier
from retrieval.complexity.types import LabelledText
from retrieval.models import ComplexityClassifier
from retrieval.pipelines.adaptive import class_words
from retrieval.pipelines.presets import preset_get
from tests.commands import told
from tests.committed import committed_fixture
from tests.encoders import small_encoder
from tests.ingestion import Place, make_corpus
from tests.people import make_firm, signed_in

pytestmark = pytest.mark.django_db  # what a test changes of the shared rows is rolled back

ROWS = [
    *(LabelledText(f"When is the rent of flat {n} due?", 0) for n in range(30)),
    *(LabelledText(f"What are the rent and the deposit of flat {n}?", 1) for n in range(30)),
    *(LabelledText(f"How do all duties about flat {n} fit together?", 2) for n in range(30)),
]
CSV = csv_text_of(ROWS)


def make_office() -> Place:
    firm = make_firm("harding", "Harding & Stone")
    return Place(firm, make_corpus(firm, "Leases"))


office = committed_fixture(make_office)


@pytest.fixture
def manager(office: Place) -> Client:
    return signed_in(office.firm.manager)


def begun(office: Place, **wanted: Any) -> tuple[ComplexityClassifier, Job]:
    settings = TrainingSettings.model_validate({"kind": "svm", **wanted})
    with organization_scope(office.firm.organization, user=office.firm.manager):
        return CLASSIFIER.start(**office.acting, choices=ClassifierChoices(ROWS, "a test", settings))


def trained(office: Place, **wanted: Any) -> ComplexityClassifier:
    version, job = begun(office, **wanted)
    job_run(job_id=job.pk, work=CLASSIFIER.slice)
    with organization_scope(office.firm.organization, user=office.firm.manager):
        return ComplexityClassifier.objects.get(pk=version.pk)


def use(office: Place, version: ComplexityClassifier | None) -> None:
    with organization_scope(office.firm.organization, user=office.firm.manager):
        CLASSIFIER.use(**office.acting, version_id=version.pk if version else None, slot=3)


def back(office: Place) -> None:
    with organization_scope(office.firm.organization, user=office.firm.manager):
        CLASSIFIER.roll_back(**office.acting, slot=3)


def predicted(office: Place) -> tuple[str, int]:
    found = complexity_predict(corpus=office.corpus, text="What are the rent and the deposit of flat 99?")
    return found.version, found.label


# -- Training and use -------------------------------------------------------------------------------------------------


def test_an_untrained_corpus_uses_the_packaged_classifier(office: Place) -> None:
    found = complexity_predict(corpus=office.corpus, text="When is the rent due?")

    assert (found.version, found.n_classes, len(found.probabilities)) == ("packaged", 3, 3)
    assert sum(found.probabilities) == pytest.approx(1.0, abs=1e-4)
    assert complexity_predict(corpus=office.corpus, text="When?", n_classes=2).n_classes == 2
    with pytest.raises(ApplicationError, match="4 classes"):
        complexity_predict(corpus=office.corpus, text="When?", n_classes=4)


def test_a_version_is_trained_used_and_taken_back(office: Place) -> None:
    first, second = trained(office), trained(office, kind="lr")

    assert [first.number, second.number] == [1, 2]
    assert predicted(office)[0] == "packaged"
    use(office, first)
    assert predicted(office) == ("1", 1)
    use(office, second)
    assert predicted(office) == ("2", 1)
    back(office)
    assert predicted(office)[0] == "1"
    use(office, None)
    assert predicted(office)[0] == "packaged"
    back(office)
    back(office)
    assert predicted(office)[0] == "packaged"
    with pytest.raises(Conflict):
        back(office)


def test_the_report_is_made_of_questions_that_were_not_learned_from(office: Place) -> None:
    report = trained(office, shares={"vague": 0.2}).report
    asked = [row[0] for row in report["asked"]]

    assert report["n_train"] + report["n_test"] - report["n_changed"] == len(ROWS)
    assert report["n_changed"] > 0
    assert len(asked) == report["n_test"] == sum(map(sum, report["figures"]["confusion"]))
    assert report["f1"]["value"] == pytest.approx(1.0)
    assert {"matched", "length", "length_matched", "over_length", "curve", "words"} <= set(report)
    assert any(word == "deposit" for word, _ in report["words"][1])


@pytest.mark.parametrize(("kept", "words"), [(0.1, "the best epoch is used"), (0.0, "the last epoch is used")])
def test_a_fine_tuning_goes_on_over_slices_and_leaves_no_checkpoint(
    kept: float, words: str, office: Place, manager: Client, settings: Any, tmp_path: Path
) -> None:
    settings.COMPLEXITY_ENCODER = str(small_encoder(tmp_path))
    settings.JOB_SLICE_S = 0
    version, job = begun(office, kind="transformer", batch=32, epochs=2, learning_rate=1e-2, validation_share=kept)

    job_run(job_id=job.pk, work=CLASSIFIER.slice)
    assert (work_folder(version.pk) / CHECKPOINT).is_file()
    with organization_scope(office.firm.organization, user=None):
        assert not ComplexityClassifier.objects.get(pk=version.pk).is_ready
    with pytest.raises(Conflict), organization_scope(office.firm.organization, user=office.firm.manager):
        CLASSIFIER.use(**office.acting, version_id=version.pk)
    for _ in range(10):
        job_run(job_id=job.pk, work=CLASSIFIER.slice)

    assert Job.objects.get(pk=job.pk).state == "done"
    assert not (work_folder(version.pk) / CHECKPOINT).is_file()
    assert words in manager.get(office.address("complexity_report", version.pk)).content.decode()
    use(office, version)
    assert predicted(office)[0] == str(version.number)


def test_a_training_is_cancelled_and_removed(office: Place) -> None:
    version, _ = begun(office)
    with organization_scope(office.firm.organization, user=office.firm.manager):
        with pytest.raises(Conflict, match="being trained"):
            CLASSIFIER.start(**office.acting, choices=ClassifierChoices(ROWS, "x", TrainingSettings(kind="lr")))
        with pytest.raises(Conflict, match="Cancel"):
            CLASSIFIER.remove(**office.acting, version_id=version.pk)
        CLASSIFIER.cancel(version)
        CLASSIFIER.remove(**office.acting, version_id=version.pk)
        assert not ComplexityClassifier.objects.exists()


def test_a_removed_classifier_leaves_no_file_of_its_weights(
    office: Place, tmp_path: Path, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    settings.VAR, settings.COMPLEXITY_ENCODER = tmp_path, str(small_encoder(tmp_path / "encoder"))
    ordered = between_the_ends(tmp_path / "encoder")
    ordered.probabilities(["When?"])
    [file] = weights_folder().iterdir()
    version = trained(office)
    with organization_scope(office.firm.organization, user=office.firm.manager):
        ComplexityClassifier.objects.filter(pk=version.pk).update(fingerprint=file.stem)
        with django_capture_on_commit_callbacks(execute=True):
            CLASSIFIER.remove(**office.acting, version_id=version.pk)

    assert list(weights_folder().iterdir()) == []


def test_a_version_in_use_stays_and_one_of_another_corpus_is_not_found(office: Place) -> None:
    version, other = trained(office), make_corpus(office.firm, "Letters")
    use(office, version)

    with organization_scope(office.firm.organization, user=office.firm.manager):
        with pytest.raises(Conflict, match="in use"):
            CLASSIFIER.remove(**office.acting, version_id=version.pk)
        with pytest.raises(NotFound):
            CLASSIFIER.use(**office.acting | {"corpus_id": other.pk}, version_id=version.pk)
    assert complexity_predict(corpus=other, text="When?").version == "packaged"


def test_what_cannot_be_trained_is_refused_in_a_sentence(office: Place) -> None:
    with pytest.raises(ApplicationError, match="LEGALQA_NLI_MODEL"):
        begun(office, kind="zero-shot")
    with organization_scope(office.firm.organization, user=office.firm.manager):
        with pytest.raises(ApplicationError, match="3 questions"):
            CLASSIFIER.start(**office.acting, choices=ClassifierChoices(ROWS[:3], "x", TrainingSettings(kind="lr")))


def test_every_place_takes_the_same_decision_of_ordered_classes(office: Place, settings: Any, tmp_path: Path) -> None:
    settings.COMPLEXITY_ENCODER = str(small_encoder(tmp_path))
    ordered = between_the_ends(tmp_path)
    version, text = trained(office), ROWS[0].text
    with organization_scope(office.firm.organization, user=None):
        ComplexityClassifier.objects.filter(pk=version.pk).update(artefact=ordered.as_bytes(), kind="transformer")
    use(office, version)
    (tmp_path / "ordered").write_bytes(ordered.as_bytes())
    bearer = office.firm.bearer(office.firm.manager, *ALL_SCOPES)
    found = (
        Client()
        .post(
            f"/api/v1/corpora/{office.corpus.pk}/complexity/",
            {"text": text},
            content_type="application/json",
            headers=bearer,
        )
        .json()
    )
    panel = question_classed(question=Question(**office.acting, text=text, preset=preset_get("pa-3"), complexity=None))
    report = report_document(
        ordered, learned=ROWS, tested=ROWS[:1], settings=TrainingSettings(kind="transformer"), seconds=0.0
    )

    assert (found["label"], found["probabilities"]) == (1, pytest.approx([0.4, 0.25, 0.35], abs=1e-3))
    assert complexity_predict(corpus=office.corpus, text=text).label == 1
    assert (panel["words"], panel["is_middle"]) == (class_words(1, 3), True)
    assert report["asked"][0][2] == 1
    assert said("predict", text, "--classifier", str(tmp_path / "ordered"))["predictions"][0]["label"] == 1


def between_the_ends(folder: Path) -> TransformerClassifier:
    """One that finds every question of class 0 most likely, and of class 1 or above more likely than not."""
    head = {HEAD_WEIGHT: torch.zeros(2, 32), HEAD_BIAS: torch.tensor([0.6 / 0.4, 0.35 / 0.65]).log()}
    base = weights_fingerprint(folder)
    return TransformerClassifier.read(classifier_pack(head, n_classes=3, max_tokens=64, base=base, provenance={}))


# -- CSV --------------------------------------------------------------------------------------------------------------


def test_a_csv_comes_back_as_it_was_written() -> None:
    assert csv_rows(CSV) == ROWS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("text,label\nWhen?,0\n", "question"),
        ("question;label\nWhen?;0\n", "Line 1: the columns are divided by semicolons"),
        ("question,label\nWhen, and where?,1\n", "Line 2: has more cells than the heading"),
        ('question,label\n"When,\nand where?",many\n', "Line 3: the label 'many'"),
        ("question,label\nWhen?,many\n", "Line 2"),
        ("question,label\nWhen?,0\n,1\n", "Line 3"),
        ("question,label\nWhen?,9\n", "whole number"),
        ("question,label\nWhen?,²\n", "whole number"),
        ("question,label\nWhen?," + "9" * 5000 + "\n", "whole number"),
    ],
)
def test_a_csv_that_does_not_fit_is_refused_with_its_line(text: str, words: str) -> None:
    with pytest.raises(ApplicationError, match=words):
        csv_rows(text)


# -- Pages and endpoints ----------------------------------------------------------------------------------------------


def test_a_manager_trains_from_a_csv_and_opens_the_cells(office: Place, manager: Client) -> None:

    page = office.address("complexity_training")
    file = SimpleUploadedFile("asked.csv", CSV.encode())
    sent = manager.post(page, {"file": file, "kind": "svm", "n_classes": "3"})
    assert sent.status_code == 302
    assert "hx-get" in manager.get(office.address("complexity_versions")).content.decode()
    with organization_scope(office.firm.organization, user=None):
        version = ComplexityClassifier.objects.get()
    job_run(job_id=Job.objects.get(subject_id=version.pk).pk, work=CLASSIFIER.slice)

    assert "asked.csv" in manager.get(page).content.decode()
    report = office.address("complexity_report", version.pk)
    assert "Confusion matrix" in manager.get(report).content.decode()
    cell = manager.get(f"{report}?cell=1-1", headers={"HX-Request": "true"}).content.decode()
    assert cell.count("the deposit of flat") == 6
    assert "<html" not in cell
    for wrong in ("9-9", "x", "1"):
        assert manager.get(f"{report}?cell={wrong}").status_code == 404


def test_a_form_that_does_not_fit_says_so(office: Place, manager: Client) -> None:
    page = office.address("complexity_training")
    empty = SimpleUploadedFile("questions.csv", b"question,label\n")
    for data, words in (({}, "Choose the CSV file"), ({"file": empty}, "0 questions")):
        answer = manager.post(page, {"kind": "svm", "n_classes": "3", **data})
        assert answer.status_code == 422
        assert words in answer.content.decode()


def test_a_program_follows_a_training_stops_it_and_goes_back(office: Place) -> None:
    organization, lawyer = office.firm.organization, office.firm.lawyer
    corpus = f"/api/v1/corpora/{office.corpus.pk}/classifiers/"
    with organization_scope(organization, user=office.firm.manager):
        _, secret = token_create(
            organization=organization, user=office.firm.manager, name="nightly", valid_days=1, scopes=ALL_SCOPES
        )
    with organization_scope(organization, user=lawyer):
        _, lawyers = token_create(organization=organization, user=lawyer, name="x", valid_days=1, scopes=ALL_SCOPES)
    version, job = begun(office)

    def api(method: str, address: str, data: dict[str, Any] | None = None, *, token: str = secret) -> Any:
        call, headers = getattr(Client(), method), {"Authorization": f"Bearer {token}"}
        return call(address, data, content_type="application/json", headers=headers)

    assert api("get", f"{corpus}{version.pk}/").json()["job_id"] == str(job.pk)
    for token in (secret, lawyers):
        assert api("get", f"/api/v1/jobs/{job.pk}/", token=token).json()["state"] == "queued"
    assert api("post", f"{corpus}{version.pk}/cancel/", token=lawyers).status_code == 403
    assert api("post", f"{corpus}{version.pk}/cancel/").status_code == 200
    assert api("get", f"/api/v1/jobs/{job.pk}/").json()["state"] == "cancelled"
    assert api("post", f"{corpus}{version.pk}/resume/").json()["state"] == "building"
    job_run(job_id=job.pk, work=CLASSIFIER.slice)

    assert api("post", f"{corpus}in-use/", {"classifier_id": str(version.pk)}).status_code == 204
    assert predicted(office)[0] == str(version.number)
    assert api("post", f"{corpus}roll-back/", {"classes": 3}).status_code == 204
    assert predicted(office)[0] == "packaged"
    assert api("post", f"{corpus}roll-back/", {"classes": 3}).status_code == 409


# -- Command ----------------------------------------------------------------------------------------------------------


said = partial(told, "complexity")


def test_one_command_prints_the_rows_of_the_paper_for_any_csv(tmp_path: Path, settings: Any) -> None:
    settings.VAR = tmp_path
    settings.COMPLEXITY_ENCODER = str(small_encoder(tmp_path / "encoder"))
    file = tmp_path / "any.csv"
    file.write_text(CSV)
    tables = said("evaluate", "--data", str(file), "--epochs", "1")["tables"]

    assert [table["classes"] for table in tables] == [3, 2]
    for table in tables:
        rows = {row["model"]: row for row in table["rows"]}
        assert list(rows) == ["random", "zero-shot", "lr", "svm", "transformer", "length"]
        assert "LEGALQA_NLI_MODEL" in rows["zero-shot"]["reason"]
        assert all({"precision", "recall", "f1", "f1_low", "confusion"} <= set(rows[n]) for n in ("lr", "transformer"))
        assert rows["svm"]["f1"] > rows["random"]["f1"]


def test_a_csv_of_two_classes_has_the_rows_of_two(tmp_path: Path) -> None:
    file = tmp_path / "two.csv"
    file.write_text(csv_text_of(ROWS[:60]))
    (table,) = said("evaluate", "--data", str(file), "--model", "svm")["tables"]

    assert (table["classes"], table["rows"][0]["f1"]) == (2, 1.0)


def test_a_trained_file_predicts(tmp_path: Path) -> None:
    file, out = tmp_path / "any.csv", tmp_path / "classifier.json"
    file.write_text(CSV)
    document = said("train", "--data", str(file), "--model", "lr", "--classes", "3", "--out", str(out))
    found = said("predict", "What are the rent and the deposit?", "--classifier", str(out))

    assert {"precision", "recall", "f1", "classes", "confusion", "seconds"} <= set(document)
    assert found["predictions"][0]["label"] == 1


def test_augment_writes_the_changes_beside_their_originals(tmp_path: Path) -> None:
    file, out = tmp_path / "any.csv", tmp_path / "more.csv"
    file.write_text(CSV)
    document = said("augment", "--data", str(file), "--out", str(out), "--rules", "--shares", "misspell=0.2")

    rows = csv_rows(out.read_text())
    assert len(rows) == len(ROWS) + document["changed"]
    assert document["total_share"] == pytest.approx(document["changed"] / len(ROWS), abs=1e-3)
    assert all(row.original for row in rows if row.change)


@pytest.mark.parametrize(
    "arguments",
    [
        ("train",),
        ("train", "--data", "/nowhere.csv"),
        ("predict",),
        ("generate",),
        ("predict", "When?", "--classes", "5"),
    ],
)
def test_bad_arguments_end_with_one_line(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("complexity", *arguments)

    assert refused.value.returncode == 2
