"""Links object files into a library that this machine can load."""

from __future__ import annotations

import functools
import platform
import shutil
import subprocess
from collections.abc import Sequence

# A linker alone takes 5 ms; a compiler driver that calls it takes 20 (gcc) to 40 (g++).
_LINKERS = ("ld", "ld.lld", "ld.gold", "gcc", "cc", "clang", "g++", "clang++")


@functools.cache
def find_linker(machine: str = "") -> str | None:
    """Path of the quickest linker for `machine` (this one where empty), or None."""
    return next(filter(None, map(shutil.which, _linkers(machine))), None)


def _linkers(machine: str) -> Sequence[str]:
    tools = "ld", "gcc"
    return (*(f"{machine}-linux-gnu-{tool}" for tool in tools), "ld.lld") if machine else _LINKERS


def link_shared(output: str, objects: Sequence[str], triple: str = "") -> None:
    """Link `objects`, made for LLVM's `triple`, into the shared library `output`; TVM, libc and
    libm resolve the rest.

    Raises RuntimeError where there is no linker or it refuses.
    """
    machine = triple.partition("-")[0]
    machine = "" if machine == platform.machine() else machine
    linker = find_linker(machine)
    if linker is None and machine:
        package = f"binutils-{machine.replace('_', '-')}-linux-gnu"
        raise RuntimeError(f"No linker for {machine}: install {package} or lld.")
    if linker is None:
        raise RuntimeError("No linker: install binutils (ld) or a C compiler.")
    command = [linker, "-shared", "-o", output, *objects]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"The linker failed: {done.stderr.strip() or done.returncode}")
