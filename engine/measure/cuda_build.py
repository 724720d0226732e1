"""A CUDA program built as TVM does it, but with a device module for each kernel, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from engine.records.machine import usable_cores

_PIPELINE = "default"  # `tvm.compile`'s
_LAUNCHED = 2  # the calling convention of a kernel
_ENTRY = "__tvm_ffi_"  # before the name of what a library's caller finds


def build_cuda(module: Any, target: Any, kernel: str = "") -> Any:
    """What `tvm.compile` makes of scheduled kernels (an IRModule).

    TVM writes one source of all kernels, which NVRTC compiles on one core. It can compile several
    at the same time, and those that were compiled before `cuda_compiler` has kept. With `kernel`
    the module's one function has its device code under the name of that function of a program: the
    source is then the same as there.
    """
    import tvm
    from tvm.runtime.executable import Executable
    from tvm.tirx.build import codegen_build, split_host_device_mods

    if target.host is None:
        target = target.with_host(tvm.target.Target("llvm"))
    lower, finish_host, finish_device = tvm.tirx.get_tir_pipeline(_PIPELINE)
    named = _renamed(module, kernel, kernel) if kernel else module
    host, devices = split_host_device_mods(lower(tvm.tirx.transform.BindTarget(target)(named)))
    host, finish = finish_host()(host), finish_device()

    def built(where: Any, part: Any) -> Any:
        with target:  # NVRTC is told its architecture
            return codegen_build(finish(part), where)

    parts = [(where, part) for where, device in devices.items() for part in _parts(device)]
    with ThreadPoolExecutor(max(1, min(len(parts), usable_cores()))) as threads:
        imports = list(threads.map(lambda part: built(*part), parts))
    if kernel:
        (name,) = [var.name_hint for var in module.functions]
        host = _renamed(host, name, f"{_ENTRY}{name}")
    library = codegen_build(host, target.host)
    for one in imports:
        library.import_module(one)
    return Executable(library)


def _renamed(module: Any, name: str, symbol: str) -> Any:
    """The module with its one function under another name."""
    import tvm

    (func,) = module.functions.values()
    return tvm.IRModule({name: func.with_attr("global_symbol", symbol)}, attrs=module.attrs)


def _parts(module: Any) -> Iterator[Any]:
    """A device's functions one by one, or together where some call others."""
    import tvm

    functions = module.functions
    if any(int(func.attrs.get("calling_conv", 0)) != _LAUNCHED for func in functions.values()):
        yield module
        return
    for var, func in functions.items():
        yield tvm.IRModule({var: func}, attrs=module.attrs)
