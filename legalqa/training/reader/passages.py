"""The encoder that finds the passages worth reading: trained on the rows of the reader, measured on rows left out.

Source: as `legalqa.training.encoder.finetuning`. The negatives are the passages of the same source that the encoder
it is trained from finds nearest to a question and that do not answer it.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from legalqa.encoder.client import FloatMatrix, encoder_here
from legalqa.encoder.deltas import deltas_packed, deltas_unpacked
from legalqa.encoder.weights import WEIGHTS_SHA256, weights_unpack
from legalqa.training.encoder.finetuning import EncoderTraining, Pair
from legalqa.training.encoder.training import fine_tuning
from legalqa.training.reader.making import Made, course, data_document
from legalqa.training.reader.rivals import rivals_of
from legalqa.training.reader.rows import AnswerRow, rows_read

SAVED_EVERY = 20  # steps
RIVALS = 8  # wrong passages kept of a question, of which a step draws
FOUND_AT = (1, 4, 16, 32)  # passages that are looked at


def passages_trained(
    files: Sequence[Path],
    dev: Sequence[Path],
    settings: EncoderTraining,
    *,
    work: Path,
    start: bytes | None = None,
    note: Callable[[str], None] = lambda _: None,
) -> Made:
    """Train the encoder of passages and measure it beside the packaged one, and the one that it was trained from.

    A training that was stopped is resumed from its checkpoint in `work`.

    Args:
        files: Rows to learn from; claims are left out.
        dev: Rows of other documents.
        settings: Rate, batch and so on.
        work: Folder of checkpoints.
        start: The file of an encoder of passages that is trained further; the packaged encoder without one.
        note: Says how far it is.

    Raises:
        ApplicationError: a file cannot be read, or a line is not a row.
        WeightsWrong: `start` is not an encoder of passages, or was trained from other weights.
    """
    import torch
    from safetensors.torch import save

    packaged = encoder_here()
    tensors = deltas_unpacked(weights_unpack(start), base=packaged.parameters()) if start else None
    before = packaged.trained(tensors) if tensors else packaged
    pairs, texts = _pairs(_questions(files), before.encode)
    data = [data_document(file) for file in files]
    from_file = hashlib.sha256(start).hexdigest() if start else ""
    key = hashlib.sha256("".join([*(one["sha256"] for one in data), from_file]).encode()).hexdigest()[:16]
    tuning = fine_tuning(pairs, texts, settings, data=key, start=tensors)
    checkpoint = work / f"passages-{key}-{settings.fingerprint()[:16]}.safetensors"
    tuning.load(checkpoint)
    while not tuning.advance():
        if tuning.progress.step % SAVED_EVERY == 0:
            tuning.save(checkpoint)
            note(f"step {tuning.progress.step} of {tuning.n_steps}, loss {tuning.progress.losses[-1]:.2f}")
    tuning.save(checkpoint)
    manifest: dict[str, Any] = {
        "base": WEIGHTS_SHA256,
        "training": {"data": data, "start_sha256": from_file, "pairs": len(pairs), **course(tuning)},
        "left_out": [data_document(file) for file in dev],
    }
    trained = packaged.trained(tuning.tensors())
    models = {"packaged": packaged, **({"start": before} if start else {}), "trained": trained}
    if left_out := _questions(dev):
        manifest["figures"] = {name: passages_found(left_out, model.encode) for name, model in models.items()}
    with torch.no_grad():
        packed = deltas_packed(tuning.tensors(), base=packaged.parameters())
    about = json.dumps({"format": 1, "base": WEIGHTS_SHA256}, sort_keys=True)
    return Made(save(packed, metadata={"encoder": about}), manifest)


def passages_found(rows: Sequence[AnswerRow], encode: Callable[[list[str]], FloatMatrix]) -> dict[str, float]:
    """The share of questions of which a passage that answers is among the first 1, 4, 16, 32 of its document.

    Args:
        rows: All rows of these documents; those with an answer are asked.
        encode: Unit vectors of texts.
    """
    answering: dict[tuple[str, str], set[str]] = {}
    pool: dict[str, list[str]] = {}
    for row in rows:
        pool.setdefault(row.group, []).append(row.passage)
    for row in (row for row in rows if row.is_answerable):
        answering.setdefault((row.group, row.question), set()).add(row.passage)
    ranks: list[int] = []
    for group, passages in pool.items():
        texts = list(dict.fromkeys(passages))
        questions = [question for of, question in answering if of == group]
        if questions:
            cosines = encode(questions) @ encode(texts).T
            for question, row in zip(questions, cosines, strict=True):
                order = np.argsort(-row)
                ranks.append(next(n for n, at in enumerate(order) if texts[at] in answering[group, question]))
    return {"questions": len(ranks)} | {f"at_{n}": round(float(np.mean(np.array(ranks) < n)), 4) for n in FOUND_AT}


def _questions(files: Sequence[Path]) -> list[AnswerRow]:
    return [row for file in files for row in rows_read(file) if isinstance(row, AnswerRow)]


def _pairs(rows: Sequence[AnswerRow], encode: Callable[[list[str]], FloatMatrix]) -> tuple[list[Pair], list[str]]:
    """The questions with the places of passages that answer and of rivals by these vectors, and the passages."""
    texts = sorted({row.passage for row in rows})
    places = {text: place for place, text in enumerate(texts)}
    wordings = list(dict.fromkeys(row.question for row in rows))
    questions = dict(zip(wordings, encode(wordings), strict=True))
    vectors = encode(texts)[[places[row.passage] for row in rows]]
    rivals = rivals_of(rows, np.stack([questions[row.question] for row in rows]), vectors, most=RIVALS)
    by_question: dict[tuple[str, str], list[AnswerRow]] = {}
    for row in rows:
        if row.is_answerable:
            by_question.setdefault((row.group, row.question), []).append(row)
    pairs = []
    for (_, question), some in by_question.items():
        near = [text for row in some for text in rivals.get((row.source, row.id), ())]
        gold = tuple(sorted({places[row.passage] for row in some}))
        pairs.append(Pair(question, gold, tuple(dict.fromkeys(places[text] for text in near))))
    return pairs, texts
