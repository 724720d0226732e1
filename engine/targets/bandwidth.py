"""The peak speed of a target's memory, against which kernels that mostly move data are judged."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from engine.records.devices import cuda_index
from engine.records.errors import TuningError
from engine.records.machine import TargetSpec
from engine.targets.known_peak import MEMORY
from engine.targets.peak import kept_peak, target_key
from engine.workers.fresh import run_fresh

_COPIED_BYTES = 1 << 27  # there and as many here: more than caches hold
_SECONDS = 0.4


def peak_bytes(target: TargetSpec, folder: Path | None = None, again: bool = False) -> float:
    """The bytes/s that a target's memory moves, read and written together.

    A GPU's follow from the clock and the width of its memory, which moves data at both edges. A
    CPU's are those of the fastest of some copies by all its threads, measured once for half a
    second, on a machine that should do nothing else. Raises TuningError where they are not known.
    """
    if target.remote:
        raise TuningError("A remote device's is not measured.")
    if target.is_gpu:
        measure = partial(_gpu_bytes, cuda_index(target.device))
    else:
        measure = partial(run_fresh, _cpu_bytes, target.cores, timeout_s=60.0)
    return kept_peak(MEMORY + target_key(target), measure, folder, again)


def _gpu_bytes(index: int) -> float:
    from cuda.bindings import runtime

    names, found = runtime.cudaDeviceAttr, []
    for name in (names.cudaDevAttrMemoryClockRate, names.cudaDevAttrGlobalMemoryBusWidth):
        error, value = runtime.cudaDeviceGetAttribute(name, index)
        if int(error) or int(value) <= 0:
            raise TuningError("CUDA does not tell how fast the GPU's memory is.")
        found.append(int(value))
    clock_khz, bus_bits = found
    return 2.0 * clock_khz * 1e3 * bus_bits / 8


def _cpu_bytes(threads: int) -> float:
    import numpy as np

    size = _COPIED_BYTES // threads
    pairs = [(np.ones(size, np.uint8), np.ones(size, np.uint8)) for _ in range(threads)]
    best_s, end = float("inf"), time.perf_counter() + _SECONDS
    with ThreadPoolExecutor(threads) as pool:
        while (began := time.perf_counter()) < end:
            list(pool.map(lambda pair: np.copyto(*pair), pairs))  # without Python's lock
            best_s = min(best_s, time.perf_counter() - began)
    return 2.0 * size * threads / best_s
