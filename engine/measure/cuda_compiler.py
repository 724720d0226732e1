"""CUDA kernels compiled by NVRTC without parsing CUDA's C++ standard library for each of them."""

from __future__ import annotations

import functools
import logging
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.measure import cubin_cache
from engine.measure.kept_nan import source_with_kept_nan

_log = logging.getLogger(__name__)

# What TVM's sources take of the three headers that cost a second: names of integers, and traits
# that are only named. A source that does use one of those is compiled TVM's way.
_SPELLED = {"8": "char", "16": "short", "32": "int", "64": "long long"}
_TYPES = [f"{sign}int{bits}_t" for sign in ("u", "") for bits in _SPELLED]
_TRAITS = ("is_integral", "is_signed", "is_unsigned", "is_floating_point")


def _integer(name: str) -> str:
    sign = "unsigned" if name.startswith("u") else "signed"
    return f"typedef {sign} {_SPELLED[name.strip('uint_')]} {name};"


_HEADERS = {
    "cuda/std/cstdint": "\n".join(
        (
            "#pragma once",
            *map(_integer, _TYPES),
            "namespace cuda { namespace std {",
            *(f"using ::{name};" for name in _TYPES),
            "} }",
        )
    ),
    "cuda/std/type_traits": "\n".join(
        (
            "#pragma once",
            "namespace cuda { namespace std {",
            *(f"template <class T> struct {name};" for name in _TRAITS),
            "template <class A, class B> struct is_same { static constexpr bool value = false; };",
            "template <class A> struct is_same<A, A> { static constexpr bool value = true; };",
            "template <class A, class B> constexpr bool is_same_v = is_same<A, B>::value;",
            "template <bool B, class T = void> struct enable_if;",
            "template <bool B, class T, class F> struct conditional;",
            "} }",
        )
    ),
}
_PRELUDE = "\n".join(
    (
        "#include <cuda/std/cstdint>",
        *(f"using cuda::std::{name};" for name in _TYPES),
        "#define __asm__ asm",
        "#define __volatile__ volatile",
        "#define INFINITY __int_as_float(0x7f800000)",
        "",
    )
)

# Headers of the toolkit that need no other one of its C++ library, and those in the branch of a
# source that NVRTC does not read.
_OF_TOOLKIT = {"math_constants.h", "cuda_fp16.h", "cuda_bf16.h", "mma.h"}
_OF_HOST = {"cstdint", "type_traits", "cuda.h"}
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.MULTILINE)

# With any of these a person wants something of TVM's own way.
_WISHES = (
    "TVM_CUDA_COMPILE_MODE",
    "TVM_CUDA_NVRTC_EXTRA_OPTS",
    "TVM_CUDA_PTXAS_EXTRA_OPTS",
    "TVM_CUDA_PTXAS_REG_LEVEL",
    "TVM_KERNEL_DUMP",
)

# TVM's own, but where it looks for headers (`tvm.support.nvcc`, whose values its tests hold to).
_OPTIONS = (
    "-default-device",
    "--device-int128",
    "-D__NV_SILENCE_DEPRECATION_BEGIN=",
    "-D__NV_SILENCE_DEPRECATION_END=",
    "-D__NV_SILENCE_HOST_DEPRECATION_BEGIN=",
    "-D__NV_SILENCE_HOST_DEPRECATION_END=",
    "-U__CUDA_NO_HALF_OPERATORS__",
    "-U__CUDA_NO_HALF_CONVERSIONS__",
    "-U__CUDA_NO_BFLOAT16_OPERATORS__",
    "-U__CUDA_NO_BFLOAT16_CONVERSIONS__",
    "-U__CUDA_NO_BFLOAT162_OPERATORS__",
    "-U__CUDA_NO_BFLOAT162_CONVERSIONS__",
    "--use_fast_math",
    "--ptxas-options=-v",
    "--ptxas-options=--register-usage-level=10",
    "--ptxas-options=--warn-on-local-memory-usage",
)


class NotLean(Exception):
    """The lean way does not compile a source."""


def use_lean_compiler() -> None:
    """Have TVM compile CUDA sources by `compile_source` from now on; once is enough."""
    _register()


@functools.cache
def _register() -> None:
    import tvm_ffi

    tvm_ffi.register_global_func("tvm_callback_cuda_compile", compile_source, override=True)


def compile_source(code: str) -> bytes | bytearray:
    """The cubin of a source of TVM's, for the target in scope.

    Whatever the lean way does not compile is compiled TVM's way, with its errors.
    """
    from tvm.support import nvcc

    code = source_with_kept_nan(code)
    if not any(os.environ.get(name) for name in _WISHES):
        try:
            return lean_cubin(code)
        except Exception as error:
            _log.debug("A source is compiled TVM's way: %s", error)
    compiled: bytes | bytearray = nvcc.tvm_callback_cuda_compile(code)
    return compiled


def lean_cubin(code: str) -> bytes:
    """The cubin of a source by NVRTC, with TVM's options and our headers. Raises NotLean.

    A source that was compiled before, by whichever process, is not compiled again.
    """
    names = set(_INCLUDE.findall(code))
    if more := names - _HEADERS.keys() - _OF_HOST - _OF_TOOLKIT:
        raise NotLean(f"It includes {', '.join(sorted(more))}.")
    options = [f"--gpu-architecture={_architecture()}", *_OPTIONS]
    folders = toolkit_headers() if names & _OF_TOOLKIT else ()
    options += [f"-I{folder}" for folder in folders]
    source = _PRELUDE + code.replace("#include <cuda.h>", "")
    key = cubin_cache.key_of((source, *options, *_HEADERS.values(), *_compiler(folders)))
    if (found := cubin_cache.kept(key)) is None:
        found = cubin_of(source, options, _HEADERS)
        cubin_cache.keep(key, found)
    return found


def cubin_of(source: str, options: Sequence[str], headers: Mapping[str, str]) -> bytes:
    """The cubin of a source by NVRTC; `headers` are texts by name. Raises NotLean."""
    from cuda.bindings import nvrtc

    program = _checked(
        nvrtc.nvrtcCreateProgram(
            source.encode(),
            b"tvm_kernels.cu",
            len(headers),
            [text.encode() for text in headers.values()],
            [name.encode() for name in headers],
        )
    )
    try:
        _checked(
            nvrtc.nvrtcCompileProgram(
                program, len(options), [option.encode() for option in options]
            )
        )
        cubin = bytearray(_checked(nvrtc.nvrtcGetCUBINSize(program)))
        _checked(nvrtc.nvrtcGetCUBIN(program, cubin))
    finally:
        nvrtc.nvrtcDestroyProgram(program)
    return bytes(cubin)


@functools.cache
def _compiler(folders: tuple[str, ...]) -> tuple[str, ...]:
    """Which NVRTC it is, and which of the toolkit's headers it finds."""
    from cuda.bindings import nvrtc

    known = [" ".join(map(str, nvrtc.nvrtcVersion()[1:]))]
    for path in (Path(folder, name) for folder in folders for name in sorted(_OF_TOOLKIT)):
        if path.is_file():
            found = path.stat()
            known.append(f"{path} {found.st_size} {found.st_mtime_ns}")
    return tuple(known)


def _checked(answer: tuple[Any, ...]) -> Any:
    status, *found = answer
    if int(status):
        raise NotLean(f"NVRTC says {status.name}.")
    return found[0] if found else None


def _architecture() -> str:
    """As TVM names it to NVRTC: "sm_90"."""
    from tvm.support import nvcc
    from tvm.target import Target

    version = nvcc.get_target_compute_version(Target.current(allow_none=True))
    return f"sm_{''.join(version.split('.'))}"


@functools.cache
def toolkit_headers() -> tuple[str, ...]:
    """The folders in which TVM looks for CUDA's headers; RuntimeError where there are none."""
    from tvm.support import nvcc

    path = nvcc.find_cuda_path()
    machine = nvcc._find_cuda_target_include(path)
    folders = [Path(path, "include"), *([Path(machine), Path(machine, "cccl")] if machine else [])]
    return tuple(str(folder) for folder in folders if folder.is_dir())
