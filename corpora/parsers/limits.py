"""How much a file may use before it is refused."""

from dataclasses import dataclass

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps on one parse.

    Attributes:
        file_bytes: Size of the file.
        memory_bytes: Address space of the child (RLIMIT_AS).
        cpu_seconds: Processor time of the child (RLIMIT_CPU).
        wall_seconds: Time from start to end, after which the whole process group is killed.
        output_bytes: Size of any file the child writes (RLIMIT_FSIZE).
        open_files: File descriptors of the child (RLIMIT_NOFILE).
        pages: Pages of a document.
        characters: Characters of a document.
        page_characters: Characters of one page.
        unzipped_bytes: Sum of what a zip container says it unpacks to.
        zip_ratio: Unpacked size over packed size, for the container and for each member over 1 MiB.

    Limits are ours (5,000 pages, 30 M characters, 1 M characters a page, 300 MB, ratio 200).
    Differs: 120 s of processor time instead of 20, since the longest allowed documents are read whole.
    """

    file_bytes: int = 100 * MEBIBYTE
    memory_bytes: int = 1024 * MEBIBYTE
    cpu_seconds: int = 120
    wall_seconds: float = 180.0
    output_bytes: int = 256 * MEBIBYTE
    open_files: int = 64
    pages: int = 5_000
    characters: int = 30_000_000
    page_characters: int = 1_000_000
    unzipped_bytes: int = 300_000_000
    zip_ratio: int = 200

    def spec(self) -> dict[str, int]:
        """What the kernel limits, as `launch.py` reads it."""
        return {
            "memory": self.memory_bytes,
            "cpu": self.cpu_seconds,
            "output": self.output_bytes,
            "files": self.open_files,
        }
