"""The targets of this machine, and the environment that TVM needs before its first import."""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import warnings
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from engine.records.devices import cuda_index
from engine.records.errors import TargetError
from engine.records.sentences import Sentence

THREADS = "TVM_NUM_THREADS"


def usable_cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0))


def prepare_environment(threads: int | None = None) -> None:
    """Give TVM's kernels `threads` threads (default: every usable core) and quieten its noise.

    TVM takes half of the hardware threads unless told otherwise. A value that is set already
    stays. Call it before the first import of tvm: worker processes inherit the environment.
    Raises RuntimeError where tvm was imported before its thread count was set.
    """
    wanted = os.environ.get(THREADS) or str(threads or usable_cores())
    if os.environ.get(THREADS) != wanted and "tvm" in sys.modules:
        raise RuntimeError(
            f"tvm was imported before {THREADS} was set to {wanted}: "
            "call engine.records.machine.prepare_environment() first."
        )
    os.environ[THREADS] = wanted
    _silence()


def _silence() -> None:
    """Keep TVM's deprecations and its searches' chatter from a person's terminal."""
    warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"tvm(\.|$)")
    logging.getLogger("tvm").setLevel(logging.ERROR)


@dataclass(frozen=True, slots=True)
class TargetSpec:
    """A target that can be tuned from here.

    `text` is TVM's JSON, `title` is for a person ("cpu znver4 x2"), `device` is "cpu" or
    "cuda:N", `cores` are the threads that kernels use (CPU) or that builds may use (GPU host).
    `uuid` is that of a GPU of this machine, as nvidia-smi writes it; empty where the driver
    does not tell. `remote` is the address of what has the device elsewhere:
    rpc://HOST:PORT/KEY of servers of TVM's, dask://HOST:PORT of a cluster's workers.
    """

    text: str
    title: str
    device: str
    cores: int
    remote: str = ""
    uuid: str = ""

    @property
    def place(self) -> str:
        """The name of the device among all that are tuned from here."""
        return self.remote or self.device

    @property
    def is_gpu(self) -> bool:
        """Whether kernels run on a GPU."""
        return self.device != "cpu"


def arch_number(arch: str) -> int:
    """The number in the name of a GPU's architecture: 90 of "sm_90a"; 0 where there is none."""
    found = re.search(r"[0-9]{1,6}", arch)
    return int(found.group()) if found else 0


def cuda_devices() -> tuple[int, ...]:
    """Indices of the CUDA devices that TVM can use here."""
    prepare_environment()
    import tvm

    found: list[int] = []
    while tvm.cuda(len(found)).exist:
        found.append(len(found))
    return tuple(found)


def host_cpu() -> str:
    """LLVM's name of this machine's processor: nothing else here asks which it is."""
    prepare_environment()
    from tvm.target import codegen

    return str(codegen.llvm_get_system_cpu())


def host_fields() -> dict[str, Any]:
    """The fields of a target for this machine's CPU."""
    return {"kind": "llvm", "mcpu": host_cpu(), "num-cores": usable_cores()}


def local_cpu() -> TargetSpec:
    """This machine's CPU, all its cores."""
    fields = host_fields()
    return TargetSpec(
        text=json.dumps(fields, sort_keys=True),
        title=f"cpu {fields['mcpu']} x{fields['num-cores']}",
        device="cpu",
        cores=int(fields["num-cores"]),
    )


def local_cuda(index: int) -> TargetSpec:
    """A CUDA device of this machine; TargetError where there is none of this index."""
    prepare_environment()
    import tvm

    device = tvm.cuda(index)
    if not device.exist:
        raise TargetError(
            Sentence("There is no CUDA device {index} on this machine.", index=index),
            "Choose cpu, or check the driver with nvidia-smi.",
        )
    major, minor = str(device.compute_version).split(".")
    # The default target allows 48 KiB of shared memory, which is what a kernel gets without
    # opting in; the real limits come from the device.
    fields = {
        "kind": "cuda",
        "arch": f"sm_{major}{minor}",
        "max_threads_per_block": int(device.max_threads_per_block),
        "max_num_threads": int(device.max_threads_per_block),
        "max_shared_memory_per_block": int(device.max_shared_memory_per_block),
        "thread_warp_size": int(device.warp_size),
    }
    return TargetSpec(
        text=json.dumps(fields, sort_keys=True),
        title=f"cuda {device.device_name}",
        device=f"cuda:{index}",
        cores=usable_cores(),
        uuid=_cuda_uuid(index),
    )


def _cuda_uuid(index: int) -> str:
    """A GPU's own name, which its index is not: that changes with CUDA_VISIBLE_DEVICES."""
    from cuda.bindings import driver

    error, device = driver.cuDeviceGet(index)
    if not error:
        error, found = driver.cuDeviceGetUuid(device)
    return "" if error else f"GPU-{UUID(bytes=bytes(found.bytes))}"


def local_named(word: str) -> TargetSpec | None:
    """The target of this machine that "auto", "cpu", "cuda" or "cuda:N" means; None for another
    word. TargetError where there is no such device."""
    if word == "auto":
        return local_cuda(0) if cuda_devices() else local_cpu()
    if word == "cpu":
        return local_cpu()
    return local_cuda(cuda_index(word)) if word.partition(":")[0] == "cuda" else None
