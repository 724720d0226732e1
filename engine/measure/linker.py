"""Links object files into a library that this machine, or one of another kind, can load."""

from __future__ import annotations

import errno
import functools
import importlib.util
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from engine.records.errors import TuningError
from engine.records.sentences import Sentence

# A linker alone takes 5 ms; a compiler driver that calls it takes 20 (gcc) to 40 (g++).
_LINKERS = ("ld", "ld.lld", "ld.gold", "gcc", "cc", "clang", "g++", "clang++")
_OBJECTS = ("lib0.o", "devc.o")  # as TVM names them: what it compiled, and what that imports
_OF_ZIG = ("ld.lld",)  # which of the programs in Zig's it shall be
_FULL = "No space left on device"


@functools.cache
def find_linker(machine: str = "") -> str | None:
    """Path of the quickest linker for `machine` (this one where empty), or None."""
    return next(filter(None, map(shutil.which, _linkers(machine))), None) or _zig()


def _linkers(machine: str) -> Sequence[str]:
    tools = "ld", "gcc"
    return (*(f"{machine}-linux-gnu-{tool}" for tool in tools), "ld.lld") if machine else _LINKERS


def _zig() -> str | None:
    """Zig's program, of the package ziglang: LLVM's linker for every machine is in it."""
    found = importlib.util.find_spec("ziglang")
    places = (found and found.submodule_search_locations) or ()
    return next(filter(None, (shutil.which("zig", path=place) for place in places)), None)


def require_linker(triple: str = "") -> str:
    """The linker for LLVM's `triple`; TuningError where there is none."""
    machine = triple.partition("-")[0]
    machine = "" if machine == platform.machine() else machine
    linker = find_linker(machine)
    if linker is not None:
        return linker
    if not machine:
        raise TuningError("No linker is here.", "Install binutils (ld) or a C compiler.")
    raise TuningError(
        Sentence("No linker for {machine} is here.", machine=machine),
        Sentence(
            "Install lld, binutils-{machine}-linux-gnu, or by pip install 'tunewright[boards]' the "
            "package ziglang.",
            machine=machine.replace("_", "-"),
        ),
    )


def export_library(library: Any, output: str, triple: str) -> None:
    """Write what TVM compiled for LLVM's `triple` as a shared library.

    Raises as `link_shared`, and OSError where a file cannot be written.
    """
    with _objects(Path(output).parent) as folder:
        link = partial(_link, triple)
        library.export_library(output, fcompile=link, workspace_dir=str(folder))


@contextmanager
def _objects(parent: Path) -> Iterator[Path]:
    """A folder for object files, which are kept in memory: where a disk is full, LLVM ends the
    whole process."""
    kept: list[int] = []
    try:
        with tempfile.TemporaryDirectory(dir=parent) as name:
            folder = Path(name)
            for file in _OBJECTS if Path("/proc/self/fd").exists() else ():
                kept.append(os.memfd_create(file, os.MFD_CLOEXEC))
                (folder / file).symlink_to(f"/proc/{os.getpid()}/fd/{kept[-1]}")
            yield folder
    finally:
        for fd in kept:
            os.close(fd)


def _link(triple: str, output: str, objects: list[str], **_options: object) -> None:
    link_shared(output, objects, triple)


def link_shared(output: str, objects: Sequence[str], triple: str = "") -> None:
    """Link `objects`, made for LLVM's `triple`, into the shared library `output`; TVM, libc and
    libm resolve the rest.

    Raises TuningError where there is no linker, RuntimeError where it refuses, OSError where the
    disk is full.
    """
    linker = require_linker(triple)
    which = _OF_ZIG if Path(linker).name == "zig" else ()
    command = [linker, *which, "-shared", "-o", output, *objects]
    plain = os.environ | {"LC_ALL": "C"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=plain)
    if done.returncode != 0 and _FULL in done.stderr:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), output)
    if done.returncode != 0:
        raise RuntimeError(f"The linker failed: {done.stderr.strip() or done.returncode}")
