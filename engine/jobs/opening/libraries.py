"""The libraries a run needs, imported before a person asks for one."""

from __future__ import annotations

import importlib
from contextlib import suppress

from engine.jobs.opening.isolation import warm_up
from engine.records.errors import Hint, TuningError
from engine.workers.memory import keep_libraries

_NAMES = (
    "tvm.relax.frontend.onnx",
    "tvm.s_tir.meta_schedule",
    "onnxslim",
    "xgboost",
    "emcee",
    "scipy.optimize",
)


def load_libraries() -> None:
    """Import them all in this thread; TuningError where one does not load.

    Loading a library holds the interpreter for 0.1 s and more: that would stall the window in
    the middle of a run. The server of the workers that open models imports its own meanwhile.
    """
    with suppress(OSError):  # what opens a model says it
        warm_up()
    for name in _NAMES:
        try:
            importlib.import_module(name)
        except (ImportError, OSError) as error:
            raise TuningError(
                f"The library {name.partition('.')[0]} does not load: {error}.",
                "The help says under Troubleshooting what may be missing.",
                Hint.CHECK,
            ) from error
    keep_libraries()
