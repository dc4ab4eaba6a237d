"""What the environment tells a run of the tests, read once, and the environment of the processes that tests start."""

import os
from pathlib import Path

from legalqa.env import env_int, env_str

ROOT = Path(__file__).resolve().parent.parent

CHROMIUM = env_str("LEGALQA_CHROMIUM")  # the browser of the journeys, where it is not on the PATH
SHOTS = env_str("LEGALQA_SHOTS")  # where pictures of the screens go, if anywhere
DATA = env_str("LEGALQA_DATA")  # the folder of the data sets, beside the project
SOAK_FOLDER = Path(env_str("LEGALQA_SOAK") or ROOT / "var" / "soak")  # where long tests keep what they have done
SOAK_CASES = env_int("LEGALQA_SOAK_CASES", 400, low=1, high=1_000_000)
SOAK_SEED = env_int("LEGALQA_SOAK_SEED", 3, low=0, high=2**32)
SOAK_FULL_S = env_int("LEGALQA_SOAK_FULL_S", 8, low=8, high=3600)  # how long a disk stays full
SOAK_COUNTS = env_str("LEGALQA_SOAK_COUNTS")  # a file for the table of results


def bare_environment(**more: str) -> dict[str, str]:
    """This process's environment without anything that the product reads, and with what is given."""
    ours = ("LEGALQA_", "DJANGO_", "DATABASE_")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)} | more
