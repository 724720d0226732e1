"""Targets: what `auto` finds on this machine, and what a person's text means to TVM."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from engine.errors import TargetError
from engine.tvm_env import prepare_environment, usable_cores

# A CPU target may use these only where the machine has them: else its code ends in SIGILL.
_VECTOR_FEATURES = ("avx2", "fma", "avx512f", "avx512vl", "avx512vnni", "amx-tile", "sve", "neon")
_GPU_KINDS = ("cuda", "rocm", "vulkan", "metal", "opencl", "webgpu")


@dataclass(frozen=True, slots=True)
class TargetSpec:
    """A target that can be tuned here.

    `text` is TVM's JSON, `title` is for a person ("cpu znver4 x2"), `device` is "cpu" or
    "cuda:N", `cores` are the threads that kernels use (CPU) or that builds may use (GPU host).
    """

    text: str
    title: str
    device: str
    cores: int

    @property
    def is_gpu(self) -> bool:
        """Whether kernels run on a GPU."""
        return self.device != "cpu"


def resolve(text: str = "auto") -> TargetSpec:
    """The target a person means: "auto", "cpu", "cuda", "cuda:N", a TVM tag or kind, or JSON.

    Raises TargetError where TVM does not know it or this machine cannot run it.
    """
    text = text.strip() or "auto"
    if text == "auto":
        gpus = cuda_devices()
        return _cuda(0) if gpus else _cpu()
    if text == "cpu":
        return _cpu()
    if text == "cuda" or text.startswith("cuda:"):
        return _cuda(_cuda_index(text))
    return _from_tvm(text)


def local_targets() -> tuple[TargetSpec, ...]:
    """Every target of this machine, the one that `auto` picks first."""
    return (*(_cuda(index) for index in cuda_devices()), _cpu())


def cuda_devices() -> tuple[int, ...]:
    """Indices of the CUDA devices that TVM can use here."""
    prepare_environment()
    import tvm

    found: list[int] = []
    while tvm.cuda(len(found)).exist:
        found.append(len(found))
    return tuple(found)


def to_tvm(spec: TargetSpec) -> Any:
    """The `tvm.target.Target` of a spec, with its host."""
    prepare_environment()
    from tvm.target import Target

    target = Target(json.loads(spec.text))
    return target if not spec.is_gpu or target.host else target.with_host(Target(_host_fields()))


def _host_fields() -> dict[str, Any]:
    from tvm.target import codegen

    return {
        "kind": "llvm",
        "mcpu": str(codegen.llvm_get_system_cpu()),
        "num-cores": usable_cores(),
    }


def _cpu() -> TargetSpec:
    prepare_environment()
    fields = _host_fields()
    return TargetSpec(
        text=json.dumps(fields, sort_keys=True),
        title=f"cpu {fields['mcpu']} x{fields['num-cores']}",
        device="cpu",
        cores=int(fields["num-cores"]),
    )


def _cuda_index(text: str) -> int:
    _, _, index = text.partition(":")
    if index and not index.isdigit():
        raise TargetError(f"{text!r} names no CUDA device.", "Write cuda or cuda:0.")
    return int(index or 0)


def _cuda(index: int) -> TargetSpec:
    prepare_environment()
    import tvm

    device = tvm.cuda(index)
    if not device.exist:
        raise TargetError(
            f"There is no CUDA device {index} on this machine.",
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
    )


def _from_tvm(text: str) -> TargetSpec:
    prepare_environment()
    from tvm.target import Target

    try:
        target = Target(json.loads(text) if text.lstrip().startswith("{") else text)
    except json.JSONDecodeError as error:
        raise TargetError(f"The target is not valid JSON: {error}.", "Check its quotes.") from None
    except Exception as error:
        reason = str(error).split(". Target creation")[0].strip().rstrip(".")
        raise TargetError(
            f"TVM does not know the target {text!r}: {reason}.",
            "Write auto, cpu, cuda, a TVM tag, or JSON such as "
            '{"kind": "llvm", "mcpu": "x86-64-v3"}.',
        ) from None
    kind = str(target.kind.name)
    if kind == "cuda":
        return _checked_cuda(target)
    if kind == "llvm":
        return _checked_cpu(target)
    what = "no device" if kind in _GPU_KINDS else "no runner"
    raise TargetError(
        f"The target {kind} has {what} on this machine.",
        "Choose one that `tunewright targets` lists.",
    )


def _checked_cuda(target: Any) -> TargetSpec:
    here = _cuda(0)
    wanted, have = str(target.attrs.get("arch", "")), json.loads(here.text)["arch"]
    if wanted and _arch_number(wanted) > _arch_number(have):
        raise TargetError(
            f"The target asks for {wanted}, and the GPU here is {have}.", f"Use {have} or cuda."
        )
    return TargetSpec(
        json.dumps(_export(target)), f"cuda {wanted or have}", here.device, here.cores
    )


def _arch_number(arch: str) -> int:
    return int("".join(c for c in arch if c.isdigit()) or 0)


def _checked_cpu(target: Any) -> TargetSpec:
    from tvm.target import codegen

    mcpu = str(target.attrs.get("mcpu", "")) or str(codegen.llvm_get_system_cpu())
    host = str(codegen.llvm_get_system_triple())
    triple = str(target.attrs.get("mtriple", "")) or host
    wanted, have = (text.split("-", maxsplit=1)[0] for text in (triple, host))
    if wanted != have:
        raise TargetError(
            f"The target is for {wanted}, and this machine is {have}.",
            "Choose a target of this machine.",
        )
    if not codegen.llvm_is_valid_cpu(mcpu, triple):
        raise TargetError(f"LLVM knows no processor {mcpu!r}.", "Write cpu for this machine's own.")
    missing = _missing_features(target)
    if missing:
        raise TargetError(
            f"The target {mcpu} uses {', '.join(missing)}, which this processor lacks.",
            "Write cpu for this machine's own.",
        )
    fields = {**_export(target), "mcpu": mcpu}
    fields.setdefault("num-cores", usable_cores())
    cores = min(int(fields["num-cores"]), usable_cores())
    return TargetSpec(json.dumps(fields, sort_keys=True), f"cpu {mcpu} x{cores}", "cpu", cores)


def _missing_features(target: Any) -> list[str]:
    from tvm.target import Target, codegen

    host = Target(_host_fields())
    return [
        name
        for name in _VECTOR_FEATURES
        if codegen.llvm_cpu_has_features(name, target)
        and not codegen.llvm_cpu_has_features(name, host)
    ]


def _export(target: Any) -> dict[str, Any]:
    return {key: _plain(value) for key, value in dict(target.export()).items() if value != ""}


def _plain(value: Any) -> Any:
    if isinstance(value, (str, int, float, bool)):
        return value
    if hasattr(value, "items"):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value]
