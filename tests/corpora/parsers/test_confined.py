"""The limits bite: each script below does what a hostile file might make a reader do."""

import os
import subprocess
import sys
import time
from pathlib import Path

from corpora.parsers.confined import run_limited
from corpora.parsers.limits import MEBIBYTE, Limits
from tests.corpora.parsers.processes import is_gone

SMALL = Limits(memory_bytes=256 * MEBIBYTE, cpu_seconds=1, wall_seconds=20.0, output_bytes=MEBIBYTE)


def python(code: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", code]


def test_a_program_that_ends_well_is_well() -> None:
    outcome = run_limited(python("import sys; assert sys.stdin.read() == 'secret'"), SMALL, stdin=b"secret")
    assert (outcome.reason, outcome.returncode) == ("", 0)


def test_an_endless_loop_runs_out_of_processor_time() -> None:
    assert run_limited(python("while True: pass"), SMALL).reason == "cpu"


def test_a_sleeper_is_killed_by_the_wall_clock() -> None:
    limits = Limits(wall_seconds=0.5)
    assert run_limited(python("import time; time.sleep(60)"), limits).reason == "timeout"


def test_a_large_allocation_is_refused() -> None:
    assert run_limited(python("x = bytearray(3 << 30)"), SMALL).reason == "memory"


def test_a_flood_of_output_is_stopped() -> None:
    outcome = run_limited(python("import sys\nwhile True: sys.stdout.write('x' * 65536)"), SMALL)
    assert outcome.reason == "too_many_characters"
    assert len(outcome.log) <= 4_000


def test_a_crash_is_called_a_crash() -> None:
    outcome = run_limited(python("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"), SMALL)
    assert outcome.reason == "crashed"


def test_the_environment_is_empty() -> None:
    os.environ["LEGALQA_TEST_MARKER"] = "for nobody"
    try:
        code = "import os; assert 'LEGALQA_TEST_MARKER' not in os.environ and 'PATH' not in os.environ"
        assert run_limited(python(code), SMALL).reason == ""
    finally:
        del os.environ["LEGALQA_TEST_MARKER"]


def test_few_files_can_be_opened_and_no_core_is_dumped() -> None:
    code = (
        "import resource as r\n"
        "assert r.getrlimit(r.RLIMIT_NOFILE) == (64, 64) and r.getrlimit(r.RLIMIT_CORE) == (0, 0)\n"
        "try:\n    [open('/dev/null') for _ in range(100)]\n"
        "except OSError: pass\n"
        "else: raise SystemExit(9)"
    )
    assert run_limited(python(code), SMALL).reason == ""


def test_a_grandchild_does_not_outlive_the_run(tmp_path: Path) -> None:
    marker = tmp_path / "pid"
    code = f"import os, time\npid = os.fork()\nif pid: open({str(marker)!r}, 'w').write(str(pid))\nelse: time.sleep(60)"
    assert run_limited(python(code), SMALL).reason == ""
    assert is_gone(int(marker.read_text()))


def test_it_stops_when_asked() -> None:
    asked = iter([False, False, True])
    outcome = run_limited(python("import time; time.sleep(60)"), SMALL, should_stop=lambda: next(asked))
    assert outcome.reason == "cancelled"


def test_the_program_dies_with_the_process_that_started_it(tmp_path: Path) -> None:
    marker = tmp_path / "pid"
    inner = f"import os, time; open({str(marker)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    outer = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parents[3])!r})\n"
        "from corpora.parsers.confined import run_limited\n"
        "from corpora.parsers.limits import Limits\n"
        f"run_limited([sys.executable, '-I', '-S', '-c', {inner!r}], Limits())"
    )
    parent = subprocess.Popen([sys.executable, "-c", outer])
    while not (marker.exists() and marker.read_text()):
        assert parent.poll() is None
        time.sleep(0.02)
    parent.kill()
    parent.wait()
    assert is_gone(int(marker.read_text()))
