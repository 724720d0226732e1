"""The peak FP32 speed of a target, against which a kernel's speed is judged."""

from __future__ import annotations

import json
import logging
import os
import platform
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from engine.records.devices import cuda_index
from engine.records.errors import TuningError
from engine.records.machine import TargetSpec
from engine.storage.whole_file import write_whole
from engine.workers.fresh import run_fresh

_log = logging.getLogger(__name__)

# How many FP32 units a multiprocessor has, by compute capability; newer ones have 128.
_UNITS = {30: 192, 32: 192, 35: 192, 37: 192, 60: 64, 70: 64, 72: 64, 75: 64, 80: 64}
_UNITS_ELSE = 128

_DEPTH = 32
_STEPS = 4000
# Lanes of independent sums: at least 8 vectors, to hide the latency of a multiply-add on two units,
# and few enough to stay in registers, for vectors of 128 to 512 bits.
_LANES = (64, 96, 128)
_SECONDS_EACH = 0.12

_KERNEL = """
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(C: T.Buffer(({threads}, {lanes}), "float32")):
        T.func_attr({{"global_symbol": "main", "tirx.noalias": True}})
        for thread in T.parallel({threads}):
            for step in T.serial({steps}):
                for lane in T.vectorized({lanes}):
                    C[thread, lane] = {value}
"""


def peak_flops(target: TargetSpec, folder: Path | None = None, again: bool = False) -> float:
    """The peak in FP32 FLOP/s, a multiply-add being two operations.

    A GPU's is worked out from its attributes. A CPU's is measured once, for a second or two in a
    process of its own, which should have the machine to itself. Raises TuningError where it fails,
    or the device is a remote one.
    """
    if target.remote:
        raise TuningError("A remote device's is not measured.")
    if target.is_gpu:
        measure = partial(_gpu_peak, cuda_index(target.device))
    else:
        measure = partial(run_fresh, _cpu_peak, target, timeout_s=60.0)
    return kept_peak(target_key(target), measure, folder, again)


def kept_peak(
    key: str, measure: Callable[[], float], folder: Path | None = None, again: bool = False
) -> float:
    """A peak that is measured once and kept in `folder` (default: the user's data folder).

    `again` measures it anew and keeps the larger of the two: other work on the machine can only
    make it seem slower.
    """
    path = _data_folder(folder) / "peaks.json"
    known = _read(path)
    if again or key not in known:
        known[key] = max(measure(), known.get(key, 0.0))
        _write(path, known)
    return known[key]


def target_key(target: TargetSpec) -> str:
    """What a peak of a target is kept by."""
    return f"{platform.node()} {target.device} x{target.cores} {target.text}"


def _gpu_peak(index: int) -> float:
    import tvm

    device = tvm.cuda(index)
    major, minor = str(device.compute_version).split(".")
    return gpu_peak(
        int(device.multi_processor_count), int(device.max_clock_rate), int(major + minor)
    )


def gpu_peak(processors: int, clock_khz: int, capability: int) -> float:
    """FLOP/s of a GPU of so many multiprocessors; `capability` is 90 for compute capability 9.0."""
    return processors * _UNITS.get(capability, _UNITS_ELSE) * 2.0 * clock_khz * 1e3


def _cpu_peak(target: TargetSpec) -> float:
    """Multiply-adds on registers, on all the target's threads at once: the best of many tries."""
    from engine.records.machine import prepare_environment

    os.environ["TVM_NUM_THREADS"] = str(target.cores)
    prepare_environment(target.cores)
    return max(_speed(target, lanes) for lanes in _LANES)


def _speed(target: TargetSpec, lanes: int) -> float:
    import numpy as np
    import tvm

    from engine.targets.targets import to_tvm

    value = "C[thread, lane]"
    for _ in range(_DEPTH):
        value = f"({value} * T.float32(0.999) + T.float32(0.001))"
    source = _KERNEL.format(threads=target.cores, lanes=lanes, steps=_STEPS, value=value)
    module: Any = tvm.tirx.build(tvm.script.from_source(source), target=to_tvm(target))
    kernel = module["main"]
    sums = tvm.runtime.tensor(np.ones((target.cores, lanes), np.float32))
    best_s, end = float("inf"), time.perf_counter() + _SECONDS_EACH
    while (started := time.perf_counter()) < end:
        kernel(sums)
        best_s = min(best_s, time.perf_counter() - started)
    return 2.0 * target.cores * lanes * _STEPS * _DEPTH / best_s


def _data_folder(folder: Path | None) -> Path:
    from platformdirs import user_data_path

    return folder or Path(user_data_path("tunewright"))


def _read(path: Path) -> dict[str, float]:
    """The peaks known so far; none where the file is missing or makes no sense."""
    try:
        stored = json.loads(path.read_text())
        return {str(key): float(value) for key, value in stored.items() if float(value) > 0}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _write(path: Path, known: dict[str, float]) -> None:
    """Keep the peaks. Where that is not possible they are measured again next time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(known, indent=1))
    except OSError as error:
        _log.info("The measured peak is not kept: %s", error)
