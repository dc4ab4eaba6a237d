"""A reader for tests: the packaged encoder as it is, with heads drawn at random."""

from pathlib import Path

from legalqa.encoder.reading import reader_pack


def random_reader(file: Path, *, seed: int = 1, **about: object) -> Path:
    """Write the file of a reader."""
    file.write_bytes(random_artefact(seed=seed, **about))
    return file


def random_artefact(*, seed: int = 1, **about: object) -> bytes:
    """What is in the file of such a reader."""
    import torch

    chance = torch.Generator().manual_seed(seed)
    sizes = {"answers": (1, 768), "support": (3, 768), "span": (2, 384)}
    heads = {f"heads.{name}.weight": torch.randn(size, generator=chance) for name, size in sizes.items()}
    heads |= {f"heads.{name}.bias": torch.zeros(size[0]) for name, size in sizes.items()}
    return reader_pack(heads, base={}, about=about)
