"""The peaks of a GPU, against which its kernels are judged, from what CUDA tells of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# FLOPs of a multiprocessor's tensor cores in a clock, by compute capability.
_TENSOR_FLOPS = {
    (80, "tf32"): 1024,
    (80, "float16"): 2048,
    (90, "tf32"): 2048,
    (90, "float16"): 4096,
}


@dataclass(frozen=True, slots=True)
class Peaks:
    """Of a device: FLOP/s in the precision asked for, bytes/s of its memory, multiprocessors;
    None where it is not known."""

    flops_per_s: float | None = None
    bytes_per_s: float | None = None
    processors: int | None = None


def gpu_peaks(index: int, precision: str) -> Peaks:
    """The peaks of a CUDA device, in a process that may use it."""
    import tvm
    from cuda.bindings import runtime

    device = tvm.cuda(index)
    major, minor = (int(part) for part in str(device.compute_version).split("."))
    names = runtime.cudaDeviceAttr
    return peaks_of(
        int(device.multi_processor_count),
        int(device.max_clock_rate),
        10 * major + minor,
        precision,
        _attribute(runtime, names.cudaDevAttrMemoryClockRate, index),
        _attribute(runtime, names.cudaDevAttrGlobalMemoryBusWidth, index),
    )


def peaks_of(
    processors: int,
    clock_khz: int,
    capability: int,
    precision: str,
    memory_khz: int,
    bus_bits: int,
) -> Peaks:
    """Peaks from a device's attributes; its memory moves data at both edges of its clock."""
    from engine.targets.peak import gpu_peak

    if precision == "float32":
        flops_per_s = gpu_peak(processors, clock_khz, capability)
    else:
        flops_per_s = _TENSOR_FLOPS.get((capability, precision), 0) * processors * clock_khz * 1e3
    bytes_per_s = 2.0 * memory_khz * 1e3 * bus_bits / 8
    return Peaks(flops_per_s or None, bytes_per_s or None, processors)


def _attribute(runtime: Any, attribute: Any, index: int) -> int:
    error, value = runtime.cudaDeviceGetAttribute(attribute, index)
    return 0 if int(error) else int(value)
