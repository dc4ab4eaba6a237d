"""Small files that pass through the steps of ingestion: text through most, a scan and an archive through their own."""

from pathlib import Path

from tests.corpora.parsers.builders import scanned_copy
from tests.crash_points import CONTAINER_CRASH_POINTS, CRASH_POINTS, SCAN_CRASH_POINTS
from tests.faults.test_long_reading import archive
from tests.soak.subjects import Subject, Upload

POINTS = (*CRASH_POINTS, *SCAN_CRASH_POINTS, *CONTAINER_CRASH_POINTS)
CHUNK_TOKENS = 24
N_RENTS = 140  # a chunk each, more than one batch of embeddings


def samples_write(folder: Path) -> list[Subject]:
    """Write the files; every point of `POINTS` belongs to exactly one of them."""
    rents = (
        f"The tenant of flat {n} pays a rent of {600 + n} euros on the first day of the month." for n in range(N_RENTS)
    )
    contents = {
        "rents.txt": ("\n\n".join(rents).encode(), CRASH_POINTS),
        "scan.pdf": (
            scanned_copy([["The tenant pays the rent."], ["The landlord repairs the roof."]]),
            SCAN_CRASH_POINTS,
        ),
        "matter.zip": (archive(), CONTAINER_CRASH_POINTS),
    }
    for name, (content, _) in contents.items():
        (folder / name).write_bytes(content)
    return [Upload(folder / name, points) for name, (_, points) in contents.items()]
