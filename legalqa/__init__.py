"""LegalQA: questions of one's own documents, answered so that every sentence is cited, or not said."""

import os

# Before NumPy is loaded: OpenBLAS's threads wait for their next work at full load, and the encoder and the database
# beside them have to wait for the processor.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
