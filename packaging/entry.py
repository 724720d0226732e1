"""Where the frozen program begins: as the command line, or as the Python of its own workers."""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys


def stand_in(arguments: list[str]) -> bool:
    """Do what Python would with "-c CODE" or "-m MODULE"; whether these were the arguments.

    A frozen program is its own `sys.executable`: whoever starts a Python (the doctor's probes,
    TVM's own workers) starts this.
    """
    if len(arguments) < 2 or arguments[0] not in ("-c", "-m"):
        return False
    flag, wanted, *rest = arguments
    sys.argv = [flag if flag == "-c" else wanted, *rest]
    if flag == "-c":
        exec(compile(wanted, "<string>", "exec"), {"__name__": "__main__"})
    else:
        runpy.run_module(wanted, run_name="__main__", alter_sys=True)
    return True


def free_children() -> None:
    """Let the programs that this one starts, such as the linker, find their own libraries."""
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    os.environ.pop("LD_LIBRARY_PATH", None)
    if before:
        os.environ["LD_LIBRARY_PATH"] = before


if __name__ == "__main__":
    multiprocessing.freeze_support()  # does not return in a worker or a fork server
    free_children()
    if not stand_in(sys.argv[1:]):
        from app.cli.main import main

        main()
