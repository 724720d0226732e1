"""What runs in a build worker: one scheduled module in, one shared library out."""

from __future__ import annotations

import errno
import math
import os
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from engine.kernels.ready import with_ready_kernels
from engine.measure import vector_math
from engine.measure.cuda_build import build_cuda
from engine.measure.cuda_compiler import use_lean_compiler
from engine.measure.kept_nan import with_kept_nan
from engine.measure.linker import export_library
from engine.measure.runner import BuildRequest, BuildResult
from engine.records.trial import ErrorKind
from engine.workers.child import error_text, forget_log, settle

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
IMPORTS = ("tvm", "tvm.s_tir.transform")
"""What the fork server imports for its workers."""

# Seconds of a core. Of 4,344 trials of five models on an H200's host 29 took about that or longer,
# up to 23 s, most of them heavily unrolled. None was its task's best, and their slots waited.
CUDA_CPU_S = 9.0

_NICENESS = 10  # the window and the search go first: a build can wait, a person cannot


def serve(
    pipe: Connection,
    log_dir: str,
    work: Callable[[BuildRequest], BuildResult],
    cpu_s: float,
) -> None:
    """Have `work` build what comes through the pipe until it closes, in `cpu_s` seconds of a core
    each. The first answer is an error or ''."""
    settle(log_dir)
    os.nice(_NICENESS)
    try:
        probe()
    except Exception as error:
        pipe.send(error_text(error))
        return
    pipe.send("")
    while True:
        try:
            request: BuildRequest = pipe.recv()
        except EOFError:
            return
        with bounded(cpu_s):
            pipe.send(_worked(work, request))


def probe() -> None:
    """Fail where TVM cannot be imported here."""
    for name in IMPORTS:
        __import__(name)


def _worked(
    work: Callable[[BuildRequest], BuildResult], request: BuildRequest
) -> BuildResult | OSError:
    """The result, or that there is no room for it, which is no fault of the candidate's."""
    try:
        return work(request)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            return error
        # a mistake of ours, which costs one candidate
        return BuildResult(None, 0.0, ErrorKind.BUILD_CRASH, error_text(error))


@contextmanager
def bounded(cpu_s: float) -> Iterator[None]:
    """The system ends this process by SIGXCPU once the block took so much of a core, or a second
    more."""
    before, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if math.isfinite(cpu_s):
        limit = math.ceil(time.process_time() + cpu_s)
        if before == resource.RLIM_INFINITY or limit < before:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (before, hard))


def build_candidate(request: BuildRequest) -> BuildResult:
    """Build one candidate; a compiler's error is a result too. OSError where the disk is full."""
    forget_log()
    began = time.perf_counter()
    try:
        _build(request)
    except Exception as error:
        Path(request.artifact).unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            raise
        seconds = time.perf_counter() - began
        return BuildResult(None, seconds, ErrorKind.BUILD_ERROR, error_text(error))
    return BuildResult(request.artifact, time.perf_counter() - began)


def _build(request: BuildRequest) -> None:
    import tvm
    from tvm.s_tir.transform import RemoveWeightLayoutRewriteBlock

    vector_math.register()
    target = tvm.ir.load_json(request.target)
    is_gpu = str(target.kind.name) == "cuda"
    module = tvm.ir.load_json(request.module if is_gpu else with_kept_nan(request.module))
    if not request.whole:
        module = RemoveWeightLayoutRewriteBlock(skip_tensor_rewrite=True)(module)
    module = with_ready_kernels(module)
    use_lean_compiler()
    bound_s = CUDA_CPU_S if is_gpu else math.inf
    with target, bounded(bound_s):  # NVRTC asks the target in scope, as a fork has no GPU to ask
        if is_gpu:
            library = build_cuda(module, target, request.kernel)
        else:
            library = tvm.tirx.build(module, target=target)
    export_library(library, request.artifact, triple_of(target))


def triple_of(target: Any) -> str:
    """LLVM's name of the machine that a target's host code runs on; empty: this one."""
    host = target.host or target
    return str(host.attrs.get("mtriple", ""))
