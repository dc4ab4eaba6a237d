"""What the kernel says of a process."""

import time
from pathlib import Path


def is_gone(pid: int) -> bool:
    """Whether a process ends within ten seconds."""
    for _ in range(500):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def assert_without_rights(pid: int) -> None:
    """Nobody's, confined by the kernel's filter of calls, and unable to start another."""
    about = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    assert (about["NoNewPrivs"], about["Seccomp"], int(about["CapEff"], 16)) == ("1", "2", 0)
    assert about["Uid"].split()[0] not in {"0"}
    assert "Max processes             0 " in Path(f"/proc/{pid}/limits").read_text()


def children(pid: int) -> list[int]:
    """The processes that a process has started and that have not ended."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
