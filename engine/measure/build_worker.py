"""What runs in a build worker: one scheduled module in, one shared library out."""

from __future__ import annotations

import os
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from engine.measure import vector_math
from engine.measure.child import error_text, forget_log, settle
from engine.measure.linker import link_shared
from engine.measure.runner import BuildRequest, BuildResult
from engine.measure.trial import ErrorKind

INTRINSICS = "tvm.s_tir.tensor_intrin"


_NICENESS = 10  # the window and the search go first: a build can wait, a person cannot


def imports(intrinsics: bool) -> tuple[str, ...]:
    """The modules that the fork server imports for its workers."""
    return ("tvm", "tvm.s_tir.transform", *((INTRINSICS,) if intrinsics else ()))


def start(log_dir: str) -> None:
    """Make this process a build worker."""
    settle(log_dir)
    os.nice(_NICENESS)


def probe(intrinsics: bool) -> None:
    """Fail where TVM cannot be imported here."""
    for name in imports(intrinsics):
        __import__(name)


def build_candidate(request: BuildRequest) -> BuildResult:
    """Build one candidate; a compiler's error is a result too."""
    forget_log()
    began = time.perf_counter()
    try:
        _build(request)
    except Exception as error:
        Path(request.artifact).unlink(missing_ok=True)
        seconds = time.perf_counter() - began
        return BuildResult(None, seconds, ErrorKind.BUILD_ERROR, error_text(error))
    return BuildResult(request.artifact, time.perf_counter() - began)


def _build(request: BuildRequest) -> None:
    import tvm
    from tvm.s_tir.transform import RemoveWeightLayoutRewriteBlock

    vector_math.register()
    if request.intrinsics:
        __import__(INTRINSICS)
    target = tvm.ir.load_json(request.target)
    module = tvm.ir.load_json(request.module)
    module = RemoveWeightLayoutRewriteBlock(skip_tensor_rewrite=True)(module)
    with target:  # without it NVRTC's architecture is asked of the GPU, which a fork cannot do
        library = tvm.tirx.build(module, target=target)
    folder = Path(request.artifact).parent
    with tempfile.TemporaryDirectory(dir=folder) as objects:
        link = partial(_link, triple_of(target))
        library.export_library(request.artifact, fcompile=link, workspace_dir=objects)


def triple_of(target: Any) -> str:
    """LLVM's name of the machine that a target's host code runs on; empty: this one."""
    host = target.host or target
    return str(host.attrs.get("mtriple", ""))


def _link(triple: str, output: str, objects: list[str], **_options: object) -> None:
    link_shared(output, objects, triple)
