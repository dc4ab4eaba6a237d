"""Settings of the test suite: the real ones, with what makes a test faster and changes nothing that it looks at."""

import gc
import os
import tempfile
from pathlib import Path

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each process that a test starts would compile the product again
os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # torch's threads spin while they wait for a core of another test
os.environ.setdefault("LEGALQA_VAR", str(Path(tempfile.gettempdir()) / f"legalqa-tests-{os.getuid()}"))
if worker := os.environ.get("PYTEST_XDIST_WORKER"):  # each process of `make test` has a database server of its own
    os.environ["LEGALQA_VAR"] += f"-{worker}"
os.environ.setdefault("LEGALQA_WATCH_ROOT", str(Path(os.environ["LEGALQA_VAR"]) / "watched"))
os.environ.setdefault("LEGALQA_JOB_LEASE_S", "4")
os.environ.setdefault("LEGALQA_JOB_SWEEP_S", "1")
os.environ.setdefault("LEGALQA_API_RATE", "1000000/minute")
os.environ.setdefault("LEGALQA_API_RATE_ASK", "1000000/minute")
os.environ.setdefault("LEGALQA_API_RATE_SEARCH", "1000000/minute")
os.environ.setdefault("LEGALQA_API_RATE_UPLOAD", "1000000/minute")

from legalqa.settings import *  # noqa: F403 - the real ones

gc.set_threshold(50_000)  # as in the product; with Python's 700 a tenth of a run looks for garbage among the tests
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# A web process looks through its static files once; each of a thousand test clients looks only when asked for one.
WHITENOISE_AUTOREFRESH = True
