"""From rows to the file of a reader and its manifest: train, calibrate on rows left out, measure, pack."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from legalqa.encoder.client import PASSAGES, encoder, encoder_here, model_folder
from legalqa.encoder.reading import Calibration, ReaderModel, reader_about, reader_pack, reader_unpack
from legalqa.encoder.weights import FILES, WEIGHTS_SHA256, WeightsWrong, folder_fingerprint
from legalqa.training.encoder.finetuning import EncoderFineTuning
from legalqa.training.reader.calibration import calibrated
from legalqa.training.reader.evaluation import Scored, figures_document, pairs_of, word_overlap
from legalqa.training.reader.finetuning import ReaderTraining, ReaderTuning, TaughtTraining
from legalqa.training.reader.mix import EVERYDAY, Example, Rivals, examples_of
from legalqa.training.reader.rivals import MOST, MOST_WITH_TEACHER, rivals_of
from legalqa.training.reader.rows import AnswerRow, ClaimRow, Row, rows_read

SAVED_EVERY = 50  # steps: some two minutes on two cores
PART = 256  # rows between two words of progress

Note = Callable[[str], None]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Made:
    """A reader's file, and what its manifest says."""

    artefact: bytes
    manifest: dict[str, Any]


def reader_trained(
    files: Sequence[Path],
    settings: ReaderTraining,
    *,
    work: Path,
    start: bytes | None = None,
    teacher: Path | None = None,
    note: Note = lambda _: None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The tensors of a training over the rows of files, and what the manifest says of it.

    A training that was stopped is resumed from its checkpoint in `work`; a teacher has one of its own, and is trained
    to its end before the reader begins.

    Args:
        files: Rows to learn from.
        settings: Rates, batch and so on; with a teacher a `TaughtTraining`.
        work: Folder of checkpoints.
        start: The file of a reader that is trained further; the packaged encoder without one.
        teacher: Folder of an encoder that is fine-tuned on the same examples first, and whose scores the reader learns.
        note: Says how far it is.

    Raises:
        ApplicationError: a file cannot be read, or a line is not a row.
        WeightsWrong: `start` is not a reader over the packaged encoder, or `teacher` holds no encoder.
    """
    assert teacher is None or isinstance(settings, TaughtTraining)
    weights = folder_fingerprint(teacher) if teacher else ""
    rows = [row for file in files for row in rows_read(file)]
    rivals = _rivals(rows, most=MOST_WITH_TEACHER if teacher else MOST)
    examples = examples_of(rows, seed=settings.seed, rivals=rivals, sampled=settings.sampled)
    data = [data_document(file) for file in files]
    from_reader = hashlib.sha256(start).hexdigest() if start else ""
    of_data = "".join(one["sha256"] for one in data)
    of_teacher = "".join(hashlib.sha256((teacher / name).read_bytes()).hexdigest() for name in FILES) if teacher else ""
    tensors = None
    if start:
        reader_about(start)
        tensors = reader_unpack(start, encoder_here().parameters())
    about: dict[str, Any] = {"data": data, "examples": len(examples), "start_sha256": from_reader}
    tutor = None
    if teacher and isinstance(settings, TaughtTraining):
        tutor = _teacher(teacher, examples, settings, data=_key(of_data, of_teacher))
        training = _trained(tutor, work, note=lambda words: note(f"teacher, {words}"))
        about["teacher"] = {"folder": teacher.resolve().name, "sha256": weights, **training}
        tutor.rest()
    key = _key(of_data, from_reader, of_teacher)
    tuning = ReaderTuning(examples, settings, folder=model_folder(), data=key, start=tensors, teacher=tutor)
    about |= _trained(tuning, work, note=note)
    return tuning.tensors(), about


def _key(*fingerprints: str) -> str:
    return hashlib.sha256("".join(fingerprints).encode()).hexdigest()[:16]


def _teacher(folder: Path, examples: Sequence[Example], settings: TaughtTraining, *, data: str) -> ReaderTuning:
    """The encoder of a folder, taken up for training as a teacher.

    Raises:
        WeightsWrong: it cannot be loaded, or cannot read a pair as long as those of the training.
    """
    try:
        teacher = ReaderTuning(examples, settings.of_teacher(), folder=folder, data=data)
        teacher.scores_of([Example("?", "? " * settings.max_tokens, is_claim=False, label=0)])
    except Exception as error:  # whatever a folder of others holds
        raise WeightsWrong(
            f"The teacher's folder {folder} holds no encoder that reads {settings.max_tokens} tokens "
            f"({type(error).__name__}). Name another with --teacher."
        ) from error
    return teacher


def _trained(tuning: ReaderTuning, work: Path, *, note: Note) -> dict[str, Any]:
    """Train to the end, from a checkpoint in `work` where there is one; what the manifest says of it."""
    checkpoint = work / f"{tuning.data}-{tuning.settings.fingerprint()[:16]}.safetensors"
    if tuning.load(checkpoint):
        note(f"resumed after step {tuning.progress.step}")
    while not tuning.advance():
        if tuning.progress.step % SAVED_EVERY == 0:
            tuning.save(checkpoint)
            loss = float(np.mean(tuning.progress.losses[-SAVED_EVERY:]))
            note(f"step {tuning.progress.step} of {tuning.n_steps}, loss {loss:.3f}, {tuning.progress.seconds:.0f} s")
    tuning.save(checkpoint)
    return course(tuning)


def course(tuning: ReaderTuning | EncoderFineTuning) -> dict[str, Any]:
    """How a training went, for the manifest."""
    progress, settings = tuning.progress, tuning.settings.model_dump(mode="json")
    return {"steps": progress.step, "seconds": round(progress.seconds), "settings": settings}


def _rivals(rows: Sequence[Row], *, most: int) -> Rivals:
    """Rivals of the questions in everyday words, as people marked them and the encoder of passages finds them."""
    everyday = [row for row in rows if isinstance(row, AnswerRow) and row.source.startswith(EVERYDAY)]
    if not everyday:
        return {}
    texts = sorted({row.passage for row in everyday})
    places = {text: place for place, text in enumerate(texts)}
    finder = encoder(PASSAGES)
    passages = finder.encode(texts)[[places[row.passage] for row in everyday]]
    return rivals_of(everyday, finder.encode([row.question for row in everyday]), passages, most=most)


def data_document(file: Path) -> dict[str, Any]:
    """A file of rows as the manifest names it."""
    rows = rows_read(file)
    return {"file": file.name, "rows": len(rows), "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}


def reader_made(
    tensors: Mapping[str, Any], about: Mapping[str, Any], dev: Sequence[Path], *, note: Note = lambda _: None
) -> Made:
    """The file of a reader, calibrated and measured on rows that it did not learn from; without such files neither.

    Args:
        tensors: What was trained, under BERT's names, and the heads under `heads.`.
        about: What the manifest says of the training.
        dev: Files of rows left out, each of one kind.
        note: Says how far it is.
    """
    base = encoder_here().parameters()
    model = encoder_here().reader(reader_pack(tensors, base=base, about={}))
    rows: dict[str, list[Any]] = {"questions": [], "claims": []}
    for file in dev:
        for row in rows_read(file):
            rows["questions" if isinstance(row, AnswerRow) else "claims"].append(row)
    started = perf_counter()
    scores = {kind: scores_of(model, pairs_of(some), note=note) for kind, some in rows.items()}
    seconds = perf_counter() - started
    calibration, threshold, report = calibrated(
        rows["questions"], scores["questions"], rows["claims"], scores["claims"]
    )
    document = {"calibration": asdict(calibration), "threshold": round(threshold, 4)}
    figures = {
        kind: figures_document(scored(model, some, scores[kind], calibration, threshold), seconds=seconds)
        for kind, some in rows.items()
        if some
    }
    manifest = {
        "base": WEIGHTS_SHA256,
        "training": dict(about),
        "left_out": [data_document(file) for file in dev],
        **document,
        "calibration_report": report,
        "figures": figures,
    }
    return Made(reader_pack(tensors, base=base, about=document), manifest)


def evaluated(artefact: bytes, rows: Sequence[Row], *, note: Note = lambda _: None) -> dict[str, Any]:
    """The figures of a reader's file on rows of one kind.

    Raises:
        ApplicationError: there are questions and claims among them.
        WeightsWrong: the file is not a reader.
    """
    pairs, model, about = pairs_of(rows), encoder_here().reader(artefact), reader_about(artefact)
    started = perf_counter()
    scores = scores_of(model, pairs, note=note)
    seconds = perf_counter() - started
    calibration = Calibration(**about.get("calibration", {}))
    return figures_document(scored(model, rows, scores, calibration, about.get("threshold", 0.5)), seconds=seconds)


def scored(
    model: ReaderModel, rows: Sequence[Row], scores: Floats, calibration: Calibration, threshold: float
) -> Scored:
    """Rows with the reader's probabilities and the simple scores beside them."""
    pairs = pairs_of(rows)
    alone = np.zeros((0, scores.shape[1]))
    if isinstance(rows[0], ClaimRow):
        alone = scores_of(model, [(claim, "") for claim, _ in pairs]).astype(float)
    simple = {"word overlap": word_overlap(pairs), "cosine": cosines(pairs)}
    return Scored(rows, calibration.probabilities(scores).astype(float), simple, alone, threshold)


def scores_of(model: ReaderModel, pairs: Sequence[tuple[str, str]], *, note: Note = lambda _: None) -> Floats:
    """The reader's scores of any number of pairs, those of like length together."""
    scores = np.zeros((len(pairs), 7), dtype=np.float32)
    by_length = np.argsort([-len(first) - len(second) for first, second in pairs], kind="stable")
    for at in range(0, len(pairs), PART):
        places = by_length[at : at + PART]
        scores[places] = model.scores([pairs[place] for place in places])
        note(f"{min(at + PART, len(pairs))} of {len(pairs)} read")
    return scores


def cosines(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
    """The packaged encoder's cosine of the two texts of each pair."""
    vectors = {side: encoder().encode([pair[side] for pair in pairs]) for side in (0, 1)}
    return np.asarray(np.einsum("ij,ij->i", vectors[0], vectors[1]), np.float64)
