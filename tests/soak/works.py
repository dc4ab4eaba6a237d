"""Work on a corpus that is there already: re-indexing it, switching encoders, training an encoder or a classifier."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.crash_points import ENCODER_CRASH_POINTS, REINDEX_CRASH_POINTS, TRAINING_CRASH_POINTS
from tests.encoders import small_encoder
from tests.faults.environment import WAIT_S, Case, Installation
from tests.faults.test_reindex_kills import CHUNKER, TEXTS
from tests.soak.product import Product
from tests.soak.subjects import Subject

SMALL = "small-encoder"
TRAINING_S = 900.0
TRAINED = "trained"  # stands for the name of an encoder, which is another one in each organisation


def _points(name: str, *points: str) -> tuple[str, ...]:
    return tuple(f"{name}:{point}" for point in points)


@dataclass(frozen=True, slots=True)
class OfTwoDocuments:
    """What a worker does within seconds on a corpus of two documents, six of them at once."""

    name: str
    points: tuple[str, ...]
    together: int = 6
    patience_s: float = WAIT_S

    def prepare(self, product: Product, case: Case) -> None:
        _filled(product, case)


@dataclass(frozen=True, slots=True)
class Reindexing(OfTwoDocuments):
    """The corpus is chunked and embedded again."""

    name: str = "reindex"
    points: tuple[str, ...] = _points("reindex", *REINDEX_CRASH_POINTS)

    def begin(self, product: Product, case: Case) -> None:
        product.patient_order("reindex", organization=case.organization, corpus=case.corpus, chunker=CHUNKER)

    def stored(self, product: Product, case: Case) -> dict[str, Any]:
        return product.stored(case)


@dataclass(frozen=True, slots=True)
class Switching(OfTwoDocuments):
    """The corpus is switched to another encoder."""

    name: str = "switch"
    points: tuple[str, ...] = _points("switch", *ENCODER_CRASH_POINTS)

    def begin(self, product: Product, case: Case) -> None:
        product.patient_order("encoder_switch", organization=case.organization, corpus=case.corpus)

    def stored(self, product: Product, case: Case) -> dict[str, Any]:
        found = product.patient_order("searched_by", organization=case.organization, corpus=case.corpus)
        return product.stored(case) | {
            "encoder_in_use": [found["encoder"]],
            "searched": len(found["chunks"]),
            "searched_with_vectors": len(found["with_vectors"]),
            "activations": found["n_activations"],
        }


@dataclass(frozen=True, slots=True)
class EncoderTrained:
    """An encoder learns from a gold set of three documents and embeds the corpus beside what is searched."""

    name: str = "encoder"
    points: tuple[str, ...] = _points("encoder", *TRAINING_CRASH_POINTS, "encoder.filled")
    together: int = 1  # on a busy machine one would no longer stand when the next has come so far
    patience_s: float = TRAINING_S
    versions: dict[str, str] = field(default_factory=dict)

    def prepare(self, product: Product, case: Case) -> None:
        paths = product.patient_order("passages_write", folder=str(product.installation.var))
        _filled(product, case, paths)

    def begin(self, product: Product, case: Case) -> None:
        where = {"organization": case.organization, "corpus": case.corpus}
        self.versions[case.organization] = product.patient_order("encoder_training_begin", **where)

    def stored(self, product: Product, case: Case) -> dict[str, Any]:
        version = self.versions[case.organization]
        found = product.patient_order("encoder_trained", organization=case.organization, version=version)
        stored = product.stored(case)
        stored["embeddings"] = sorted(
            [ordinal, TRAINED if "+" in encoder else encoder, *more] for ordinal, encoder, *more in stored["embeddings"]
        )
        # The weights depend on the order in which three documents were taken in, so they are no part of it.
        return stored | {
            "state": [found["state"]],
            "questions": [row["questions"] for row in found["rows"] or ()],
            "vectors_whole": int(found["is_whole"]),
            "working_files": int(found["has_working_files"]),
        }


@dataclass(frozen=True, slots=True)
class ClassifierTrained:
    """A classifier of complexity is fine-tuned over an encoder of a few thousand numbers."""

    name: str = "classifier"
    points: tuple[str, ...] = _points("classifier", *TRAINING_CRASH_POINTS)
    together: int = 2
    patience_s: float = TRAINING_S
    begun: dict[str, dict[str, str]] = field(default_factory=dict)

    def prepare(self, product: Product, case: Case) -> None:
        _filled(product, case)

    def begin(self, product: Product, case: Case) -> None:
        where = {"organization": case.organization, "corpus": case.corpus}
        self.begun[case.organization] = product.patient_order("training_begin", **where)

    def stored(self, product: Product, case: Case) -> dict[str, Any]:
        encoder = str(product.installation.var / SMALL)
        training = {"organization": case.organization, "encoder": encoder, **self.begun[case.organization]}
        found = product.patient_order("training_go_on", **training)
        return product.stored(case) | {
            "state": [found["state"]],
            "f1": [found["f1"]],
            "checkpoints": int(found["has_checkpoint"]),
        }


WORKS = (Reindexing(), Switching(), EncoderTrained(), ClassifierTrained())
WORK_POINTS = tuple(point for work in WORKS for point in work.points)


def works_made(installation: Installation) -> list[Subject]:
    """The works, once the installation has an encoder small enough to fine-tune; before the product starts."""
    folder = small_encoder(installation.var / SMALL)
    installation.environment["LEGALQA_COMPLEXITY_ENCODER"] = str(folder)
    installation.environment["LEGALQA_JOB_STALLED_S"] = "30"  # a worker that loads what trains takes its time
    return list(WORKS)


def _filled(product: Product, case: Case, paths: Sequence[str] | None = None) -> None:
    """Have documents taken in: these, or the two short ones."""
    for path in _short_ones(product) if paths is None else paths:
        product.patient_order("upload", organization=case.organization, corpus=case.corpus, path=path)
        product.wait_until_ended(case)  # one after another, so that all corpora are alike


def _short_ones(product: Product) -> list[str]:
    for name, text in TEXTS.items():
        (product.installation.var / name).write_text(text)
    return [str(product.installation.var / name) for name in TEXTS]
